// The layout of product labels. A GTIN is encoded as GS1 DataMatrix, with batch, expiry date and serial if
// given. Without a GTIN, the barcode or code of the product is encoded as Code 128. Pure.

import { formatDate } from '../documents/format.ts'
import {
  type BarcodeContent,
  code128Content,
  gs1Content,
  matrixContent,
  placeBars,
  placeMatrix,
} from './barcode.ts'
import {
  type Column,
  type LayoutPart,
  layOutColumn,
  overflowingNames,
  type PartLayout,
  paragraph,
  row,
  shares,
  stack,
  type TitledValue,
  titledValues,
} from './column.ts'
import { type Gs1Element, gs1Date, gtin14 } from './gs1.ts'
import { areaOf, type Barcode, type Label, type Overflow } from './label.ts'
import { LabelBuilder } from './label-builder.ts'
import { productSizes } from './sizes.ts'
import { toPrintable } from './text-fit.ts'
import { capHeight } from './text-height.ts'

/** The contents of a product label. Dates are `YYYY-MM-DD`. */
export interface ProductData {
  clientName: string
  code: string
  name: string
  /** the name of its unit: "carton" */
  unitName: string | null
  gtin: string | null
  barcode: string | null
  batch: string | null
  expiryDate: string | null
  serial: string | null
  /** "UN 1263 Class 3"; null if it is not dangerous */
  dangerousGoods: string | null
}

export type ProductSize = keyof typeof productSizes

interface Style {
  margin: number
  /** the space between blocks */
  gap: number
  /** the text sizes of client, code, name, batch and dates, and the text of the barcode */
  client: number
  code: number
  name: number
  detail: number
  barcodeText: number
  /** the side of a matrix symbol with its quiet zone */
  matrixSide: number
  barsHeight: number
  /** the client is beside the code, not above it */
  isCompact?: true
}

const styles: Record<ProductSize, Style> = {
  '100x50': {
    ...{ margin: 4, gap: 1.9, client: 2.9, code: 8, name: 4, detail: 3.1 },
    ...{ barcodeText: 2.8, matrixSide: 25, barsHeight: 13 },
  },
  '60x40': {
    ...{ margin: 2.8, gap: 1.3, client: 2.2, code: 5.4, name: 2.9, detail: 2.4 },
    ...{ barcodeText: 2.3, matrixSide: 17, barsHeight: 12 },
  },
  '50x25': {
    ...{ margin: 1.6, gap: 0.8, client: 1.8, code: 4, name: 2.2, detail: 1.9 },
    ...{ barcodeText: 1.9, matrixSide: 17.4, barsHeight: 12, isCompact: true },
  },
}

const bounds = {
  bars: { smallest: 0.25, largest: 0.5 },
  // Small modules are allowed, because a code that is too long for bars has no other symbol.
  matrix: { smallest: 0.25, largest: 1 },
  gs1: { smallest: 0.5, largest: 1 },
}

/** Returns the GS1 elements of a product label; empty without a GTIN. */
export function productElements({ gtin, batch, expiryDate, serial }: ProductData): Gs1Element[] {
  const value = gtin14(gtin)
  if (value === null) return []
  const date = expiryDate === null ? null : gs1Date(expiryDate)
  return [
    { ai: '01', value },
    ...(date === null ? [] : [{ ai: '17', value: date } as const]),
    ...(batch === null ? [] : [{ ai: '10', value: batch } as const]),
    ...(serial === null ? [] : [{ ai: '21', value: serial } as const]),
  ]
}

/**
 * Lays out the label of a product. Of the arrangements of its texts around its barcode, the one in the
 * largest type is used. Names what does not fit if none can hold everything.
 */
export function productLabel(data: ProductData, sizeName: ProductSize, dotsPerMM: number): Label | Overflow {
  const style = styles[sizeName]
  const size = productSizes[sizeName]
  const symbols = symbolsOf(data, new LabelBuilder(size, dotsPerMM), style)
  if (symbols.length === 0) return { overflow: ['barcode'] }
  let columns: readonly PlacedColumn[] = []
  for (const symbol of symbols) {
    const arrangements = arrangementsOf(data, symbol, new LabelBuilder(size, dotsPerMM), style)
    for (const share of shares) {
      for (const arrangement of arrangements) {
        const layout = layOutColumns(arrangement, share, style.gap)
        if (layout === null) continue
        const builder = new LabelBuilder(size, dotsPerMM)
        builder.barcode(symbol)
        for (const { x, y, content } of layout) content.draw(builder, x, y)
        return builder.label(`Product ${data.code}`)
      }
    }
    columns = arrangements.at(-1) ?? []
  }
  return { overflow: overflowingNames(columns) }
}

/** A column at its place. */
interface PlacedColumn extends Column {
  x: number
  y: number
  /** it begins below the column before it, or stands at its bottom */
  flow?: 'below' | 'bottom'
}

/** Sets columns at a share of their size; null if one is too high. */
function layOutColumns(
  columns: readonly PlacedColumn[],
  share: number,
  gap: number,
): { x: number; y: number; content: PartLayout }[] | null {
  const placed: { x: number; y: number; content: PartLayout }[] = []
  let used = 0
  for (const column of columns) {
    const { x, flow, height: most } = column
    const y = flow === undefined ? column.y : Math.max(column.y, used + (used > 0 ? gap : 0))
    const height = column.y + most - y
    const content = layOutColumn({ ...column, height }, share)
    if (content === null) return null
    const top = flow === 'bottom' ? y + height - content.height : y
    placed.push({ x, y: top, content })
    if (content.height > 0) used = top + content.height
  }
  return placed
}

/** The symbols that can say what the barcode has to: bars first, and a matrix symbol where it is smaller. */
function symbolsOf(data: ProductData, { width, height, dotsPerMM }: LabelBuilder, style: Style): Barcode[] {
  const { margin, barcodeText, matrixSide: side, barsHeight } = style
  const corner = { x: width - margin - side, y: height - margin - side, width: side, height: side, align: 1 }
  const inMatrix = (content: BarcodeContent, range: { smallest: number; largest: number }) =>
    placeMatrix(content, { ...corner, ...range }, dotsPerMM)
  const elements = productElements(data)
  if (elements.length > 0) return withoutNulls(inMatrix(gs1Content('gs1-datamatrix', elements), bounds.gs1))
  const text = toPrintable(data.barcode ?? '') || data.code
  const y = height - margin - (capHeight + 0.65) * barcodeText - barsHeight
  const place = { x: 0, y, width, height: barsHeight, ...bounds.bars }
  return withoutNulls(
    placeBars(code128Content(text), place, dotsPerMM),
    inMatrix(matrixContent(text), bounds.matrix),
  )
}

const withoutNulls = (...symbols: (Barcode | null)[]): Barcode[] => symbols.filter(symbol => symbol !== null)

function arrangementsOf(
  data: ProductData,
  symbol: Barcode,
  builder: LabelBuilder,
  style: Style,
): PlacedColumn[][] {
  return symbol.rows === 1
    ? aboveBars(data, symbol, builder, style)
    : aroundMatrix(data, symbol, builder, style)
}

/** Everything above the bars, whose text is below them. */
function aboveBars(
  data: ProductData,
  symbol: Barcode,
  { width, height }: LabelBuilder,
  style: Style,
): PlacedColumn[][] {
  const { margin, gap, barcodeText } = style
  const { head, code, name, values } = partsOf(data, style)
  const top = { x: margin, y: margin, width: width - 2 * margin, height: symbol.y - gap - margin }
  const x = Math.max(symbol.x, margin)
  const y = symbol.y + symbol.height + 0.4 * barcodeText
  const text: PlacedColumn = {
    ...{ x, y, width: width - margin - x, height: height - y },
    parts: paragraph('barcode', symbol.text, { size: barcodeText }),
  }
  const beside = [besideCode(data, style), ...name, ...values]
  return [
    ...(style.isCompact ? [[{ ...top, parts: beside }, text]] : []),
    [{ ...top, parts: [...head, ...code, ...name, ...values] }, text],
  ]
}

/**
 * The symbol is in the lower right corner. Texts have the whole width above it, the rest of the width beside
 * it, and on the smallest labels a corner of their own above it.
 */
function aroundMatrix(
  data: ProductData,
  symbol: Barcode,
  builder: LabelBuilder,
  style: Style,
): PlacedColumn[][] {
  const { margin, gap } = style
  const { head, code, name, values } = partsOf(data, style)
  const { left, top } = areaOf(symbol, builder.dotsPerMM)
  const whole = builder.width - 2 * margin
  const narrow = left - gap - margin
  const bottom = builder.height - margin
  // A text that is the code of the product anyway is not repeated.
  const text = symbol.text === data.code ? [] : paragraph('barcode', symbol.text, barcodeType(style))
  // Texts across the whole width end above the symbol.
  const upper = (...parts: LayoutPart[][]): PlacedColumn => ({
    ...{ x: margin, y: margin, width: whole, height: top - gap - margin, parts: parts.flat() },
  })
  const beside = (...parts: LayoutPart[][]): PlacedColumn => ({
    ...{ x: margin, y: margin, width: narrow, height: bottom - margin, parts: parts.flat(), flow: 'below' },
  })
  const textBeside: PlacedColumn = { ...beside(text), flow: 'bottom' }
  const corner: PlacedColumn = {
    ...{ x: left, y: margin, width: builder.width - margin - left, height: top - gap - margin },
    parts: cornerParts(data, style),
  }
  return [
    ...(style.isCompact
      ? [[beside(code, name, values), textBeside, corner]]
      : [
          [upper(head, code, name), beside(values), textBeside],
          [upper(head, code), beside(name, values), textBeside],
        ]),
    [beside(head, code, name, values), textBeside],
  ]
}

const barcodeType = ({ barcodeText, gap }: Style) => ({ size: barcodeText, lines: 3, gap: gap * 1.4 })

/** The client with the unit, and the hazards. */
const cornerParts = (data: ProductData, { client, gap }: Style): LayoutPart[] => [
  ...paragraph('dangerous goods', data.dangerousGoods, { size: client * 1.15, isBold: true }),
  ...paragraph('client', clientAndUnit(data), { size: client, gap: gap * 0.8 }),
]

const clientAndUnit = ({ clientName, unitName }: ProductData): string =>
  [clientName, unitName].filter(part => part !== null).join(' · ')

const besideCode = (data: ProductData, style: Style): LayoutPart =>
  row([
    { part: stack(partsOf(data, style).code), share: 0.62 },
    { part: stack(cornerParts(data, style)), share: 0.38 },
  ])

function partsOf(data: ProductData, style: Style) {
  const { gap, client, code, name, detail } = style
  const clientPart = paragraph('client', clientAndUnit(data), { size: client })
  const hazards = paragraph('dangerous goods', data.dangerousGoods, { size: client * 1.15, isBold: true })
  const [danger] = hazards
  const head =
    danger === undefined
      ? clientPart
      : [
          row([
            { part: stack(clientPart), share: 0.58 },
            { part: danger, share: 0.42 },
          ]),
        ]
  return {
    head,
    code: paragraph('code', data.code, { size: code, shrink: 0.5, isBold: true, gap }),
    name: paragraph('name', data.name, { size: name, lines: 2, gap }),
    values: titledValues(valuesOf(data), { size: detail, gap }),
  }
}

const valuesOf = ({ batch, expiryDate, serial }: ProductData): TitledValue[] =>
  (
    [
      ['Batch/Lot', batch],
      ['Expiry', formatDate(expiryDate)],
      ['Serial', serial],
    ] as const
  ).flatMap(([title, value]) => (value ? [[title, value] as const] : []))
