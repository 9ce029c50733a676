// Barcodes for labels: their contents, their sizes and their bars. bwip-js encodes them and checks GS1 data.
// A module is a whole number of the printer's dots and is never scaled to fit.

import { barcodeLibrary } from '../barcodes/library.ts'
import { type Code128, encodeCode128, isCode128Text } from './code128.ts'
import { elementString, fnc1, type Gs1Element, humanReadable, maxSymbolCharacters } from './gs1.ts'
import { type Barcode, isMatrix, quietModules, type Symbology } from './label.ts'

/** The data of a barcode and its symbology. */
export type BarcodeContent = Pick<Barcode, 'symbology' | 'data' | 'text' | 'encoderInput'>

/** The place for a barcode with its quiet zone, and the limits for the size of a module. In millimetres. */
export interface BarcodePlace {
  readonly x: number
  readonly y: number
  readonly width: number
  /** the height of bars, and the maximum height of a matrix symbol */
  readonly height: number
  /** the position of a matrix symbol within the place, from 0 (upper left, the default) to 1 (lower right) */
  readonly align?: number
  readonly smallest: number
  readonly largest: number
}

/** The content of a Code 128 symbol. */
export const code128Content = (text: string): BarcodeContent => ({
  symbology: 'code128',
  data: text,
  text,
  encoderInput: text,
})

/**
 * The content of a matrix symbol. A text outside printable ASCII always becomes a QR code, in which scanners
 * assume UTF-8.
 */
export const matrixContent = (
  text: string,
  symbology: 'datamatrix' | 'qr' = 'datamatrix',
): BarcodeContent => ({
  symbology: isCode128Text(text) ? symbology : 'qr',
  data: text,
  text,
  encoderInput: text,
})

/** The content of a GS1 symbol. */
export const gs1Content = (
  symbology: 'gs1-128' | 'gs1-datamatrix',
  elements: readonly Gs1Element[],
): BarcodeContent => ({
  symbology,
  data: elementString(elements),
  text: humanReadable(elements),
  // Brackets mark identifiers for bwip-js, so brackets within values are written as character codes.
  encoderInput: humanReadable(
    elements.map(({ ai, value }) => ({
      ai,
      value: value.replace(/[()]/g, bracket => `^0${bracket.charCodeAt(0)}`),
    })),
    '',
  ),
})

/** A matrix symbol as bwip-js returns it. */
interface Matrix {
  pixs: number[]
  pixx: number
  pixy: number
}

/**
 * Draws a linear barcode into a place, horizontally centred, with the largest module that fits. Returns null
 * if even the smallest module does not fit or Code 128 cannot encode the text.
 */
export function placeBars(content: BarcodeContent, place: BarcodePlace, dotsPerMM: number): Barcode | null {
  const { symbology, data } = content
  if (!isCode128Text(data) || (isGs1(symbology) && data.length > maxSymbolCharacters)) return null
  const { modules } = encodeSymbol(content)
  const moduleDots = largestModule([[modules + 2 * quietModules[symbology], place.width]], place, dotsPerMM)
  if (moduleDots === null) return null
  const width = (modules * moduleDots) / dotsPerMM
  return {
    kind: 'barcode',
    ...content,
    x: roundToDot(place.x + (place.width - width) / 2, dotsPerMM),
    y: roundToDot(place.y, dotsPerMM),
    moduleDots,
    columns: modules,
    rows: 1,
    height: place.height,
  }
}

/** Draws a matrix symbol with its quiet zone into a place; null if it does not fit. */
export function placeMatrix(content: BarcodeContent, place: BarcodePlace, dotsPerMM: number): Barcode | null {
  const matrix = encodeMatrix(content)
  if (matrix === null) return null
  const { pixx: columns, pixy: rows } = matrix
  const quiet = 2 * quietModules[content.symbology]
  const sides: Side[] = [
    [columns + quiet, place.width],
    [rows + quiet, place.height],
  ]
  const moduleDots = largestModule(sides, place, dotsPerMM)
  if (moduleDots === null) return null
  const module = moduleDots / dotsPerMM
  const { align = 0 } = place
  const right = align * (place.width - (columns + quiet) * module)
  const down = align * (place.height - (rows + quiet) * module)
  return {
    kind: 'barcode',
    ...content,
    x: roundToDot(place.x + right + (quiet / 2) * module, dotsPerMM),
    y: roundToDot(place.y + down + (quiet / 2) * module, dotsPerMM),
    moduleDots,
    columns,
    rows,
    height: rows * module,
    matrix: matrix.pixs,
  }
}

/** The number of modules along a side, and the available length in millimetres. */
type Side = readonly [modules: number, length: number]

/** Returns the largest module size in dots that fits into all sides; null if the smallest does not. */
function largestModule(
  sides: readonly Side[],
  { smallest, largest }: BarcodePlace,
  dotsPerMM: number,
): number | null {
  const minDots = Math.ceil(smallest * dotsPerMM - 1e-9)
  const maxDots = Math.max(Math.floor(largest * dotsPerMM + 1e-9), minDots)
  const fitting = sides.map(([modules, length]) => Math.floor((length * dotsPerMM) / modules + 1e-9))
  const dots = Math.min(maxDots, ...fitting)
  return dots < minDots ? null : dots
}

/** Rounds a length in millimetres to the nearest whole number of dots. */
const roundToDot = (length: number, dotsPerMM: number): number => Math.round(length * dotsPerMM) / dotsPerMM

const libraryNames: Partial<Record<Symbology, string>> = {
  datamatrix: 'datamatrix',
  'gs1-datamatrix': 'gs1datamatrix',
  qr: 'qrcode',
}

const isGs1 = (symbology: Symbology): boolean => symbology.startsWith('gs1-')

/** Encodes a linear barcode. FNC1 at the beginning marks it as GS1-128. */
export const encodeSymbol = ({ symbology, data }: Pick<BarcodeContent, 'symbology' | 'data'>): Code128 =>
  encodeCode128(isGs1(symbology) ? fnc1 + data : data)

/** Returns the widths of alternating bars and spaces in modules, beginning with a bar. */
function barWidths(barcode: Barcode): readonly number[] {
  const values = encodeSymbol(barcode).values.map(value => `^${String(value).padStart(3, '0')}`)
  const [symbol] = barcodeLibrary().raw('code128', values.join(''), { raw: true } as object)
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('A barcode has no bars.')
  return symbol.sbs
}

/** Encodes a matrix symbol; null if the data are too long for one. */
function encodeMatrix({ symbology, encoderInput }: BarcodeContent): Matrix | null {
  const options = symbology === 'qr' ? { eclevel: 'M' } : { parse: isGs1(symbology) }
  try {
    const [symbol] = barcodeLibrary().raw(libraryNames[symbology] as string, encoderInput, options as object)
    return symbol as Matrix
  } catch (error) {
    if (/maximum|too long|exceed/i.test((error as Error).message)) return null
    throw error
  }
}

/** A black rectangle of a symbol: position and width in modules, from the top left corner. */
export interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Returns the bars of a linear symbol, or the horizontal runs of black modules of a matrix symbol. */
export function blackBars(barcode: Barcode): Bar[] {
  if (!isMatrix(barcode.symbology)) {
    let at = 0
    return barWidths(barcode).flatMap((width, i) => {
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
