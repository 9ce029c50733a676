// What a charge comes to, in exact decimals. Pure. Spec 2.8; open-points 1 (quantities and money), 7
// (Amount).

import { type Decimal, decimalText, divide, powerOfTen, scale } from '../../platform/decimal.ts'
import { ChargeApplication } from '../enumerations.ts'

/** What an amount follows from. What is not set is null or absent. */
export interface AmountInput {
  application: ChargeApplication
  metricValue: Decimal
  rate: Decimal
  base?: Decimal | null | undefined
  min?: Decimal | null | undefined
  max?: Decimal | null | undefined
}

// Amounts are calculated in whole numbers of 10^-12: a product of two values of 6 places.
const one = powerOfTen(6)
const millionths = (value: Decimal) => scale(6, value)

/**
 * The amount without tax, as digits with two places. A Rate is `base + metricValue × rate`, at least `min`
 * and at most `max`; a Fee is `rate` itself. Rounded once, at the end, halves away from zero.
 */
export function chargeAmount({ application, metricValue, rate, base, min, max }: AmountInput): string {
  let amount = millionths(rate) * (application === ChargeApplication.Fee ? one : millionths(metricValue))
  if (application === ChargeApplication.Rate) {
    amount += millionths(base ?? 0) * one
    if (min !== null && min !== undefined && amount < millionths(min) * one) amount = millionths(min) * one
    if (max !== null && max !== undefined && amount > millionths(max) * one) amount = millionths(max) * one
  }
  return decimalText(2, divide(amount, powerOfTen(10)))
}
