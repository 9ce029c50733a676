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
  excessOf,
  fixed,
  type Part,
  paragraph,
  row,
  rule,
  setColumn,
  shares,
  stack,
} from './column.ts'
import { type Gs1Element, splitElements } from './gs1.ts'
import { areaOf, type Barcode, type Label, type Misfit } from './label.ts'
import { type ContentStyle, contentParts, partiesPart } from './pallet-contents.ts'
import { contentElements, displayNameOf, type PalletFacts } from './pallet-facts.ts'
import { palletSizes, type Size } from './sizes.ts'
import { Sketch } from './sketch.ts'
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
const comfortable = 0.3

/** How the contents are encoded, how they are told in words, and the least share at which that will do. */
interface Arrangement {
  encoding: 'bars' | 'matrix' | 'none'
  style: ContentStyle
  least: number
}

/**
 * Lays out the label of a logistic unit. The contents are encoded in bars if they leave enough room for the
 * text, otherwise in a matrix symbol; many kinds of goods are counted if a list of them does not fit. Names
 * what does not fit if no arrangement can hold everything.
 */
export function palletLabel(facts: PalletFacts, sizeName: PalletSize, dotsPerMM: number): Label | Misfit {
  const size = palletSizes[sizeName]
  let tightest: Column | undefined
  for (const { encoding, style, least } of arrangementsOf(facts)) {
    const sketch = new Sketch(size, dotsPerMM)
    const symbols = drawSymbols(sketch, facts, encoding)
    if (symbols === null) continue
    const column = columnOf(facts, symbols, style, size, dotsPerMM)
    for (const share of shares) {
      if (share < least) break
      const set = setColumn(column, share)
      if (set === null) continue
      set.draw(sketch, margin, margin)
      return sketch.label(`Pallet ${displayNameOf(facts)}`)
    }
    tightest = column
  }
  return { misfit: tightest === undefined ? ['number'] : excessOf([tightest]) }
}

function arrangementsOf(facts: PalletFacts): Arrangement[] {
  if (facts.contents.length > 1)
    return [
      { encoding: 'none', style: 'list', least: 0 },
      { encoding: 'none', style: 'counts', least: 0 },
    ]
  const plain = { encoding: 'none', style: 'fields', least: 0 } as const
  if (contentElements(facts).length === 0) return [plain]
  const encodings = ['bars', 'matrix'] as const
  return [
    ...[comfortable, 0].flatMap(least => encodings.map(encoding => ({ ...plain, encoding, least }))),
    plain,
  ]
}

/** The column of texts above the barcodes. */
function columnOf(
  facts: PalletFacts,
  { top, contents }: SymbolsArea,
  style: ContentStyle,
  size: Size,
  dotsPerMM: number,
): Column {
  // Text sizes are for labels 100 mm wide, and grow with the width.
  const scale = size.width / 100
  const width = size.width - 2 * margin
  const parties = partiesPart(facts, scale)
  const told = contentParts(facts, style, scale)
  const between = 2
  const matrix = contents === undefined ? null : matrixPart(contents, matrixSide * scale, dotsPerMM)
  const share = (matrix?.width ?? 0) / (width - between)
  const below =
    matrix === null
      ? told
      : [
          row(
            [
              { part: stack(told), share: 1 - share },
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
): { part: Part; width: number } | null {
  const place = (x: number, y: number) =>
    placeMatrix(content, { x, y, width: side, height: side, ...bounds.gs1Matrix }, dotsPerMM)
  const symbol = place(0, 0)
  if (symbol === null) return null
  const { left, top, right, bottom } = areaOf(symbol, dotsPerMM)
  const part = fixed({ height: bottom - top }, (sketch, x, y) => {
    const placed = place(x, y)
    if (placed !== null) sketch.barcode(placed)
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
  sketch: Sketch,
  facts: PalletFacts,
  encoding: Arrangement['encoding'],
): SymbolsArea | null {
  const scale = sketch.width / 100
  let bottom = sketch.height - margin
  if (facts.ssccNumber === null) {
    const top = drawNumber(sketch, displayNameOf(facts), bottom, scale)
    return top === null ? null : ruleAbove(sketch, top - 3)
  }
  const symbolAt = (elements: readonly Gs1Element[], height: number, size: number): Barcode | null =>
    placeBars(
      gs1Content('gs1-128', elements),
      {
        ...{ x: Math.max(0, (sketch.width - maxSymbolWidth) / 2), y: bottom - textHeight(size) - height },
        ...{ width: Math.min(sketch.width, maxSymbolWidth), height, ...gs1Module },
      },
      sketch.dotsPerMM,
    )
  const sscc = symbolAt([{ ai: '00', value: facts.ssccNumber }], ssccHeight, 4 * scale)
  if (sscc === null) return null
  bottom = drawWithText(sketch, sscc, 4 * scale) - 3
  if (encoding === 'none') return ruleAbove(sketch, bottom)
  const elements = contentElements(facts)
  if (encoding === 'matrix') {
    const contents = gs1Content('gs1-datamatrix', [{ ai: '00', value: facts.ssccNumber }, ...elements])
    const isPlaceable = matrixPart(contents, matrixSide * scale, sketch.dotsPerMM) !== null
    return isPlaceable ? { ...ruleAbove(sketch, bottom), contents } : null
  }
  const height = contentHeights[sketch.width < minWideWidth ? 'narrow' : 'wide']
  const size = 3.2 * scale
  const split = splitElements(elements, part => symbolAt(part, height, size) !== null)
  if (split === null || split.length > maxContentSymbols) return null
  for (const part of split.toReversed())
    bottom = drawWithText(sketch, symbolAt(part, height, size) as Barcode, size) - 3
  return ruleAbove(sketch, bottom)
}

/**
 * Draws the barcode of a number, with the number below bars, or beside a matrix symbol if it is too long for
 * bars. Returns its top; null if it does not fit.
 */
function drawNumber(sketch: Sketch, number: string, bottom: number, scale: number): number | null {
  const { width, dotsPerMM } = sketch
  const y = bottom - textHeight(4 * scale) - ssccHeight
  const spot = { x: 0, y, width, height: ssccHeight, ...bounds.number }
  const bars = placeBars(code128Content(number), spot, dotsPerMM)
  if (bars !== null) return drawWithText(sketch, bars, 4 * scale)
  const corner = { x: margin, y, width: ssccHeight, height: ssccHeight, ...bounds.matrix }
  const symbol = placeMatrix(matrixContent(number), corner, dotsPerMM)
  if (symbol === null) return null
  sketch.barcode(symbol)
  const x = areaOf(symbol, dotsPerMM).right + 2
  const parts = paragraph('number', number, { size: 5 * scale, lines: 3, isBold: true })
  const column = { parts, width: width - margin - x, height: bottom - y }
  const set = shares.map(share => setColumn(column, share)).find(each => each !== null)
  set?.draw(sketch, x, y + (ssccHeight - set.height) / 2)
  return set === undefined ? null : y
}

/** The distance from the bottom of a symbol to the bottom of its text. */
const textHeight = (size: number): number => (capHeight + 0.4) * size

/** Draws a symbol with its text below. Returns its top. */
function drawWithText(sketch: Sketch, barcode: Barcode, size: number): number {
  sketch.barcode(barcode)
  const x = Math.max(barcode.x, margin)
  const y = barcode.y + barcode.height + 0.4 * size
  sketch.text(barcode.text, { x, y, width: sketch.width - margin - x, size, smallest: size * 0.3 })
  return barcode.y
}

function ruleAbove(sketch: Sketch, y: number): SymbolsArea {
  sketch.rule(margin, y, sketch.width - 2 * margin, 0.4)
  return { top: y }
}
