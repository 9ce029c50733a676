// Proofs of what runs raised: storage day by day as it was known then, fees, and what was missing of a minimum.

import type { Booking, Raised } from '../notebook/books.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export function compareRaised(booking: Booking, raised: Raised, told: Row, what: string): void {
  const { from, to, kind } = raised
  sameText([told.periodFrom, told.periodTo], [from, to], `${what}, of which days`)
  if (kind === 'minimum') {
    compareLeast(booking, raised, told, what)
    return
  }
  const { rule } = told
  const words = booking.what.replace(/^Correction of [^:]*: /, '')
  sameText(words.startsWith(`${rule.rate.name}, `), true, `${what}, by which rate`)
  sameText(words.endsWith(`, ${rule.charge.rateExclTax} each`), true, `${what}, at which rate`)
  if (kind === 'storage') compareStored(booking, raised, told, what)
}

function compareLeast({ cents }: Booking, { because: { least } }: Raised, told: Row, what: string): void {
  if (least === undefined) return
  sameText(told.rule, null, `${what}, its rule`)
  const centsOf = (name: string) => {
    const input = told.inputs.find((one: Row) => one.name === name)
    return input ? Math.round(Number(input.value) * 100) : null
  }
  const names = ['minimumSpendPerPeriod', 'spentExclTax', 'toppedUpExclTax']
  sameText(names.map(centsOf), [least.minimum, least.spent, least.raised], `${what}, what it follows from`)
  sameFigure(Math.round(Number(told.steps.at(-1).to) * 100), cents, `${what}, its last step in cents`)
}

function compareStored(
  { day }: Booking,
  { because: { stored = null }, to }: Raised,
  told: Row,
  what: string,
): void {
  const { series, adjusting } = told
  sameText(adjusting !== null, day !== to, `${what}, whether it corrects another one`)
  if (adjusting) sameFigure(Number(adjusting.now.quantity), stored?.count ?? 0, `${what}, its count by now`)
  const days = series.map(({ day, opening, peak, closing, counted }: Row) => [
    ...[day, Number(opening), Number(peak), Number(closing), Number(counted)],
  ])
  const known = (stored?.levels ?? []).map((level, i) => [
    ...[stored?.days[i], level.opening, level.peak, level.closing, stored && level[stored.price.ofDay]],
  ])
  sameText(days, known, `${what}, day by day`)
}
