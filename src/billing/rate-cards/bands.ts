// What a metric comes to: rate, base, minimum, maximum, breaks and freight adjustment. Pure. Rounded once, to
// the cent, halves away from zero.

import { RateBreaks } from '../enumerations.ts'
import type { Band, CompiledCharge } from './compiled-card.ts'
import { add, divideRounded, maxOf, minOf, multiply, powerOfTen, subtract, type Whole } from './exact.ts'

/** One row of a charge: what is multiplied, by what, and what it comes to. */
export interface PricedRow {
  /** in millionths; a fee is charged once, whatever was measured */
  metric: Whole
  /** in millionths */
  rate: Whole
  /** in cents; null: none */
  base: Whole | null
  /** from 1, of a charge with breaks */
  band: number | null
  /** in cents */
  amount: Whole
}

/** Beyond this, in cents and in millionths, neither columns nor JSON hold amounts and metrics exactly. */
const maxAmount = 99_999_999_999_00
const maxMetric = 99_999_999_999_000_000n

const millionth = powerOfTen(6)

/**
 * The rows of a metric above zero (in millionths), one for each band that is used where the breaks are
 * progressive. `faf` is the fraction by which freight is raised, in millionths. Undefined where the metric or
 * an amount is too large to be held.
 */
export function priceRows(charge: CompiledCharge, metric: Whole, faf: Whole): PricedRow[] | undefined {
  if (metric > maxMetric) return undefined
  const rows = shares(charge, metric)
  for (const row of rows) {
    row.amount = amountOf(charge, row.metric, row, faf)
    if (!isHeld(row.amount)) return undefined
  }
  return rows
}

/**
 * What the metric of a row comes to by a charge that differs in prices alone from the one it is of, in cents.
 * Undefined where that is too much to be held.
 */
export function repriceRow(
  charge: CompiledCharge,
  { metric, band }: PricedRow,
  faf: Whole,
): Whole | undefined {
  const amount = amountOf(charge, metric, band === null ? charge : pricesOf(charge, band), faf)
  return isHeld(amount) ? amount : undefined
}

const isHeld = (amount: Whole): boolean => amount <= maxAmount && amount >= -maxAmount

/** The rows without their amounts. */
function shares(charge: CompiledCharge, metric: Whole): PricedRow[] {
  const counted = charge.isFee ? millionth : metric
  switch (charge.breaks) {
    case RateBreaks.None:
      return [{ metric: counted, rate: charge.rate, base: charge.base, band: null, amount: 0 }]
    case RateBreaks.Selective: {
      const band = charge.bands.findIndex(({ upTo }) => upTo === null || metric <= upTo) + 1
      return [{ metric: counted, ...pricesOf(charge, band), band, amount: 0 }]
    }
    case RateBreaks.Progressive:
      return progressiveShares(charge, metric)
  }
}

/** Each band's part of a metric; the base counts in the first. */
function progressiveShares(charge: CompiledCharge, metric: Whole): PricedRow[] {
  const found: PricedRow[] = []
  let below: Whole = 0
  for (const [at, { upTo }] of charge.bands.entries()) {
    const end = upTo === null ? metric : minOf(metric, upTo)
    const band = at + 1
    found.push({ metric: subtract(end, below), ...pricesOf(charge, band), band, amount: 0 })
    below = end
    if (below === metric) break
  }
  return found
}

type Prices = Pick<Band, 'rate' | 'base'>

/** What a band of a charge with breaks counts by, from 1: progressive ones share the base of the charge. */
function pricesOf({ breaks, bands, base }: CompiledCharge, number: number): Prices {
  const band = bands[number - 1] as Band
  if (breaks === RateBreaks.Selective) return { rate: band.rate, base: band.base ?? base }
  return { rate: band.rate, base: number === 1 ? base : null }
}

/** What a metric comes to, in cents. */
function amountOf(charge: CompiledCharge, metric: Whole, { rate, base }: Prices, faf: Whole): Whole {
  // Until it is rounded, in units of 10^-12: a metric times a rate.
  const cent = powerOfTen(10)
  let amount = multiply(metric, rate)
  if (!charge.isFee) {
    if (base !== null) amount = add(amount, multiply(base, cent))
    if (charge.min !== null) amount = maxOf(amount, multiply(charge.min, cent))
    if (charge.max !== null) amount = minOf(amount, multiply(charge.max, cent))
  }
  if (faf === 0 || charge.isFafExempt) return divideRounded(amount, cent)
  return divideRounded(multiply(amount, add(millionth, faf)), multiply(millionth, cent))
}
