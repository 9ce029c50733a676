// A client announces goods that come, or orders goods that leave: an import.

import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { freeOf } from '../notebook/floor.ts'
import { type Look, nameOfGoods, type Product, plain, round4, round6 } from '../notebook/goods.ts'
import { type Consignment, type Line, Status } from '../notebook/orders.ts'
import { ask, say, untilConsignment, type World } from '../world.ts'
import { learnAllocations } from './learn-allocations.ts'
import { chooseLook, chooseUnit, lookFields, wordsForLook } from './looks.ts'
import { sendImport } from './waiting-import.ts'

type Draft = Omit<Line, 'id' | 'consignment'>
type Drawing = (world: World, choices: Choices) => Draft[]

/** A line of an import; with a share it is weighed, else its goods have the weight of their product. */
function draft(
  ordinal: number,
  product: Product,
  expected: number,
  { look = plain, isWeighed = false }: { look?: Look; isWeighed?: boolean } = {},
): Draft {
  const each = (what: 'weight' | 'volume') => (product[what] === null ? null : product[what] * expected)
  return {
    ...{ ordinal, product, code: product.code, look, expected, unitName: null, isSscc: false, serials: [] },
    expectedWeight: isWeighed ? round4(expected * (1.125 + ordinal) + 0.5) : roundOr(round4, each('weight')),
    expectedVolume: isWeighed ? round6(expected * 0.011) : roundOr(round6, each('volume')),
    ...{ arrivals: [], lateSerials: [], departures: [], origins: [], returnOf: null },
  }
}

/** A line as announced or asked for. */
function draftLine(world: World, choices: Choices, ordinal: number, type: Consignment['type']): Draft {
  const { notebook } = world
  // Orders are mostly for what is there.
  const there = [...new Set(notebook.floor.live.map(heap => heap.product))]
  const isThere = type === 'outwards' && there.length > 0 && !choices.onceIn(4)
  const product = choices.of(
    isThere ? notebook.products.filter(other => there.includes(other)) : notebook.products,
  ) as Product
  const expected = 1 + choices.below(12)
  const isPlain = type === 'outwards' ? !choices.onceIn(4) : choices.onceIn(2)
  const look = isPlain ? plain : chooseLook(choices)
  const isWeighed = choices.onceIn(4)
  const known = [...notebook.floor.units.values()]
  const isOnUnit = choices.onceIn(3)
  const unit = !isOnUnit
    ? null
    : type === 'inwards'
      ? chooseUnit(notebook, choices)
      : choices.among(known, ({ name }) => name)
  const isNamed = type === 'inwards' && product.tracking === 'full' && choices.onceIn(2)
  return {
    // Items that are named have the weight of their product.
    ...draft(ordinal, product, expected, { look, isWeighed: isWeighed && !isNamed }),
    ...{ unitName: unit?.name ?? null, isSscc: unit?.isSscc ?? false },
    serials: isNamed ? Array.from({ length: expected }, () => notebook.newName('S')) : [],
  }
}

const anything =
  (type: Consignment['type']): Drawing =>
  (world, choices) =>
    Array.from({ length: 1 + choices.below(3) }, (_, ordinal) => draftLine(world, choices, ordinal, type))

/** Lines for goods that are free, of whatever batch, so that most of them come from several heaps. */
const whatLiesHere: Drawing = ({ notebook }, choices) => {
  const free = notebook.floor.live.filter(
    heap => heap.hold === null && heap.place.kind !== 'quarantine' && freeOf(heap) >= 1,
  )
  const products = choices.some([...new Set(free.map(({ product }) => product))], 2, ({ id }) =>
    String(notebook.products.findIndex(product => product.id === id)),
  )
  return products.slice(0, 1 + choices.below(2)).map((product, ordinal) => {
    const heaps = free.filter(heap => heap.product === product)
    const total = Math.floor(heaps.reduce((sum, heap) => sum + freeOf(heap), 0))
    const some = choices.among(heaps, nameOfGoods)
    const look = choices.onceIn(4) && some ? { ...plain, attributes: some.look.attributes } : plain
    return draft(ordinal, product, Math.max(1, Math.min(12, total - choices.below(4))), { look })
  })
}

/** Lines of one product that look alike and are not of one weight. */
const alike: Drawing = ({ notebook }, choices) => {
  const product = choices.of(notebook.products.filter(({ tracking }) => tracking === 'none')) as Product
  return [0, 1].map(ordinal => draft(ordinal, product, 2 + choices.below(8), { isWeighed: true }))
}

/** Lines of goods with serials that nobody knows yet, of two batches. */
const unread: Drawing = ({ notebook }, choices) => {
  const product = notebook.products.find(({ tracking }) => tracking === 'full') as Product
  return ['B1', 'B2'].map((batch, ordinal) =>
    draft(ordinal, product, 2 + choices.below(5), { look: { ...chooseLook(choices), batch } }),
  )
}

const roundOr = (round: (value: number) => number, value: number | null) =>
  value === null ? null : round(value)

function fieldsOf(line: Draft) {
  const { product, look, expected, unitName, isSscc, serials, expectedWeight, expectedVolume } = line
  const isWeighed = expectedWeight !== roundOr(round4, product.weight && product.weight * expected)
  const measures = isWeighed ? { weightKG: expectedWeight, volumeM3: expectedVolume } : {}
  return {
    ...{ productCode: product.code, ...lookFields(look) },
    ...(unitName === null
      ? {}
      : isSscc
        ? { logisticUnitSsccNumber: unitName }
        : { logisticUnitReferenceNumber: unitName }),
    items:
      serials.length > 0
        ? serials.map(serial => ({ serial, quantity: 1 }))
        : [{ quantity: expected, ...measures }],
  }
}

async function announce(
  world: World,
  choices: Choices,
  type: Consignment['type'],
  drawLines = anything(type),
): Promise<void> {
  const { notebook } = world
  const lines = drawLines(world, choices)
  if (lines.length === 0) return
  const what = lines.map(
    ({ expected, code, look, unitName }) =>
      `${expected} ${code}${wordsForLook(look)}${unitName === null ? '' : ` on ${unitName}`}`,
  )
  say(world, `${type === 'inwards' ? 'announce' : 'order'} ${what.join(', ')}`)
  const isCarried = type === 'outwards' && (Number(notebook.tag) || 0) % 2 === 0
  const consignmentId = await sendImport(world, choices, {
    ...(isCarried ? { carrierCode: 'SWF' } : {}),
    ...{ consignmentType: type === 'inwards' ? 1 : 2, clientCode: 'KAURI', warehouseCode: 'AKL' },
    products: lines.map(fieldsOf),
  })
  const detail = await untilConsignment(world, consignmentId)
  const consignment: Consignment = {
    ...{
      id: consignmentId,
      tag: notebook.tag,
      number: detail.consignmentNumber,
      enteredOn: notebook.dayAt(Date.now()),
      type,
      status: Status.Pending,
      lines: [],
    },
    ...{ isPickingConfirmed: false, returnOf: null, departures: 0, leftOn: null, bill: null, job: null },
    ...{ byHand: [], leftOut: new Set<string>(), touched: [], closedByRuns: 0 },
    ...{ extras: [], extraChanges: [] },
    isCarried,
  }
  for (const line of lines)
    consignment.lines.push({ ...line, consignment, id: detail.products[line.ordinal]?.id })
  notebook.add(consignment)
  world.history[world.history.length - 1] += `: ${consignment.number}`
  const status = type === 'inwards' ? Status.ReadyToReceive : Status.ReadyToPick
  await ask(world, 'put', `/v1/consignments/${consignmentId}/status`, { status })
  consignment.status = status
  if (type === 'outwards') await learnAllocations(world, [consignment])
}

const announcing = (name: string, often: number, type: Consignment['type'], draw?: Drawing): DeedKind => ({
  ...{ name, often },
  perform: (world, choices) => announce(world, choices, type, draw),
})

export const announceKinds: DeedKind[] = [
  announcing('announce', 4, 'inwards'),
  announcing('announce alike goods', 0, 'inwards', alike),
  announcing('announce unread serials', 0, 'inwards', unread),
  announcing('order', 4, 'outwards'),
  announcing('order what lies here', 0, 'outwards', whatLiesHere),
]
