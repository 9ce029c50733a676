// Converts an attached file to a format that a printer accepts. Spec 4.4.

import { unprocessable, verificationFailed } from '../../platform/http/refusal.ts'
import { renderingTask, type TaskOptions, TooLargeToRender } from '../../platform/renderer/task.ts'
import { Orientation, PrinterLanguage, PrintType } from '../../vocabulary/paper.ts'
import { maxLines } from '../documents/document-content.ts'
import { render } from '../documents/render.ts'
import type { TypesetDocument } from '../documents/typeset.ts'
import type { NewPrintJob, Printer } from '../print-jobs/submit.ts'
import type { PdfToConvert, ZplPages } from './pdf-to-zpl.ts'
import type { PictureToPlace } from './picture-page.ts'
import { hasUniversalExit, setUpCommandsIn } from './printer-commands.ts'

export interface AttachedFile {
  fileName: string
  contentType: string
  bytes: Buffer
  /** whether it comes from a partner, whose files send no commands to printers */
  isOfPartner?: boolean
}

type PageOrientation = (typeof Orientation)[keyof typeof Orientation]

/** The content of a print job, in a format that the printer accepts. */
export type PrintContent = Pick<NewPrintJob, 'contentType' | 'content' | 'pages' | 'orientation'>

const pdfType = 'application/pdf'
const zplType = 'application/zpl'
const defaultDotsPerMM = 8
/** In millimetres, by print type. Label printers get the most common label size. */
const pageSizes: Record<number, readonly [width: number, height: number]> = {
  [PrintType.Label]: [100, 150],
  [PrintType.Document]: [210, 297],
}
const maxTextBytes = 1_048_576
const tabWidth = 8
const languageInPdf =
  'has printer language inside the PDF, which is printed only from files of the organisation'

const renderPicturePage = renderingTask<PictureToPlace, TypesetDocument | Fault>(
  new URL('./picture-page.ts', import.meta.url),
)
const convertPdfToZpl = renderingTask<PdfToConvert, ZplPages>(new URL('./pdf-to-zpl.ts', import.meta.url))

/**
 * Converts a file for a printer. Pictures and plain text become PDF pages. A ZPL printer gets each PDF page
 * as a picture in ZPL, and ZPL text unchanged, unless it is a partner's or sets up the printer. `owner` is
 * the requesting organisation, and `signal` fires if it no longer wants the result. Refuses (400) a file that
 * cannot be printed, and (422) one that takes too much memory to be printed.
 */
export async function convertForPrinter(
  file: AttachedFile,
  printer: Pick<Printer, 'type' | 'language' | 'dotsPerMM'>,
  orientation: PageOrientation | null,
  owner?: string,
  signal?: AbortSignal,
): Promise<PrintContent> {
  const refuse = (problem: string) => verificationFailed(`The file ${file.fileName} ${problem}.`)
  const isZplPrinter = printer.language === PrinterLanguage.Zpl
  if (isZplText(file)) {
    if (file.isOfPartner)
      throw refuse('is printer language (ZPL), which is printed only from files of the organisation')
    if (!isZplPrinter) throw refuse('is ZPL, which the printer does not take')
    const setUp = setUpCommandsIn(file.bytes.toString('latin1'))
    if (setUp.length > 0)
      throw refuse(`has commands that set up the printer: ${setUp.join(', ')}. Remove them`)
    return { contentType: zplType, content: file.bytes, pages: null }
  }
  const options: TaskOptions = { owner, signal, isLong: true }
  try {
    const pdf = await convertToPdf(file, printer.type, orientation, options)
    if ('fault' in pdf) throw refuse(pdf.fault)
    if (!isZplPrinter) {
      if (file.isOfPartner && hasUniversalExit(pdf.content)) throw refuse(languageInPdf)
      return pdf
    }
    const dotsPerMM = printer.dotsPerMM ?? defaultDotsPerMM
    const labels = await convertPdfToZpl({ pdf: pdf.content, dotsPerMM }, options)
    if ('fault' in labels) throw refuse(labels.fault)
    return { contentType: zplType, content: Buffer.from(labels.zpl), pages: labels.pages }
  } catch (error) {
    if (error instanceof TooLargeToRender)
      throw unprocessable(`The file ${file.fileName} cannot be printed: it would take too much memory.`)
    throw error
  }
}

const isZplText = ({ contentType, bytes }: AttachedFile): boolean =>
  contentType === 'text/plain' && bytes.subarray(0, 64).toString('latin1').trimStart().startsWith('^XA')

interface Fault {
  /** why a file cannot be printed, as the end of a sentence about it */
  fault: string
}

const wrongType: Fault = { fault: 'cannot be printed: only PDF, images and plain text can' }

/** Returns a file as a PDF, or the reason why it cannot become one. */
async function convertToPdf(
  { fileName, contentType, bytes }: AttachedFile,
  type: number,
  orientation: PageOrientation | null,
  options: TaskOptions,
): Promise<PrintContent | Fault> {
  if (contentType === pdfType) return { contentType, content: bytes, pages: null, orientation }
  const isImage = contentType.startsWith('image/')
  if (!isImage && !contentType.startsWith('text/')) return wrongType
  const size = pageSizes[type] as readonly [number, number]
  const [width, height] = orientation === Orientation.Landscape ? size.toReversed() : size
  // The page already has the requested orientation, so the job needs none.
  const page = { title: fileName, width, height }
  if (isImage) {
    const made = await renderPicturePage({ ...page, bytes }, options)
    if ('fault' in made) return made
    return { contentType: pdfType, content: Buffer.from(made.content), pages: made.pages }
  }
  const lines = splitLines(bytes)
  if ('fault' in lines) return lines
  const data = { ...page, svg: null, lines }
  return { contentType: pdfType, ...(await render('attachment', data, { ...options, lines: lines.length })) }
}

/**
 * Splits a text into lines, keeping its spaces. A text that is not UTF-8 is read as Windows-1252. A text that
 * is too long is refused rather than cut, because the paper would not show that its end is missing.
 */
function splitLines(bytes: Buffer): string[] | Fault {
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
