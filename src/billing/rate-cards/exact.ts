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
export const wholeOf = (places: number, value: DecimalValue): Whole =>
  (typeof value === 'string' ? parseShortDecimal(places, value) : undefined) ?? whole(scale(places, value))

/** The same for few digits, as nearly all have; undefined for what is to be looked at more closely. */
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

/** The digits of a whole number of 10^-places, with all its places. */
export const textOf = (places: number, value: Whole): string => decimalText(places, value)

/** The number that a whole number of 10^-places is in JSON. Dividing doubles comes to the nearest one. */
export const numberOf = (places: number, value: Whole): number =>
  typeof value === 'number' ? value / powerOfTen(places) : Number(textOf(places, value))

const powers = Array.from({ length: 16 }, (_, places) => 10 ** places)

/** 1 in units of 10^-places; no more than 15 places. */
export const powerOfTen = (places: number): number => powers[places] as number

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

/** What is left of a dividend; its sign is that of the dividend. The divisor is above zero. */
function remainderOf(dividend: number, divisor: number): number {
  // `%` takes ten times as long. A quotient that is rounded up to a whole number leaves less than nothing.
  const rest = dividend - Math.trunc(dividend / divisor) * divisor
  if (Math.abs(dividend) > maxDividend) return dividend % divisor
  if (dividend < 0) return rest > 0 ? rest - divisor : rest
  return rest < 0 ? rest + divisor : rest
}
/** Up to here, the product of a divisor and a quotient that is one too many is exact. */
const maxDividend = 2 ** 52

/** The quotient rounded to a whole number, halves away from zero. The divisor is above zero. */
export function divideRounded(dividend: Whole, divisor: Whole): Whole {
  if (typeof dividend === 'number' && typeof divisor === 'number') {
    const rest = remainderOf(dividend, divisor)
    const quotient = (dividend - rest) / divisor
    const isUp = 2 * Math.abs(rest) >= divisor
    return (isUp ? quotient + Math.sign(rest) : quotient) + 0
  }
  return whole(divide(BigInt(dividend), BigInt(divisor)))
}

/** How often the divisor is in the dividend wholly. Neither is negative, the divisor is above zero. */
export function divideDown(dividend: Whole, divisor: Whole): Whole {
  if (typeof dividend === 'number' && typeof divisor === 'number')
    return (dividend - remainderOf(dividend, divisor)) / divisor
  return whole(BigInt(dividend) / BigInt(divisor))
}

/** The same, and one more for anything that is left. */
export function divideUp(dividend: Whole, divisor: Whole): Whole {
  const down = divideDown(dividend, divisor)
  return multiply(down, divisor) === dividend ? down : add(down, 1)
}

/** The greater of two. */
export const maxOf = (a: Whole, b: Whole): Whole => (a < b ? b : a)

/** The smaller of two. */
export const minOf = (a: Whole, b: Whole): Whole => (b < a ? b : a)

/** A fraction of whole numbers; the denominator is above zero. */
export interface Fraction {
  numerator: Whole
  denominator: Whole
}

/** The sum of fractions, exactly. */
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
  const byDenominator = new Map<Whole, Whole>()
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

/** A fraction in units of 10^-places, rounded halves away from zero. */
export function roundFraction({ numerator, denominator }: Fraction, places: number): Whole {
  // A fraction of no more places needs no rounding.
  const times = typeof denominator === 'number' ? powerOfTen(places) / denominator : 0
  return Number.isInteger(times) && times > 0
    ? multiply(numerator, times)
    : divideRounded(multiply(numerator, powerOfTen(places)), denominator)
}

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))

/** The least number that both are in wholly; both are above zero. */
export const commonMultiple = (a: Whole, b: Whole): Whole =>
  multiply(a, whole(BigInt(b) / greatestDivisor(BigInt(a), BigInt(b))))

/** The same fraction in its lowest terms. */
export function reduceFraction({ numerator, denominator }: Fraction): Fraction {
  const divisor = greatestDivisor(BigInt(numerator), BigInt(denominator))
  return { numerator: whole(BigInt(numerator) / divisor), denominator: whole(BigInt(denominator) / divisor) }
}
