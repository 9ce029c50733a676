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

/** A bill: its lines, and beside each its amount in cents. One is written after another in the same place. */
export class Bill {
  readonly lines: BillLine[]
  readonly amounts: Whole[]
  /** how many lines it has: behind them may stand some of a longer bill before it */
  length: number
  sum: Whole

  constructor(lines: BillLine[] = [], amounts: Whole[] = [], sum: Whole = 0) {
    this.lines = lines
    this.amounts = amounts
    this.length = lines.length
    this.sum = sum
  }

  /** Begins another bill. */
  begin(): this {
    this.length = 0
    this.sum = 0
    return this
  }

  /** Adds a line. */
  charge(line: BillLine, amount: Whole): void {
    this.lines[this.length] = line
    this.amounts[this.length] = amount
    this.length++
    this.sum = add(this.sum, amount)
  }

  /** The same, which stays as it is. */
  copy(): Bill {
    return new Bill(this.lines.slice(0, this.length), this.amounts.slice(0, this.length), this.sum)
  }
}

/** Whether two bills have the same amounts of the same rates in the same order. */
export function isAlike(before: Bill, after: Bill): boolean {
  if (before.length !== after.length) return false
  for (let i = 0; i < before.length; i++)
    if (before.lines[i]?.rate !== after.lines[i]?.rate || before.amounts[i] !== after.amounts[i]) return false
  return true
}
