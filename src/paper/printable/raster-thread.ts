// The thread that turns a PDF into ZPL labels: PDFium renders each page as a picture. It is a separate thread
// because rendering blocks for a while, and because an uploaded PDF may contain anything.

import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { blackAndWhite, graphicField } from '../labels/graphic-field.ts'
import type { RasterRequest, RasterResult } from './messages.ts'

const pointsPerInch = 72
const mmPerInch = 25.4

const { pdf, dotsPerMM, copies, maxPages, maxMM } = workerData as RasterRequest

async function raster(): Promise<RasterResult> {
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
    const picture = graphicField(blackAndWhite(data, width, height))
    labels.push(`^XA^PW${width}^LL${height}^LH0,0^FO0,0${picture}^FS^PQ${copies}^XZ`)
  }
  return { zpl: Buffer.from(`^XZ${labels.join('')}`), pages: count }
}

// PDFium's error messages mean nothing to users.
const result = await raster().catch((): RasterResult => ({ fault: 'is damaged or has a password' }))
parentPort?.postMessage(result)
