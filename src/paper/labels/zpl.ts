// Writes labels in ZPL II, for Zebra and compatible printers. All data are escaped, so that no name can
// contain a command. ZPL II Programming Guide.

import { encodeSymbol } from './barcode.ts'
import { type Bitmap, graphicField } from './graphic-field.ts'
import { fnc1 } from './gs1.ts'
import type { Barcode, Box, Label, TextLine } from './label.ts'

/**
 * The beginning of every job. It ends a label that an interrupted job left open, which would otherwise
 * swallow this one, and has no effect if none is open.
 */
export const jobPrefix = '^XZ\n'

/** The content type of ZPL. */
export const zplType = 'application/zpl'

/** Whether the built-in fonts of printers, which have Latin-1 only, can show a text. */
export const isNativeText = (text: string): boolean => /^[ -~\u00a1-\u00ac\u00ae-\u00ff…]*$/.test(text)

/**
 * Writes one label.
 * @param copies the number of copies to print
 * @param pictures returns the picture of a line that the printer's font cannot show
 */
export function writeZpl(
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
  /** the distance from its top to the baseline, in dots */
  readonly rise: number
}

type Dots = (length: number) => number

/** Escapes a text as field data, so that it cannot begin a command or an escape. */
const escapeData = (text: string): string =>
  text
    .replaceAll('…', '...')
    .replace(/[_^~]|\p{Cc}/gu, character =>
      Array.from(Buffer.from(character), byte => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
        '',
      ),
    )

function textField(line: TextLine, dots: Dots, pictures: (line: TextLine) => Picture | undefined): string {
  const { x, baseline, size, text } = line
  if (isNativeText(text))
    return `^FT${dots(x)},${dots(baseline)}^A0N,${dots(size)}^FH_^FD${escapeData(text)}^FS`
  const picture = pictures(line)
  if (picture === undefined)
    throw new Error('A text that the font of the printer cannot show needs a picture.')
  return `^FO${dots(x)},${Math.max(dots(baseline) - picture.rise, 0)}${graphicField(picture.bitmap)}^FS`
}

function boxField({ x, y, width, height }: Box, dots: Dots): string {
  const [boxWidth, boxHeight] = [Math.max(dots(width), 1), Math.max(dots(height), 1)]
  return `^FO${dots(x)},${dots(y)}^GB${boxWidth},${boxHeight},${Math.min(boxWidth, boxHeight)}^FS`
}

/** Printers draw a QR code this many dots below its origin. */
const qrOffsetDots = 10

function barcodeField(barcode: Barcode, dots: Dots): string {
  const { symbology, data, moduleDots } = barcode
  const at = `^FO${dots(barcode.x)},${dots(barcode.y)}`
  switch (symbology) {
    case 'code128':
    case 'gs1-128': {
      // The code sets are chosen by encodeSymbol, so that the symbol is as wide as the layout assumes.
      const symbol = encodeSymbol(barcode).zpl
      return `${at}^BY${moduleDots}^BCN,${dots(barcode.height)},N,N,N,N^FH_^FD${escapeData(symbol)}^FS`
    }
    case 'qr': {
      const origin = `^FO${dots(barcode.x)},${Math.max(dots(barcode.y) - qrOffsetDots, 0)}`
      return `${origin}^BQN,2,${moduleDots},M^FH_^FDMA,${escapeData(data)}^FS`
    }
    default: {
      const marker = escapeCharacterFor(data)
      const content =
        symbology === 'datamatrix' ? data : [fnc1, ...data].map(c => (c === fnc1 ? `${marker}1` : c)).join('')
      return `${at}^BXN,${moduleDots},200,,,,${marker}^FH_^FD${escapeData(content)}^FS`
    }
  }
}

/** Chooses an escape character for a DataMatrix that does not occur in its data. */
const escapeCharacterFor = (data: string): string =>
  [...'|@#$}{`'].find(character => !data.includes(character)) ?? '\\'
