// The layout of product labels. A GTIN is encoded as GS1 DataMatrix, with batch, expiry date and serial if
// given. Without a GTIN, the barcode or code of the product is encoded as Code 128. Pure.

import { dateOf } from '../documents/format.ts'
import {
  type BarcodeContent,
  code128Content,
  gs1Content,
  matrixContent,
  placeBars,
  placeMatrix,
} from './barcode.ts'
import { type Gs1Element, gs1Date, gtin14 } from './gs1.ts'
import type { Barcode, Label } from './label.ts'
import { productSizes } from './sizes.ts'
import { type Pair, Sketch } from './sketch.ts'
import { capHeight, toPrintable } from './text-fit.ts'

/** The contents of a product label. Dates are `YYYY-MM-DD`. */
export interface ProductFacts {
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
  /** the text sizes of client, code, name, facts and the text of the barcode */
  client: number
  code: number
  name: number
  nameLines: number
  fact: number
  barcodeText: number
  /** the side of a matrix symbol with its quiet zone */
  matrixSide: number
  barsHeight: number
  /** the client is beside the code, not above it */
  isCompact?: true
}

const styles: Record<ProductSize, Style> = {
  '100x50': {
    ...{ margin: 4, gap: 2.1, client: 2.9, code: 8, name: 4, nameLines: 2, fact: 3.1 },
    ...{ barcodeText: 2.8, matrixSide: 25, barsHeight: 13 },
  },
  '60x40': {
    ...{ margin: 2.8, gap: 1.4, client: 2.2, code: 5.4, name: 2.9, nameLines: 2, fact: 2.4 },
    ...{ barcodeText: 2.3, matrixSide: 17, barsHeight: 12 },
  },
  '50x25': {
    ...{ margin: 1.6, gap: 0.9, client: 1.8, code: 4, name: 2.2, nameLines: 1, fact: 1.9 },
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
export function productElements({ gtin, batch, expiryDate, serial }: ProductFacts): Gs1Element[] {
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

/** Lays out the label of a product; null if its barcode does not fit on this size. */
export function productLabel(facts: ProductFacts, sizeName: ProductSize, dotsPerMM: number): Label | null {
  const style = styles[sizeName]
  const sketch = new Sketch(productSizes[sizeName], dotsPerMM)
  const barcode = barcodeOf(facts, sketch, style)
  if (barcode === null) return null
  sketch.barcode(barcode)
  const { margin, gap, barcodeText } = style
  const isBars = barcode.rows === 1
  const whole = sketch.width - 2 * margin
  // Texts are in a column beside a matrix symbol, or in the full width above bars.
  const width = isBars ? whole : whole - style.matrixSide - gap
  const x = isBars ? Math.max(barcode.x, margin) : margin
  const place = { x, width: isBars ? sketch.width - margin - x : width, size: barcodeText }
  const top = sketch.textAbove(
    barcode.text,
    { ...place, smallest: barcodeText * 0.7, lines: isBars ? 1 : 3 },
    sketch.height - margin,
  )
  const nameLines = isBars ? style.nameLines : 2
  writeTexts(
    sketch,
    facts,
    { ...style, nameLines },
    { whole, width, bottom: (isBars ? barcode.y : top) - gap },
  )
  return sketch.label(`Product ${facts.code}`)
}

function barcodeOf(facts: ProductFacts, { width, height, dotsPerMM }: Sketch, style: Style): Barcode | null {
  const { margin, barcodeText, matrixSide, barsHeight } = style
  const elements = productElements(facts)
  const inMatrix = (content: BarcodeContent, range: { smallest: number; largest: number }) =>
    placeMatrix(
      content,
      {
        ...{
          x: width - margin - matrixSide,
          y: height - margin - matrixSide,
          width: matrixSide,
          height: matrixSide,
        },
        ...{ ...range, align: 1 },
      },
      dotsPerMM,
    )
  if (elements.length > 0) return inMatrix(gs1Content('gs1-datamatrix', elements), bounds.gs1)
  const text = toPrintable(facts.barcode ?? '') || facts.code
  const y = height - margin - capHeight * barcodeText - 0.4 * barcodeText - barsHeight
  return (
    placeBars(code128Content(text), { x: 0, y, width, height: barsHeight, ...bounds.bars }, dotsPerMM) ??
    inMatrix(matrixContent(text), bounds.matrix)
  )
}

interface Area {
  /** the width of the label without its margins; `width` is that of the column beside a matrix symbol */
  whole: number
  width: number
  bottom: number
}

/** Writes client, code, name and facts from the top. */
function writeTexts(sketch: Sketch, facts: ProductFacts, style: Style, { whole, width, bottom }: Area): void {
  const { margin: x, gap, client, code, name, nameLines, fact } = style
  const { dangerousGoods, unitName } = facts
  const clientAndUnit = [facts.clientName, unitName].filter(part => part !== null).join(' · ')
  const beside = { x: x + whole * 0.62, width: whole * 0.38 }
  const danger = dangerousGoods ?? ''
  let y = x
  if (style.isCompact) {
    const baseline = sketch.text(danger, {
      ...beside,
      y,
      size: client * 1.15,
      smallest: client * 0.8,
      isBold: true,
    })
    const next = danger === '' ? y : baseline + gap * 0.8
    sketch.text(clientAndUnit, { ...beside, y: next, size: client, smallest: client * 0.8 })
  } else {
    sketch.text(danger, { ...beside, y, size: client * 1.15, smallest: client * 0.8, isBold: true })
    const available = danger === '' ? whole : whole * 0.6
    y = sketch.text(clientAndUnit, { x, y, width: available, size: client, smallest: client * 0.8 }) + gap
  }
  const codeWidth = style.isCompact ? whole * 0.6 : whole
  y =
    sketch.text(facts.code, { x, y, width: codeWidth, size: code, smallest: code * 0.4, isBold: true }) + gap
  y = sketch.text(facts.name, { x, y, width, size: name, smallest: name * 0.75, lines: nameLines }) + gap
  sketch.pairs(pairsOf(facts), { x, y, width, size: fact, bottom })
}

const pairsOf = ({ batch, expiryDate, serial }: ProductFacts): Pair[] =>
  (
    [
      ['Batch/Lot', batch],
      ['Expiry', dateOf(expiryDate)],
      ['Serial', serial],
    ] as const
  ).flatMap(([title, value]) => (value ? [[title, value] as const] : []))
