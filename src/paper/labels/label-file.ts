// Writes labels to files: PDF and PNG by Typst, ZPL by zpl.ts. For ZPL, Typst also renders pictures of the
// lines that the fonts of printers cannot show.

import type Sharp from 'sharp'
import { mapInSlices } from '../../platform/work/slices.ts'
import { render } from '../documents/render.ts'
import { blackBarsOf } from './barcode.ts'
import { type Bitmap, blackAndWhite, crop } from './graphic-field.ts'
import type { Barcode, Label, TextLine } from './label.ts'
import { labelTemplateData } from './label-typst.ts'
import { isNativeText, jobPrefix, type Picture, zplOf } from './zpl.ts'

const pointsPerInch = 72
const mmPerInch = 25.4
// The height of the picture of a line as a multiple of the text size: above the baseline, and in total.
// Diacritics can be far above and below.
const lineRise = 1.25
const lineHeight = 1.9

/**
 * Renders labels as a PDF with a page each. The same labels give the same bytes. `owner` is the organisation.
 */
export const labelsPdf = async (
  labels: readonly Label[],
  owner?: string,
): Promise<{ content: Buffer; pages: number }> =>
  render('label', await labelTemplateData(labels), 'pdf', owner)

/** Renders a label as a printer would print it: a black-and-white PNG with a pixel per dot. */
export async function labelPng(label: Label, owner?: string): Promise<Buffer> {
  const { content } = await render('label', await labelTemplateData([label]), 'svg', owner)
  const { grey, width, height } = await renderGrey(content, label.dotsPerMM)
  for (const element of label.elements) {
    if (element.kind === 'barcode') drawInDots(element, label.dotsPerMM, { grey, width })
  }
  const sharp = await loadSharp()
  return sharp(grey, { raw: { width, height, channels: 1 } })
    .threshold(128)
    .png({ palette: true, colours: 2, effort: 1 })
    .toBuffer()
}

/** Redraws a barcode in whole dots, because rendering the SVG can make a bar a dot wider or narrower. */
function drawInDots(
  barcode: Barcode,
  dotsPerMM: number,
  { grey, width }: { grey: Buffer; width: number },
): void {
  const [left, top, barHeight] = [barcode.x, barcode.y, barcode.height].map(length =>
    Math.round(length * dotsPerMM),
  ) as [number, number, number]
  const { moduleDots: module, columns, rows } = barcode
  const fill = (x: number, y: number, fillWidth: number, value: number) =>
    grey.fill(value, y * width + left + x, y * width + left + x + fillWidth)
  for (let y = 0; y < barHeight; y++) fill(0, top + y, columns * module, 255)
  const rowDots = rows === 1 ? barHeight : module
  for (const bar of blackBarsOf(barcode)) {
    for (let y = 0; y < rowDots; y++) fill(bar.x * module, top + bar.y * rowDots + y, bar.width * module, 0)
  }
}

/** Writes labels in ZPL, each to be printed `copies` times, as one print job. */
export async function labelsZpl(labels: readonly Label[], copies: number, owner?: string): Promise<Buffer> {
  const pictures = await picturesOf(labels, owner)
  const texts = await mapInSlices(labels, label => zplOf(label, copies, line => pictures.get(keyOf(line))))
  return Buffer.from(jobPrefix + texts.join(''))
}

/** Lines with the same key look the same. */
const keyOf = ({ text, size, width, isBold }: TextLine): string =>
  `${size} ${width} ${isBold ? 'bold' : ''} ${text}`

/** Renders the lines that printers' fonts cannot show, all in one document with a page per line. */
async function picturesOf(
  labels: readonly Label[],
  owner: string | undefined,
): Promise<Map<string, Picture>> {
  const pictures = new Map<string, Picture>()
  const lines = new Map<string, TextLine>()
  for (const { elements } of labels) {
    for (const element of elements) {
      if (element.kind === 'text' && !isNativeText(element.text)) lines.set(keyOf(element), element)
    }
  }
  const [label] = labels
  if (label === undefined || lines.size === 0) return pictures
  const { dotsPerMM } = label
  const inDots = (length: number) => Math.ceil(length * dotsPerMM)
  // The SVG stacks the pages, so they all have the same width, and each height is a whole number of dots.
  const width = inDots(Math.max(...Array.from(lines.values(), line => line.width))) / dotsPerMM
  const pages = Array.from(lines.values(), (line): Label & { rise: number } => {
    const rise = inDots(line.size * lineRise)
    const height = inDots(line.size * lineHeight) / dotsPerMM
    const element = { ...line, x: 0, baseline: rise / dotsPerMM }
    return { width, height, dotsPerMM, title: label.title, elements: [element], rise }
  })
  const { content } = await render('label', await labelTemplateData(pages), 'svg', owner)
  const all = await renderBlackAndWhite(content, dotsPerMM)
  let top = 0
  for (const [i, key] of [...lines.keys()].entries()) {
    const { height, rise } = pages[i] as (typeof pages)[number]
    const rows = Math.round(height * dotsPerMM)
    pictures.set(key, { bitmap: crop(all, top, rows), rise })
    top += rows
  }
  return pictures
}

/** Loads the library that rasterises SVG. */
async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  // The code for uploaded images blocks all other formats. This SVG is our own, so it is safe to allow it.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  return sharp
}

/** Rasterises an SVG, whose size is in points, at a resolution in dots per millimetre. */
async function renderGrey(svg: Buffer, dotsPerMM: number) {
  const sharp = await loadSharp()
  const inDots = (points: string) => Math.round((Number(points) * mmPerInch * dotsPerMM) / pointsPerInch)
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

async function renderBlackAndWhite(svg: Buffer, dotsPerMM: number): Promise<Bitmap> {
  const { grey, width, height } = await renderGrey(svg, dotsPerMM)
  return blackAndWhite(grey, width, height)
}
