// Converts an attached file to a format that a printer accepts. Spec 4.4.

import { verificationFailed } from '../../platform/http/refusal.ts'
import { Orientation, PrintType } from '../../vocabulary/paper.ts'
import { PrinterLanguage } from '../../vocabulary/printing.ts'
import { maxLines } from '../documents/paper.ts'
import { render } from '../documents/render.ts'
import type { NewPrintJob, Printer } from '../print-jobs/submit.ts'
import { rasterise } from './raster.ts'

export interface AttachedFile {
  fileName: string
  contentType: string
  bytes: Buffer
}

type PageOrientation = (typeof Orientation)[keyof typeof Orientation]

/** The content of a print job, in a format that the printer accepts. */
export type Printable = Pick<NewPrintJob, 'contentType' | 'content' | 'pages' | 'orientation'>

const pdfType = 'application/pdf'
const zplType = 'application/zpl'
const defaultDotsPerMM = 8
/** In millimetres, by print type. Label printers get the most common label size. */
const pageSizes: Record<number, readonly [width: number, height: number]> = {
  [PrintType.Label]: [100, 150],
  [PrintType.Document]: [210, 297],
}
// The limit for each side of a picture: a finer one looks the same on paper.
const maxPixels = 2_480
const maxTextBytes = 1_048_576
const tabWidth = 8

/**
 * Converts a file for a printer. Pictures and plain text become PDF pages. A ZPL printer gets each PDF page
 * as a picture in ZPL, and ZPL text unchanged. `owner` is the requesting organisation, and `signal` fires if
 * it no longer wants the result. Refuses (400) a file that cannot be printed.
 */
export async function printable(
  file: AttachedFile,
  printer: Pick<Printer, 'type' | 'language' | 'dotsPerMM'>,
  orientation: PageOrientation | null,
  owner?: string,
  signal?: AbortSignal,
): Promise<Printable> {
  const refuse = (problem: string) => verificationFailed(`The file ${file.fileName} ${problem}.`)
  const isZplPrinter = printer.language === PrinterLanguage.Zpl
  if (isZplText(file)) {
    if (!isZplPrinter) throw refuse('is ZPL, which the printer does not take')
    return { contentType: zplType, content: file.bytes, pages: null }
  }
  const pdf = await asPdf(file, printer.type, orientation, owner)
  if ('fault' in pdf) throw refuse(pdf.fault)
  if (!isZplPrinter) return pdf
  const rastered = await rasterise(pdf.content, printer.dotsPerMM ?? defaultDotsPerMM, 1, owner, signal)
  if ('fault' in rastered) throw refuse(rastered.fault)
  return { contentType: zplType, content: Buffer.from(rastered.zpl), pages: rastered.pages }
}

const isZplText = ({ contentType, bytes }: AttachedFile): boolean =>
  contentType === 'text/plain' && bytes.subarray(0, 64).toString('latin1').trimStart().startsWith('^XA')

interface Fault {
  /** why a file cannot be printed, as the end of a sentence about it */
  fault: string
}

const wrongType: Fault = { fault: 'cannot be printed: only PDF, images and plain text can' }

/** Returns a file as a PDF, or the reason why it cannot become one. */
async function asPdf(
  { fileName, contentType, bytes }: AttachedFile,
  type: number,
  orientation: PageOrientation | null,
  owner: string | undefined,
): Promise<Printable | Fault> {
  if (contentType === pdfType) return { contentType, content: bytes, pages: null, orientation }
  const isImage = contentType.startsWith('image/')
  if (!isImage && !contentType.startsWith('text/')) return wrongType
  const size = pageSizes[type] as readonly [number, number]
  const [width, height] = orientation === Orientation.Landscape ? size.toReversed() : size
  const svg = isImage ? await asSvg(bytes) : null
  if (svg === undefined) return wrongType
  const lines = isImage ? [] : linesOf(bytes)
  if ('fault' in lines) return lines
  // The page already has the requested orientation, so the job needs none.
  const { content, pages } = await render(
    'attachment',
    { title: fileName, width, height, svg, lines },
    'pdf',
    owner,
  )
  return { contentType: pdfType, content, pages }
}

/** Wraps a picture in an SVG, which fits into JSON. Returns undefined if the picture cannot be read. */
async function asSvg(bytes: Buffer): Promise<string | undefined> {
  const { default: sharp } = await import('sharp')
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: 100_000_000 })
      .rotate()
      .resize(maxPixels, maxPixels, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .png()
      .toBuffer({ resolveWithObject: true })
    const { width, height } = info
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" ` +
      `href="data:image/png;base64,${data.toString('base64')}"/></svg>`
    )
  } catch {
    return undefined
  }
}

/**
 * Splits a text into lines, keeping its spaces. A text that is not UTF-8 is read as Windows-1252. A text that
 * is too long is refused rather than cut, because the paper would not show that its end is missing.
 */
function linesOf(bytes: Buffer): string[] | Fault {
  if (bytes.length > maxTextBytes) return { fault: 'is too large to print: a text may have 1 MiB' }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    text = new TextDecoder('windows-1252').decode(bytes)
  }
  const lines = text
    .replace(/\r\n?|\f/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
  if (lines.length > maxLines)
    return { fault: `is too long to print: it has ${lines.length} lines, and a text may have ${maxLines}` }
  return lines.map(line =>
    line.replace(/\t/g, ' '.repeat(tabWidth)).replace(/^ +| {2,}/g, blanks => '\u00a0'.repeat(blanks.length)),
  )
}
