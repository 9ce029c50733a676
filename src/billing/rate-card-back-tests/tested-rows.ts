// The rows of a test: bills and what would have been billed, added up by partner, month and rate. Pure.

import { add, type Whole } from '../rate-cards/exact.ts'
import type { Bill, BillLine, TestedRate } from './bill.ts'

/** What is added up for a partner, a month and a rate. Amounts are in cents. */
export interface TestedRow {
  partnerId: string
  /** 2026-03 */
  month: string
  rate: TestedRate
  countBefore: number
  countAfter: number
  before: Whole
  after: Whole
}

/** The rows, as they grow. */
export class TestedRows {
  /** of each partner and month, those of the rates, by their numbers */
  readonly #rows = new Map<string, (TestedRow | undefined)[]>()

  /** Adds a bill, and what would have been billed. */
  add(partnerId: string, month: string, before: Bill, after: Bill): void {
    const key = `${partnerId} ${month}`
    let rows = this.#rows.get(key)
    if (rows === undefined) {
      rows = []
      this.#rows.set(key, rows)
    }
    // Most lines stand beside one of the same rate: its row is looked up once for both.
    for (let i = 0; i < before.length; i++) {
      const { rate } = before.lines[i] as BillLine
      const row = rowOf(rows, partnerId, month, rate)
      row.countBefore++
      row.before = add(row.before, before.amounts[i] as Whole)
      if (isBeside(after, i, rate)) addAfter(row, after.amounts[i] as Whole)
    }
    for (let i = 0; i < after.length; i++) {
      const { rate } = after.lines[i] as BillLine
      if (!isBeside(before, i, rate)) addAfter(rowOf(rows, partnerId, month, rate), after.amounts[i] as Whole)
    }
  }

  /** All of them, of each partner and month in the order of the rates. */
  all(): TestedRow[] {
    // Of the rates of all cards, a partner has few: only what is there is looked at.
    return [...this.#rows.values()].flatMap(rows => Object.values(rows) as TestedRow[])
  }
}

/** Whether the line of a bill at a place is of a rate. */
const isBeside = (bill: Bill, i: number, rate: TestedRate): boolean =>
  i < bill.length && (bill.lines[i] as BillLine).rate === rate

function addAfter(row: TestedRow, amount: Whole): void {
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
