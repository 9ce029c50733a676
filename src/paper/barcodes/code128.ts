// Code 128 as widths of bars and spaces. The library is loaded with the first symbol: most processes never
// draw any.

/** Bars and spaces in turn, from the first bar, in modules. */
export type Bars = readonly number[]

let library: Promise<typeof import('bwip-js')> | undefined

/** The bars of a text; undefined for a text that Code 128 cannot hold. */
export async function code128(text: string): Promise<Bars | undefined> {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined
  library ??= import('bwip-js')
  const { raw } = await library
  const [symbol] = raw({ bcid: 'code128', text })
  return symbol !== undefined && 'sbs' in symbol ? symbol.sbs : undefined
}

/** How many modules a symbol is wide, without its quiet zones. */
export const modulesOf = (bars: Bars): number => bars.reduce((sum, width) => sum + width, 0)
