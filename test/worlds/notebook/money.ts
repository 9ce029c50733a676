// What each client owes, and for what: the prices that were agreed, and what is counted to charge by them.

import type { Extra, ExtraType } from './extras.ts'
import { type Product, round4, round6 } from './goods.ts'
import type { Notebook } from './notebook.ts'
import {
  type Consignment,
  cameFor,
  goneOf,
  isDone,
  type Line,
  leftWith,
  Status,
  serialsOf,
} from './orders.ts'
import type { StoragePrice } from './storage.ts'

/** What of goods is counted. */
export type CountedGoods = 'consignment' | 'lines' | 'items' | 'kg' | 'm3' | 'pallets' | 'serials'
/** What is counted. */
export type Counted = CountedGoods | ExtraType['kind']

const isOfExtras = (counted: Counted): counted is ExtraType['kind'] =>
  counted === 'task' || counted === 'consumable'

/** A price for one of what is counted. It applies to the work of one direction, or of both. */
export interface Price {
  counted: Counted
  each: number
  base: number
  least: number
  only: Consignment['type'] | null
  /** of tasks and consumables: the ids of those that it is for */
  of: readonly string[]
}

/** A service that is charged: each price takes the goods that it can count, and the next one the others. */
export interface Service {
  name: string
  isFreight: boolean
  /** charged product by product */
  isByProduct: boolean
  prices: readonly Price[]
}

/** Prices from a day on. The later of two lists of one day counts. */
export interface PriceList {
  id: string
  from: string
  services: readonly Service[]
  /** the part by which freight is raised */
  fuel: number
  /** what goods in store cost */
  storage: readonly StoragePrice[]
  /** what each period that is billed costs, and the least that it comes to; 0 for none */
  fee: number
  minimum: number
  /** whether what is missing of the minimum has an account */
  hasMinimumAccount: boolean
}

/** Goods of one line and product, as they are charged. */
export interface Part {
  line: Line
  product: Product
  quantity: number
  weight: number | null
  volume: number | null
  /** the pallets that no part before counts; null if the goods are loose */
  pallets: number | null
  serials: number
}

/** What can be charged: goods, a task or a consumable. */
export type Item = Part | Extra
const isExtra = (item: Item): item is Extra => 'type' in item

/** What an item is called, and the ids that it is told by. */
export const factsOfItem = (item: Item) =>
  isExtra(item)
    ? { id: item.type.id, key: item.type.id, name: item.type.name, quantity: item.value }
    : { id: item.line.id, key: item.product.id, name: item.product.code, quantity: item.quantity }

/** A part with the names of its pallets. */
type Counting = Omit<Part, 'pallets'> & { units: readonly string[] }

/** A row of what is owed. */
export interface Owed {
  service: Service
  price: Price
  /** tells it from the other rows of its consignment */
  key: string
  count: number
  /** of how many parts, each rounded, it is the sum */
  parts: number
  fuel: number
}

/** Work that nobody pays for. */
export interface Unpaid {
  /** null for the freight of all of it */
  item: Item | null
  reason: number
}

const NoPrice = 2
const NothingMatches = 3
const NotMeasured = 4
const NotPositive = 7

/** Whether what came or left is charged, and not what was announced or ordered. */
export const isActual = ({ type, status }: Consignment): boolean =>
  isDone(status) || (type === 'outwards' && status === Status.InTransit)

export const movedFor = (line: Line) =>
  line.consignment.type === 'inwards' ? cameFor(line).quantity : leftWith(line).quantity

/** Whether a consignment is charged by what was expected, though it is over. */
export const isByExpected = (consignment: Consignment): boolean =>
  isActual(consignment) && consignment.lines.every(line => movedFor(line) === 0)

/** The day by which a consignment is charged. */
export function chargeDay({ type, lines, leftOn }: Consignment, today: string): string {
  if (type === 'outwards') return leftOn ?? today
  const groups = Map.groupBy(
    lines.flatMap(({ arrivals }) => arrivals),
    ({ identity }) => identity.receivedDate,
  )
  const days = [...groups].flatMap(([day, own]) =>
    round4(own.reduce((all, { quantity }) => all + quantity, 0)) > 0 ? [day] : [],
  )
  return days.toSorted()[0] ?? today
}

/** The prices of a day. */
export const pricesOn = (
  notebook: Notebook,
  day: string,
  lists: readonly PriceList[] = notebook.priceLists,
): PriceList | undefined =>
  lists
    .filter(({ from }) => from <= day)
    .reduce<PriceList | undefined>((best, list) => (best && best.from > list.from ? best : list), undefined)

/** What came or left with a line, product by product. */
function movedParts(line: Line): Counting[] {
  const isInwards = line.consignment.type === 'inwards'
  const loads = isInwards ? line.arrivals : goneOf(line)
  const byProduct = [...Map.groupBy(loads, ({ identity }) => identity.product)]
  return byProduct
    .toSorted(([a], [b]) => (a.code < b.code ? -1 : 1))
    .flatMap(([product, own]) => {
      const sum = (of: (load: (typeof own)[number]) => number) => own.reduce((all, load) => all + of(load), 0)
      const quantity = round4(sum(load => load.quantity))
      if (quantity <= 0) return []
      const weight = round4(sum(load => load.weight)) || share(product.weight, quantity, round4)
      const volume = round6(sum(load => load.volume)) || share(product.volume, quantity, round6)
      const serials = isInwards ? serialsOf(line).size : new Set(own.flatMap(load => load.serials)).size
      return [{ line, product, quantity, weight, volume, serials, units: unitsOf(own) }]
    })
}

const share = (each: number | null, quantity: number, round: (value: number) => number) =>
  each === null ? null : round(each * quantity)

/** The pallets that goods came or left on. */
function unitsOf(loads: readonly { quantity: number; identity: { unit: { name: string } | null } }[]) {
  const groups = Map.groupBy(loads, ({ identity }) => identity.unit?.name ?? null)
  return [...groups].flatMap(([name, own]) =>
    name !== null && round4(own.reduce((all, { quantity }) => all + quantity, 0)) > 0 ? [name] : [],
  )
}

const expectedParts = (line: Line): Counting[] => [
  {
    ...{ line, product: line.product, quantity: line.expected, serials: line.serials.length },
    weight: line.expectedWeight ?? share(line.product.weight, line.expected, round4),
    volume: line.expectedVolume ?? share(line.product.volume, line.expected, round6),
    units: line.unitName === null ? [] : [line.unitName],
  },
]

/** The goods of a consignment as they are charged now. A pallet of several lines counts once. */
export function partsOf(consignment: Consignment): Part[] {
  const isMoved = isActual(consignment) && !isByExpected(consignment)
  const seen = new Set<string>()
  return consignment.lines.flatMap((line): Part[] =>
    (isMoved ? movedParts(line) : expectedParts(line)).map(({ units, ...part }) => {
      const before = seen.size
      for (const name of units) seen.add(name)
      return { ...part, pallets: units.length === 0 ? null : seen.size - before }
    }),
  )
}

/** How much of what is counted a part is; null if it cannot be told. */
const measures: Record<CountedGoods, (part: Part) => number | null> = {
  consignment: () => 0,
  lines: () => 1,
  items: ({ quantity }) => quantity,
  kg: ({ weight }) => weight,
  m3: ({ volume }) => volume,
  pallets: ({ pallets }) => pallets,
  serials: ({ serials }) => serials || null,
}

/** What became of a price when a consignment was charged. */
export interface Tried {
  price: Price
  outcome: 'taken' | 'for the other direction' | 'nothing to take' | 'nothing left'
  /** what it counted, with the parts of each row */
  rows: { owed: Owed; parts: readonly Item[] }[]
  /** the parts that it is for, but that cannot be counted so */
  unmeasured: readonly Part[]
}

/** What a price takes of what is left: rows, and what it is for but cannot be counted so. */
interface Taking {
  rows: { key: string; count: number; items: readonly Item[] }[]
  unmeasured: readonly Part[]
}

/** Goods are counted together, or product by product. */
function takeGoods(counted: CountedGoods, left: readonly Item[], isByProduct: boolean): Taking {
  const countOf = measures[counted]
  const parts = left.filter((item): item is Part => !isExtra(item))
  const rows = rowsOf(
    parts.filter(part => countOf(part) !== null),
    isByProduct,
  ).map(items => ({
    key: isByProduct ? (items[0]?.product.id ?? '') : '',
    count: counted === 'consignment' ? 1 : round6(items.reduce((all, part) => all + (countOf(part) ?? 0), 0)),
    items,
  }))
  return { rows, unmeasured: parts.filter(part => countOf(part) === null) }
}

/** Each task and each consumable is a row of its own. */
const takeExtras = ({ counted, of }: Price, left: readonly Item[]): Taking => ({
  rows: left.flatMap(item =>
    isExtra(item) && item.type.kind === counted && of.includes(item.type.id)
      ? [{ key: item.type.id, count: item.value, items: [item] }]
      : [],
  ),
  unmeasured: [],
})

/** What a service comes to, what it takes, and why it leaves what a price is for. */
function chargeFor(list: PriceList, service: Service, { type }: Consignment, items: readonly Item[]) {
  const tried: Tried[] = []
  const reasons = new Map<Item, number>()
  let left = items
  let isWholeLeft = true
  for (const price of service.prices) {
    const isOver = left.length === 0 && !isWholeLeft
    const isForOther = price.only !== null && price.only !== type
    const now: Tried = { price, outcome: 'nothing to take', rows: [], unmeasured: [] }
    tried.push(now)
    if (isOver || isForOther) now.outcome = isOver ? 'nothing left' : 'for the other direction'
    if (isOver || isForOther) continue
    const { counted } = price
    if (counted === 'consignment' && !isWholeLeft) continue
    if (counted === 'consignment') isWholeLeft = false
    const { rows, unmeasured } = isOfExtras(counted)
      ? takeExtras(price, left)
      : takeGoods(counted, left, service.isByProduct)
    now.unmeasured = unmeasured
    for (const part of unmeasured) reasons.set(part, NotMeasured)
    for (const { key: part, count, items } of rows) {
      if (count <= 0) for (const item of items) reasons.set(item, NotPositive)
      if (count <= 0) continue
      const key = `${list.id} ${service.name} ${service.prices.indexOf(price)} ${part}`
      const fuel = service.isFreight ? list.fuel : 0
      now.rows.push({ owed: { service, price, key, count, parts: items.length, fuel }, parts: items })
      now.outcome = 'taken'
      left = left.filter(item => !items.includes(item))
    }
  }
  const owed = tried.flatMap(({ rows }) => rows.map(row => row.owed))
  return { owed, left: new Set(left), reasons, tried }
}

/** Everything of a consignment that is charged: goods, tasks and consumables. */
export const itemsOf = (consignment: Consignment): Item[] => [...partsOf(consignment), ...consignment.extras]

/** Each service of a list, and what became of its prices for a consignment. */
export function triedBy(consignment: Consignment, list: PriceList): { service: Service; tried: Tried[] }[] {
  const items = itemsOf(consignment)
  return list.services.map(service => ({
    service,
    tried: chargeFor(list, service, consignment, items).tried,
  }))
}

type Charging = ReturnType<typeof chargeFor> & { isFreight: boolean }

/** That nobody pays for what a carrier does, if prices for it were agreed, and the one that comes closest. */
function unpaidFreight({ isCarried }: Consignment, charged: readonly Charging[]): Unpaid[] {
  const freight = charged.filter(({ isFreight }) => isFreight)
  if (!isCarried || freight.length === 0 || freight.some(({ owed }) => owed.length > 0)) return []
  const reasons = freight.flatMap(({ reasons }) => [...reasons.values()])
  return [{ item: null, reason: Math.max(NothingMatches, ...reasons) }]
}

/** Whether any price of a list is for what an item is, whatever else it asks for. */
const isPriced = ({ services }: PriceList, item: Item): boolean =>
  services.some(({ isFreight, prices }) =>
    prices.some(
      ({ counted }) => !isFreight && (isExtra(item) ? counted === item.type.kind : !isOfExtras(counted)),
    ),
  )

/** What a consignment owes by a list, and the work that nobody pays for. Freight is no work. */
export const owedBy = (consignment: Consignment, list: PriceList): { owed: Owed[]; unpaid: Unpaid[] } =>
  owedFor(consignment, list, itemsOf(consignment))

/** What items of a consignment owe by a list. */
export function owedFor(
  consignment: Consignment,
  list: PriceList,
  items: readonly Item[],
): { owed: Owed[]; unpaid: Unpaid[] } {
  const charged = list.services.map(service => ({
    isFreight: service.isFreight,
    ...chargeFor(list, service, consignment, items),
  }))
  const work = charged.filter(({ isFreight }) => !isFreight)
  const unpaid: Unpaid[] = items
    .filter(item => work.every(({ left }) => left.has(item)))
    .map(item => {
      const reasons = work.flatMap(({ reasons }) => reasons.get(item) ?? [])
      // The one that comes closest to a price.
      return { item, reason: Math.max(isPriced(list, item) ? NothingMatches : NoPrice, ...reasons) }
    })
  unpaid.push(...unpaidFreight(consignment, charged))
  return { owed: charged.flatMap(({ owed }) => owed), unpaid }
}

const rowsOf = (parts: readonly Part[], isByProduct: boolean): Part[][] =>
  isByProduct ? [...Map.groupBy(parts, ({ product }) => product).values()] : [[...parts]]

/** What so many of something come to, in whole cents. Halves go away from zero. */
export function centsFor(
  { each, base, least }: Pick<Price, 'each' | 'base' | 'least'>,
  count: number,
  fuel: number,
): number {
  const millionths = (value: number) => BigInt(Math.round(value * 1e6))
  const scale = 10n ** 12n
  const unraised = millionths(count) * millionths(each) + millionths(base) * 10n ** 6n
  const floor = millionths(least) * 10n ** 6n
  const raised = (unraised < floor ? floor : unraised) * (10n ** 6n + millionths(fuel))
  const divisor = (scale * 10n ** 6n) / 100n
  return Number((raised * 2n + divisor) / (divisor * 2n))
}
