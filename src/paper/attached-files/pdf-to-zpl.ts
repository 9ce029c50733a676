// Turns a PDF into ZPL labels, in the renderer, because carriers send their labels as PDF: PDFium renders
// each page as a picture. Spec 4.4.

import { PDFiumLibrary } from '@hyzyla/pdfium'
import { graphicField, toBlackAndWhite } from '../labels/graphic-field.ts'

const maxPages = 100
// Larger than A4 (297 mm high) and than any label.
const maxMM = 500
const pointsPerInch = 72
const mmPerInch = 25.4

/** A PDF, and the resolution of the printer in dots per millimetre. */
export interface PdfToConvert {
  pdf: Uint8Array
  dotsPerMM: number
}

/** The labels of all pages as one ZPL text, or a fault that completes "The file …". */
export type ZplPages = { zpl: Uint8Array; pages: number } | { fault: string }

/** Turns a PDF into ZPL. */
export const make = (given: PdfToConvert): Promise<ZplPages> =>
  // PDFium's error messages mean nothing to users.
  toZpl(given).catch((): ZplPages => ({ fault: 'is damaged or has a password' }))

async function toZpl({ pdf, dotsPerMM }: PdfToConvert): Promise<ZplPages> {
  // An instance of its own, so that no file finds anything of another one in memory.
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const count = document.getPageCount()
  if (count > maxPages) return { fault: `has ${count} pages; a printer for labels takes at most ${maxPages}` }
  const labels: string[] = []
  for (const page of document.pages()) {
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const dots = (points: number) => Math.max(1, Math.round((points / pointsPerInch) * mmPerInch * dotsPerMM))
    const [width, height] = [dots(originalWidth), dots(originalHeight)]
    if (Math.max(width, height) > maxMM * dotsPerMM)
      return { fault: `has a page that is larger than ${maxMM} mm` }
    const { data } = await page.render({ width, height, render: 'bitmap', colorSpace: 'Gray' })
    const picture = graphicField(toBlackAndWhite(data, width, height))
    labels.push(`^XA^PW${width}^LL${height}^LH0,0^FO0,0${picture}^FS^PQ1^XZ`)
  }
  return { zpl: Buffer.from(`^XZ${labels.join('')}`), pages: count }
}
