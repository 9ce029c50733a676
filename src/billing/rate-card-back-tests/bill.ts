// What a consignment or a period was billed, or would have been. Pure.

import type { RateKind } from '../enumerations.ts'
import { add, type Whole } from '../rate-cards/exact.ts'

/** A rate as the rows of a test tell it; the same object on both sides. */
export interface TestedRate {
  /** from 0, in the order in which they are told */
  number: number
  /** null: what an earlier back-test adjusted */
  id: string | null
  name: string
  kind: RateKind
  activityTypeId: string | null
}

/** What a line of a bill belongs to; the same object for all lines of a rate charge. */
export interface BillLine {
  rate: TestedRate
  taxRateId: string
  /** the same for all lines of a kind, an activity and a tax rate */
  activityKey: string
  /** of a kind that is tested */
  isTested: boolean
}

/** Makes what lines belong to. */
export const billLine = (rate: TestedRate, taxRateId: string, isTested: boolean): BillLine => ({
  rate,
  taxRateId,
  activityKey: `${rate.kind} ${rate.activityTypeId} ${taxRateId}`,
  isTested,
})

/** A bill: its lines, and beside each its amount in cents. */
export interface Bill {
  lines: BillLine[]
  amounts: Whole[]
  sum: Whole
}

/** A bill without lines. */
export const emptyBill = (): Bill => ({ lines: [], amounts: [], sum: 0 })

/** Adds a line to a bill. */
export function charge(bill: Bill, line: BillLine, amount: Whole): void {
  bill.lines.push(line)
  bill.amounts.push(amount)
  bill.sum = add(bill.sum, amount)
}

/** Whether two bills have the same amounts of the same rates in the same order. */
export const isAlike = (before: Bill, after: Bill): boolean =>
  before.lines.length === after.lines.length &&
  before.lines.every(({ rate }, i) => rate === after.lines[i]?.rate && before.amounts[i] === after.amounts[i])
