// Exact decimals as whole numbers: a value with four decimal places is a bigint of ten-thousandths. Rounding
// is the same everywhere (half away from zero), and only `divide` rounds. Decision 1.

/** A decimal number: its digits as text, or a number that stands for the digits it prints as. */
export type DecimalValue = number | string

/** 10 to the power of `places`. */
export const exactPowerOfTen = (places: number): bigint => 10n ** BigInt(places)

/** Divides and rounds to a whole number, half away from zero. The divisor must be positive. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const quotient = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -quotient : quotient
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/** Converts a value to units of 10^-places, rounded. Throws a RangeError if it is not a decimal number. */
export function roundTo(places: number, value: DecimalValue): bigint {
  const parts = decimalPattern.exec(String(value))
  if (parts === null || !Number.isFinite(Number(value)))
    throw new RangeError(`${value} is not a decimal number.`)
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  // How many of the digits make up whole units; the digit after them decides the rounding.
  const unitDigits = digits.length - fraction.length + Number(exponent) + places
  if (digits === '' || unitDigits < 0) return 0n
  const rounded = divide(BigInt(digits.slice(0, unitDigits + 1).padEnd(unitDigits + 1, '0')), 10n)
  return sign === '-' ? -rounded : rounded
}

/** Converts a value exactly to units of 10^-places. Throws a RangeError for more places and for exponents. */
export function scale(places: number, value: DecimalValue): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value) * exactPowerOfTen(places)
  const [, , , fraction = '', exponent] = decimalPattern.exec(String(value)) ?? []
  if (exponent !== undefined || fraction.replace(/0+$/, '').length > places)
    throw new RangeError(`${value} is not a decimal with at most ${places} places.`)
  return roundTo(places, value)
}

/** Formats a value in units of 10^-places, with all its places. A number must be a safe integer. */
export function decimalText(places: number, value: bigint | number): string {
  const digits = String(value < 0 ? -value : value).padStart(places + 1, '0')
  const sign = value < 0 ? '-' : ''
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Returns the smaller of two values in the same units. */
export function smaller(a: bigint, b: bigint): bigint {
  if (b < a) return b
  return a
}

/** Returns decimal digits without zeros at their end: `2.5` for `2.5000`, `100` for `100`. */
export const withoutTrailingZeros = (digits: string): string =>
  digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
