// The amount of a charge, in exact decimals. Pure. Spec 2.8; decisions 1, 7
// (Amount).

import { type DecimalValue, decimalText, divide, exactPowerOfTen, scale } from '../../platform/decimal.ts'
import { ChargeApplication } from '../../vocabulary/billing.ts'

/** The inputs of an amount. What is not set is null or absent. */
export interface AmountInput {
  application: ChargeApplication
  metricValue: DecimalValue
  rate: DecimalValue
  base?: DecimalValue | null | undefined
  min?: DecimalValue | null | undefined
  max?: DecimalValue | null | undefined
}

// Amounts are calculated in whole numbers of 10^-12: a product of two values of 6 places.
const million = exactPowerOfTen(6)
const millionths = (value: DecimalValue) => scale(6, value)

/**
 * Returns the amount without tax, as decimal text with two places. A Rate is `base + metricValue × rate`, at
 * least `min` and at most `max`; a Fee is `rate` itself. Rounded once, at the end, halves away from zero.
 */
export function chargeAmount({ application, metricValue, rate, base, min, max }: AmountInput): string {
  let amount = millionths(rate) * (application === ChargeApplication.Fee ? million : millionths(metricValue))
  if (application === ChargeApplication.Rate) {
    amount += millionths(base ?? 0) * million
    if (min !== null && min !== undefined && amount < millionths(min) * million)
      amount = millionths(min) * million
    if (max !== null && max !== undefined && amount > millionths(max) * million)
      amount = millionths(max) * million
  }
  return decimalText(2, divide(amount, exactPowerOfTen(10)))
}
