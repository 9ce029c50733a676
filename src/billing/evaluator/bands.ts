// Prices a metric: rate, base, minimum, maximum, breaks and freight adjustment. Pure. Amounts are rounded
// once, to the cent, halves away from zero.

import { RateBreaks } from '../../vocabulary/billing.ts'
import type { Band, CompiledCharge } from './compiled-card.ts'
import {
  add,
  divideRounded,
  type ExactInteger,
  maxOf,
  minOf,
  multiply,
  powerOfTen,
  subtract,
} from './exact.ts'

/** One row of a charge: the metric, its prices, and the amount. */
export interface PricedRow {
  /** in millionths; always 1 for a fee, whatever was measured */
  metric: ExactInteger
  /** in millionths */
  rate: ExactInteger
  /** in cents; null if the charge has no base */
  base: ExactInteger | null
  /** the number of the band, from 1; null if the charge has no breaks */
  band: number | null
  /** in cents */
  amount: ExactInteger
}

/** The largest amount (cents) and metric (millionths) that columns and JSON hold exactly. */
const maxAmount = 99_999_999_999_00
const maxMetric = 99_999_999_999_000_000n

const millionth = powerOfTen(6)

/**
 * Prices a metric above zero (in millionths): one row or, with progressive breaks, one for each band used.
 * `faf` is the fraction by which freight is raised, in millionths. Returns undefined if the metric or an
 * amount is too large to store.
 */
export function priceRows(
  charge: CompiledCharge,
  metric: ExactInteger,
  faf: ExactInteger,
): PricedRow[] | undefined {
  if (metric > maxMetric) return undefined
  const rows = unpricedRows(charge, metric)
  for (const row of rows) {
    row.amount = amountOf(charge, row.metric, row, faf)
    if (!isStorable(row.amount)) return undefined
  }
  return rows
}

/**
 * Prices the metric of a row by another charge, which differs from the row's own charge in prices alone.
 * Returns the amount in cents, or undefined if it is too large to store.
 */
export function repriceRow(
  charge: CompiledCharge,
  { metric, band }: PricedRow,
  faf: ExactInteger,
): ExactInteger | undefined {
  const amount = amountOf(charge, metric, band === null ? charge : pricesOf(charge, band), faf)
  return isStorable(amount) ? amount : undefined
}

const isStorable = (amount: ExactInteger): boolean => amount <= maxAmount && amount >= -maxAmount

/** The rows of a metric, still without their amounts. */
function unpricedRows(charge: CompiledCharge, metric: ExactInteger): PricedRow[] {
  const counted = charge.isFee ? millionth : metric
  switch (charge.breaks) {
    case RateBreaks.None:
      return [{ metric: counted, rate: charge.rate, base: charge.base, band: null, amount: 0 }]
    case RateBreaks.Selective: {
      const band = charge.bands.findIndex(({ upTo }) => upTo === null || metric <= upTo) + 1
      return [{ metric: counted, ...pricesOf(charge, band), band, amount: 0 }]
    }
    case RateBreaks.Progressive:
      return progressiveRows(charge, metric)
  }
}

/** One row for each band that a metric reaches; the base is charged with the first. */
function progressiveRows(charge: CompiledCharge, metric: ExactInteger): PricedRow[] {
  const found: PricedRow[] = []
  let below: ExactInteger = 0
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

/** The prices of a band, numbered from 1. Progressive breaks charge the charge's own base with the first. */
function pricesOf({ breaks, bands, base }: CompiledCharge, number: number): Prices {
  const band = bands[number - 1] as Band
  if (breaks === RateBreaks.Selective) return { rate: band.rate, base: band.base ?? base }
  return { rate: band.rate, base: number === 1 ? base : null }
}

/** Prices a metric, in cents. */
function amountOf(
  charge: CompiledCharge,
  metric: ExactInteger,
  { rate, base }: Prices,
  faf: ExactInteger,
): ExactInteger {
  // Until it is rounded, the amount is in units of 10^-12: those of a metric times a rate.
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
