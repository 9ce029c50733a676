// Code 128 for documents, as widths of bars and spaces: the shortest symbol of a text. Labels use
// labels/code128.ts, which chooses the same code sets that ZPL printers draw.

import { barcodeLibrary } from './library.ts'

/** The widths of alternating bars and spaces in modules, beginning with a bar. */
export type Bars = readonly number[]

/** Encodes a text; undefined if it has characters other than printable ASCII. */
export function code128Bars(text: string): Bars | undefined {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined
  const [symbol] = barcodeLibrary().raw({ bcid: 'code128', text })
  return symbol !== undefined && 'sbs' in symbol ? symbol.sbs : undefined
}

/** Returns the width of a symbol in modules, without its quiet zones. */
export const countModules = (bars: Bars): number => bars.reduce((sum, width) => sum + width, 0)
