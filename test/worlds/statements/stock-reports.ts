// Reports of what is here: row by row, product by product, by age and place, and what moved in a period.

import { availableOf, type Entry, type Heap, promisedOf } from '../notebook/floor.ts'
import { dateFields, type Product, round4 } from '../notebook/goods.ts'
import type { Notebook } from '../notebook/notebook.ts'
import type { World } from '../world.ts'
import type { Row } from './read-stock.ts'
import {
  clientName,
  clientOf,
  datesOf,
  figuresOf,
  placeOf,
  productOf,
  run,
  sameRows,
  totalsOf,
  unitOf,
  warehouseName,
  warehouseOf,
  wordsOfAttributes,
} from './rows.ts'

const today = ({ dayAt }: Notebook) => dayAt(Date.now())
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
const quantityOf = (heaps: readonly Heap[], of = (heap: Heap) => heap.quantity) =>
  round4(heaps.reduce((all, heap) => all + of(heap), 0))
const countOf = (values: readonly unknown[]) => new Set(values.filter(value => value !== null)).size

/** From when a date of goods is critical: the client says how many days before. */
const criticalDays = 30
const isCritical = ({ look }: Heap, day: string) =>
  look.expiryDate !== null && daysBetween(day, look.expiryDate) <= criticalDays

export async function stockReports(world: World): Promise<void> {
  await position(world)
  await summary(world)
  await age(world)
  await balance(world)
  await places(world)
  await transactions(world)
}

async function position(world: World): Promise<void> {
  const { notebook } = world
  const day = today(notebook)
  const known = notebook.floor.live.map(heap => ({
    ...{ ...warehouseOf(world), ...placeOf(heap.place), ...unitOf(heap), ...clientOf(world) },
    ...{ ...productOf(heap.product), ...datesOf(heap.look), attributes: heap.look.attributes },
    ...{ receivedDate: heap.receivedDate, receivedAgeDays: daysBetween(heap.receivedDate, day) },
    ...{ isQuarantined: heap.place.kind === 'quarantine', isCritical: isCritical(heap, day) },
    ...{ holdKind: heap.hold?.kind ?? null, holdReason: heap.hold?.reason ?? null },
    ...figuresOf('onHand', heap),
    ...{ availableQuantity: availableOf(heap), allocatedQuantity: promisedOf(heap) },
    heldQuantity: heap.hold === null ? 0 : heap.quantity,
  }))
  const told = (await run(world, 'stock-position')).map(row => ({
    ...row,
    attributes: wordsOfAttributes(row.attributes),
  }))
  const keys = [
    ...['warehouseLocationId', 'logisticUnitNumber', 'partnerProductId', 'batch', ...dateFields],
    ...['attributes', 'receivedDate', 'receivedAgeDays', 'holdKind', 'holdReason'],
  ]
  sameRows(told, known, { what: 'the report of stock positions', keys })
}

async function summary(world: World): Promise<void> {
  const { live } = world.notebook.floor
  const day = today(world.notebook)
  const row = {
    ...{ ...warehouseOf(world), ...clientOf(world), ...figuresOf('onHand', totalsOf(live)) },
    productCount: countOf(live.map(({ product }) => product)),
    logisticUnitCount: countOf(live.map(({ unit }) => unit)),
    locationCount: countOf(live.map(({ place }) => place)),
    availableQuantity: quantityOf(live, availableOf),
    allocatedQuantity: quantityOf(live, promisedOf),
    heldQuantity: quantityOf(live.filter(({ hold }) => hold !== null)),
    quarantinedQuantity: quantityOf(live.filter(({ place }) => place.kind === 'quarantine')),
    criticalQuantity: quantityOf(live.filter(heap => isCritical(heap, day))),
  }
  sameRows(await run(world, 'stock-summary'), live.length > 0 ? [row] : [], {
    ...{ what: 'the summary of stock', keys: ['warehouseId', 'partnerId'] },
  })
}

async function age(world: World): Promise<void> {
  const day = today(world.notebook)
  const ends = [1, 4, null]
  const known = byProduct(world.notebook).map(([product, heaps]) => {
    const ageOf = ({ receivedDate }: Heap) => Math.max(0, daysBetween(receivedDate, day))
    const days = heaps.reduce((all, heap) => all + heap.quantity * ageOf(heap), 0)
    return {
      ...{ ...warehouseOf(world), ...clientOf(world), ...productOf(product) },
      oldestReceivedDate: heaps.map(({ receivedDate }) => receivedDate).toSorted()[0],
      averageAgeDays: Math.round(days / quantityOf(heaps)),
      ...figuresOf('onHand', totalsOf(heaps)),
      ageBrackets: ends.map((to, i) => {
        const from = i === 0 ? 0 : (ends[i - 1] as number) + 1
        return quantityOf(heaps.filter(heap => ageOf(heap) >= from && (to === null || ageOf(heap) <= to)))
      }),
    }
  })
  const told = await run(world, 'stock-age', { ageBrackets: [1, 4] })
  const rows = told.map(row => ({
    ...row,
    ageBrackets: row.ageBrackets.map(({ quantity }: Row) => quantity),
  }))
  sameRows(rows, known, { what: 'the report of the age of stock', keys: ['partnerProductId'] })
}

const byProduct = ({ floor }: Notebook): [Product, Heap[]][] => [
  ...Map.groupBy(floor.live, ({ product }) => product),
]

/** What lay here before a day, what came, left, was found and lost on it and later, and what is left. */
async function balance(world: World): Promise<void> {
  const { notebook } = world
  const { floor, dayAt } = notebook
  const dateFrom = today(notebook)
  const known = notebook.products.map(product => {
    const own = floor.journal.filter(({ key }) => floor.heaps.get(key)?.product === product)
    const isLater = ({ at }: Entry) => dayAt(at) >= dateFrom
    const later = (kind: Entry['kind']) =>
      totalsOf(own.filter(entry => entry.kind === kind && isLater(entry)))
    const { quantity, weight, volume } = later('left')
    return {
      ...{ ...warehouseOf(world), ...clientOf(world), ...productOf(product) },
      ...figuresOf('opening', totalsOf(own.filter(entry => !isLater(entry)))),
      ...figuresOf('received', later('came')),
      ...figuresOf('dispatched', { quantity: -quantity, weight: -weight, volume: -volume }),
      ...figuresOf('adjustment', later('corrected')),
      ...figuresOf('closing', totalsOf(own)),
    }
  })
  const names = ['opening', 'received', 'dispatched', 'adjustment', 'closing']
  const isAny = (row: Row) => names.some(name => row[`${name}Quantity`] !== 0)
  sameRows(await run(world, 'stock-balance', { dateFrom }), known.filter(isAny), {
    ...{ what: 'the balance of stock', keys: ['partnerProductId'] },
  })
}

async function places(world: World): Promise<void> {
  const { floor, places: usual, pickfaces } = world.notebook
  const all = [...usual, ...pickfaces.all]
  const common = (values: readonly string[]) => (countOf(values) > 1 ? 'Several' : (values[0] ?? null))
  const known = all.map((place, i) => {
    const heaps = floor.live.filter(heap => heap.place === place)
    const isKnown = floor.journal.some(({ key }) => floor.heaps.get(key)?.place === place)
    return {
      ...{
        ...warehouseOf(world),
        ...placeOf(place),
        status: 1,
        walkingOrder: i + 1,
        isPickface: i >= usual.length,
      },
      ...{ isEmpty: heaps.length === 0, partnerName: heaps.length === 0 ? null : clientName },
      partnerProductCode: common(heaps.map(({ product }) => product.code)),
      productCount: countOf(heaps.map(({ product }) => product)),
      logisticUnitCount: countOf(heaps.map(({ unit }) => unit)),
      ...figuresOf('onHand', totalsOf(heaps)),
      allocatedQuantity: quantityOf(heaps, promisedOf),
      heldQuantity: quantityOf(heaps.filter(({ hold }) => hold !== null)),
      lastMovementDateTime: isKnown,
    }
  })
  const told = (await run(world, 'location-status')).map(row => ({
    ...row,
    lastMovementDateTime: row.lastMovementDateTime !== null,
  }))
  sameRows(told, known, {
    ...{ what: 'the report of places', keys: ['warehouseLocationId'], unknown: ['emptyDays'] },
  })
}

const received = 3
const dispatched = 6

/** What moved, by what it was for: what came and left with consignments, and everything else. */
async function transactions(world: World): Promise<void> {
  const { floor, dayAt } = world.notebook
  const known = floor.journal.flatMap(({ at, key, kind, consignment, quantity, weight, volume, by }) => {
    const heap = floor.heaps.get(key) as Heap
    const { partnerProductCode, partnerProductName } = productOf(heap.product)
    return {
      ...{ day: dayAt(at), kind: kind === 'came' || kind === 'left' ? kind : 'otherwise' },
      consignmentNumber: kind === 'came' || kind === 'left' ? (consignment?.number ?? null) : null,
      ...{ warehouseName, partnerName: clientName, partnerProductCode, partnerProductName },
      ...{ ...datesOf(heap.look), locationName: heap.place.name },
      ...{
        logisticUnitNumber: heap.unit?.number ?? null,
        ssccNumber: heap.unit?.isSscc ? heap.unit.name : null,
      },
      ...{ quantity, weightKG: weight, volumeM3: volume, userName: by },
    }
  })
  const told = (await run(world, 'product-transaction-detail')).map(
    ({ transactionDateTime, transactionType: type, consignmentNumber, ...row }) => ({
      ...{ ...row, day: transactionDateTime.slice(0, 10) },
      kind: type === received ? 'came' : type === dispatched ? 'left' : 'otherwise',
      consignmentNumber: type === received || type === dispatched ? consignmentNumber : null,
    }),
  )
  const keys = [
    ...['day', 'kind', 'consignmentNumber', 'partnerProductCode', 'batch', ...dateFields],
    ...['locationName', 'logisticUnitNumber', 'ssccNumber', 'userName'],
  ]
  const unknown = [
    ...['recordedUtc', 'referenceNumber', 'jobNumber', 'reason', 'isLate'],
    ...['movementId', 'moveNumber', 'cause', 'causeId'],
  ]
  const isAny = ({ quantity }: Row) => quantity !== 0
  sameRows(summed(told, keys).filter(isAny), summed(known, keys).filter(isAny), {
    ...{ what: 'the report of transactions', keys, unknown },
  })
}

/** Rows of the same keys as one, so that what was put and taken back is none. */
function summed(rows: readonly Row[], keys: readonly string[]): Row[] {
  const groups = Map.groupBy(rows, row => JSON.stringify(keys.map(key => row[key])))
  return [...groups.values()].map(own => ({
    ...own[0],
    quantity: round4(own.reduce((all, row) => all + row.quantity, 0)),
    weightKG: own.reduce((all, row) => all + row.weightKG, 0),
    volumeM3: own.reduce((all, row) => all + row.volumeM3, 0),
  }))
}
