// What lines would get of the stock, in which order and why, and why of other stock they get nothing.

import { availableOf, freeOf, type Heap } from '../notebook/floor.ts'
import { dateFields, round4 } from '../notebook/goods.ts'
import type { Notebook } from '../notebook/notebook.ts'
import { type Consignment, type Line, Status, shortOf } from '../notebook/orders.ts'
import { mayHave, promisesIn } from '../notebook/promises.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { datesOf } from './rows.ts'

/** How many consignments of each world are asked about. */
const many = 3
/** How many rows of stock are told of each line. */
const most = 20

export async function allocationPreviews(world: World): Promise<void> {
  const { notebook } = world
  const open = notebook.consignmentsOf('outwards', [
    ...[Status.Pending, Status.ReadyToPick, Status.ReadyToDispatch],
  ])
  for (const consignment of open.slice(-many))
    for (const isAllocatedIncluded of [false, true]) await compare(world, consignment, isAllocatedIncluded)
}

/** A line with what it wants of the stock, and how much of each heap it may have. */
interface Wish {
  line: Line
  wanted: number
  /** goods of other products that a person chose for it */
  byHand: readonly Heap[]
  availableIn: (heap: Heap) => number
}

async function compare(world: World, consignment: Consignment, isAllocatedIncluded: boolean): Promise<void> {
  const { notebook } = world
  const path = `/v1/consignments/${consignment.id}/allocation-preview`
  const { lines } = await ask(world, 'get', `${path}?IncludeAllocated=${isAllocatedIncluded}`)
  const ownIn = (heap: Heap) => sum(consignment.lines.flatMap(line => promisesIn(heap, line, false)))
  const availableIn = (heap: Heap) =>
    heap.hold !== null || heap.place.kind === 'quarantine'
      ? availableOf(heap)
      : round4(freeOf(heap) + (isAllocatedIncluded ? ownIn(heap) : 0))
  const wishes = consignment.lines.flatMap((line): Wish[] => {
    const own = isAllocatedIncluded
      ? sum(notebook.floor.live.flatMap(heap => promisesIn(heap, line, false)))
      : 0
    const wanted = round4(shortOf(notebook.floor, line) + own)
    const byHand = notebook.floor.live.filter(
      heap =>
        isAllocatedIncluded && heap.product !== line.product && promisesIn(heap, line, false).length > 0,
    )
    return wanted > 0 ? [{ line, wanted, byHand, availableIn }] : []
  })
  const what = `what ${consignment.number} would get${isAllocatedIncluded ? ' if it had nothing' : ''}`
  const ids = (rows: readonly string[]) => rows.toSorted()
  sameText(
    ids(lines.map((row: Row) => row.consignmentProductId)),
    ids(wishes.map(({ line }) => line.id)),
    what,
  )
  for (const wish of wishes) {
    const told = lines.find((row: Row) => row.consignmentProductId === wish.line.id)
    compareLine(notebook, wish, told, `${what}, line ${wish.line.ordinal + 1}`)
  }
  compareShares(notebook, wishes, lines, what)
}

const sum = (parts: readonly { quantity: number }[]) =>
  round4(parts.reduce((all, { quantity }) => all + quantity, 0))

function compareLine(notebook: Notebook, wish: Wish, told: Row, what: string): void {
  const { line, wanted, byHand, availableIn } = wish
  const { wanted: asked, allocated, short, stock } = told
  const rules = [told.rotationMethod, told.rotationMethodSecondary, told.stockDepletionMethod]
  sameText(rules, [0, 0, 1], `${what}, by which rules`)
  sameFigure(asked, wanted, `${what}, wanted`)
  sameFigure(round4(allocated + short), wanted, `${what}, allocated and short`)
  const ofProduct = notebook.floor.live.filter(({ product }) => product === line.product)
  const heaps = [...byHand, ...ofProduct]
  if (heaps.length < most) {
    sameText(
      stock.map((row: Row) => row.warehouseProductId).toSorted(),
      heaps.map(({ id }) => id).toSorted(),
      `${what}, of which stock`,
    )
    sameFigure(sum(stock), allocated, `${what}, what it would get of each`)
  }
  for (const row of stock) {
    const heap = heaps.find(({ id }) => id === row.warehouseProductId) as Heap
    const { quantity: _, rule, ...facts } = row
    const own = sum(promisesIn(heap, line, false))
    const isByHand = byHand.includes(heap)
    const keptOut = isByHand ? null : reasonAgainst(notebook, line, heap, availableIn(heap))
    sameText(
      facts,
      {
        ...{ warehouseProductId: heap.id, warehouseLocationName: heap.place.name },
        ...{ logisticUnitNumber: heap.unit?.number ?? null, ...datesOf(heap.look) },
        ...{ receivedDate: heap.receivedDate, availableQuantity: availableIn(heap) },
        ...{ allocatedQuantity: own, keptOut },
      },
      `${what}, of the stock in ${heap.place.name}`,
    )
    sameText(
      rule === null,
      keptOut !== null || isByHand,
      `${what}, whether a rule puts ${heap.place.name} first`,
    )
  }
  const serials = new Set(line.serials)
  const had = stock
    .filter((row: Row) => row.rule !== null)
    .map((row: Row) => ({ row, heap: heaps.find(({ id }) => id === row.warehouseProductId) as Heap }))
    // Serials that are asked for by name are taken from wherever they lie.
    .filter(({ heap }: { heap: Heap }) => ![...heap.serials].some(serial => serials.has(serial)))
  compareOrder(notebook, wish, had, what)
}

/** Why a line gets nothing of these goods; null if it may have them. */
function reasonAgainst(notebook: Notebook, line: Line, heap: Heap, available: number): string | null {
  if (heap.hold !== null) return 'is on hold'
  if (heap.place.kind === 'quarantine') return 'is in quarantine'
  if (available <= 0) return 'is all allocated to others'
  if (mayHave(notebook, line, heap)) return null
  const { look, product } = line
  if (line.unitName !== null && heap.unit?.name !== line.unitName)
    return `is not on the logistic unit ${line.unitName}`
  if (!product.isSubstitutable)
    for (const field of ['batch', ...dateFields] as const)
      if (look[field] !== null && look[field] !== heap.look[field])
        return `is not of the ${nouns[field]} ${look[field]}`
  for (const [name, value] of Object.entries(look.attributes))
    if (heap.look.attributes[name] !== value) return `lacks ${name} ${value}`
  return 'has expired'
}

const nouns = {
  batch: 'batch',
  ...{ bestBeforeDate: 'best before date', expiryDate: 'expiry date', packagingDate: 'packaging date' },
  ...{ productionDate: 'production date', sellByDate: 'sell by date' },
}

/** In which order goods are taken: each of two neighbours goes first by the rule that is told. */
function compareOrder(
  { pickfaces, floor }: Notebook,
  { line: { look, product }, wanted, availableIn }: Wish,
  had: readonly { row: Row; heap: Heap }[],
  what: string,
): void {
  const wished = (['batch', ...dateFields] as const).filter(
    field => product.isSubstitutable && look[field] !== null,
  )
  const rankOf = ({ place }: Heap) =>
    pickfaces.all.some(face => face === place && face.product === product)
      ? 0
      : place.kind === 'racking'
        ? 1
        : place.kind === 'bulk'
          ? 2
          : 3
  /** Whether it is all that a pallet holds, nobody has any of it, and it is not too much. */
  const isWholeUnit = (heap: Heap) =>
    heap.unit !== null &&
    floor.onUnit(heap.unit).length === 1 &&
    availableIn(heap) === heap.quantity &&
    heap.quantity <= wanted
  const keysOf = (heap: Heap): [rule: string, key: number | string][] => [
    ['Preference', -wished.filter(field => look[field] === heap.look[field]).length],
    ['Rotation', heap.receivedDate],
    ['WholeUnit', isWholeUnit(heap) ? 0 : 1],
    ['Location', rankOf(heap)],
    ['Quantity', availableIn(heap)],
  ]
  for (const [i, { row, heap }] of had.entries()) {
    const next = had[i + 1]
    if (next === undefined) continue
    const [own, other] = [keysOf(heap), keysOf(next.heap)]
    const at = own.findIndex(([, key], n) => key !== other[n]?.[1])
    if (at < 0) continue
    const [rule, key] = own[at] as (typeof own)[number]
    const words = `${what}, ${heap.place.name} before ${next.heap.place.name}`
    sameText(key < (other[at]?.[1] as typeof key), true, words)
    sameText(row.rule, rule, `${words}, by which rule`)
  }
}

/** Nothing is shared out twice, and nobody lacks what is left of something that it may have. */
function compareShares(
  notebook: Notebook,
  wishes: readonly Wish[],
  lines: readonly Row[],
  what: string,
): void {
  const shares = new Map<string, number>()
  for (const { stock } of lines)
    for (const { warehouseProductId: id, quantity } of stock)
      shares.set(id, round4((shares.get(id) ?? 0) + quantity))
  for (const { line, availableIn } of wishes) {
    const { short } = lines.find(row => row.consignmentProductId === line.id)
    const own = notebook.floor.live.filter(({ product }) => product === line.product)
    if (own.length >= most) continue
    for (const heap of own) {
      const left = round4(Math.max(0, availableIn(heap)) - (shares.get(heap.id as string) ?? 0))
      sameText(left >= 0, true, `${what}: ${-left} too many in ${heap.place.name}`)
      const isMissed = short > 0 && left > 0 && mayHave(notebook, line, heap)
      sameText(
        isMissed,
        false,
        `${what}: line ${line.ordinal + 1} lacks ${short} of ${left} in ${heap.place.name}`,
      )
    }
  }
}
