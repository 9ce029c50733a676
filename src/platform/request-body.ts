// Turns the bytes of a request into JSON that is safe to store, or refuses. Open-points 1 (malformed JSON, depth 32).

import { isUtf8 } from 'node:buffer'
import { validationFailed } from './refusal.ts'

const deepest = 32
/** Fields and elements of a body, with those inside of them. An import of 10,000 lines that says everything of each stays below. */
const most = 250_000

interface Fault {
  path: string
  problem: string
}

/** Why a text cannot be stored: PostgreSQL cannot hold NUL, and half of a surrogate pair would silently become another character. */
export const textFault = (text: string): string | null => {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair'
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace, comma] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c]

const isOfNumber = Array.from({ length: 256 }, (_, byte) => '0123456789+-.eE'.includes(String.fromCharCode(byte)))
/** A number has no more characters than this when every double close to it is told from it. */
const shortNumber = 15

/**
 * What is wrong with the shape of a JSON text, and whether it has numbers that a double may not hold. Asked of the bytes, before they are parsed: a body that is
 * nothing but brackets costs the parser gigabytes, and one of a million fields costs it seconds in which nobody else is served.
 */
function shapeOf(bytes: Buffer): { fault?: string; hasLongNumbers: boolean } {
  let depth = 0
  let hasLongNumbers = false
  // Each begins behind a comma, or first in a bracket or brace. That an empty pair counts too is of no matter here.
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === openBracket || byte === openBrace) {
      depth++
      values++
      if (depth > deepest) return { fault: `must not be nested deeper than ${deepest} levels`, hasLongNumbers }
    } else if (byte === closeBracket || byte === closeBrace) depth--
    else if (byte === comma) values++
    else if (byte === quote) {
      i = endOfText(bytes, i)
      if (i === -1) break
    } else if (isOfNumber[byte as number]) {
      const start = i
      while (isOfNumber[bytes[i + 1] as number]) i++
      hasLongNumbers ||= i - start >= shortNumber
    }
    if (values > most) return { fault: `must not have more than ${most.toLocaleString('en')} fields and elements`, hasLongNumbers }
  }
  return { hasLongNumbers }
}

/** Where the text ends that begins at `start`; -1 where it does not. */
function endOfText(bytes: Buffer, start: number): number {
  // Nearly always the first quote. An escaped one has an odd number of backslashes before it; then the rest is read byte by byte.
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

/** The absolute value of a JSON number in millionths, rounded: no field has more decimals. */
function millionths(number: string): bigint {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  // One more place than is kept, to round by.
  const places = digits.length - fraction.length + Number(exponent) + 7
  return digits === '' || places < 0 ? 0n : (BigInt(digits.slice(0, places).padEnd(places, '0')) + 5n) / 10n
}

/** Makes NaN of a number whose digits a double would change; no other number of JSON is one. Schemas refuse it where it matters, by the name of its field. */
const readNumber = (_key: string, value: unknown, at?: { source?: string }): unknown =>
  at?.source !== undefined && Number.isFinite(value) && millionths(at.source) !== millionths(String(value)) ? Number.NaN : value

/** The first thing in a value that cannot be stored. The path is put together only when there is one. */
function faultOf(value: unknown): Fault | null {
  if (typeof value === 'string') {
    const problem = textFault(value)
    return problem === null ? null : { path: '', problem }
  }
  if (value === null || typeof value !== 'object') return null
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const fault = faultOf(value[i])
      if (fault !== null) return { path: `[${i}]${fault.path}`, problem: fault.problem }
    }
    return null
  }
  for (const key in value) {
    if (textFault(key) !== null) return { path: '', problem: 'must not have a field name with a character that cannot be stored' }
    const fault = faultOf((value as Record<string, unknown>)[key])
    if (fault !== null) return { path: `.${key}${fault.path}`, problem: fault.problem }
  }
  return null
}

/**
 * The parsed body; undefined when there is none. Throws 400 for anything that is not well-formed, storable JSON. A number that cannot be held as it is given
 * is NaN or infinite, for the schema to refuse.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw validationFailed('The body is not valid UTF-8.')
  const { fault: shapeFault, hasLongNumbers } = shapeOf(bytes)
  if (shapeFault !== undefined) throw validationFailed(`The body ${shapeFault}.`)
  let value: unknown
  try {
    const text = bytes.toString('utf8')
    value = hasLongNumbers ? JSON.parse(text, readNumber) : JSON.parse(text)
  } catch (error) {
    // The rest of V8's message repeats the input.
    const position = /at position (\d+)/.exec((error as Error).message)?.[1]
    throw validationFailed(`The body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}.`)
  }
  const fault = faultOf(value)
  if (fault !== null) throw validationFailed(`${fault.path.replace(/^\./, '').slice(0, 300) || 'The body'} ${fault.problem}.`)
  return value
}
