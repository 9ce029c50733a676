// Parses the bytes of a request as JSON that is safe to store, or refuses them. Decision 1.

import { isUtf8 } from 'node:buffer'
import { roundTo } from '../decimal.ts'
import { type ErrorCode, type Fault, faultAt } from './fault.ts'
import { maxFaults, validationFailed } from './refusal.ts'

const maxDepth = 32
/**
 * The maximum number of fields and elements in a body, nested ones included. An import of 10,000 lines with
 * every field set stays below it.
 */
const maxFields = 250_000

/**
 * Returns why a text cannot be stored, or null. PostgreSQL cannot store NUL, and half of a surrogate pair
 * would silently become another character.
 */
export const textFault = (text: string): string | null => {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair'
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace, comma] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c,
]

const isNumberByte = Array.from({ length: 256 }, (_, byte) =>
  '0123456789+-.eE'.includes(String.fromCharCode(byte)),
)
// A double represents every number of up to this many characters exactly enough to distinguish it.
const exactCharacters = 15

const bodyFault = (problem: string, code: ErrorCode): Fault => ({
  path: null,
  code,
  message: `The body ${problem}.`,
})

/**
 * Returns what is wrong with the shape of a JSON text, or null. It scans the bytes before they are parsed: a
 * body of nothing but brackets would take the parser gigabytes, and a body with a million fields would block
 * all other requests for seconds. It also replaces numbers that the parser would change by infinite ones.
 */
function shapeFault(bytes: Buffer): Fault | null {
  let depth = 0
  // Every value follows a comma or an opening bracket or brace. Counting empty pairs too does no harm.
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === openBracket || byte === openBrace) {
      depth++
      values++
      if (depth > maxDepth) return bodyFault(`must not be nested deeper than ${maxDepth} levels`, 'invalid')
    } else if (byte === closeBracket || byte === closeBrace) depth--
    else if (byte === comma) values++
    else if (byte === quote) {
      i = endOfString(bytes, i)
      if (i === -1) return null
    } else if (isNumberByte[byte]) {
      const start = i
      while (isNumberByte[bytes[i + 1] as number]) i++
      if (i - start >= exactCharacters) replaceInexact(bytes.subarray(start, i + 1))
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
 * Overwrites a number that a double cannot represent exactly with an infinite one, which schemas refuse with
 * the name of the field. In unknown fields it does no harm.
 */
function replaceInexact(number: Buffer): void {
  const text = number.toString('latin1')
  const represented = String(Number(text))
  if (represented === text) return
  // No field has more than six decimal places.
  if (jsonNumber.test(text) && Number.isFinite(Number(text)) && roundTo(6, text) !== roundTo(6, represented))
    number.fill(' ').write('1e999')
}

// Up to this many bytes, a loop is faster than a call of `indexOf`.
const shortString = 64

/** Returns the index of the closing quote of the string that begins at `start`, or -1 if there is none. */
function endOfString(bytes: Buffer, start: number): number {
  for (let i = start + 1; i <= start + shortString; i++) {
    if (bytes[i] === quote) return i
    if (bytes[i] === backslash) break
  }
  // It is nearly always the next quote. A quote after an odd number of backslashes is escaped; then the rest
  // is scanned byte by byte.
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
 * Yields everything in a value that cannot be stored. Called only if there is something, because building
 * paths takes time.
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

export interface JsonBody {
  value: unknown
  /** the text that was received, if it can be stored as it is */
  text: string | undefined
  /** the parts of it that cannot be stored */
  faults: Fault[]
}

/**
 * Parses a body. The value is undefined if the body is empty. Throws 400 for anything that is not well-formed
 * JSON. A number that a double cannot represent exactly becomes infinite, so that the schema refuses it; this
 * modifies `bytes`.
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
    // Only the position is used, because the rest of V8's message repeats the input.
    const position = /at position (\d+)/.exec((error as Error).message)?.[1]
    const where = position === undefined ? '' : ` (at character ${position})`
    throw validationFailed(bodyFault(`is not valid JSON${where}`, 'pattern'))
  }
  // Characters that cannot be stored occur only as escapes, because JSON and UTF-8 do not allow them as they
  // are.
  if (!bytes.includes('\\u')) return { value, text, faults: [] }
  const faults = isStorable(value)
    ? []
    : storageFaults(value)
        .take(maxFaults + 1)
        .toArray()
  // The text is not returned: if it repeats a name, only the last value was checked.
  return { value, text: undefined, faults }
}
