// Reads PDFs: their text line by line, pictures of their pages, and the barcodes on them.

import { readFile } from 'node:fs/promises'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** A page as pixels. */
export interface Picture {
  width: number
  height: number
  /** four bytes for each pixel */
  data: Uint8Array
}

/** A line of text on a page, with the position of its bottom and its height in points. */
export interface Line {
  text: string
  bottom: number
  height: number
}

/** Letters that were drawn together. */
interface Piece {
  x: number
  width: number
  height: number
  text: string
}

/** The pieces of a line as a text. Where one ends as the next begins, they are of one word. */
function joined(pieces: readonly Piece[]): string {
  const ordered = pieces.toSorted((a, b) => a.x - b.x)
  const texts = ordered.map(({ x, height, text }, i) => {
    const before = ordered[i - 1]
    const isApart = before !== undefined && Math.abs(x - before.x - before.width) > height * 0.05
    return isApart ? ` ${text}` : text
  })
  return texts.join('').replace(/ +/g, ' ').trim()
}

/** Reads the lines of each page from top to bottom; columns of a line are separated by a space. */
export async function placedLinesOf(pdf: Uint8Array): Promise<Line[][]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages: Line[][] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const rows = new Map<number, Piece[]>()
    for (const item of items) {
      if (!('str' in item) || item.str === '') continue
      const [, , , , x, y] = item.transform as number[]
      const key = Math.round(y as number)
      const piece = { x: x as number, width: item.width, height: item.height, text: item.str }
      rows.set(key, [...(rows.get(key) ?? []), piece])
    }
    const lines = [...rows]
      .toSorted(([a], [b]) => b - a)
      .map(([bottom, pieces]) => ({
        bottom,
        height: Math.max(...pieces.map(({ height }) => height)),
        text: joined(pieces),
      }))
    pages.push(lines.filter(({ text }) => text !== ''))
  }
  await document.cleanup()
  return pages
}

/** The texts of these lines. */
export const linesOf = async (pdf: Uint8Array): Promise<string[][]> =>
  (await placedLinesOf(pdf)).map(lines => lines.map(({ text }) => text))

/** Reads all text of a PDF, line by line. */
export const textOf = async (pdf: Uint8Array): Promise<string> => (await linesOf(pdf)).flat().join('\n')

/** Reads the metadata of a PDF. */
export async function factsOf(pdf: Uint8Array): Promise<{ title: string; author: string; language: string }> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const { info } = (await document.getMetadata()) as { info: Record<string, string> }
  await document.cleanup()
  return { title: info.Title ?? '', author: info.Author ?? '', language: info.Language ?? '' }
}

let library: Promise<PDFiumLibrary> | undefined

/** Renders the pages of a PDF. */
export async function picturesOf(pdf: Uint8Array, dpi: number): Promise<Picture[]> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(Buffer.from(pdf))
  const pictures: Picture[] = []
  for (const page of document.pages()) {
    const { width, height, data } = await page.render({ scale: dpi / 72, render: 'bitmap' })
    pictures.push({ width, height, data })
  }
  document.destroy()
  return pictures
}

/** Reads what somebody copies who marks everything in a browser. */
export async function copiedTextOf(pdf: Uint8Array): Promise<string> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(Buffer.from(pdf))
  const texts = [...document.pages()].map(page => page.getText())
  document.destroy()
  return texts.join('\n')
}

/** Blanks these lines of a page across its whole width. */
export function withoutLines({ width, height, data }: Picture, lines: readonly Line[], dpi: number): Picture {
  const blank = Uint8Array.from(data)
  const dots = dpi / 72
  for (const line of lines) {
    const bottom = Math.min(height, Math.ceil(height - (line.bottom - line.height * 0.4) * dots))
    const top = Math.max(0, Math.floor(height - (line.bottom + line.height * 1.1) * dots))
    blank.fill(255, top * width * 4, bottom * width * 4)
  }
  return { width, height, data: blank }
}

/** A picture as PNG. */
export const pngOf = ({ width, height, data }: Picture): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png({ palette: true, colours: 16, compressionLevel: 9 })
    .toBuffer()

let reader: Promise<unknown> | undefined

/** The texts of the barcodes in a picture. */
export async function barcodesIn({ width, height, data }: Picture): Promise<string[]> {
  reader ??= (async () => {
    const file = new URL('../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)
    const { buffer } = new Uint8Array(await readFile(file))
    return prepareZXingModule({ overrides: { wasmBinary: buffer }, fireImmediately: true })
  })()
  await reader
  const dots = { width, height, data: new Uint8ClampedArray(data), colorSpace: 'srgb' as const }
  const found = await readBarcodes(dots as Parameters<typeof readBarcodes>[0], { tryHarder: true })
  return found.map(({ text }) => text)
}

/** An element of the structure of a PDF: its role, such as `H1`, and its text. */
export interface StructureElement {
  role: string
  text: string
}

interface StructureNode {
  role?: string
  type?: string
  id?: string
  children?: StructureNode[]
}

/** Reads what a reader for the blind reads aloud on a page, in its order. Artifacts are not part of it. */
export async function structureOf(pdf: Uint8Array, pageNumber = 1): Promise<StructureElement[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const page = await document.getPage(pageNumber)
  const texts = new Map<string, string>()
  const open: string[] = []
  for (const item of (await page.getTextContent({ includeMarkedContent: true })).items) {
    if ('str' in item) {
      const id = open.findLast(each => each !== '')
      if (id !== undefined) texts.set(id, (texts.get(id) ?? '') + item.str)
    } else if (item.type === 'endMarkedContent') open.pop()
    else open.push(item.id ?? '')
  }
  const found: StructureElement[] = []
  const visit = (node: StructureNode, role: string): void => {
    if (node.type === 'content') found.push({ role, text: texts.get(node.id ?? '') ?? '' })
    for (const child of node.children ?? []) visit(child, node.role ?? role)
  }
  visit((await page.getStructTree()) as StructureNode, '')
  await document.cleanup()
  return found
}
