// A label in ZPL II, for Zebra printers and those that speak as they do. Commands are ours; whatever comes
// from data is escaped, so that no name can send one. ZPL II Programming Guide.

import { symbolOf } from './barcode.ts'
import { type Bitmap, graphicField } from './graphic-field.ts'
import { FNC1 } from './gs1.ts'
import type { Barcode, Box, Label, TextLine } from './label.ts'

/**
 * What a send begins with: it ends a label that a send before it left open, in which everything would be
 * swallowed, and else does nothing.
 */
export const beginning = '^XZ\n'

/** The content type of what printers are sent. */
export const zplType = 'application/zpl'

/** Whether a printer's own letters can show a text: they have no others than those of Latin-1. */
export const isNative = (text: string): boolean => /^[ -~\u00a1-\u00ac\u00ae-\u00ff…]*$/.test(text)

/**
 * One label.
 * @param copies how often the printer prints it
 * @param pictures the lines that it has no letters for, and where the top left of each is above its baseline
 */
export function zplOf(
  { width, height, dotsPerMM, elements }: Label,
  copies: number,
  pictures: (line: TextLine) => Picture | undefined = () => undefined,
): string {
  const dots = (length: number) => Math.round(length * dotsPerMM)
  const fields = elements.map(element => {
    if (element.kind === 'box') return boxField(element, dots)
    return element.kind === 'text' ? textField(element, dots, pictures) : barcodeField(element, dots)
  })
  const head = `^XA^CI28^PW${dots(width)}^LL${dots(height)}^LH0,0`
  return `${[head, ...fields, `^PQ${copies}`].join('\n')}^XZ\n`
}

/** A line of text as a picture. */
export interface Picture {
  readonly bitmap: Bitmap
  /** how far above the baseline it begins, in dots */
  readonly rise: number
}

type Dots = (length: number) => number

/** Text as the data of a field: what could begin a command or an escape is said by its number. */
const escaped = (text: string): string =>
  text
    .replaceAll('…', '...')
    .replace(/[_^~]|\p{Cc}/gu, character =>
      Array.from(Buffer.from(character), byte => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
        '',
      ),
    )

function textField(line: TextLine, dots: Dots, pictures: (line: TextLine) => Picture | undefined): string {
  const { x, baseline, size, text } = line
  if (isNative(text)) return `^FT${dots(x)},${dots(baseline)}^A0N,${dots(size)}^FH_^FD${escaped(text)}^FS`
  const picture = pictures(line)
  if (picture === undefined) throw new Error('A text that the printer has no letters for needs a picture.')
  return `^FO${dots(x)},${Math.max(dots(baseline) - picture.rise, 0)}${graphicField(picture.bitmap)}^FS`
}

function boxField({ x, y, width, height }: Box, dots: Dots): string {
  const [wide, high] = [Math.max(dots(width), 1), Math.max(dots(height), 1)]
  return `^FO${dots(x)},${dots(y)}^GB${wide},${high},${Math.min(wide, high)}^FS`
}

const qrDrop = 10

function barcodeField(barcode: Barcode, dots: Dots): string {
  const { symbology, data, moduleDots } = barcode
  const at = `^FO${dots(barcode.x)},${dots(barcode.y)}`
  switch (symbology) {
    case 'code128':
    case 'gs1-128': {
      // The code sets are ours, so that the symbol is as wide as the label was laid out for.
      const said = symbolOf(barcode).zpl
      return `${at}^BY${moduleDots}^BCN,${dots(barcode.height)},N,N,N,N^FH_^FD${escaped(said)}^FS`
    }
    case 'qr': {
      // Printers draw it ten dots below its origin.
      const above = `^FO${dots(barcode.x)},${Math.max(dots(barcode.y) - qrDrop, 0)}`
      return `${above}^BQN,2,${moduleDots},M^FH_^FDMA,${escaped(data)}^FS`
    }
    default: {
      const sign = escapeFor(data)
      const said =
        symbology === 'datamatrix' ? data : [FNC1, ...data].map(c => (c === FNC1 ? `${sign}1` : c)).join('')
      return `${at}^BXN,${moduleDots},200,,,,${sign}^FH_^FD${escaped(said)}^FS`
    }
  }
}

/** A character that begins what a DataMatrix takes for an instruction: one that its data has not. */
const escapeFor = (data: string): string =>
  [...'|@#$}{`'].find(character => !data.includes(character)) ?? '\\'
