// Writes labels to files: PDF and PNG by Typst, ZPL by zpl.ts. For ZPL, Typst also renders pictures of the
// lines that the fonts of printers cannot show.

import { renderingTask } from '../../platform/renderer/task.ts'
import { mapInSlices } from '../../platform/work/slices.ts'
import { render } from '../documents/render.ts'
import { type Bitmap, crop } from './graphic-field.ts'
import type { Label, TextLine } from './label.ts'
import { labelTemplateData } from './label-typst.ts'
import { isNativeText, jobPrefix, type Picture, writeZpl } from './zpl.ts'

// The height of the picture of a line as a multiple of the text size: above the baseline, and in total.
// Diacritics can be far above and below.
const lineRise = 1.25
const lineHeight = 1.9
// This many pictures take more than a moment.
const labelsOfLong = 200

const drawPng = renderingTask<Label, Uint8Array>(new URL('./draw-label.ts', import.meta.url))
const drawLines = renderingTask<Label[], Bitmap>(new URL('./draw-lines.ts', import.meta.url))

/**
 * Renders labels as a PDF with a page each. The same labels give the same bytes. `owner` is the organisation.
 */
export const renderLabelsPdf = async (
  labels: readonly Label[],
  owner?: string,
): Promise<{ content: Buffer; pages: number }> =>
  render('label', await labelTemplateData(labels), { owner, lines: labels.length })

/** Renders a label as a printer would print it: a black-and-white PNG with a pixel per dot. */
export async function renderLabelPng(label: Label, owner?: string): Promise<Buffer> {
  return Buffer.from(await drawPng(label, { owner }))
}

/** Writes labels in ZPL, each to be printed `copies` times, as one print job. */
export async function writeLabelsZpl(
  labels: readonly Label[],
  copies: number,
  owner?: string,
): Promise<Buffer> {
  const pictures = await renderPictures(labels, owner)
  const texts = await mapInSlices(labels, label => writeZpl(label, copies, line => pictures.get(keyOf(line))))
  return Buffer.from(jobPrefix + texts.join(''))
}

/** Lines with the same key look the same. */
const keyOf = ({ text, size, width, isBold }: TextLine): string =>
  `${size} ${width} ${isBold ? 'bold' : ''} ${text}`

/** Renders the lines that printers' fonts cannot show, all in one document with a page per line. */
async function renderPictures(
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
  const { bits, ...size } = await drawLines(pages, { owner, isLong: pages.length >= labelsOfLong })
  const all = { ...size, bits: Buffer.from(bits) }
  let top = 0
  for (const [i, key] of [...lines.keys()].entries()) {
    const { height, rise } = pages[i] as (typeof pages)[number]
    const rows = Math.round(height * dotsPerMM)
    pictures.set(key, { bitmap: crop(all, top, rows), rise })
    top += rows
  }
  return pictures
}
