// The layout of pallet labels: sender and receiver at the top, the contents as text in the middle, and the
// barcodes below, the SSCC last. Pure. GS1 Logistic Label Guideline.

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
  fixedPart,
  type LayoutPart,
  layOutColumn,
  overflowingNames,
  paragraph,
  row,
  rule,
  shares,
  stack,
} from './column.ts'
import { type Gs1Element, splitElements } from './gs1.ts'
import { areaOf, type Barcode, type Label, type Overflow } from './label.ts'
import { LabelBuilder } from './label-builder.ts'
import { type ContentStyle, contentParts, partiesPart } from './pallet-contents.ts'
import { contentElements, displayNameOf, type PalletData } from './pallet-data.ts'
import { palletSizes, type Size } from './sizes.ts'
import { capHeight } from './text-height.ts'

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
/** The side of a matrix symbol beside the contents, on a label 100 mm wide. */
const matrixSide = 30
const bounds = {
  number: { smallest: 0.25, largest: 0.75 },
  matrix: { smallest: 0.25, largest: 1 },
  gs1Matrix: { smallest: 0.5, largest: 0.75 },
}
/** Where the text has this share of its size or more, it leaves enough room for barcodes of the contents. */
const comfortableShare = 0.3

/**
 * How the contents are encoded, how they are described, and the minimum share at which that is acceptable.
 */
interface Arrangement {
  encoding: 'bars' | 'matrix' | 'none'
  style: ContentStyle
  minShare: number
}

/**
 * Lays out the label of a logistic unit. The contents are encoded in bars if they leave enough room for the
 * text, otherwise in a matrix symbol; many kinds of goods are counted if a list of them does not fit. Names
 * what does not fit if no arrangement can hold everything.
 */
export function palletLabel(data: PalletData, sizeName: PalletSize, dotsPerMM: number): Label | Overflow {
  const size = palletSizes[sizeName]
  let lastColumn: Column | undefined
  for (const { encoding, style, minShare } of arrangementsOf(data)) {
    const builder = new LabelBuilder(size, dotsPerMM)
    const symbols = drawSymbols(builder, data, encoding)
    if (symbols === null) continue
    const column = columnOf(data, symbols, style, size, dotsPerMM)
    for (const share of shares) {
      if (share < minShare) break
      const layout = layOutColumn(column, share)
      if (layout === null) continue
      layout.draw(builder, margin, margin)
      return builder.label(`Pallet ${displayNameOf(data)}`)
    }
    lastColumn = column
  }
  return { overflow: lastColumn === undefined ? ['number'] : overflowingNames([lastColumn]) }
}

function arrangementsOf(data: PalletData): Arrangement[] {
  if (data.contents.length > 1)
    return [
      { encoding: 'none', style: 'list', minShare: 0 },
      { encoding: 'none', style: 'counts', minShare: 0 },
    ]
  const plain = { encoding: 'none', style: 'fields', minShare: 0 } as const
  if (contentElements(data).length === 0) return [plain]
  const encodings = ['bars', 'matrix'] as const
  return [
    ...[comfortableShare, 0].flatMap(minShare =>
      encodings.map(encoding => ({ ...plain, encoding, minShare })),
    ),
    plain,
  ]
}

/** The column of texts above the barcodes. */
function columnOf(
  data: PalletData,
  { top, contents }: SymbolsArea,
  style: ContentStyle,
  size: Size,
  dotsPerMM: number,
): Column {
  // Text sizes are for labels 100 mm wide, and grow with the width.
  const scale = size.width / 100
  const width = size.width - 2 * margin
  const parties = partiesPart(data, scale)
  const texts = contentParts(data, style, scale)
  const between = 2
  const matrix = contents === undefined ? null : matrixPart(contents, matrixSide * scale, dotsPerMM)
  const share = (matrix?.width ?? 0) / (width - between)
  const below =
    matrix === null
      ? texts
      : [
          row(
            [
              { part: stack(texts), share: 1 - share },
              { part: matrix.part, share },
            ],
            { gap: 2 * scale, between },
          ),
        ]
  const head = parties === null ? [] : [parties, rule(1.6 * scale)]
  return { parts: [...head, ...below], width, height: top - 1.5 * scale - margin }
}

/** A matrix symbol as a part of a column, as small as its modules permit; null if it is too large. */
function matrixPart(
  content: BarcodeContent,
  side: number,
  dotsPerMM: number,
): { part: LayoutPart; width: number } | null {
  const place = (x: number, y: number) =>
    placeMatrix(content, { x, y, width: side, height: side, ...bounds.gs1Matrix }, dotsPerMM)
  const symbol = place(0, 0)
  if (symbol === null) return null
  const { left, top, right, bottom } = areaOf(symbol, dotsPerMM)
  const part = fixedPart({ height: bottom - top }, (builder, x, y) => {
    const placed = place(x, y)
    if (placed !== null) builder.barcode(placed)
  })
  // Its place is rounded to whole dots.
  return { part, width: right - left + 1 / dotsPerMM }
}

interface SymbolsArea {
  /** the top of the area with the barcodes */
  top: number
  /** the contents for a matrix symbol */
  contents?: BarcodeContent
}

/** Draws the barcodes from the bottom up; null if one of them does not fit. */
function drawSymbols(
  builder: LabelBuilder,
  data: PalletData,
  encoding: Arrangement['encoding'],
): SymbolsArea | null {
  const scale = builder.width / 100
  let bottom = builder.height - margin
  if (data.ssccNumber === null) {
    const top = drawNumber(builder, displayNameOf(data), bottom, scale)
    return top === null ? null : ruleAbove(builder, top - 3)
  }
  const symbolAt = (elements: readonly Gs1Element[], height: number, size: number): Barcode | null =>
    placeBars(
      gs1Content('gs1-128', elements),
      {
        ...{ x: Math.max(0, (builder.width - maxSymbolWidth) / 2), y: bottom - textHeight(size) - height },
        ...{ width: Math.min(builder.width, maxSymbolWidth), height, ...gs1Module },
      },
      builder.dotsPerMM,
    )
  const sscc = symbolAt([{ ai: '00', value: data.ssccNumber }], ssccHeight, 4 * scale)
  if (sscc === null) return null
  bottom = drawWithText(builder, sscc, 4 * scale) - 3
  if (encoding === 'none') return ruleAbove(builder, bottom)
  const elements = contentElements(data)
  if (encoding === 'matrix') {
    const contents = gs1Content('gs1-datamatrix', [{ ai: '00', value: data.ssccNumber }, ...elements])
    const isPlaceable = matrixPart(contents, matrixSide * scale, builder.dotsPerMM) !== null
    return isPlaceable ? { ...ruleAbove(builder, bottom), contents } : null
  }
  const height = contentHeights[builder.width < minWideWidth ? 'narrow' : 'wide']
  const size = 3.2 * scale
  const split = splitElements(elements, part => symbolAt(part, height, size) !== null)
  if (split === null || split.length > maxContentSymbols) return null
  for (const part of split.toReversed())
    bottom = drawWithText(builder, symbolAt(part, height, size) as Barcode, size) - 3
  return ruleAbove(builder, bottom)
}

/**
 * Draws the barcode of a number, with the number below bars, or beside a matrix symbol if it is too long for
 * bars. Returns its top; null if it does not fit.
 */
function drawNumber(builder: LabelBuilder, number: string, bottom: number, scale: number): number | null {
  const { width, dotsPerMM } = builder
  const y = bottom - textHeight(4 * scale) - ssccHeight
  const place = { x: 0, y, width, height: ssccHeight, ...bounds.number }
  const bars = placeBars(code128Content(number), place, dotsPerMM)
  if (bars !== null) return drawWithText(builder, bars, 4 * scale)
  const corner = { x: margin, y, width: ssccHeight, height: ssccHeight, ...bounds.matrix }
  const symbol = placeMatrix(matrixContent(number), corner, dotsPerMM)
  if (symbol === null) return null
  builder.barcode(symbol)
  const x = areaOf(symbol, dotsPerMM).right + 2
  const parts = paragraph('number', number, { size: 5 * scale, lines: 3, isBold: true })
  const column = { parts, width: width - margin - x, height: bottom - y }
  const layout = shares.map(share => layOutColumn(column, share)).find(each => each !== null)
  layout?.draw(builder, x, y + (ssccHeight - layout.height) / 2)
  return layout === undefined ? null : y
}

/** The distance from the bottom of a symbol to the bottom of its text. */
const textHeight = (size: number): number => (capHeight + 0.4) * size

/** Draws a symbol with its text below. Returns its top. */
function drawWithText(builder: LabelBuilder, barcode: Barcode, size: number): number {
  builder.barcode(barcode)
  const x = Math.max(barcode.x, margin)
  const y = barcode.y + barcode.height + 0.4 * size
  builder.text(barcode.text, { x, y, width: builder.width - margin - x, size, smallest: size * 0.3 })
  return barcode.y
}

function ruleAbove(builder: LabelBuilder, y: number): SymbolsArea {
  builder.rule(margin, y, builder.width - 2 * margin, 0.4)
  return { top: y }
}
