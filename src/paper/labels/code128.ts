// Encodes a text in Code 128. The symbol characters are chosen here and passed to both the barcode library
// and ZPL printers, so that a symbol is the same in every output. Leading digits are encoded in pairs (code
// set C), and everything after them singly (code set B). Further changes of the code set would make some
// symbols shorter, but not every ZPL interpreter supports them. Pure. ISO/IEC 15417.

import { fnc1 } from './gs1.ts'

/** A text encoded in Code 128. */
export interface Code128 {
  /** the symbol characters with the start character, without the check and stop characters */
  readonly values: readonly number[]
  /** the data for ZPL's `^BC` in mode N, in which code sets are selected by `>:` and similar */
  readonly zpl: string
  /** the width in modules, without quiet zones */
  readonly modules: number
}

const characterModules = 11
const stopModules = 13
const startB = { value: 104, zpl: '>:' }
const startC = { value: 105, zpl: '>;' }
const changeToB = { value: 100, zpl: '>6' }
const separator = { value: 102, zpl: '>8' }
/** With fewer leading digits, code set C does not make the symbol shorter. */
const minLeadingDigits = 4

const encodable = new RegExp(`^[${fnc1} -~]+$`)
const leadingPairs = new RegExp(`^(?:${fnc1}|[0-9]{2})*(?!.$)`)
const pairPattern = new RegExp(`${fnc1}|..`, 'g')

/** Whether Code 128 can encode a text: printable ASCII and FNC1. */
export const isCode128Text = (text: string): boolean => encodable.test(text)

/**
 * Encodes a text of printable ASCII and FNC1.
 * @throws RangeError for any other character.
 */
export function encodeCode128(text: string): Code128 {
  if (!isCode128Text(text)) throw new RangeError('Code 128 takes printable ASCII only.')
  const [pairs = ''] = leadingPairs.exec(text) ?? []
  const digits = pairs.replaceAll(fnc1, '').length
  const isPaired = digits >= minLeadingDigits || (digits > 0 && pairs === text)
  const inPairs = isPaired ? (pairs.match(pairPattern) ?? []) : []
  const singly = isPaired ? text.slice(pairs.length) : text
  const characters = [
    isPaired ? startC : startB,
    ...inPairs.map(pair => (pair === fnc1 ? separator : { value: Number(pair), zpl: pair })),
    ...(isPaired && singly !== '' ? [changeToB] : []),
    // `>` begins an instruction within ZPL data and has to be escaped.
    ...Array.from(singly, character =>
      character === fnc1
        ? separator
        : { value: character.charCodeAt(0) - 32, zpl: character === '>' ? '>0' : character },
    ),
  ]
  return {
    values: characters.map(({ value }) => value),
    zpl: characters.map(({ zpl }) => zpl).join(''),
    modules: (characters.length + 1) * characterModules + stopModules,
  }
}
