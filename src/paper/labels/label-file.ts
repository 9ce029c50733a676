// Labels as files: PDF and pictures by Typst, ZPL by ourselves, where Typst makes pictures of the lines that
// printers have no letters for.

import type Sharp from 'sharp'
import { mapInSlices } from '../../platform/work/slices.ts'
import { render } from '../documents/render.ts'
import { blackOf } from './barcode.ts'
import { type Bitmap, blackAndWhite, cutOut } from './graphic-field.ts'
import type { Barcode, Label, TextLine } from './label.ts'
import { typstData } from './label-typst.ts'
import { beginning, isNative, type Picture, zplOf } from './zpl.ts'

const pointsInInch = 72
const inch = 25.4
// The room for a line as a picture, of its size: above the baseline, and in all. Marks stand high and low.
const lineRise = 1.25
const lineRoom = 1.9

/** Labels as a PDF, a page each, for an organisation. The same labels are the same bytes. */
export const labelsPdf = async (
  labels: readonly Label[],
  owner?: string,
): Promise<{ content: Buffer; pages: number }> => render('label', await typstData(labels), 'pdf', owner)

/** A label as a printer would print it: a PNG in black and white, a dot a pixel. */
export async function labelPng(label: Label, owner?: string): Promise<Buffer> {
  const { content } = await render('label', await typstData([label]), 'svg', owner)
  const { grey, width, height } = await inGrey(content, label.dotsPerMM)
  for (const element of label.elements) {
    if (element.kind === 'barcode') drawInDots(element, label.dotsPerMM, { grey, width })
  }
  const sharp = await loadSharp()
  return sharp(grey, { raw: { width, height, channels: 1 } })
    .threshold(128)
    .png({ palette: true, colours: 2, effort: 1 })
    .toBuffer()
}

/** Draws a barcode over itself in whole dots: pictures of an SVG may round a bar to one more or less. */
function drawInDots(
  barcode: Barcode,
  dotsPerMM: number,
  { grey, width }: { grey: Buffer; width: number },
): void {
  const [left, top, high] = [barcode.x, barcode.y, barcode.height].map(length =>
    Math.round(length * dotsPerMM),
  ) as [number, number, number]
  const { moduleDots: module, columns, rows } = barcode
  const fill = (x: number, y: number, wide: number, value: number) =>
    grey.fill(value, y * width + left + x, y * width + left + x + wide)
  for (let y = 0; y < high; y++) fill(0, top + y, columns * module, 255)
  const rowDots = rows === 1 ? high : module
  for (const bar of blackOf(barcode)) {
    for (let y = 0; y < rowDots; y++) fill(bar.x * module, top + bar.y * rowDots + y, bar.width * module, 0)
  }
}

/** Labels in ZPL, each printed `copies` times: one send. */
export async function labelsZpl(labels: readonly Label[], copies: number, owner?: string): Promise<Buffer> {
  const pictures = await picturesOf(labels, owner)
  const texts = await mapInSlices(labels, label => zplOf(label, copies, line => pictures.get(keyOf(line))))
  return Buffer.from(beginning + texts.join(''))
}

/** What a line looks like follows from this. */
const keyOf = ({ text, size, width, isBold }: TextLine): string =>
  `${size} ${width} ${isBold ? 'bold' : ''} ${text}`

/** Pictures of the lines that printers have no letters for, set together: a page a line. */
async function picturesOf(
  labels: readonly Label[],
  owner: string | undefined,
): Promise<Map<string, Picture>> {
  const pictures = new Map<string, Picture>()
  const lines = new Map<string, TextLine>()
  for (const { elements } of labels) {
    for (const element of elements) {
      if (element.kind === 'text' && !isNative(element.text)) lines.set(keyOf(element), element)
    }
  }
  const [label] = labels
  if (label === undefined || lines.size === 0) return pictures
  const { dotsPerMM } = label
  const inDots = (length: number) => Math.ceil(length * dotsPerMM)
  // Pages lie below each other, so that all have the width of the widest, and each is of whole dots.
  const width = inDots(Math.max(...Array.from(lines.values(), line => line.width))) / dotsPerMM
  const pages = Array.from(lines.values(), (line): Label & { rise: number } => {
    const rise = inDots(line.size * lineRise)
    const height = inDots(line.size * lineRoom) / dotsPerMM
    const element = { ...line, x: 0, baseline: rise / dotsPerMM }
    return { width, height, dotsPerMM, title: label.title, elements: [element], rise }
  })
  const { content } = await render('label', await typstData(pages), 'svg', owner)
  const all = await inBlackAndWhite(content, dotsPerMM)
  let top = 0
  for (const [i, key] of [...lines.keys()].entries()) {
    const { height, rise } = pages[i] as (typeof pages)[number]
    const rows = Math.round(height * dotsPerMM)
    pictures.set(key, { bitmap: cutOut(all, top, rows), rise })
    top += rows
  }
  return pictures
}

/** The library that makes dots of an SVG. */
async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  // Thumbnails of uploaded images shut out every format but those of uploads; this SVG is our own.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  return sharp
}

/** An SVG, whose size is in points of print, as a picture of so many dots a millimetre. */
async function inGrey(svg: Buffer, dotsPerMM: number) {
  const sharp = await loadSharp()
  const inDots = (points: string) => Math.round((Number(points) * inch * dotsPerMM) / pointsInInch)
  const sized = svg
    .toString()
    .replace(
      / width="([0-9.]+)pt" height="([0-9.]+)pt"/,
      (_, width, height) => ` width="${inDots(width)}" height="${inDots(height)}"`,
    )
  const { data, info } = await sharp(Buffer.from(sized))
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { grey: data, width: info.width, height: info.height }
}

async function inBlackAndWhite(svg: Buffer, dotsPerMM: number): Promise<Bitmap> {
  const { grey, width, height } = await inGrey(svg, dotsPerMM)
  return blackAndWhite(grey, width, height)
}
