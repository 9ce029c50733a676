// Code 128 as widths of bars and spaces. The library is loaded with the first symbol: most processes never
// draw any.

import { createRequire } from 'node:module'

/** Bars and spaces in turn, from the first bar, in modules. */
export type Bars = readonly number[]

const require = createRequire(import.meta.url)
let library: typeof import('bwip-js/node') | undefined

/** The bars of a text; undefined for a text that has other signs than those of ASCII. */
export function code128(text: string): Bars | undefined {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined
  library ??= require('bwip-js/node') as typeof import('bwip-js/node')
  const [symbol] = library.raw({ bcid: 'code128', text })
  return symbol !== undefined && 'sbs' in symbol ? symbol.sbs : undefined
}

/** How many modules a symbol is wide, without its quiet zones. */
export const modulesOf = (bars: Bars): number => bars.reduce((sum, width) => sum + width, 0)
