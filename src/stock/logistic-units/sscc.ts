// Serial shipping container codes (SSCC) of logistic units: 17 digits and the GS1 check digit. Spec 2.3.

/**
 * Returns the check digit (modulo 10, weights 3 and 1) for the first 17 digits of an SSCC, as a string.
 * @throws RangeError if `first17` is not 17 digits.
 */
export function ssccCheckDigit(first17: string): string {
  if (!/^[0-9]{17}$/.test(first17)) throw new RangeError('An SSCC has 17 digits before its check digit.')
  let sum = 0
  for (let i = 0; i < 17; i++) sum += Number(first17[i]) * (i % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

/** Returns whether a text is an SSCC: exactly 18 digits, the last of them the correct check digit. */
export function isValidSscc(text: string): boolean {
  return /^[0-9]{18}$/.test(text) && text[17] === ssccCheckDigit(text.slice(0, 17))
}

/**
 * Builds the SSCC of the unit with this number from a GS1 company prefix, with the extension digit 0. Returns
 * null if the number does not fit behind the prefix.
 */
export function buildSscc(companyPrefix: string, number: number): string | null {
  const room = 16 - companyPrefix.length
  const serial = String(number).padStart(room, '0')
  if (serial.length > room) return null
  const first17 = `0${companyPrefix}${serial}`
  return first17 + ssccCheckDigit(first17)
}
