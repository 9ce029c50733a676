// The bill of a consignment or period, as it was billed or would have been by the tested card. Pure.

import type { RateKind } from '../../vocabulary/billing.ts'
import { add, type ExactInteger } from '../evaluator/exact.ts'

/** A rate in the result of a back-test. Both sides share the same object. */
export interface TestedRate {
  /** from 0, in the order of the result rows */
  number: number
  /** null for the adjustments of earlier back-tests */
  id: string | null
  name: string
  kind: RateKind
  activityTypeId: string | null
}

/** The accounts that an amount is booked to. */
export interface Accounts {
  revenueAccountId: string | null
  costCentreId: string | null
}

/** The accounts and the tax of a transaction. The percent is a decimal as text. */
export interface Booking extends Accounts {
  taxRateId: string
  taxRateName: string
  taxRatePercent: string
}

/** The rate, tax rate and accounts of a line of a bill. All lines of a rate charge share the same object. */
export interface BillLine {
  rate: TestedRate
  taxRateId: string
  /** whether its kind of rate is tested */
  isTested: boolean
  /** null for the adjustments of earlier back-tests */
  rateChargeId: string | null
  /** the rate charge's own accounts */
  accounts: Accounts
  /** how an earlier adjustment was booked */
  booking: Booking | null
}

const noAccounts: Accounts = { revenueAccountId: null, costCentreId: null }

export const createBillLine = (
  line: Pick<BillLine, 'rate' | 'taxRateId' | 'isTested'> & Partial<BillLine>,
): BillLine => ({ rateChargeId: null, accounts: noAccounts, booking: null, ...line })

/** A bill: its lines, and the amount of each in cents. The object is reused for one bill after another. */
export class Bill {
  readonly lines: BillLine[]
  readonly amounts: ExactInteger[]
  /** the number of lines; the arrays may be longer if an earlier bill was */
  length: number
  sum: ExactInteger

  constructor(lines: BillLine[] = [], amounts: ExactInteger[] = [], sum: ExactInteger = 0) {
    this.lines = lines
    this.amounts = amounts
    this.length = lines.length
    this.sum = sum
  }

  /** Empties the bill, to reuse it. */
  begin(): this {
    this.length = 0
    this.sum = 0
    return this
  }

  /** Adds a line. */
  charge(line: BillLine, amount: ExactInteger): void {
    this.lines[this.length] = line
    this.amounts[this.length] = amount
    this.length++
    this.sum = add(this.sum, amount)
  }

  /** A copy that keeps its lines when this object is reused. */
  copy(): Bill {
    return new Bill(this.lines.slice(0, this.length), this.amounts.slice(0, this.length), this.sum)
  }
}

/** Whether two bills have the same rates with the same amounts in the same order. */
export function areEqualBills(before: Bill, after: Bill): boolean {
  if (before.length !== after.length) return false
  for (let i = 0; i < before.length; i++)
    if (before.lines[i]?.rate !== after.lines[i]?.rate || before.amounts[i] !== after.amounts[i]) return false
  return true
}
