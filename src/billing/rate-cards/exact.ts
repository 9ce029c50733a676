// Exact arithmetic that is fast for small numbers: whole numbers are doubles as long as doubles hold them
// exactly, and BigInt beyond. Pure. Money and metrics are counted in it, as whole numbers of 10^-places.

import { type Decimal as DecimalValue, decimalText, divide, scale } from '../../platform/decimal.ts'

/** A whole number: a safe integer, or a bigint where no safe integer holds it. */
export type Whole = number | bigint

/** The whole number that a bigint is. */
export const whole = (value: bigint): Whole => {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : value
}

/** A decimal of at most so many places, in units of 10^-places. Throws a RangeError for any other. */
export const wholeOf = (places: number, value: DecimalValue): Whole => whole(scale(places, value))

/** The digits of a whole number of 10^-places, with all its places. */
export const textOf = (places: number, value: Whole): string => decimalText(places, BigInt(value))

/** The number that a whole number of 10^-places is in JSON. */
export const numberOf = (places: number, value: Whole): number => Number(textOf(places, value))

/** 1 in units of 10^-places; no more than 15 places. */
export const one = (places: number): number => 10 ** places

// Where the true result is a safe integer, that of the doubles is the same; where it is none, neither is
// theirs, because rounding never leads back below 2^53. So what comes out tells whether it is exact. Adding
// 0 makes 0 of -0.

/** The sum. */
export function add(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return whole(BigInt(a) + BigInt(b))
}

/** The difference. */
export function subtract(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference)) return difference
  }
  return whole(BigInt(a) - BigInt(b))
}

/** The product. */
export function multiply(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product + 0
  }
  return whole(BigInt(a) * BigInt(b))
}

/** The quotient rounded to a whole number, halves away from zero. The divisor is above zero. */
export function divideRounded(dividend: Whole, divisor: Whole): Whole {
  if (typeof dividend === 'number' && typeof divisor === 'number') {
    const rest = dividend % divisor
    const quotient = (dividend - rest) / divisor
    const isUp = 2 * Math.abs(rest) >= divisor
    return (isUp ? quotient + Math.sign(rest) : quotient) + 0
  }
  return whole(divide(BigInt(dividend), BigInt(divisor)))
}

/** How often the divisor is in the dividend wholly. Neither is negative, the divisor is above zero. */
export function divideDown(dividend: Whole, divisor: Whole): Whole {
  if (typeof dividend === 'number' && typeof divisor === 'number')
    return (dividend - (dividend % divisor)) / divisor
  return whole(BigInt(dividend) / BigInt(divisor))
}

/** The same, and one more for anything that is left. */
export function divideUp(dividend: Whole, divisor: Whole): Whole {
  const down = divideDown(dividend, divisor)
  return multiply(down, divisor) === dividend ? down : add(down, 1)
}

/** The greater of two. */
export const greater = (a: Whole, b: Whole): Whole => (a < b ? b : a)

/** The smaller of two. */
export const smaller = (a: Whole, b: Whole): Whole => (b < a ? b : a)

/** A fraction of whole numbers; the denominator is above zero. */
export interface Fraction {
  over: Whole
  under: Whole
}

/** The sum of fractions, exactly. */
export function sumOf(fractions: readonly Fraction[]): Fraction {
  const [first = { over: 0, under: 1 }, ...rest] = fractions
  if (rest.every(({ under }) => under === first.under))
    return { over: rest.reduce((sum, { over }) => add(sum, over), first.over), under: first.under }
  const byDenominator = new Map<Whole, Whole>()
  for (const { over, under } of fractions) byDenominator.set(under, add(byDenominator.get(under) ?? 0, over))
  let sum: Fraction = { over: 0, under: 1 }
  for (const [under, over] of byDenominator)
    sum = {
      over: add(multiply(sum.over, under), multiply(over, sum.under)),
      under: multiply(sum.under, under),
    }
  return sum
}

/** A fraction in units of 10^-places, rounded halves away from zero. */
export const roundFraction = ({ over, under }: Fraction, places: number): Whole =>
  divideRounded(multiply(over, one(places)), under)
