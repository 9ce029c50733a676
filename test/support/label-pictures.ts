// Labels as pictures, one pixel for each dot of the printer, and the barcodes that a scanner reads on them.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Label } from '../../src/paper/labels/label.ts'

const require = createRequire(import.meta.url)
prepareZXingModule({
  overrides: { wasmBinary: readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm')).buffer },
})

/** A picture: one byte for each dot; 0 is black. */
export interface Picture {
  width: number
  height: number
  grey: Uint8Array
}

/** The first page of a PDF. */
export async function pictureOfPdf(pdf: Buffer, { width, height, dotsPerMM }: Label): Promise<Picture> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const size = { width: Math.round(width * dotsPerMM), height: Math.round(height * dotsPerMM) }
  const page = await document.getPage(0).render({ render: 'bitmap', ...size })
  document.destroy()
  library.destroy()
  return pictureOf(
    await sharp(page.data, { raw: { width: page.width, height: page.height, channels: 4 } })
      .flatten({ background: 'white' })
      .png()
      .toBuffer(),
  )
}

/** The only label in a ZPL text, as a printer renders it. */
export async function pictureOfZpl(
  zpl: Buffer | string,
  { width, height, dotsPerMM }: Pick<Label, 'width' | 'height' | 'dotsPerMM'>,
): Promise<Picture> {
  const { ready } = await import('zpl-renderer-js')
  const { api } = await ready
  const pictures = await api.zplToBase64MultipleAsync(zpl.toString(), width, height, dotsPerMM)
  return pictureOf(Buffer.from(pictures[0] as string, 'base64'))
}

/** A picture of any format. */
export async function pictureOf(image: Buffer): Promise<Picture> {
  const { data, info } = await sharp(image)
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, grey: data }
}

export const pngOf = ({ width, height, grey }: Picture): Promise<Buffer> =>
  sharp(grey, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()

/** A barcode that a scanner found. */
export interface ScannedBarcode {
  format: string
  /** GS1's FNC1 between elements is the character that scanners send for it */
  text: string
  isGs1: boolean
  left: number
  right: number
  top: number
  bottom: number
}

/** Reads all barcodes of a picture, from top to bottom. */
export async function scan(picture: Picture): Promise<ScannedBarcode[]> {
  const found = await readBarcodes(await pngOf(picture), {
    formats: ['Code128', 'DataMatrix', 'QRCode'],
    tryHarder: true,
    maxNumberOfSymbols: 32,
    textMode: 'Plain',
  })
  return found
    .map(({ format, text, symbologyIdentifier, position }) => {
      const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight]
      const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
      return {
        format,
        text,
        isGs1: [']C1', ']d2', ']Q3'].includes(symbologyIdentifier),
        ...{ left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) },
      }
    })
    .toSorted((a, b) => a.top - b.top || a.left - b.left)
}
