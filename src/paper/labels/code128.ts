// Code 128: which code sets say a text in the fewest characters. Bars are bwip-js's; printers of ZPL draw
// their own, and are told the sets, so that a symbol has the width that the label was laid out for. Pure.
// ISO/IEC 15417.

import { FNC1 } from './gs1.ts'

/** A text as symbol characters. */
export interface Code128 {
  /** the data of ZPL's `^BC` in mode N: the code sets said as `>:` and its like */
  readonly zpl: string
  /** modules from the first bar to the last, without quiet zones */
  readonly modules: number
}

/** What a character of a symbol is wide, and what the last one (stop) is more. */
const characterModules = 11
const stopModules = 13

/** Whether a text can be said by code sets B and C: printable ASCII and FNC1. */
export const isCode128Text = (text: string): boolean => /^[\u001d -~]+$/.test(text)

/** How a text goes on from some position in one code set: the fewest characters, and what they are. */
interface Way {
  readonly cost: number
  readonly zpl: string
}

const nowhere: Way = { cost: Number.POSITIVE_INFINITY, zpl: '' }

/** `>` begins what printers take for a command inside of data. */
const inB = (character: string): string => (character === '>' ? '>0' : character)

/**
 * A text of printable ASCII, in which FNC1 may stand, as symbol characters.
 * @throws RangeError for any other character.
 */
export function code128(text: string): Code128 {
  if (!isCode128Text(text)) throw new RangeError('Code 128 takes printable ASCII only.')
  // From the end on: the best way in B and in C from each position.
  const inSets: { b: Way; c: Way }[] = Array.from({ length: text.length + 1 }, () => ({
    b: nowhere,
    c: nowhere,
  }))
  inSets[text.length] = { b: { cost: 0, zpl: '' }, c: { cost: 0, zpl: '' } }
  for (let i = text.length - 1; i >= 0; i--) {
    const character = text[i] as string
    const pair = text.slice(i, i + 2)
    const next = inSets[i + 1] as { b: Way; c: Way }
    const isSeparator = character === FNC1
    const b = then(isSeparator ? '>8' : inB(character), next.b)
    const c = isSeparator
      ? then('>8', next.c)
      : /^[0-9]{2}$/.test(pair)
        ? then(pair, inSets[i + 2]?.c ?? nowhere)
        : nowhere
    inSets[i] = { b: shorter(b, then('>5', c)), c: shorter(c, then('>6', b)) }
  }
  const { b, c } = inSets[0] as { b: Way; c: Way }
  const way = shorter(then('>:', b), then('>;', c))
  // The check character and stop are the printer's to add.
  return { zpl: way.zpl, modules: (way.cost + 1) * characterModules + stopModules }
}

const then = (said: string, { cost, zpl }: Way): Way => ({ cost: cost + 1, zpl: said + zpl })

const shorter = (one: Way, other: Way): Way => (other.cost < one.cost ? other : one)
