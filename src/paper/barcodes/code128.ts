// Code 128 for papers, as widths of bars and spaces: the shortest symbol of a text. Labels choose the
// characters of theirs themselves, for printers have to draw the same ones.

import { barcodeLibrary } from './library.ts'

/** Bars and spaces in turn, from the first bar, in modules. */
export type Bars = readonly number[]

/** The bars of a text; undefined for a text that has other signs than those of ASCII. */
export function code128(text: string): Bars | undefined {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined
  const [symbol] = barcodeLibrary().raw({ bcid: 'code128', text })
  return symbol !== undefined && 'sbs' in symbol ? symbol.sbs : undefined
}

/** How many modules a symbol is wide, without its quiet zones. */
export const modulesOf = (bars: Bars): number => bars.reduce((sum, width) => sum + width, 0)
