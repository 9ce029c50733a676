// The layout of location labels: the name as large as it fits, and again as Code 128 and QR code, for
// scanners near and far. Also lays out sheets of these labels. Pure.

import { mapInSlices } from '../../platform/work/slices.ts'
import { code128Content, matrixContent, placeBars, placeMatrix } from './barcode.ts'
import { overflowingNames, paragraph, shares } from './column.ts'
import { checkLabel, type Label, type LabelElement, type Overflow } from './label.ts'
import { LabelBuilder } from './label-builder.ts'
import { locationSizes, type Size } from './sizes.ts'
import { fitText } from './text-fit.ts'
import { capHeight, minLegibleSize } from './text-height.ts'

/** The contents of a location label. */
export interface LocationData {
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

/** Lays out the label of a location. Names what does not fit, if anything does not. */
export const locationLabel = (data: LocationData, size: LocationSize, dotsPerMM: number): Label | Overflow =>
  drawLabel(data, locationSizes[size], styles[size], dotsPerMM)

/**
 * Lays out A4 sheets with 24 labels each, in order. Returns the first location that does not fit, if any.
 */
export async function locationSheets(
  locations: readonly LocationData[],
  dotsPerMM: number,
): Promise<{ labels: Label[] } | (Overflow & { name: string })> {
  const all = await mapInSlices(locations, data => drawLabel(data, cell, styles.cell, dotsPerMM))
  for (const [i, label] of all.entries())
    if ('overflow' in label) return { ...label, name: locations[i]?.name ?? '' }
  const cells = all.flatMap(label => ('overflow' in label ? [] : [label]))
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

function drawLabel(data: LocationData, size: Size, style: Style, dotsPerMM: number): Label | Overflow {
  const { margin, barsHeight, barcodeText, qrSide, isTall } = style
  const builder = new LabelBuilder(size, dotsPerMM)
  const { width, height } = builder
  const bottom = height - margin
  const barsY = bottom - capHeight * barcodeText - 0.4 * barcodeText - barsHeight
  // Texts and bars use the width left of the QR code, or the full width if the QR code is below.
  const right = isTall ? width : width - margin - qrSide
  const qrPlace = isTall
    ? { x: (width - qrSide) / 2, y: barsY - qrSide - margin / 2 }
    : { x: right, y: (height - qrSide) / 2 }
  const qr = placeMatrix(
    matrixContent(data.name, 'qr'),
    { ...qrPlace, width: qrSide, height: qrSide, align: 0.5, ...bounds.matrix },
    dotsPerMM,
  )
  if (qr === null) return { overflow: ['name'] }
  builder.barcode(qr)
  const code = placeBars(
    code128Content(data.name),
    { x: 0, y: barsY, width: right, height: barsHeight, ...bounds.bars },
    dotsPerMM,
  )
  if (code !== null) {
    builder.barcode(code)
    const x = Math.max(code.x, margin)
    builder.textAbove(
      data.name,
      { x, width: right - x, size: barcodeText, smallest: barcodeText * 0.6 },
      bottom,
    )
  }
  const free = isTall ? qrPlace.y - margin / 2 : code === null ? bottom : barsY - gapAboveBars
  // Without bars, the name can use their space.
  const nameLines = style.nameLines + (code === null ? 2 : 0)
  const available = right - margin * (isTall ? 2 : 1)
  const area = { width: available, bottom: free }
  const overflow = writeNameAndZone(builder, data, { ...style, nameLines }, area)
  return overflow ?? builder.label(`Location ${data.name}`)
}

/** Writes the warehouse and zone, and below them the name as large as it fits. Names what does not fit. */
function writeNameAndZone(
  builder: LabelBuilder,
  { name, zoneName, warehouseName }: LocationData,
  { margin: x, zone, name: largest, nameLines }: Style,
  { width, bottom }: { width: number; bottom: number },
): Overflow | null {
  const zoneText = zoneName === null ? warehouseName : `${warehouseName} · ${zoneName}`
  const gap = zone * 0.8
  const height = bottom - x
  const area = { x, y: x, width, height }
  for (const share of shares) {
    const [above] = paragraph('zone', zoneText, { size: zone }).map(part => part.layOut(width, share))
    const used = above === undefined ? 0 : above.height + gap
    const place = { width, size: largest, height: height - used, isBold: true }
    // A single line is preferred if it stays readable from a distance, because people recognise the shape of
    // a name.
    const oneLine = fitText(name, { ...place, smallest: distanceReadableSize })
    const [size, smallest] = [distanceReadableSize, minLegibleSize(name)]
    const fitted = oneLine.fits ? oneLine : fitText(name, { ...place, size, smallest, lines: nameLines })
    if (!fitted.fits) continue
    above?.draw(builder, x, x)
    builder.lines(fitted, { x, y: x + used, width, isBold: true })
    return null
  }
  const parts = [
    ...paragraph('zone', zoneText, { size: zone }),
    ...paragraph('name', name, { size: largest, lines: nameLines, gap, isBold: true }),
  ]
  return { overflow: overflowingNames([{ ...area, parts }]) }
}
