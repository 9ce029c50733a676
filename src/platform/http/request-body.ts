// Turns the bytes of a request into JSON that is safe to store, or refuses. Open-points 1 (malformed JSON,
// depth 32).

import { isUtf8 } from 'node:buffer'
import { roundTo } from '../decimal.ts'
import { type ErrorCode, type Fault, faultAt } from './fault.ts'
import { maxFaults, validationFailed } from './refusal.ts'

const deepest = 32
/**
 * Fields and elements of a body, with those inside of them. An import of 10,000 lines that says everything of
 * each stays below.
 */
const maxFields = 250_000

/**
 * Why a text cannot be stored: PostgreSQL cannot hold NUL, and half of a surrogate pair would silently become
 * another character.
 */
export const textFault = (text: string): string | null => {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair'
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace, comma] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c,
]

const isOfNumber = Array.from({ length: 256 }, (_, byte) =>
  '0123456789+-.eE'.includes(String.fromCharCode(byte)),
)
// A number of so few characters is told from every other one by a double.
const shortNumber = 15

const bodyFault = (problem: string, code: ErrorCode): Fault => ({
  path: null,
  code,
  message: `The body ${problem}.`,
})

/**
 * What is wrong with the shape of a JSON text; null when nothing is. Asked of the bytes, before they are
 * parsed: a body that is nothing but brackets costs the parser gigabytes, and one of a million fields costs
 * it seconds in which nobody else is served. On the way, numbers that the parser would change are made
 * infinite.
 */
function shapeFault(bytes: Buffer): Fault | null {
  let depth = 0
  // Each begins behind a comma, or first in a bracket or brace. That an empty pair counts too is of no matter
  // here.
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === openBracket || byte === openBrace) {
      depth++
      values++
      if (depth > deepest) return bodyFault(`must not be nested deeper than ${deepest} levels`, 'invalid')
    } else if (byte === closeBracket || byte === closeBrace) depth--
    else if (byte === comma) values++
    else if (byte === quote) {
      i = endOfText(bytes, i)
      if (i === -1) return null
    } else if (isOfNumber[byte]) {
      const start = i
      while (isOfNumber[bytes[i + 1] as number]) i++
      if (i - start >= shortNumber) refuseInexact(bytes.subarray(start, i + 1))
    }
    if (values > maxFields)
      return bodyFault(
        `must not have more than ${maxFields.toLocaleString('en')} fields and elements`,
        'length',
      )
  }
  return null
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/**
 * Writes an infinite number over one whose digits a double would change: schemas refuse it by the name of its
 * field, and unknown fields do not matter.
 */
function refuseInexact(number: Buffer): void {
  const text = number.toString('latin1')
  const held = String(Number(text))
  if (held === text) return
  // No field has more decimals than six.
  if (jsonNumber.test(text) && Number.isFinite(Number(text)) && roundTo(6, text) !== roundTo(6, held))
    number.fill(' ').write('1e999')
}

// Looking for the end of a text has a price of its own, which so many bytes do not.
const shortText = 64

/** Where the text ends that begins at `start`; -1 where it does not. */
function endOfText(bytes: Buffer, start: number): number {
  for (let i = start + 1; i <= start + shortText; i++) {
    if (bytes[i] === quote) return i
    if (bytes[i] === backslash) break
  }
  // Nearly always the first quote. An escaped one has an odd number of backslashes before it; then the rest
  // is read byte by byte.
  const first = bytes.indexOf(quote, start + 1)
  let before = first - 1
  while (bytes[before] === backslash) before--
  if ((first - before) % 2 === 1 || first === -1) return first
  for (let i = first + 1; i < bytes.length; i++) {
    if (bytes[i] === backslash) i++
    else if (bytes[i] === quote) return i
  }
  return -1
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return textFault(value) === null
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(isStorable)
  for (const key in value) {
    if (textFault(key) !== null || !isStorable((value as Record<string, unknown>)[key])) return false
  }
  return true
}

/**
 * What in a value at a path cannot be stored. Asked only where there is something, for putting
 * paths together takes time.
 */
function* storageFaults(value: unknown, path = ''): Generator<Fault> {
  const name = path.replace(/^\./, '').slice(0, 300)
  const fault = (problem: string) =>
    name === '' ? bodyFault(problem, 'pattern') : faultAt(name, problem, 'pattern')
  const problem = typeof value === 'string' ? textFault(value) : null
  if (problem !== null) yield fault(problem)
  if (value === null || typeof value !== 'object') return
  const keys = Object.keys(value)
  if (keys.some(key => textFault(key) !== null))
    yield fault('must not have a field name with a character that cannot be stored')
  for (const key of keys) {
    if (textFault(key) === null)
      yield* storageFaults(
        (value as Record<string, unknown>)[key],
        `${path}${Array.isArray(value) ? `[${key}]` : `.${key}`}`,
      )
  }
}

/** A body that was read. */
export interface JsonBody {
  /** the body, parsed */
  value: unknown
  /** the text that came, where it can be stored as it is */
  text: string | undefined
  /** what of it cannot be stored */
  faults: Fault[]
}

/**
 * Reads a body; its value is undefined when there is none. Throws 400 for anything that is not well-formed
 * JSON. A number that cannot be held as it is given is infinite, for the schema to refuse; the bytes are
 * changed for that.
 */
export function readJson(bytes: Buffer): JsonBody {
  if (bytes.length === 0) return { value: undefined, text: undefined, faults: [] }
  if (!isUtf8(bytes)) throw validationFailed(bodyFault('is not valid UTF-8', 'pattern'))
  const shape = shapeFault(bytes)
  if (shape !== null) throw validationFailed(shape)
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The rest of V8's message repeats the input.
    const position = /at position (\d+)/.exec((error as Error).message)?.[1]
    const where = position === undefined ? '' : ` (at character ${position})`
    throw validationFailed(bodyFault(`is not valid JSON${where}`, 'pattern'))
  }
  // What cannot be stored can only be escaped: it has no place in JSON or in UTF-8 as it is.
  if (!bytes.includes('\\u')) return { value, text, faults: [] }
  const faults = isStorable(value)
    ? []
    : storageFaults(value)
        .take(maxFaults + 1)
        .toArray()
  // Not the text, for of a name that is given twice only the last value was looked at.
  return { value, text: undefined, faults }
}
