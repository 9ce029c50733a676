// Barcodes for labels: what they say, how large they are drawn, and their bars. bwip-js draws them, and
// checks what GS1 asks of data. A module is a whole number of the printer's dots, never scaled to fit.

import { barcodeLibrary } from '../barcodes/library.ts'
import { type Code128, code128, isCode128Text } from './code128.ts'
import { bracketed, type Element, elementString, FNC1, maxSymbolCharacters } from './gs1.ts'
import { type Barcode, isMatrix, quietModules, type Symbology } from './label.ts'

/** What a barcode says, and in which symbology. */
export type Content = Pick<Barcode, 'symbology' | 'data' | 'text' | 'drawnFrom'>

/** Where a barcode may be, with its quiet zone, and how large a module may be. In millimetres. */
export interface Spot {
  readonly x: number
  readonly y: number
  readonly width: number
  /** of bars; a symbol of squares is not higher */
  readonly height: number
  /** where a symbol of squares is in it: 0, which is usual, at the upper left, 1 at the lower right */
  readonly align?: number
  readonly smallest: number
  readonly largest: number
}

/** A code or number in Code 128. */
export const codeOf = (text: string): Content => ({
  symbology: 'code128',
  data: text,
  text,
  drawnFrom: text,
})

/**
 * Any text as squares: a QR code where it has other letters than those of ASCII, which scanners take for
 * UTF-8.
 */
export const squaresOf = (text: string, symbology: 'datamatrix' | 'qr' = 'datamatrix'): Content => ({
  symbology: isCode128Text(text) ? symbology : 'qr',
  data: text,
  text,
  drawnFrom: text,
})

/** Elements of GS1. */
export const elementsIn = (
  symbology: 'gs1-128' | 'gs1-datamatrix',
  elements: readonly Element[],
): Content => ({
  symbology,
  data: elementString(elements),
  text: bracketed(elements),
  // Brackets around identifiers stand for themselves; those of values are said by their numbers.
  drawnFrom: bracketed(
    elements.map(({ ai, value }) => ({
      ai,
      value: value.replace(/[()]/g, bracket => `^0${bracket.charCodeAt(0)}`),
    })),
    '',
  ),
})

/** A symbol of squares as bwip-js makes it. */
interface Matrix {
  pixs: number[]
  pixx: number
  pixy: number
}

/**
 * A barcode of bars in its spot, in the middle of its width, with the largest module that fits; null where
 * the smallest is too large, or the text is none that Code 128 can say.
 */
export function bars(content: Content, spot: Spot, dotsPerMM: number): Barcode | null {
  const { symbology, data } = content
  if (!isCode128Text(data) || (isGs1(symbology) && data.length > maxSymbolCharacters)) return null
  const { modules } = symbolOf(content)
  const moduleDots = moduleThatFits([[modules + 2 * quietModules[symbology], spot.width]], spot, dotsPerMM)
  if (moduleDots === null) return null
  const width = (modules * moduleDots) / dotsPerMM
  return {
    kind: 'barcode',
    ...content,
    x: onDot(spot.x + (spot.width - width) / 2, dotsPerMM),
    y: onDot(spot.y, dotsPerMM),
    moduleDots,
    columns: modules,
    rows: 1,
    height: spot.height,
  }
}

/** A barcode of squares in its spot, quiet zone included; null where it does not fit. */
export function squares(content: Content, spot: Spot, dotsPerMM: number): Barcode | null {
  const matrix = matrixOf(content)
  if (matrix === null) return null
  const { pixx: columns, pixy: rows } = matrix
  const quiet = 2 * quietModules[content.symbology]
  const sides: Side[] = [
    [columns + quiet, spot.width],
    [rows + quiet, spot.height],
  ]
  const moduleDots = moduleThatFits(sides, spot, dotsPerMM)
  if (moduleDots === null) return null
  const module = moduleDots / dotsPerMM
  const { align = 0 } = spot
  const right = align * (spot.width - (columns + quiet) * module)
  const down = align * (spot.height - (rows + quiet) * module)
  return {
    kind: 'barcode',
    ...content,
    x: onDot(spot.x + right + (quiet / 2) * module, dotsPerMM),
    y: onDot(spot.y + down + (quiet / 2) * module, dotsPerMM),
    moduleDots,
    columns,
    rows,
    height: rows * module,
    matrix: matrix.pixs,
  }
}

/** How many modules there are along a side, and how long it is. */
type Side = readonly [modules: number, length: number]

function moduleThatFits(
  sides: readonly Side[],
  { smallest, largest }: Spot,
  dotsPerMM: number,
): number | null {
  const least = Math.ceil(smallest * dotsPerMM - 1e-9)
  const most = Math.max(Math.floor(largest * dotsPerMM + 1e-9), least)
  const fitting = sides.map(([modules, length]) => Math.floor((length * dotsPerMM) / modules + 1e-9))
  const dots = Math.min(most, ...fitting)
  return dots < least ? null : dots
}

/** A length as the nearest whole number of dots. */
export const onDot = (length: number, dotsPerMM: number): number => Math.round(length * dotsPerMM) / dotsPerMM

const names: Partial<Record<Symbology, string>> = {
  datamatrix: 'datamatrix',
  'gs1-datamatrix': 'gs1datamatrix',
  qr: 'qrcode',
}

const isGs1 = (symbology: Symbology): boolean => symbology.startsWith('gs1-')

/** The symbol characters of a barcode of bars: FNC1 at the beginning says that it is of GS1. */
export const symbolOf = ({ symbology, data }: Pick<Content, 'symbology' | 'data'>): Code128 =>
  code128(isGs1(symbology) ? FNC1 + data : data)

/** The widths of bars and spaces in turn. */
function widthsOf(barcode: Barcode): readonly number[] {
  const values = symbolOf(barcode).values.map(value => `^${String(value).padStart(3, '0')}`)
  const [symbol] = barcodeLibrary().raw('code128', values.join(''), { raw: true } as object)
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('A barcode has no bars.')
  return symbol.sbs
}

/** A symbol of squares; null where the data is more than one can hold. */
function matrixOf({ symbology, drawnFrom }: Content): Matrix | null {
  const options = symbology === 'qr' ? { eclevel: 'M' } : { parse: isGs1(symbology) }
  try {
    const [symbol] = barcodeLibrary().raw(names[symbology] as string, drawnFrom, options as object)
    return symbol as Matrix
  } catch (error) {
    if (/maximum|too long|exceed/i.test((error as Error).message)) return null
    throw error
  }
}

/** A black rectangle of a symbol, in modules from its top left corner. */
export interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** The bars of a symbol, or the runs of black squares in its rows. */
export function blackOf(barcode: Barcode): Bar[] {
  if (!isMatrix(barcode.symbology)) {
    let at = 0
    return widthsOf(barcode).flatMap((width, i) => {
      at += width
      return i % 2 === 0 ? [{ x: at - width, y: 0, width }] : []
    })
  }
  const { matrix = [], columns, rows } = barcode
  const runs: Bar[] = []
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const from = x
      while (x < columns && matrix[y * columns + x] === 1) x++
      if (x > from) runs.push({ x: from, y, width: x - from })
    }
  }
  return runs
}
