// Exact decimals as whole numbers: a value of four places is a bigint of ten-thousandths. Rounding is the
// same everywhere, halves away from zero, and happens in `divide` only. Open-points 1 (quantities and money).

/** A decimal number: as digits, or as a number of which the digits that it prints as count. */
export type Decimal = number | string

/** 1 with so many zeros. */
export const powerOfTen = (places: number): bigint => 10n ** BigInt(places)

/** The quotient rounded to a whole number, halves away from zero. The divisor is above zero. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const quotient = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -quotient : quotient
}

const form = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/** A value in units of 10^-places, rounded. Throws a RangeError for what is no decimal number. */
export function roundTo(places: number, value: Decimal): bigint {
  const parts = form.exec(String(value))
  if (parts === null || !Number.isFinite(Number(value)))
    throw new RangeError(`${value} is no decimal number.`)
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  // How many of the digits count whole units; the next one is there to round by.
  const kept = digits.length - fraction.length + Number(exponent) + places
  if (digits === '' || kept < 0) return 0n
  const rounded = divide(BigInt(digits.slice(0, kept + 1).padEnd(kept + 1, '0')), 10n)
  return sign === '-' ? -rounded : rounded
}

/** The same for digits of no more places. Throws a RangeError for any other and for exponents. */
export function scale(places: number, value: Decimal): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value) * powerOfTen(places)
  const [, , , fraction = '', exponent] = form.exec(String(value)) ?? []
  if (exponent !== undefined || fraction.replace(/0+$/, '').length > places)
    throw new RangeError(`${value} is no decimal with at most ${places} places.`)
  return roundTo(places, value)
}

/** The digits of a whole value in units of 10^-places, with all its places; a number is a safe integer. */
export function decimalText(places: number, value: bigint | number): string {
  const digits = String(value < 0 ? -value : value).padStart(places + 1, '0')
  const sign = value < 0 ? '-' : ''
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The smaller of two values in the same units. */
export function smaller(a: bigint, b: bigint): bigint {
  if (b < a) return b
  return a
}
