// Goods that left come back: all, a part, a batch, or named serials. This announces them.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { keyOfLook, round4 } from '../notebook/goods.ts'
import {
  type Consignment,
  goneOf,
  isDone,
  type Line,
  leftWith,
  nameOfLine,
  Status,
} from '../notebook/orders.ts'
import {
  leftOf,
  planReturn,
  type ReturnLine,
  type Sent,
  type SentProduct,
  sentWith,
  takeSent,
} from '../notebook/returns.ts'
import { ask, say, type World } from '../world.ts'

interface Plan {
  fields: object
  lines: ReturnLine[]
}

async function announceReturn(world: World, choices: Choices, isAll = choices.onceIn(2)): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(
    notebook
      .atHand('outwards', [Status.InTransit, Status.Complete, Status.Closed])
      .filter(({ lines }) => lines.some(line => leftWith(line).quantity > 0)),
    ({ tag }) => tag,
  )
  if (consignment === undefined) return
  const lines = isAll ? consignment.lines : choices.some(consignment.lines, 1, nameOfLine)
  const plans = lines.flatMap(line => {
    const sent = sentWith(notebook, line)
    return isAll ? planAllOf(line, sent) : (planPart(world, line, sent, choices) ?? [])
  })
  if (plans.length === 0) return
  const planned = plans.flatMap(plan => plan.lines)
  const words = planned.map(
    ({ quantity, product, look, serials, of }) =>
      `${quantity} ${product.code} ${look.batch ?? ''} ${serials.join(' ')} of line ${of.ordinal + 1}`,
  )
  say(world, `announce a return of ${consignment.number}: ${words.join('; ')}`)
  const { consignmentId } = await ask(world, 'post', `/v1/consignments/${consignment.id}/returns`, {
    lines: plans.map(({ fields }) => fields),
    reason: 'Too green',
  })
  await writeDown(world, consignment, consignmentId, planned)
}

/** Everything of a line that is not back yet. */
function planAllOf(line: Line, sent: readonly SentProduct[]): Plan[] {
  return sent.flatMap(product => {
    const quantity = leftOf(product)
    if (quantity <= 0) return []
    const fields = { consignmentProductId: line.id, partnerProductId: product.product.id, quantity }
    return [{ fields, lines: planReturn(line, product, product.goods, quantity) }]
  })
}

/** A part of what left: any of it, of a batch, or by serials. */
function planPart(world: World, line: Line, sent: readonly SentProduct[], choices: Choices): Plan | null {
  const product = choices.among(
    sent.filter(known => leftOf(known) > 0),
    known => known.product.code,
  )
  if (product === undefined) return null
  const { id, tracking } = product.product
  const named = { consignmentProductId: line.id, partnerProductId: id }
  if (tracking === 'full' && choices.onceIn(2)) return planSerials(world, line, product, choices)
  const batch = choices.onceIn(2)
    ? (choices.among(product.goods, ({ look }) => keyOfLook(look))?.look.batch ?? null)
    : null
  const goods = product.goods.filter(({ look }) => batch === null || look.batch === batch)
  const remaining = round4(goods.reduce((sum, known) => sum + known.remaining, 0))
  const quantity = choices.part(Math.min(leftOf(product), remaining), tracking !== 'none')
  if (quantity <= 0) return null
  return {
    fields: { ...named, quantity, ...(batch === null ? {} : { batch }) },
    lines: planReturn(line, product, goods, quantity),
  }
}

function planSerials({ notebook }: World, line: Line, sent: SentProduct, choices: Choices): Plan | null {
  const announced = new Set(
    notebook.lines
      .filter(
        ({ returnOf, consignment: { status } }) =>
          returnOf === line && status !== Status.Void && !isDone(status),
      )
      .flatMap(({ serials }) => serials),
  )
  const isHere = (serial: string) => notebook.floor.live.some(({ serials }) => serials.has(serial))
  const away = goneOf(line).flatMap(({ identity, serials }) =>
    identity.product === sent.product
      ? serials
          .filter(serial => !announced.has(serial) && !isHere(serial))
          .map(serial => ({ serial, look: keyOfLook(identity.look) }))
      : [],
  )
  const chosen = choices.some(away, 1 + choices.below(3), ({ serial }) => serial)
  const byGoods = Map.groupBy(chosen, ({ look }) => look)
  const lines: ReturnLine[] = []
  for (const [look, own] of byGoods) {
    const goods = sent.goods.find(known => keyOfLook(known.look) === look) as Sent
    if (own.length > Math.min(leftOf(sent), goods.remaining)) return null
    lines.push(
      takeSent(
        line,
        goods,
        own.length,
        own.map(({ serial }) => serial),
      ),
    )
  }
  if (lines.length === 0) return null
  const serials = chosen.map(({ serial }) => serial)
  return { fields: { consignmentProductId: line.id, quantity: serials.length, serials }, lines }
}

/** Writes the return down, and compares its lines with what left. Their order is the service's. */
async function writeDown(
  world: World,
  original: Consignment,
  id: string,
  planned: readonly ReturnLine[],
): Promise<void> {
  const { notebook } = world
  const detail = await ask(world, 'get', `/v1/consignments/${id}`)
  const consignment: Consignment = {
    ...{
      id,
      tag: notebook.tag,
      number: detail.consignmentNumber,
      enteredOn: notebook.dayAt(Date.now()),
      type: 'inwards' as const,
      status: Status.Pending,
      lines: [],
    },
    ...{ isPickingConfirmed: false, returnOf: original, departures: 0, leftOn: null, bill: null, job: null },
    ...{ byHand: [], leftOut: new Set<string>(), touched: [], closedByRuns: 0 },
    ...{ extras: [], extraChanges: [] },
    isCarried: false,
  }
  assert.equal(detail.products.length, planned.length, 'the return has another number of lines')
  const open = [...planned]
  for (const [ordinal, told] of detail.products.entries()) {
    const at = open.findIndex(
      line =>
        line.product.id === told.product.id &&
        line.quantity === told.expectedQuantity &&
        line.look.batch === told.batch &&
        (line.look.expiryDate ?? null) === (told.expiryDate?.slice(0, 10) ?? null) &&
        (line.look.bestBeforeDate ?? null) === (told.bestBeforeDate?.slice(0, 10) ?? null) &&
        (line.look.attributes.Colour ?? null) === (told.attributes[0]?.description ?? null) &&
        (line.serials.length === 0 || line.serials.includes(told.items[0].serial)),
    )
    const words = `${told.expectedQuantity} ${told.productCode} of ${told.batch}, ${told.expiryDate}`
    assert.ok(at >= 0, `a return announces ${words}, which did not leave so`)
    const [line] = open.splice(at, 1) as [ReturnLine]
    consignment.lines.push({
      ...{ id: told.id, consignment, ordinal, product: line.product, code: line.product.code },
      ...{ look: line.look, unitName: null, isSscc: false, expected: line.quantity },
      ...{ expectedWeight: line.weight, expectedVolume: line.volume, serials: line.serials },
      ...{ arrivals: [], lateSerials: [], departures: [], origins: [], returnOf: line.of },
    })
  }
  notebook.add(consignment)
  await ask(world, 'put', `/v1/consignments/${id}/status`, { status: Status.ReadyToReceive })
  consignment.status = Status.ReadyToReceive
}

export const returnKinds: DeedKind[] = [
  { name: 'announce a return', often: 9, perform: announceReturn },
  {
    name: 'announce a return of all',
    often: 0,
    perform: (world, choices) => announceReturn(world, choices, true),
  },
]
