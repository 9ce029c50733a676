// Exact arithmetic that is fast for small numbers: a whole number is a double while a double holds it
// exactly, and otherwise a BigInt. Pure. Money and metrics are whole numbers in units of 10^-places.

import { type DecimalValue, decimalText, divide, scale } from '../../platform/decimal.ts'

/** A whole number: a safe integer, or a bigint where no safe integer holds it. */
export type ExactInteger = number | bigint

/** Converts a bigint to a whole number. */
export const whole = (value: bigint): ExactInteger => {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : value
}

/** Converts a decimal to units of 10^-places. Throws a RangeError if it has more places. */
export const wholeOf = (places: number, value: DecimalValue): ExactInteger =>
  (typeof value === 'string' ? parseShortDecimal(places, value) : undefined) ?? whole(scale(places, value))

/** A fast path for decimals of few digits, as nearly all are; undefined for any other text. */
function parseShortDecimal(places: number, text: string): number | undefined {
  const begin = text.charCodeAt(0) === minus ? 1 : 0
  const end = text.length
  if (end === begin || end > 16) return undefined
  let digits = 0
  let fraction = -1
  for (let at = begin; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= zero && code <= nine) {
      digits = digits * 10 + code - zero
      if (fraction >= 0) fraction++
    } else if (code === point && fraction < 0 && at > begin) fraction = 0
    else return undefined
  }
  if (fraction === 0 || fraction > places) return undefined
  const value = digits * powerOfTen(places - Math.max(fraction, 0))
  if (!Number.isSafeInteger(value)) return undefined
  return begin === 1 ? 0 - value : value
}
const [minus, point, zero, nine] = [45, 46, 48, 57] as const

/** Formats a number in units of 10^-places as a decimal with all its places. */
export const textOf = (places: number, value: ExactInteger): string => decimalText(places, value)

/** The JSON number of a number in units of 10^-places. Dividing doubles gives the nearest one. */
export const toNumber = (places: number, value: ExactInteger): number =>
  typeof value === 'number' ? value / powerOfTen(places) : Number(textOf(places, value))

const powers = Array.from({ length: 16 }, (_, places) => 10 ** places)

/** 10^places, which is 1 in units of 10^-places; at most 15 places. */
export const powerOfTen = (places: number): number => powers[places] as number

// If the true result is a safe integer, double arithmetic gives exactly that; if it is not, double arithmetic
// gives no safe integer either, because rounding never leads back below 2^53. So the result itself shows
// whether it is exact. Adding 0 turns -0 into 0.

/** Adds two numbers. */
export function add(a: ExactInteger, b: ExactInteger): ExactInteger {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return whole(BigInt(a) + BigInt(b))
}

/** Subtracts the second number from the first. */
export function subtract(a: ExactInteger, b: ExactInteger): ExactInteger {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference)) return difference
  }
  return whole(BigInt(a) - BigInt(b))
}

/** Multiplies two numbers. */
export function multiply(a: ExactInteger, b: ExactInteger): ExactInteger {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product + 0
  }
  return whole(BigInt(a) * BigInt(b))
}

/** The remainder of a division, with the sign of the dividend. The divisor is above zero. */
function remainderOf(dividend: number, divisor: number): number {
  // `%` takes ten times as long. If the quotient was rounded up to a whole number, the remainder is
  // negative.
  const remainder = dividend - Math.trunc(dividend / divisor) * divisor
  if (Math.abs(dividend) > maxDividend) return dividend % divisor
  if (dividend < 0) return remainder > 0 ? remainder - divisor : remainder
  return remainder < 0 ? remainder + divisor : remainder
}
/** Up to this dividend, the product of the divisor and a quotient that is 1 too high is exact. */
const maxDividend = 2 ** 52

/** Divides and rounds to a whole number, halves away from zero. The divisor is above zero. */
export function divideRounded(dividend: ExactInteger, divisor: ExactInteger): ExactInteger {
  if (typeof dividend === 'number' && typeof divisor === 'number') {
    const remainder = remainderOf(dividend, divisor)
    const quotient = (dividend - remainder) / divisor
    const isUp = 2 * Math.abs(remainder) >= divisor
    return (isUp ? quotient + Math.sign(remainder) : quotient) + 0
  }
  return whole(divide(BigInt(dividend), BigInt(divisor)))
}

/** Divides and rounds down. The dividend is not negative, and the divisor is above zero. */
export function divideDown(dividend: ExactInteger, divisor: ExactInteger): ExactInteger {
  if (typeof dividend === 'number' && typeof divisor === 'number')
    return (dividend - remainderOf(dividend, divisor)) / divisor
  return whole(BigInt(dividend) / BigInt(divisor))
}

/** Divides and rounds up. The dividend is not negative, and the divisor is above zero. */
export function divideUp(dividend: ExactInteger, divisor: ExactInteger): ExactInteger {
  const down = divideDown(dividend, divisor)
  return multiply(down, divisor) === dividend ? down : add(down, 1)
}

/** The greater of two. */
export const maxOf = (a: ExactInteger, b: ExactInteger): ExactInteger => (a < b ? b : a)

/** The smaller of two. */
export const minOf = (a: ExactInteger, b: ExactInteger): ExactInteger => (b < a ? b : a)

/** A fraction of whole numbers; the denominator is above zero. */
export interface Fraction {
  numerator: ExactInteger
  denominator: ExactInteger
}

/** Adds fractions exactly. */
export function sumOf(fractions: readonly Fraction[]): Fraction {
  let { numerator, denominator } = fractions[0] ?? { numerator: 0, denominator: 1 }
  for (let i = 1; i < fractions.length; i++) {
    const next = fractions[i] as Fraction
    if (next.denominator !== denominator) return sumByDenominator(fractions)
    numerator = add(numerator, next.numerator)
  }
  return { numerator, denominator }
}

function sumByDenominator(fractions: readonly Fraction[]): Fraction {
  const byDenominator = new Map<ExactInteger, ExactInteger>()
  for (const { numerator, denominator } of fractions)
    byDenominator.set(denominator, add(byDenominator.get(denominator) ?? 0, numerator))
  let sum: Fraction = { numerator: 0, denominator: 1 }
  for (const [denominator, numerator] of byDenominator)
    sum = {
      numerator: add(multiply(sum.numerator, denominator), multiply(numerator, sum.denominator)),
      denominator: multiply(sum.denominator, denominator),
    }
  return sum
}

/** Converts a fraction to units of 10^-places, rounded halves away from zero. */
export function roundFraction({ numerator, denominator }: Fraction, places: number): ExactInteger {
  // A fraction whose denominator divides 10^places needs no rounding.
  const factor = typeof denominator === 'number' ? powerOfTen(places) / denominator : 0
  return Number.isInteger(factor) && factor > 0
    ? multiply(numerator, factor)
    : divideRounded(multiply(numerator, powerOfTen(places)), denominator)
}

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))

/** The least common multiple of two numbers, both above zero. */
export const commonMultiple = (a: ExactInteger, b: ExactInteger): ExactInteger =>
  multiply(a, whole(BigInt(b) / greatestDivisor(BigInt(a), BigInt(b))))

/** Reduces a fraction to its lowest terms. */
export function reduceFraction({ numerator, denominator }: Fraction): Fraction {
  const divisor = greatestDivisor(BigInt(numerator), BigInt(denominator))
  return { numerator: whole(BigInt(numerator) / divisor), denominator: whole(BigInt(denominator) / divisor) }
}
