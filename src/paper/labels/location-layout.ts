// What is on the label of a location, and where: its name as large as it fits, and the name again in bars and
// as a QR code, for scanners near and far. Also sheets of such labels. Pure.

import { mapInSlices } from '../../platform/work/slices.ts'
import { bars, codeOf, squares, squaresOf } from './barcode.ts'
import { checkLabel, type Label, type LabelElement } from './label.ts'
import { locationSizes, type Size } from './sizes.ts'
import { Sketch } from './sketch.ts'
import { capHeight, fit } from './text-fit.ts'

/** What the label of a location tells. */
export interface LocationFacts {
  name: string
  zoneName: string | null
  warehouseName: string
}

export type LocationSize = keyof typeof locationSizes

interface Style {
  margin: number
  zone: number
  /** the name at its largest */
  name: number
  nameLines: number
  /** bars, and their text */
  barsHeight: number
  human: number
  /** the place of the QR code with its quiet zone */
  square: number
  /** the QR code stands under the name, not beside it */
  isTall?: true
}

const styles: Record<LocationSize | 'cell', Style> = {
  '100x50': { margin: 4, zone: 3.2, name: 26, nameLines: 2, barsHeight: 13, human: 2.6, square: 30 },
  '100x150': {
    ...{ margin: 6, zone: 5, name: 44, nameLines: 3, barsHeight: 26, human: 4, square: 56 },
    isTall: true,
  },
  // Office printers leave an edge of some 4 mm white.
  cell: { margin: 4.5, zone: 2.4, name: 17, nameLines: 2, barsHeight: 12, human: 2.1, square: 21 },
}

const bounds = {
  bars: { smallest: 0.25, largest: 0.75 },
  squares: { smallest: 0.25, largest: 1.5 },
}

const readableFromAfar = 10
/** white between a name and the bars below it */
const aboveBars = 1.5

const columns = 3
const rows = 8
const a4: Size = { width: 210, height: 297 }
const cell: Size = { width: a4.width / columns, height: a4.height / rows }

/** The label of a location; null where its name is too long for a barcode on a label of this size. */
export const locationLabel = (facts: LocationFacts, size: LocationSize, dotsPerMM: number): Label | null =>
  drawn(facts, locationSizes[size], styles[size], dotsPerMM)

/** Sheets of A4 with a label in each of their 24 cells, in order; or the name that is too long for one. */
export async function locationSheets(
  locations: readonly LocationFacts[],
  dotsPerMM: number,
): Promise<{ labels: Label[] } | { tooLong: string }> {
  const all = await mapInSlices(locations, facts => drawn(facts, cell, styles.cell, dotsPerMM))
  const tooLong = locations[all.indexOf(null)]
  if (tooLong !== undefined) return { tooLong: tooLong.name }
  const cells = all.filter(label => label !== null)
  const labels: Label[] = []
  for (let first = 0; first < cells.length; first += columns * rows) {
    const elements = cells
      .slice(first, first + columns * rows)
      .flatMap((label, i) =>
        movedBy(label.elements, (i % columns) * cell.width, Math.floor(i / columns) * cell.height, dotsPerMM),
      )
    labels.push(checkLabel({ ...a4, dotsPerMM, title: cells[first]?.title ?? '', elements }))
  }
  return { labels }
}

/** Elements somewhere else. What is drawn in dots moves by whole dots. */
function movedBy(elements: readonly LabelElement[], x: number, y: number, dotsPerMM: number): LabelElement[] {
  const [right, down] = [x, y].map(length => Math.round(length * dotsPerMM) / dotsPerMM) as [number, number]
  return elements.map(element =>
    element.kind === 'text'
      ? { ...element, x: element.x + right, baseline: element.baseline + down }
      : { ...element, x: element.x + right, y: element.y + down },
  )
}

function drawn(facts: LocationFacts, size: Size, style: Style, dotsPerMM: number): Label | null {
  const { margin, barsHeight, human, square, isTall } = style
  const sketch = new Sketch(size, dotsPerMM)
  const { width, height } = sketch
  const bottom = height - margin
  const barsY = bottom - capHeight * human - 0.4 * human - barsHeight
  // Texts and bars have the width left of the QR code, or all of it where that stands below.
  const right = isTall ? width : width - margin - square
  const qrSpot = isTall
    ? { x: (width - square) / 2, y: barsY - square - margin / 2 }
    : { x: right, y: (height - square) / 2 }
  const qr = squares(
    squaresOf(facts.name, 'qr'),
    { ...qrSpot, width: square, height: square, align: 0.5, ...bounds.squares },
    dotsPerMM,
  )
  if (qr === null) return null
  sketch.barcode(qr)
  const code = bars(
    codeOf(facts.name),
    { x: 0, y: barsY, width: right, height: barsHeight, ...bounds.bars },
    dotsPerMM,
  )
  if (code !== null) {
    sketch.barcode(code)
    const x = Math.max(code.x, margin)
    sketch.textAbove(facts.name, { x, width: right - x, size: human, smallest: human * 0.6 }, bottom)
  }
  const free = isTall ? qrSpot.y - margin / 2 : code === null ? bottom : barsY - aboveBars
  // What has no bars has their room.
  const nameLines = style.nameLines + (code === null ? 2 : 0)
  const room = { width: right - margin * (isTall ? 2 : 1), bottom: free }
  nameAndZone(sketch, facts, { ...style, nameLines }, room)
  return sketch.label(`Location ${facts.name}`)
}

/** Marks of capitals, as of Ō, stand above them; of their size. */
const markHeight = 0.2
const hasMarks = (text: string): boolean => /\p{Lu}\p{M}/u.test(text.normalize('NFD'))

/** The zone, and below it the name as large as there is room for it. */
function nameAndZone(
  sketch: Sketch,
  { name, zoneName, warehouseName }: LocationFacts,
  { margin: x, zone, name: largest, nameLines }: Style,
  { width, bottom }: { width: number; bottom: number },
): void {
  const where = zoneName === null ? warehouseName : `${warehouseName} · ${zoneName}`
  const above = hasMarks(name) ? readableFromAfar * markHeight : 0
  const y = sketch.text(where, { x, y: x, width, size: zone, smallest: zone * 0.7 }) + zone * 0.9 + above
  const place = { width, size: largest, height: bottom - y, isBold: true }
  // In one line as long as it can be read from afar: people know a name by its looks.
  const inOne = { ...place, smallest: readableFromAfar }
  const chosen = fit(name, inOne).isCut
    ? { ...place, size: readableFromAfar, smallest: 2.5, lines: nameLines }
    : inOne
  sketch.text(name, { ...chosen, x, y })
}
