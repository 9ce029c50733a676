// GS1 element strings: application identifiers, check digits, and what of them fits into one symbol. Pure.
// GS1 General Specifications 3, 5.4, 7.9.

/** The application identifiers that our labels use. */
export type ApplicationIdentifier = '00' | '01' | '02' | '10' | '15' | '17' | '21' | '37'

/** One identifier with its value, such as `{ ai: '17', value: '270331' }`. */
export interface Element {
  readonly ai: ApplicationIdentifier
  readonly value: string
}

/** The character FNC1 inside of data. It stands for itself in no text: control characters are no data. */
export const FNC1 = '\u001d'

/** The most characters that one GS1-128 symbol may hold, separators included. */
export const maxSymbolCharacters = 48

const maxTextLength = 20
const textCharacters = /^[!"%-?A-Z_a-z]+$/
const gtinLengths = [8, 12, 13, 14]
// A year of two digits is one of the fifty before or after the current one.
const firstYear = 2000
const lastYear = 2075

/** Identifiers whose values have no certain length. */
const variable: ReadonlySet<ApplicationIdentifier> = new Set(['10', '21', '37'])

/** The check digit (modulo 10, weights 3 and 1 from the right) of a number of digits, as a string. */
export function checkDigit(digits: string): string {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits.at(-1 - i)) * (i % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

/** A GTIN of 8, 12, 13 or 14 digits as one of 14; null where it is none or its check digit is wrong. */
export function gtin14(text: string | null): string | null {
  const digits = text?.trim() ?? ''
  const isGtin =
    /^[0-9]+$/.test(digits) &&
    gtinLengths.includes(digits.length) &&
    digits.at(-1) === checkDigit(digits.slice(0, -1))
  return isGtin ? digits.padStart(14, '0') : null
}

/** Whether a batch or serial can be written in GS1: at most 20 characters of its set of 82. */
export const isGs1Text = (text: string): boolean => text.length <= maxTextLength && textCharacters.test(text)

/**
 * A date as GS1 writes it, YYMMDD; null where two digits cannot say its year, as of 9999-12-31.
 * @param date `YYYY-MM-DD`
 */
export function gs1Date(date: string): string | null {
  const year = Number(date.slice(0, 4))
  return year < firstYear || year > lastYear ? null : date.slice(2, 10).replaceAll('-', '')
}

/** The data of a symbol without the FNC1 that it begins with: a separator follows where a length is open. */
export const elementString = (elements: readonly Element[]): string =>
  elements
    .map(({ ai, value }, i) => ai + value + (variable.has(ai) && i < elements.length - 1 ? FNC1 : ''))
    .join('')

/** The same for people: `(02)09421234567892 (37)48`. */
export const bracketed = (elements: readonly Element[], between = ' '): string =>
  elements.map(({ ai, value }) => `(${ai})${value}`).join(between)

/**
 * Divides elements between symbols, in their order, so that each symbol `fits`. What is counted (02) and how
 * many there are (37) stay together. Null where one alone fits nowhere.
 */
export function splitElements(
  elements: readonly Element[],
  fits: (elements: readonly Element[]) => boolean,
): Element[][] | null {
  const symbols: Element[][] = []
  for (const element of elements) {
    const last = symbols.at(-1)
    if (last !== undefined && fits([...last, element])) last.push(element)
    else if (element.ai !== '37' && fits([element])) symbols.push([element])
    else return null
  }
  return symbols
}
