// GS1 element strings: application identifiers, check digits, and how they are divided between symbols. Pure.
// GS1 General Specifications 3, 5.4, 7.9.

/** The application identifiers that labels use. */
export type ApplicationIdentifier = '00' | '01' | '02' | '10' | '15' | '17' | '21' | '37'

/** An application identifier with its value, such as `{ ai: '17', value: '270331' }`. */
export interface Gs1Element {
  readonly ai: ApplicationIdentifier
  readonly value: string
}

/** Represents FNC1 within data. It cannot be confused with text, because data have no control characters. */
export const fnc1 = '\u001d'

/** The maximum number of characters in one GS1-128 symbol, separators included. */
export const maxSymbolCharacters = 48

const maxTextLength = 20
const textCharacters = /^[!"%-?A-Z_a-z]+$/
const gtinLengths = [8, 12, 13, 14]
// GS1 reads a year of two digits as one within about fifty years of the current one.
const firstYear = 2000
const lastYear = 2075

/** Identifiers whose values have a variable length. */
const variableLength: ReadonlySet<ApplicationIdentifier> = new Set(['10', '21', '37'])

/** Returns the GS1 check digit (modulo 10, weights 3 and 1 from the right) of a string of digits. */
export function checkDigit(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits.at(-1 - i)) * (i % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

/** Pads a GTIN of 8, 12, 13 or 14 digits to 14; null if it is not a GTIN or its check digit is wrong. */
export function gtin14(text: string | null): string | null {
  const digits = text?.trim() ?? ''
  const isGtin =
    /^[0-9]+$/.test(digits) &&
    gtinLengths.includes(digits.length) &&
    digits.at(-1) === checkDigit(digits.slice(0, -1))
  return isGtin ? digits.padStart(14, '0') : null
}

/** Whether GS1 can encode a batch or serial: at most 20 characters of its set of 82. */
export const isGs1Text = (text: string): boolean => text.length <= maxTextLength && textCharacters.test(text)

/**
 * Formats a date as GS1 does, YYMMDD; null if two digits are ambiguous for its year, such as 9999.
 * @param date `YYYY-MM-DD`
 */
export function gs1Date(date: string): string | null {
  const year = Number(date.slice(0, 4))
  return year < firstYear || year > lastYear ? null : date.slice(2, 10).replaceAll('-', '')
}

/** Returns the data of a symbol without the initial FNC1. FNC1 separates values of variable length. */
export const elementString = (elements: readonly Gs1Element[]): string =>
  elements
    .map(({ ai, value }, i) => ai + value + (variableLength.has(ai) && i < elements.length - 1 ? fnc1 : ''))
    .join('')

/** Returns the human readable form: `(02)09421234567892 (37)48`. */
export const humanReadable = (elements: readonly Gs1Element[], between = ' '): string =>
  elements.map(({ ai, value }) => `(${ai})${value}`).join(between)

/**
 * Divides elements between symbols, in order, so that each symbol `fits`. The trade item (02) and its count
 * (37) stay together. Returns null if that is impossible.
 */
export function splitElements(
  elements: readonly Gs1Element[],
  fits: (elements: readonly Gs1Element[]) => boolean,
): Gs1Element[][] | null {
  const symbols: Gs1Element[][] = []
  for (const element of elements) {
    const last = symbols.at(-1)
    if (last !== undefined && fits([...last, element])) last.push(element)
    else if (element.ai !== '37' && fits([element])) symbols.push([element])
    else return null
  }
  return symbols
}
