// The layout of pallet labels: sender and receiver at the top, the contents as text in the middle, and the
// barcodes below, the SSCC last. Pure. GS1 Logistic Label Guideline.

import { dateOf, figureOf } from '../documents/format.ts'
import {
  type BarcodeContent,
  code128Content,
  gs1Content,
  matrixContent,
  placeBars,
  placeMatrix,
} from './barcode.ts'
import { type Gs1Element, gtin14, splitElements } from './gs1.ts'
import type { Barcode, Label } from './label.ts'
import {
  contentElements,
  displayNameOf,
  type PalletContent,
  type PalletFacts,
  type Party,
} from './pallet-facts.ts'
import { palletSizes } from './sizes.ts'
import { Sketch } from './sketch.ts'
import { capHeight } from './text-fit.ts'

export type PalletSize = keyof typeof palletSizes

const margin = 4
const ssccHeight = 32
/** A label 100 mm wide has less space and needs more symbols. */
const contentHeights = { narrow: 20, wide: 32 }
/** The width from which a label counts as wide. */
const minWideWidth = 120
const maxContentSymbols = 2
const gs1Module = { smallest: 0.495, largest: 0.5 }
const maxSymbolWidth = 165
const bounds = {
  number: { smallest: 0.25, largest: 0.75 },
  matrix: { smallest: 0.25, largest: 1 },
  gs1Matrix: { smallest: 0.5, largest: 0.75 },
}

/** Lays out the label of a logistic unit; null if its number is too long for a barcode of this size. */
export function palletLabel(facts: PalletFacts, sizeName: PalletSize, dotsPerMM: number): Label | null {
  const sketch = new Sketch(palletSizes[sizeName], dotsPerMM)
  // Text sizes are for labels 100 mm wide, and scale with the width.
  const scale = sketch.width / 100
  const symbols = drawSymbols(sketch, facts, scale)
  if (symbols === null) return null
  const top = drawParties(sketch, facts, scale)
  const inner = sketch.width - 2 * margin
  const matrix = symbols.contents
  const area = { x: margin, y: top + 2 * scale, width: inner, bottom: symbols.top - 2 * scale }
  if (matrix === undefined) {
    drawContents(sketch, facts, area, scale)
  } else {
    const side = Math.min(area.bottom - area.y, 30 * scale)
    const code = placeMatrix(
      matrix,
      { x: margin + inner - side, y: area.y, width: side, height: side, ...bounds.gs1Matrix },
      dotsPerMM,
    )
    if (code !== null) sketch.barcode(code)
    drawContents(sketch, facts, { ...area, width: code === null ? inner : inner - side - 2 }, scale)
  }
  return sketch.label(`Pallet ${displayNameOf(facts)}`)
}

interface SymbolsArea {
  /** the top of the area with the barcodes */
  top: number
  /** the contents for a matrix symbol, if they do not fit into linear barcodes */
  contents?: BarcodeContent
}

/** Draws the barcodes from the bottom up; null if the SSCC or number does not fit. */
function drawSymbols(sketch: Sketch, facts: PalletFacts, scale: number): SymbolsArea | null {
  const { dotsPerMM } = sketch
  let bottom = sketch.height - margin
  const drawUpwards = (barcode: Barcode, size: number): void => {
    bottom = drawWithText(sketch, barcode, size) - 3
  }
  if (facts.ssccNumber === null) {
    const number = placeNumber(sketch, displayNameOf(facts), bottom, scale)
    if (number === null) return null
    drawUpwards(number, 4 * scale)
    return ruleAbove(sketch, bottom)
  }
  const symbolAt = (elements: readonly Gs1Element[], height: number, size: number): Barcode | null =>
    placeBars(
      gs1Content('gs1-128', elements),
      {
        ...{
          x: Math.max(0, (sketch.width - maxSymbolWidth) / 2),
          width: Math.min(sketch.width, maxSymbolWidth),
        },
        ...{ y: bottom - textHeight(size) - height, height, ...gs1Module },
      },
      dotsPerMM,
    )
  const sscc = symbolAt([{ ai: '00', value: facts.ssccNumber }], ssccHeight, 4 * scale)
  if (sscc === null) return null
  drawUpwards(sscc, 4 * scale)
  const elements = contentElements(facts)
  const height = contentHeights[sketch.width < minWideWidth ? 'narrow' : 'wide']
  const size = 3.2 * scale
  const split = splitElements(elements, part => symbolAt(part, height, size) !== null)
  if (split === null || split.length > maxContentSymbols)
    return {
      ...ruleAbove(sketch, bottom),
      contents: gs1Content('gs1-datamatrix', [{ ai: '00', value: facts.ssccNumber }, ...elements]),
    }
  for (const part of split.toReversed()) drawUpwards(symbolAt(part, height, size) as Barcode, size)
  return ruleAbove(sketch, bottom)
}

/** Places the barcode of a number, as a matrix symbol if it is too long for bars. */
function placeNumber(sketch: Sketch, number: string, bottom: number, scale: number): Barcode | null {
  const { width, dotsPerMM } = sketch
  const y = bottom - textHeight(4 * scale) - ssccHeight
  return (
    placeBars(code128Content(number), { x: 0, y, width, height: ssccHeight, ...bounds.number }, dotsPerMM) ??
    placeMatrix(
      matrixContent(number),
      { x: margin, y, width: ssccHeight, height: ssccHeight, ...bounds.matrix },
      dotsPerMM,
    )
  )
}

/** The distance from the bottom of a symbol to the bottom of its text. */
const textHeight = (size: number): number => (capHeight + 0.4) * size

/** Draws a symbol with its text below. Returns its top. */
function drawWithText(sketch: Sketch, barcode: Barcode, size: number): number {
  sketch.barcode(barcode)
  const x = Math.max(barcode.x, margin)
  const y = barcode.y + barcode.height + 0.4 * size
  sketch.text(barcode.text, { x, y, width: sketch.width - margin - x, size, smallest: size * 0.6 })
  return barcode.y
}

function ruleAbove(sketch: Sketch, y: number): SymbolsArea {
  sketch.rule(margin, y, sketch.width - 2 * margin, 0.4)
  return { top: y }
}

/**
 * Draws sender and receiver, with the consignment below the sender. Returns the y coordinate of the rule
 * below.
 */
function drawParties(sketch: Sketch, facts: PalletFacts, scale: number): number {
  const inner = sketch.width - 2 * margin
  const left = inner * 0.38
  const bottom = margin + 25 * scale
  const gap = 2 * scale
  const number = facts.consignmentNumber
  const fromBottom = number === null ? bottom : bottom - 6 * scale
  drawParty(sketch, 'FROM', facts.from, { x: margin, width: left - gap, bottom: fromBottom }, 2.7 * scale)
  const right = { x: margin + left + gap, width: inner - left - gap, bottom }
  drawParty(sketch, 'TO', facts.to, right, 3.6 * scale)
  if (number !== null)
    drawTitled(sketch, 'CONSIGNMENT', number, {
      ...{ x: margin, y: bottom - 4.8 * scale, width: left - gap },
      ...{ scale, size: 3.2 * scale },
    })
  if (facts.to !== null) sketch.rule(margin + left, margin, 0.3, bottom + gap - margin)
  sketch.rule(margin, bottom + gap, inner, 0.4)
  return bottom + gap
}

interface Column {
  x: number
  width: number
  bottom: number
}

function drawParty(sketch: Sketch, title: string, party: Party | null, column: Column, size: number): void {
  if (party === null) return
  const { x, width, bottom } = column
  const scale = size / 3
  const baseline = sketch.text(title, { x, y: margin, width, size: 1.9 * (sketch.width / 100) })
  let y = baseline + 1.5 * scale
  const place = { x, width, size, smallest: size * 0.7 }
  y = sketch.text(party.name, { ...place, y, size: size * 1.1, lines: 2, isBold: true }) + 1.3 * scale
  for (const line of party.lines) {
    if (y + capHeight * size > bottom) return
    y = sketch.text(line, { ...place, y }) + 1.3 * scale
  }
}

interface Cell {
  x: number
  y: number
  width: number
  scale: number
  size: number
}

/** Draws a value with its title above. */
function drawTitled(sketch: Sketch, title: string, value: string, { x, y, width, scale, size }: Cell): void {
  const baseline = sketch.text(title, { x, y, width, size: 1.8 * scale })
  sketch.text(value, { x, y: baseline + 1.5 * scale, width, size, smallest: size * 0.6, isBold: true })
}

/** A value with its title; a wide one spans both columns. */
type Field = readonly [title: string, value: string | null, isWide?: 'wide']

interface Area {
  x: number
  y: number
  width: number
  bottom: number
}

const minRowHeight = 6
const tableRowHeight = 7
const maxRowHeight = 10.5

/** Draws the unit and its contents as text. */
function drawContents(sketch: Sketch, facts: PalletFacts, area: Area, scale: number): void {
  const isSingle = facts.contents.length === 1
  const all = arrangeInRows(isSingle ? singleContentFields(facts) : unitFields(facts))
  const height = area.bottom - area.y
  const rows = all.slice(0, Math.max(Math.floor(height / (minRowHeight * scale)), 1))
  const rowHeight = Math.min(isSingle ? height / rows.length : tableRowHeight * scale, maxRowHeight * scale)
  const half = area.width / 2
  let { y } = area
  for (const fields of rows) {
    for (const [i, [title, value, isWide]] of fields.entries()) {
      const width = isWide ? area.width : half - 2
      drawTitled(sketch, title, value ?? '', {
        x: area.x + i * half,
        y,
        width,
        scale,
        size: Math.min((rowHeight - 4 * scale) / capHeight, 5.6 * scale),
      })
    }
    y += rowHeight
  }
  if (facts.contents.length > 1) drawTable(sketch, facts.contents, { ...area, y }, scale)
}

function singleContentFields(facts: PalletFacts): Field[] {
  const content = facts.contents[0] as PalletContent
  const { productCode, productName, gtin } = content
  return [
    ['PRODUCT', `${productCode}  ${productName}`, 'wide'],
    ['CONTENT', gtin14(gtin)],
    ['COUNT', quantityOf(content)],
    ['BEST BEFORE', dateOf(content.bestBeforeDate)],
    ['BATCH/LOT', content.batch],
    ['EXPIRY', dateOf(content.expiryDate)],
    ...unitFields(facts),
  ]
}

const unitFields = (facts: PalletFacts): Field[] => [
  ['UNIT', facts.logisticUnitNumber],
  ['REFERENCE', facts.referenceNumber ?? facts.consignmentReference],
  ['CLIENT', facts.clientName, 'wide'],
]

const quantityOf = ({ quantity, unitName }: PalletContent): string =>
  `${figureOf(quantity)}${unitName === null ? '' : ` ${unitName}`}`

/** Arranges the fields that have a value in rows, two narrow ones in a row. */
function arrangeInRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = []
  for (const field of fields.filter(([, value]) => value)) {
    const last = rows.at(-1)
    const isBeside = last?.length === 1 && !last[0]?.[2] && !field[2]
    if (isBeside) last?.push(field)
    else rows.push([field])
  }
  return rows
}

interface TableColumn {
  title: string
  /** its part of the width of the table */
  share: number
  textOf(content: PalletContent): string | null
}

/**
 * Returns the columns of a table of contents. Best before and expiry have a column each if they occur: a date
 * must never be under the heading of the other.
 */
function tableColumns(contents: readonly PalletContent[]): TableColumn[] {
  const dates = [
    { title: 'BEST BEFORE', textOf: ({ bestBeforeDate }: PalletContent) => dateOf(bestBeforeDate) },
    { title: 'EXPIRY', textOf: ({ expiryDate }: PalletContent) => dateOf(expiryDate) },
  ].filter(({ textOf }) => contents.some(content => textOf(content) !== null))
  const dateShare = dates.length > 1 ? 0.16 : 0.2
  return [
    { title: 'COUNT', share: 0.19, textOf: quantityOf },
    {
      title: 'PRODUCT',
      share: 0.62 - dates.length * dateShare,
      textOf: ({ productCode, productName }) => `${productCode} ${productName}`,
    },
    { title: 'BATCH/LOT', share: 0.19, textOf: ({ batch }) => batch },
    ...dates.map(date => ({ ...date, share: dateShare })),
  ]
}

/** Draws several contents with a line each. The last line counts those that do not fit. */
function drawTable(sketch: Sketch, contents: readonly PalletContent[], area: Area, scale: number): void {
  const size = 2.7 * scale
  const pitch = 1.4 * size
  const columns = tableColumns(contents)
  const columnX = columns.map(
    (_, i) => area.x + area.width * columns.slice(0, i).reduce((sum, { share }) => sum + share, 0),
  )
  const writeRow = (
    texts: readonly (string | null)[],
    y: number,
    textSize: number,
    isBold: boolean,
  ): void => {
    for (const [i, text] of texts.entries()) {
      const place = {
        x: columnX[i] as number,
        y,
        width: area.width * (columns[i] as TableColumn).share - scale,
      }
      const smallest = textSize * (i === 1 ? 1 : 0.7)
      sketch.text(text, { ...place, size: textSize, smallest, isBold: isBold && i === 0 })
    }
  }
  writeRow(
    columns.map(({ title }) => title),
    area.y,
    1.8 * scale,
    false,
  )
  const first = area.y + 2.6 * scale
  const lines = Math.max(Math.floor((area.bottom - first) / pitch), 1)
  const shown = contents.length > lines ? contents.slice(0, lines - 1) : contents
  for (const [i, content] of shown.entries()) {
    const texts = columns.map(({ textOf }) => textOf(content))
    writeRow(texts, first + i * pitch, size, true)
  }
  const hidden = contents.length - shown.length
  if (hidden > 0)
    sketch.text(`and ${hidden} more`, { x: area.x, y: first + shown.length * pitch, width: area.width, size })
}
