// The result rows of a back-test: both bills added up by partner, month and rate. Pure.

import { add, type ExactInteger } from '../evaluator/exact.ts'
import type { Bill, BillLine, TestedRate } from './bill.ts'

/** The sums for a partner, month and rate. Amounts are in cents. */
export interface TestedRow {
  partnerId: string
  /** such as 2026-03 */
  month: string
  rate: TestedRate
  countBefore: number
  countAfter: number
  before: ExactInteger
  after: ExactInteger
}

/** Collects the result rows. */
export class TestedRows {
  /** for each partner and month, the rows by the numbers of their rates */
  readonly #rows = new Map<string, (TestedRow | undefined)[]>()

  /** Adds a bill, and the bill by the tested card. */
  add(partnerId: string, month: string, before: Bill, after: Bill): void {
    const key = `${partnerId} ${month}`
    let rows = this.#rows.get(key)
    if (rows === undefined) {
      rows = []
      this.#rows.set(key, rows)
    }
    // Most lines of the two bills have the same rate at the same index, so the row is looked up once for
    // both.
    for (let i = 0; i < before.length; i++) {
      const { rate } = before.lines[i] as BillLine
      const row = rowOf(rows, partnerId, month, rate)
      row.countBefore++
      row.before = add(row.before, before.amounts[i] as ExactInteger)
      if (hasRateAt(after, i, rate)) addAfter(row, after.amounts[i] as ExactInteger)
    }
    for (let i = 0; i < after.length; i++) {
      const { rate } = after.lines[i] as BillLine
      if (!hasRateAt(before, i, rate))
        addAfter(rowOf(rows, partnerId, month, rate), after.amounts[i] as ExactInteger)
    }
  }

  /** All rows; those of a partner and month are in the order of the rates. */
  all(): TestedRow[] {
    // A partner has few of the rates of all cards; Object.values skips the holes of the sparse array.
    return [...this.#rows.values()].flatMap(rows => Object.values(rows) as TestedRow[])
  }
}

/** Whether the line of a bill at an index has a rate. */
const hasRateAt = (bill: Bill, i: number, rate: TestedRate): boolean =>
  i < bill.length && (bill.lines[i] as BillLine).rate === rate

function addAfter(row: TestedRow, amount: ExactInteger): void {
  row.countAfter++
  row.after = add(row.after, amount)
}

function rowOf(
  rows: (TestedRow | undefined)[],
  partnerId: string,
  month: string,
  rate: TestedRate,
): TestedRow {
  let row = rows[rate.number]
  if (row === undefined) {
    row = { partnerId, month, rate, countBefore: 0, countAfter: 0, before: 0, after: 0 }
    rows[rate.number] = row
  }
  return row
}
