// What back-tests tell: what bills were and would have been, by month and rate, and which of them differ.

import { type BackTest, sumOf, type TestedBill, toleranceOf } from '../notebook/back-tests.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

const cents = (amount: number) => Math.round(amount * 100)

/** Compares what a back-test tells, and which bills differ, with what the notebook knew when it was made. */
export function compareBackTest({ side, bills }: BackTest, told: Row, differing: readonly Row[]): void {
  const what = `what bills of the ${side} would have been`
  sameText(told.failure, null, what)
  sameText([told.consignmentCount, told.periodCount], [bills.length, 0], `${what}, how many`)
  sameText(told.control, { checked: bills.length, differing: 0 }, `${what}, whether they are as billed`)
  const withoutCard = bills.filter(
    ({ bill }) => (side === 'client' ? bill.list : bill.carrierList) === undefined,
  )
  sameText(told.withoutCard.count, withoutCard.length, `${what}, how many had no prices`)
  const [before, after] = [bills.flatMap(bill => bill.before), bills.flatMap(bill => bill.after)]
  sameFigure(cents(told.totals.before), sumOf(before), `${what}, what they came to`)
  sameFigure(cents(told.totals.after), sumOf(after), `${what}, what they come to`, toleranceOf(after))
  compareRows(bills, told.rows, what)
  const reasons = bills.flatMap(({ unpaid }) => unpaid)
  const known = [...Map.groupBy(reasons, reason => reason)]
    .map(([reason, own]) => ({ reason, count: own.length }))
    .toSorted((a, b) => a.reason - b.reason)
  sameText(told.unrated, known, `${what}, what nobody would pay for`)
  compareDiffering(bills, differing, what)
  sameFigure(told.differingCount, differing.length, `${what}, how many differ`)
}

interface Sums {
  counts: [number, number]
  before: number
  after: number
  tolerance: number
}

function compareRows(bills: readonly TestedBill[], rows: readonly Row[], what: string): void {
  const known = new Map<string, Sums>()
  const sumsOf = (key: string): Sums => {
    const sums = known.get(key) ?? { counts: [0, 0], before: 0, after: 0, tolerance: 0 }
    known.set(key, sums)
    return sums
  }
  for (const { bill, before, after } of bills) {
    const month = `${bill.charged.day.slice(0, 7)}-01`
    for (const { isFreight, name, cents } of before) {
      const sums = sumsOf(`${month} ${isFreight} ${name}`)
      sums.counts[0]++
      sums.before += cents
    }
    for (const { isFreight, name, cents, tolerance } of after) {
      const sums = sumsOf(`${month} ${isFreight} ${name}`)
      sums.counts[1]++
      sums.after += cents
      sums.tolerance += tolerance
    }
  }
  const told = Map.groupBy(rows, ({ month, kind, rateName }) => `${month} ${kind !== 1} ${rateName}`)
  sameText([...told.keys()].toSorted(), [...known.keys()].toSorted(), `${what}, by month and rate`)
  for (const [key, { counts, before, after, tolerance }] of known) {
    const own = told.get(key) ?? []
    const sum = (name: string) => own.reduce((all, row) => all + row[name], 0)
    sameText([sum('countBefore'), sum('countAfter')], counts, `${what}, ${key}, how often`)
    sameFigure(cents(sum('amountBefore')), before, `${what}, ${key}, before`)
    sameFigure(cents(sum('amountAfter')), after, `${what}, ${key}, after`, tolerance)
  }
}

function compareDiffering(bills: readonly TestedBill[], differing: readonly Row[], what: string): void {
  const told = new Map(differing.map(row => [row.consignmentId, row]))
  for (const { consignment, before, after } of bills) {
    const row = told.get(consignment.id)
    const [from, to, tolerance] = [sumOf(before), sumOf(after), toleranceOf(after)]
    const name = `${what}, ${consignment.number}`
    if (row === undefined) sameFigure(from, to, `${name}, which does not differ`, tolerance)
    else {
      sameFigure(cents(row.before), from, `${name}, before`)
      sameFigure(cents(row.after), to, `${name}, after`, tolerance)
      const byRates = row.rates.reduce((all: number, rate: Row) => all + rate.after - rate.before, 0)
      sameFigure(cents(byRates), cents(row.difference), `${name}, rate by rate`)
    }
    told.delete(consignment.id)
  }
  sameText([...told.keys()], [], `${what}, others that differ`)
}
