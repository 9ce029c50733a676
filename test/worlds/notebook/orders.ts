// What was announced and ordered, and what came and left for each line.

import type { Centre, Tax } from './books.ts'
import type { Extra, ExtraChange } from './extras.ts'
import type { Floor, Load, Origin } from './floor.ts'
import type { Identity, Look, Product } from './goods.ts'
import { round4, round6 } from './goods.ts'
import type { Item, PriceList } from './money.ts'

export const Status = {
  Void: -2,
  Complete: 0,
  Pending: 1,
  ReadyToPick: 2,
  ReadyToDispatch: 3,
  ReadyToReceive: 4,
  Closed: 6,
  InTransit: 7,
} as const

/** Whether nothing more comes or leaves. */
export const isDone = (status: number): boolean => status === Status.Complete || status === Status.Closed

export interface Consignment {
  id: string
  /** of the deed that made it */
  tag: string
  number: string
  /** the day on which it was sent */
  enteredOn: string
  type: 'inwards' | 'outwards'
  status: number
  lines: Line[]
  /** whether a person ever confirmed a pick of it */
  isPickingConfirmed: boolean
  /** the consignment of which it returns goods */
  returnOf: Consignment | null
  /** how often its goods left; what was undone counts no more */
  departures: number
  /** the day on which its goods left, unless that was undone */
  leftOn: string | null
  /** what was billed when it was closed last; null while it is open */
  bill: Bill | null
  /** whether a carrier takes it */
  isCarried: boolean
  /** how often a run closed it */
  closedByRuns: number
  /** the wave that it was picked in last */
  job: string | null
  /** what somebody charged by hand */
  byHand: HandRow[]
  /** the charges that somebody left out */
  leftOut: Set<string>
  /** what was done to charges by hand, in the order in which it was */
  touched: Touch[]
  /** what is done for it besides, and used for it */
  extras: Extra[]
  /** in the order in which they happened */
  extraChanges: ExtraChange[]
}

/** A row of a bill. */
export interface BillRow {
  what: string
  count: number
  cents: number
  /** the base amount and the least of its price; 0 for none */
  base: number
  least: number
  isFreight: boolean
  /** listed, and not to be paid */
  isLeftOut: boolean
}

/** A charge was entered, or was left out or charged after all. */
export interface Touch {
  amount: number | null
  before: boolean | null
  after: boolean | null
}

/** A row that somebody entered. */
export interface HandRow extends BillRow {
  /** as it was when it was entered */
  tax: Tax
  hasAccount: boolean
  centre: Centre | null
}

export interface Bill {
  rows: readonly BillRow[]
  /** what its carrier is owed; null if that is not known */
  costs: readonly BillRow[] | null
  unpaid: readonly string[]
  /** what of it nobody pays for, in the words of the report of that */
  unbilled: readonly string[]
  /** the day of its transactions */
  day: string
  /** how much it was charged for, by the day of the work */
  charged: Charged
  /** what was charged for, by the code of the product as it was then */
  parts: readonly { code: string; quantity: number }[]
  /** the same, as it was then, and the prices by which it was charged */
  items: readonly Item[]
  list: PriceList | undefined
  carrierList: PriceList | undefined
  /** the cost centre of the warehouse then */
  centre: Centre | null
  /** what computed charges are taxed by */
  tax: Tax
}

/** How much goods of a consignment are charged for, on which day, and by which part freight is raised. */
export interface Charged {
  quantity: number
  weight: number | null
  volume: number | null
  day: string
  fuel: number
}

/** Goods that came for a line, into one heap; negative where they were taken back. */
export interface Arrival extends Load {
  identity: Identity
}

/** Goods that left with a line. */
export interface Departure extends Load {
  identity: Identity
  /** how the product was called when it left */
  code: string
  name: string
  origins: Origin[]
  /** which departure of its consignment it was of */
  ordinal: number
  isUndone: boolean
  /** what it came back as when it was undone: loose, if its unit stands elsewhere */
  cameBackAs: Identity | null
}

export interface Line {
  id: string
  consignment: Consignment
  ordinal: number
  product: Product
  /** the code as it was ordered */
  code: string
  look: Look
  /** the name of the unit that it was announced on, or is asked from */
  unitName: string | null
  isSscc: boolean
  expected: number
  /** announced, or of the product; null if nobody weighed it */
  expectedWeight: number | null
  expectedVolume: number | null
  /** announced by name */
  serials: readonly string[]
  arrivals: Arrival[]
  /** written on its goods after they came, and on which goods */
  lateSerials: { serial: string; identity: Identity }[]
  departures: Departure[]
  /** where its goods at the dock were picked from, the latest last */
  origins: Origin[]
  /** the line of which it returns goods */
  returnOf: Line | null
}

const sum = (loads: readonly Load[]): Load => ({
  quantity: round4(loads.reduce((all, { quantity }) => all + quantity, 0)),
  weight: round4(loads.reduce((all, { weight }) => all + weight, 0)),
  volume: round6(loads.reduce((all, { volume }) => all + volume, 0)),
  serials: [],
})

/** The serials that came for a line, or were written on its goods later, and were not taken back. */
export function serialsOf({ arrivals, lateSerials }: Line): Set<string> {
  const counts = new Map<string, number>()
  const add = (serial: string, sign: number) => counts.set(serial, (counts.get(serial) ?? 0) + sign)
  for (const { serials, quantity } of arrivals) for (const serial of serials) add(serial, Math.sign(quantity))
  for (const { serial } of lateSerials) add(serial, 1)
  return new Set([...counts].flatMap(([serial, count]) => (count > 0 ? [serial] : [])))
}

/** What came for a line and was not taken back. */
export const cameFor = ({ arrivals }: Line): Load => sum(arrivals)

export const goneOf = ({ departures }: Line): Departure[] => departures.filter(({ isUndone }) => !isUndone)
/** What left with a line and was not undone. */
export const leftWith = (line: Line): Load => sum(goneOf(line))

/** What is promised to a line, picked or not yet. */
export const promisedTo = (floor: Floor, line: Line, isPicked: boolean): number =>
  round4(
    floor.live
      .flatMap(({ promises }) => promises)
      .filter(promise => promise.line === line && promise.isPicked === isPicked)
      .reduce((all, { quantity }) => all + quantity, 0),
  )

/** What a line lacks. */
export function shortOf(floor: Floor, line: Line): number {
  const met =
    line.consignment.type === 'inwards'
      ? cameFor(line).quantity
      : promisedTo(floor, line, false) + promisedTo(floor, line, true) + leftWith(line).quantity
  return Math.max(0, round4(line.expected - met))
}

/** What of a line's receipts is still held as it was when it came. */
export const heldFor = (floor: Floor, line: Line): number =>
  cameFor(line).quantity === 0
    ? 0
    : round4(
        floor.live.filter(({ hold }) => hold?.line === line).reduce((all, { quantity }) => all + quantity, 0),
      )

/** A name of a line that does not depend on other deeds. */
export const nameOfLine = ({ consignment, ordinal }: Line): string => `${consignment.tag}.${ordinal}`
