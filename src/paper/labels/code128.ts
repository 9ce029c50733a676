// Code 128: a text as symbol characters. They are chosen here, and both the library that draws bars and
// printers of ZPL are told them, so that a symbol is the same everywhere. Digits at the beginning are said in
// pairs (code set C), and all after them singly (B). Pairs further on, and a single character after pairs,
// would be shorter for some texts, but not every program that speaks ZPL can do it. Pure. ISO/IEC 15417.

import { FNC1 } from './gs1.ts'

/** A text as symbol characters. */
export interface Code128 {
  /** from the start on, without the check character and the stop */
  readonly values: readonly number[]
  /** the data of ZPL's `^BC` in mode N, which says the code sets as `>:` and its like */
  readonly zpl: string
  /** modules from the first bar to the last, without quiet zones */
  readonly modules: number
}

const characterModules = 11
const stopModules = 13
const startB = { value: 104, zpl: '>:' }
const startC = { value: 105, zpl: '>;' }
const changeToB = { value: 100, zpl: '>6' }
const separator = { value: 102, zpl: '>8' }
/** Pairs are worth a change of the code set from here on. */
const leastDigits = 4

const sayable = new RegExp(`^[${FNC1} -~]+$`)
const leadingPairs = new RegExp(`^(?:${FNC1}|[0-9]{2})*(?!.$)`)
const eachPair = new RegExp(`${FNC1}|..`, 'g')

/** Whether a text can be said: printable ASCII and FNC1. */
export const isCode128Text = (text: string): boolean => sayable.test(text)

/**
 * A text of printable ASCII, in which FNC1 may stand, as symbol characters.
 * @throws RangeError for any other character.
 */
export function code128(text: string): Code128 {
  if (!isCode128Text(text)) throw new RangeError('Code 128 takes printable ASCII only.')
  const [pairs = ''] = leadingPairs.exec(text) ?? []
  const digits = pairs.replaceAll(FNC1, '').length
  const isPaired = digits >= leastDigits || (digits > 0 && pairs === text)
  const inPairs = isPaired ? (pairs.match(eachPair) ?? []) : []
  const singly = isPaired ? text.slice(pairs.length) : text
  const said = [
    isPaired ? startC : startB,
    ...inPairs.map(pair => (pair === FNC1 ? separator : { value: Number(pair), zpl: pair })),
    ...(isPaired && singly !== '' ? [changeToB] : []),
    // `>` begins what printers take for a command inside of data.
    ...Array.from(singly, character =>
      character === FNC1
        ? separator
        : { value: character.charCodeAt(0) - 32, zpl: character === '>' ? '>0' : character },
    ),
  ]
  return {
    values: said.map(({ value }) => value),
    zpl: said.map(({ zpl }) => zpl).join(''),
    modules: (said.length + 1) * characterModules + stopModules,
  }
}
