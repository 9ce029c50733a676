// The layout of location labels: the name as large as it fits, and again as Code 128 and QR code, for
// scanners near and far. Also lays out sheets of these labels. Pure.

import { mapInSlices } from '../../platform/work/slices.ts'
import { code128Content, matrixContent, placeBars, placeMatrix } from './barcode.ts'
import { checkLabel, type Label, type LabelElement } from './label.ts'
import { locationSizes, type Size } from './sizes.ts'
import { Sketch } from './sketch.ts'
import { capHeight, fitText } from './text-fit.ts'

/** The contents of a location label. */
export interface LocationFacts {
  name: string
  zoneName: string | null
  warehouseName: string
}

export type LocationSize = keyof typeof locationSizes

interface Style {
  margin: number
  zone: number
  /** the maximum size of the name */
  name: number
  nameLines: number
  barsHeight: number
  /** the size of the text below the bars */
  barcodeText: number
  /** the side of the QR code with its quiet zone */
  qrSide: number
  /** the QR code is below the name, not beside it */
  isTall?: true
}

const styles: Record<LocationSize | 'cell', Style> = {
  '100x50': { margin: 4, zone: 3.2, name: 26, nameLines: 2, barsHeight: 13, barcodeText: 2.6, qrSide: 30 },
  '100x150': {
    ...{ margin: 6, zone: 5, name: 44, nameLines: 3, barsHeight: 26, barcodeText: 4, qrSide: 56 },
    isTall: true,
  },
  // Office printers cannot print on a margin of about 4 mm.
  cell: { margin: 4.5, zone: 2.4, name: 17, nameLines: 2, barsHeight: 12, barcodeText: 2.1, qrSide: 21 },
}

const bounds = {
  bars: { smallest: 0.25, largest: 0.75 },
  matrix: { smallest: 0.25, largest: 1.5 },
}

/** The minimum size at which a name can be read from a distance, in millimetres. */
const distanceReadableSize = 10
/** The gap between a name and the bars below it. */
const gapAboveBars = 1.5

const columns = 3
const rows = 8
const a4: Size = { width: 210, height: 297 }
const cell: Size = { width: a4.width / columns, height: a4.height / rows }

/** Lays out the label of a location; null if its name is too long for a barcode of this size. */
export const locationLabel = (facts: LocationFacts, size: LocationSize, dotsPerMM: number): Label | null =>
  drawLabel(facts, locationSizes[size], styles[size], dotsPerMM)

/**
 * Lays out A4 sheets with 24 labels each, in order. Returns the first name that is too long, if there is one.
 */
export async function locationSheets(
  locations: readonly LocationFacts[],
  dotsPerMM: number,
): Promise<{ labels: Label[] } | { tooLong: string }> {
  const all = await mapInSlices(locations, facts => drawLabel(facts, cell, styles.cell, dotsPerMM))
  const tooLong = locations[all.indexOf(null)]
  if (tooLong !== undefined) return { tooLong: tooLong.name }
  const cells = all.filter(label => label !== null)
  const labels: Label[] = []
  for (let first = 0; first < cells.length; first += columns * rows) {
    const elements = cells
      .slice(first, first + columns * rows)
      .flatMap((label, i) =>
        moveElements(
          label.elements,
          (i % columns) * cell.width,
          Math.floor(i / columns) * cell.height,
          dotsPerMM,
        ),
      )
    labels.push(checkLabel({ ...a4, dotsPerMM, title: cells[first]?.title ?? '', elements }))
  }
  return { labels }
}

/** Moves elements by a distance rounded to whole dots, so that barcodes stay aligned to dots. */
function moveElements(
  elements: readonly LabelElement[],
  x: number,
  y: number,
  dotsPerMM: number,
): LabelElement[] {
  const [right, down] = [x, y].map(length => Math.round(length * dotsPerMM) / dotsPerMM) as [number, number]
  return elements.map(element =>
    element.kind === 'text'
      ? { ...element, x: element.x + right, baseline: element.baseline + down }
      : { ...element, x: element.x + right, y: element.y + down },
  )
}

function drawLabel(facts: LocationFacts, size: Size, style: Style, dotsPerMM: number): Label | null {
  const { margin, barsHeight, barcodeText, qrSide, isTall } = style
  const sketch = new Sketch(size, dotsPerMM)
  const { width, height } = sketch
  const bottom = height - margin
  const barsY = bottom - capHeight * barcodeText - 0.4 * barcodeText - barsHeight
  // Texts and bars use the width left of the QR code, or the full width if the QR code is below.
  const right = isTall ? width : width - margin - qrSide
  const qrSpot = isTall
    ? { x: (width - qrSide) / 2, y: barsY - qrSide - margin / 2 }
    : { x: right, y: (height - qrSide) / 2 }
  const qr = placeMatrix(
    matrixContent(facts.name, 'qr'),
    { ...qrSpot, width: qrSide, height: qrSide, align: 0.5, ...bounds.matrix },
    dotsPerMM,
  )
  if (qr === null) return null
  sketch.barcode(qr)
  const code = placeBars(
    code128Content(facts.name),
    { x: 0, y: barsY, width: right, height: barsHeight, ...bounds.bars },
    dotsPerMM,
  )
  if (code !== null) {
    sketch.barcode(code)
    const x = Math.max(code.x, margin)
    sketch.textAbove(
      facts.name,
      { x, width: right - x, size: barcodeText, smallest: barcodeText * 0.6 },
      bottom,
    )
  }
  const free = isTall ? qrSpot.y - margin / 2 : code === null ? bottom : barsY - gapAboveBars
  // Without bars, the name can use their space.
  const nameLines = style.nameLines + (code === null ? 2 : 0)
  const area = { width: right - margin * (isTall ? 2 : 1), bottom: free }
  writeNameAndZone(sketch, facts, { ...style, nameLines }, area)
  return sketch.label(`Location ${facts.name}`)
}

/** The height of diacritics above capitals, as in Ō, as a multiple of the text size. */
const markHeight = 0.2
const hasMarks = (text: string): boolean => /\p{Lu}\p{M}/u.test(text.normalize('NFD'))

/** Writes the warehouse and zone, and below them the name as large as it fits. */
function writeNameAndZone(
  sketch: Sketch,
  { name, zoneName, warehouseName }: LocationFacts,
  { margin: x, zone, name: largest, nameLines }: Style,
  { width, bottom }: { width: number; bottom: number },
): void {
  const zoneText = zoneName === null ? warehouseName : `${warehouseName} · ${zoneName}`
  const above = hasMarks(name) ? distanceReadableSize * markHeight : 0
  const y = sketch.text(zoneText, { x, y: x, width, size: zone, smallest: zone * 0.7 }) + zone * 0.9 + above
  const place = { width, size: largest, height: bottom - y, isBold: true }
  // A single line is preferred if it stays readable from a distance, because people recognise the shape of a
  // name.
  const oneLine = { ...place, smallest: distanceReadableSize }
  const fitted = fitText(name, oneLine).isCut
    ? { ...place, size: distanceReadableSize, smallest: 2.5, lines: nameLines }
    : oneLine
  sketch.text(name, { ...fitted, x, y })
}
