// Goods come: as announced, more, less, others, on other pallets, damaged, or unannounced.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { type Place, type Product, plain, round4, type Unit } from '../notebook/goods.ts'
import { addUnannouncedLine, placeFor, type Receipt, receive } from '../notebook/inwards.ts'
import type { Notebook } from '../notebook/notebook.ts'
import { type Consignment, cameFor, type Line, nameOfLine, Status, serialsOf } from '../notebook/orders.ts'
import { ask, say, type World } from '../world.ts'
import { chooseLook, chooseUnit, lookFields, unitFields, wordsForLook } from './looks.ts'

/** A receipt with the fields of its request. */
interface Planned extends Receipt {
  fields: object
}

const outstandingOf = (line: Line) => Math.max(0, round4(line.expected - cameFor(line).quantity))

/** How much may still come for a line; a return brings no more than left. */
export function mostFor(notebook: Notebook, line: Line): number {
  const original = line.returnOf
  if (original === null) return Number.POSITIVE_INFINITY
  const left = original.departures
    .filter(({ isUndone, identity }) => !isUndone && identity.product === line.product)
    .reduce((all, { quantity }) => all + quantity, 0)
  const back = notebook.lines
    .filter(other => other.returnOf === original && other.product === line.product)
    .reduce((all, other) => all + cameFor(other).quantity, 0)
  return round4(left - back)
}

/** How goods come: `alike` ones look as announced, in one place, `unread` ones come without serials. */
type Manner = 'any' | 'alike' | 'unread'

/** What the receipts of a request that are planned already name: where pallets stand, and serials. */
interface SoFar {
  standing: Map<string, Place>
  serials: Set<string>
}

/** Plans what comes for one line. */
function planReceipt(
  { notebook }: World,
  line: Line,
  most: number,
  soFar: SoFar,
  manner: Manner,
  choices: Choices,
): Planned | null {
  const isTracked = line.product.tracking !== 'none'
  const outstanding = outstandingOf(line)
  const more = choices.onceIn(4) ? 1 + choices.below(3) : 0
  const wanted = outstanding > 0 ? choices.part(outstanding, isTracked) + more : more
  const isTooMuch = Number.isFinite(most) && !isTracked && choices.onceIn(6)
  const quantity = isTooMuch ? most + 1 : Math.min(wanted, isTracked ? Math.floor(most) : most)
  if (quantity <= 0) return null
  // Goods may come before anybody knows their serials.
  const areKnown = !choices.onceIn(4) && manner !== 'unread'
  const serials =
    areKnown && line.product.tracking === 'full'
      ? serialsThatCome(notebook, line, quantity, soFar.serials)
      : []
  for (const serial of serials) soFar.serials.add(serial)
  const kind = manner === 'alike' ? 0 : choices.below(4)
  const otherBatch = kind === 3 ? choices.of(['B1', 'B2', 'B3'] as const) : null
  const look =
    kind === 2
      ? chooseLook(choices)
      : otherBatch !== null && line.look.batch !== null && otherBatch !== line.look.batch
        ? { ...plain, batch: otherBatch, attributes: line.look.attributes }
        : otherBatch !== null
          ? { ...line.look, batch: otherBatch }
          : line.look
  const announced = line.unitName === null ? null : { name: line.unitName, isSscc: line.isSscc }
  const isOnAnnounced = manner === 'alike' || !choices.onceIn(3)
  const unit = isOnAnnounced ? announced : choices.onceIn(2) ? someUnit(notebook, choices) : null
  const isWeighed = choices.onceIn(4)
  const weight = isWeighed ? round4(quantity * 1.37 + 0.21) : null
  const volume = isWeighed ? 0.0123 : null
  const isDamaged = choices.onceIn(5) && manner === 'any'
  const hold = isDamaged ? { kind: 2, reason: 'Damaged' } : undefined
  const place = manner === 'alike' ? null : placeOf(notebook, unit, soFar.standing, choices)
  const fields = {
    ...{ quantity, serials, weightKG: weight, volumeM3: volume, hold, locationName: place?.name },
    ...(kind === 2 ? lookFields(look) : otherBatch === null ? {} : { batch: otherBatch }),
    ...(isOnAnnounced ? {} : { logisticUnit: unit && unitReference(notebook, unit) }),
  }
  return { line, quantity, serials, weight, volume, look, place, unit, hold, fields }
}

/** A pallet that is known, that others announced, or a new one. */
function someUnit(notebook: Notebook, choices: Choices) {
  const announced = notebook.lines.flatMap(({ unitName, isSscc }) =>
    unitName === null ? [] : [{ name: unitName, isSscc }],
  )
  return choices.onceIn(2)
    ? (choices.among(announced, ({ name }) => name) ?? null)
    : chooseUnit(notebook, choices)
}

const unitReference = ({ floor }: Notebook, unit: { name: string; isSscc: boolean }) => ({
  ...unitFields(unit),
  ...(floor.units.has(unit.name) ? {} : { isNew: true }),
})

/** Where goods are put. A pallet with goods on it stands where it stands. */
function placeOf(
  notebook: Notebook,
  unit: { name: string } | null,
  standing: Map<string, Place>,
  choices: Choices,
): Place | null {
  const chosen = choices.of(notebook.places) as Place
  if (unit === null) return chosen
  const known = notebook.floor.units.get(unit.name)
  if (known && notebook.floor.onUnit(known).length > 0) return null
  const place = standing.get(unit.name) ?? chosen
  standing.set(unit.name, place)
  return place
}

/**
 * The serials that come: those that were announced, or left if they come back, then others. Two lines of a
 * return can be of one line that left; what the first brings is `named`.
 */
export function serialsThatCome(
  notebook: Notebook,
  line: Line,
  quantity: number,
  named: ReadonlySet<string> = new Set(),
): string[] {
  const came = serialsOf(line)
  const isThere = (serial: string) => notebook.floor.live.some(({ serials }) => serials.has(serial))
  const left = (line.returnOf?.departures ?? []).flatMap(({ isUndone, identity, serials }) =>
    isUndone || identity.product !== line.product ? [] : serials,
  )
  const known = [...new Set([...line.serials, ...left])]
  const own = known
    .filter(serial => !came.has(serial) && !named.has(serial) && !isThere(serial))
    .slice(0, quantity)
  return [...own, ...Array.from({ length: quantity - own.length }, () => notebook.newName('S'))]
}

async function receiveSome(
  world: World,
  choices: Choices,
  manner: Manner = 'any',
  isLate = false,
): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(notebook.atHand('inwards', [Status.ReadyToReceive]), ({ tag }) => tag)
  if (consignment === undefined) return
  const soFar: SoFar = { standing: new Map(), serials: new Set() }
  const daysAgo = (choices.onceIn(4) && manner === 'any') || isLate ? 1 + choices.below(5) : 0
  const count = manner === 'alike' ? 2 : 1 + choices.below(consignment.lines.length)
  const lines = choices.some(consignment.lines, count, nameOfLine)
  const left = new Map<Line | null, number>()
  const planned = lines.flatMap(line => {
    const most = left.get(line.returnOf) ?? mostFor(notebook, line)
    const receipt = planReceipt(world, line, most, soFar, manner, choices)
    if (receipt && line.returnOf) left.set(line.returnOf, round4(most - receipt.quantity))
    return receipt ?? []
  })
  const stranger =
    choices.onceIn(6) && manner === 'any' && consignment.returnOf === null
      ? planStranger(world, consignment, choices)
      : null
  if (planned.length === 0 && stranger === null) return
  await send(world, consignment, planned, stranger, daysAgo)
}

/** Whether more of a product comes back for a line than left with it. */
const moreThanLeft = (notebook: Notebook, original: Line | null, planned: readonly Planned[]): boolean =>
  original !== null &&
  planned.some(({ line: { product } }) => {
    const own = planned.filter(({ line }) => line.returnOf === original && line.product === product)
    const [first] = own
    const coming = own.reduce((all, { quantity }) => all + quantity, 0)
    return first !== undefined && round4(coming) > mostFor(notebook, first.line)
  })

/** Goods that nobody announced, of any product. */
function planStranger({ notebook }: World, consignment: Consignment, choices: Choices) {
  const product = choices.of(notebook.products.filter(({ tracking }) => tracking === 'none')) as Product
  const known = consignment.lines.find(line => line.product === product && line.expected === 0)
  return { product, quantity: 1 + choices.below(6), line: known ?? null }
}

async function send(
  world: World,
  consignment: Consignment,
  planned: readonly Planned[],
  stranger: ReturnType<typeof planStranger> | null,
  daysAgo: number,
): Promise<void> {
  const { notebook } = world
  const day = notebook.dayAt(Date.now() - daysAgo * 86_400_000)
  const words = planned.map(
    ({ line, quantity, look, unit, hold, place, serials }) =>
      `${quantity} ${line.product.code}${wordsForLook(look)} for line ${line.ordinal + 1} into ` +
      `${placeFor(notebook, { place, unit }).name}${unit ? ` on ${unit.name}` : ''}` +
      `${hold ? ', damaged' : ''}${serials.length > 0 ? `, ${serials.join(' ')}` : ''}`,
  )
  if (stranger) words.push(`${stranger.quantity} ${stranger.product.code} that nobody announced`)
  say(world, `receive ${consignment.number}${daysAgo > 0 ? ` on ${day}` : ''}: ${words.join('; ')}`)
  const path = `/v1/consignments/${consignment.id}/receive`
  const isTooMuch = planned.some(({ line }) => moreThanLeft(notebook, line.returnOf, planned))
  const body = {
    ...(daysAgo > 0 ? { receivedDateTime: `${day}T07:30:00` } : {}),
    receipts: [
      ...planned.map(({ line, fields }) => ({ consignmentProductId: line.id, ...fields })),
      ...(stranger ? [{ partnerProductId: stranger.product.id, quantity: stranger.quantity }] : []),
    ],
  }
  const answer = await ask(world, 'post', path, body, { mayBe: isTooMuch ? ['insufficient_stock'] : [] })
  if (answer === null) return
  assert.ok(!isTooMuch, `more came back with ${consignment.number} than left`)
  const at = Date.parse(answer.effectiveUtc)
  const receivedDate = daysAgo > 0 ? day : notebook.dayAt(at)
  assert.equal(notebook.dayAt(at), receivedDate, 'the goods came on another day than was said')
  const receipts: Receipt[] = [...planned]
  if (stranger) {
    const known = new Set(consignment.lines.map(({ id }) => id))
    const told: string[] = answer.consignmentProducts.map(
      ({ consignmentProductId }: { consignmentProductId: string }) => consignmentProductId,
    )
    const id = told.find(candidate => !known.has(candidate)) as string
    const line = stranger.line ?? addUnannouncedLine(consignment, stranger.product, id)
    const nothing = { weight: null, volume: null, place: null, unit: null, hold: undefined }
    receipts.push({ line, quantity: stranger.quantity, serials: [], look: plain, ...nothing })
  }
  receive(notebook, consignment, receipts, at, receivedDate)
  checkAnswer(consignment, receipts, answer.consignmentProducts)
}

/** The answer tells for each line what came for it so far, and how much too much or too little. */
function checkAnswer(
  { number }: Consignment,
  receipts: readonly Receipt[],
  told: readonly { consignmentProductId: string }[],
): void {
  const known = [...new Set(receipts.map(({ line }) => line))].map(line => {
    const over = round4(cameFor(line).quantity - line.expected)
    return {
      consignmentProductId: line.id,
      receivedQuantity: cameFor(line).quantity,
      overQuantity: Math.max(0, over),
      shortQuantity: Math.max(0, round4(-over)),
    }
  })
  const figures = told.map(({ ...line }: Record<string, unknown>) => {
    delete line.warehouseProductIds
    return line
  })
  assert.deepEqual(figures, known, `the answer to the receipt of ${number}`)
}

/** Everything that is outstanding comes as it was announced. */
async function receiveAll(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(notebook.atHand('inwards', [Status.ReadyToReceive]), ({ tag }) => tag)
  if (consignment === undefined) return
  const receipts = planAll(notebook, consignment)
  if (receipts.length === 0 || receipts.some(({ line, quantity }) => quantity > mostFor(notebook, line)))
    return
  say(world, `receive all that is outstanding of ${consignment.number}`)
  const answer = await ask(world, 'post', `/v1/consignments/${consignment.id}/receive`, { all: true })
  const at = Date.parse(answer.effectiveUtc)
  receive(notebook, consignment, receipts, at, notebook.dayAt(at))
  checkAnswer(consignment, receipts, answer.consignmentProducts)
}

/** What is outstanding of a consignment, as it was announced. Serials that others replaced are not known. */
export function planAll(notebook: Notebook, consignment: Consignment): Receipt[] {
  return consignment.lines.flatMap((line): Receipt[] => {
    const quantity = outstandingOf(line)
    if (quantity === 0) return []
    const came = serialsOf(line)
    const announced = line.serials.filter(serial => !came.has(serial))
    const unit = line.unitName === null ? null : { name: line.unitName, isSscc: line.isSscc }
    const known = unit && notebook.floor.units.get(unit.name)
    // An empty pallet stands where it was put last.
    const isEmpty = known && notebook.floor.onUnit(known).length === 0
    return [
      {
        ...{ line, quantity, look: line.look, unit, weight: null, volume: null },
        serials: announced.length <= quantity ? announced : [],
        place: isEmpty ? placeOfEmpty(notebook, known) : null,
      },
    ]
  })
}

/** Where an empty pallet stands; one that left with its goods comes to where goods are received. */
const placeOfEmpty = ({ receiving }: Notebook, { leftWith, place }: Unit): Place =>
  leftWith === null ? place : receiving

export const receiveKinds: DeedKind[] = [
  { name: 'receive', often: 7, perform: receiveSome },
  {
    name: 'receive alike goods',
    often: 0,
    perform: (world, choices) => receiveSome(world, choices, 'alike'),
  },
  {
    name: 'receive unread serials',
    often: 0,
    perform: (world, choices) => receiveSome(world, choices, 'unread'),
  },
  {
    name: 'receive late',
    often: 1,
    perform: (world, choices) => receiveSome(world, choices, 'any', true),
  },
  { name: 'receive all', often: 2, perform: receiveAll },
]
