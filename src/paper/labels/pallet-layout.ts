// The label of a pallet: who sends it and who gets it at the top, what is on it in the middle, and below what
// scanners read, the SSCC lowest. Pure. GS1 Logistic Label Guideline.

import { dateOf, figureOf } from '../documents/format.ts'
import { bars, codeOf, elementsIn, squares, squaresOf } from './barcode.ts'
import { type Element, gtin14, splitElements } from './gs1.ts'
import type { Barcode, Label } from './label.ts'
import {
  contentElements,
  type PalletContent,
  type PalletFacts,
  type Party,
  unitName,
} from './pallet-facts.ts'
import { palletSizes } from './sizes.ts'
import { Sketch } from './sketch.ts'
import { capHeight } from './text-fit.ts'

export type PalletSize = keyof typeof palletSizes

const margin = 4
const ssccHeight = 32
/** On the width of 100 mm there is less room, and more symbols. */
const contentHeights = { narrow: 20, wide: 32 }
const wideFrom = 120
const maxContentSymbols = 2
const gs1Module = { smallest: 0.495, largest: 0.5 }
const maxSymbolWidth = 165
const bounds = {
  number: { smallest: 0.25, largest: 0.75 },
  squares: { smallest: 0.25, largest: 1 },
  gs1Squares: { smallest: 0.5, largest: 0.75 },
}

/** The label of a logistic unit; null where its number is too long for a barcode on a label of this size. */
export function palletLabel(facts: PalletFacts, sizeName: PalletSize, dotsPerMM: number): Label | null {
  const sketch = new Sketch(palletSizes[sizeName], dotsPerMM)
  // Texts of 100 mm wide labels, and larger where there is more room.
  const scale = sketch.width / 100
  const symbols = scanned(sketch, facts, scale)
  if (symbols === null) return null
  const top = parties(sketch, facts, scale)
  const inner = sketch.width - 2 * margin
  const matrix = symbols.contents
  const room = { x: margin, y: top + 2 * scale, width: inner, bottom: symbols.top - 2 * scale }
  if (matrix === undefined) {
    middle(sketch, facts, room, scale)
  } else {
    const side = Math.min(room.bottom - room.y, 30 * scale)
    const code = squares(
      matrix,
      { x: margin + inner - side, y: room.y, width: side, height: side, ...bounds.gs1Squares },
      dotsPerMM,
    )
    if (code !== null) sketch.barcode(code)
    middle(sketch, facts, { ...room, width: code === null ? inner : inner - side - 2 }, scale)
  }
  return sketch.label(`Pallet ${unitName(facts)}`)
}

/** What scanners read, and where the room above it ends. */
interface Scanned {
  top: number
  /** the contents, where they do not fit into bars */
  contents?: ReturnType<typeof elementsIn>
}

function scanned(sketch: Sketch, facts: PalletFacts, scale: number): Scanned | null {
  const { dotsPerMM } = sketch
  let bottom = sketch.height - margin
  const put = (barcode: Barcode, size: number): void => {
    bottom = withText(sketch, barcode, size) - 3
  }
  if (facts.ssccNumber === null) {
    const number = barsOfNumber(sketch, unitName(facts), bottom, scale)
    if (number === null) return null
    put(number, 4 * scale)
    return ruled(sketch, bottom)
  }
  const symbolAt = (elements: readonly Element[], height: number, size: number): Barcode | null =>
    bars(
      elementsIn('gs1-128', elements),
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
  put(sscc, 4 * scale)
  const elements = contentElements(facts)
  const height = contentHeights[sketch.width < wideFrom ? 'narrow' : 'wide']
  const size = 3.2 * scale
  const split = splitElements(elements, part => symbolAt(part, height, size) !== null)
  if (split === null || split.length > maxContentSymbols)
    return {
      ...ruled(sketch, bottom),
      contents: elementsIn('gs1-datamatrix', [{ ai: '00', value: facts.ssccNumber }, ...elements]),
    }
  for (const part of split.toReversed()) put(symbolAt(part, height, size) as Barcode, size)
  return ruled(sketch, bottom)
}

function barsOfNumber(sketch: Sketch, number: string, bottom: number, scale: number): Barcode | null {
  const { width, dotsPerMM } = sketch
  const y = bottom - textHeight(4 * scale) - ssccHeight
  return (
    bars(codeOf(number), { x: 0, y, width, height: ssccHeight, ...bounds.number }, dotsPerMM) ??
    squares(
      squaresOf(number),
      { x: margin, y, width: ssccHeight, height: ssccHeight, ...bounds.squares },
      dotsPerMM,
    )
  )
}

/** How far a symbol stands above the bottom of its text. */
const textHeight = (size: number): number => (capHeight + 0.4) * size

/** Draws a symbol with its text below; returns its top. */
function withText(sketch: Sketch, barcode: Barcode, size: number): number {
  sketch.barcode(barcode)
  const x = Math.max(barcode.x, margin)
  const y = barcode.y + barcode.height + 0.4 * size
  sketch.text(barcode.text, { x, y, width: sketch.width - margin - x, size, smallest: size * 0.6 })
  return barcode.y
}

function ruled(sketch: Sketch, y: number): Scanned {
  sketch.rule(margin, y, sketch.width - 2 * margin, 0.4)
  return { top: y }
}

/** From and to, with the consignment below the sender. Returns where the rule below them is. */
function parties(sketch: Sketch, facts: PalletFacts, scale: number): number {
  const inner = sketch.width - 2 * margin
  const left = inner * 0.38
  const bottom = margin + 25 * scale
  const gap = 2 * scale
  const number = facts.consignmentNumber
  const fromBottom = number === null ? bottom : bottom - 6 * scale
  party(sketch, 'FROM', facts.from, { x: margin, width: left - gap, bottom: fromBottom }, 2.7 * scale)
  const right = { x: margin + left + gap, width: inner - left - gap, bottom }
  party(sketch, 'TO', facts.to, right, 3.6 * scale)
  if (number !== null)
    titled(sketch, 'CONSIGNMENT', number, {
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

function party(sketch: Sketch, title: string, of: Party | null, column: Column, size: number): void {
  if (of === null) return
  const { x, width, bottom } = column
  const scale = size / 3
  const stands = sketch.text(title, { x, y: margin, width, size: 1.9 * (sketch.width / 100) })
  let y = stands + 1.5 * scale
  const place = { x, width, size, smallest: size * 0.7 }
  y = sketch.text(of.name, { ...place, y, size: size * 1.1, lines: 2, isBold: true }) + 1.3 * scale
  for (const line of of.lines) {
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

/** A value with its title over it. */
function titled(sketch: Sketch, title: string, value: string, { x, y, width, scale, size }: Cell): void {
  const stands = sketch.text(title, { x, y, width, size: 1.8 * scale })
  sketch.text(value, { x, y: stands + 1.5 * scale, width, size, smallest: size * 0.6, isBold: true })
}

/** A value with its title, over one column of two or both. */
type Field = readonly [title: string, value: string | null, isWide?: 'wide']

interface Room {
  x: number
  y: number
  width: number
  bottom: number
}

const leastRow = 6
const tableRow = 7
const largestRow = 10.5

/** What people read of the unit and its contents. */
function middle(sketch: Sketch, facts: PalletFacts, room: Room, scale: number): void {
  const isOne = facts.contents.length === 1
  const all = inRows(isOne ? fieldsOfOne(facts) : ownFields(facts))
  const height = room.bottom - room.y
  const rows = all.slice(0, Math.max(Math.floor(height / (leastRow * scale)), 1))
  const row = Math.min(isOne ? height / rows.length : tableRow * scale, largestRow * scale)
  const half = room.width / 2
  let { y } = room
  for (const fields of rows) {
    for (const [i, [title, value, isWide]] of fields.entries()) {
      const width = isWide ? room.width : half - 2
      titled(sketch, title, value ?? '', {
        x: room.x + i * half,
        y,
        width,
        scale,
        size: Math.min((row - 4 * scale) / capHeight, 5.6 * scale),
      })
    }
    y += row
  }
  if (facts.contents.length > 1) table(sketch, facts.contents, { ...room, y }, scale)
}

function fieldsOfOne(facts: PalletFacts): Field[] {
  const content = facts.contents[0] as PalletContent
  const { productCode, productName, gtin } = content
  return [
    ['PRODUCT', `${productCode}  ${productName}`, 'wide'],
    ['CONTENT', gtin14(gtin)],
    ['COUNT', quantityOf(content)],
    ['BEST BEFORE', dateOf(content.bestBeforeDate)],
    ['BATCH/LOT', content.batch],
    ['EXPIRY', dateOf(content.expiryDate)],
    ...ownFields(facts),
  ]
}

const ownFields = (facts: PalletFacts): Field[] => [
  ['UNIT', facts.logisticUnitNumber],
  ['REFERENCE', facts.referenceNumber ?? facts.consignmentReference],
  ['CLIENT', facts.clientName, 'wide'],
]

const quantityOf = ({ quantity, unitName }: PalletContent): string =>
  `${figureOf(quantity)}${unitName === null ? '' : ` ${unitName}`}`

/** Fields that say something, one beside the other where they are narrow. */
function inRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = []
  for (const field of fields.filter(([, value]) => value)) {
    const last = rows.at(-1)
    const isBeside = last?.length === 1 && !last[0]?.[2] && !field[2]
    if (isBeside) last?.push(field)
    else rows.push([field])
  }
  return rows
}

/** Several contents, a line each; those that there is no room for are counted. */
function table(sketch: Sketch, contents: readonly PalletContent[], room: Room, scale: number): void {
  const size = 2.7 * scale
  const pitch = 1.4 * size
  const dateTitle = contents.some(({ bestBeforeDate }) => bestBeforeDate !== null) ? 'BEST BEFORE' : 'EXPIRY'
  const titles = ['COUNT', 'PRODUCT', 'BATCH/LOT', dateTitle]
  const shares = [0.19, 0.42, 0.19, 0.2]
  const at = shares.map((_, i) => room.x + room.width * shares.slice(0, i).reduce((sum, x) => sum + x, 0))
  const write = (texts: readonly (string | null)[], y: number, of: number, isBold: boolean): void => {
    for (const [i, text] of texts.entries()) {
      const place = { x: at[i] as number, y, width: room.width * (shares[i] as number) - scale }
      sketch.text(text, { ...place, size: of, smallest: of * (i === 1 ? 1 : 0.7), isBold: isBold && i === 0 })
    }
  }
  write(titles, room.y, 1.8 * scale, false)
  const first = room.y + 2.6 * scale
  const lines = Math.max(Math.floor((room.bottom - first) / pitch), 1)
  const shown = contents.length > lines ? contents.slice(0, lines - 1) : contents
  for (const [i, content] of shown.entries()) {
    const { productCode, productName, batch, bestBeforeDate, expiryDate } = content
    const date = dateOf(bestBeforeDate ?? expiryDate)
    write([quantityOf(content), `${productCode} ${productName}`, batch, date], first + i * pitch, size, true)
  }
  const left = contents.length - shown.length
  if (left > 0)
    sketch.text(`and ${left} more`, { x: room.x, y: first + shown.length * pitch, width: room.width, size })
}
