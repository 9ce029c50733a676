// What a charge comes to, in exact decimals. Pure. Spec 2.8; open-points 1 (quantities and money), 7
// (Amount).

import { ChargeApplication } from '../enumerations.ts'

/** A decimal number with at most 6 places: as digits, or as a number that counts as it is printed. */
export type Decimal = number | string

/** What an amount follows from. What is not set is null or absent. */
export interface Rating {
  application: ChargeApplication
  metricValue: Decimal
  rate: Decimal
  base?: Decimal | null | undefined
  min?: Decimal | null | undefined
  max?: Decimal | null | undefined
}

// Amounts are calculated in whole numbers of 10^-12: a product of two values of 6 places.
const places = 6
const one = 10n ** 6n
const perCent = 10n ** 10n

/** The digits as a whole number of millionths. */
function millionths(value: Decimal): bigint {
  const digits = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(String(value))
  if (digits === null) throw new RangeError(`${value} is not a decimal with at most 6 places.`)
  const [, sign, whole, fraction = ''] = digits
  return BigInt(`${sign}${whole}${fraction.padEnd(places, '0')}`)
}

/** The quotient rounded to a whole number, halves away from zero. */
function rounded(value: bigint, divisor: bigint): bigint {
  const magnitude = value < 0n ? -value : value
  const quotient = (2n * magnitude + divisor) / (2n * divisor)
  return value < 0n ? -quotient : quotient
}

/**
 * The amount without tax, as digits with two places. A Rate is `base + metricValue × rate`, at least `min`
 * and at most `max`; a Fee is `rate` itself. Rounded once, at the end, halves away from zero.
 */
export function chargeAmount({ application, metricValue, rate, base, min, max }: Rating): string {
  let amount = millionths(rate) * (application === ChargeApplication.Fee ? one : millionths(metricValue))
  if (application === ChargeApplication.Rate) {
    amount += millionths(base ?? 0) * one
    if (min !== null && min !== undefined && amount < millionths(min) * one) amount = millionths(min) * one
    if (max !== null && max !== undefined && amount > millionths(max) * one) amount = millionths(max) * one
  }
  const cents = rounded(amount, perCent)
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
