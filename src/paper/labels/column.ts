// A column of content on a label: paragraphs, titled values, rows and tables below each other. A column is
// laid out in full size if it fits, otherwise smaller, all of it by the same share, down to the least legible
// size. Nothing is left out or cut; what is too much for the least size is named. Pure.

import type { LabelBuilder } from './label-builder.ts'
import { type FittedText, fitText, toPrintable } from './text-fit.ts'
import { minLegibleSize } from './text-height.ts'
import { estimateWidth } from './text-width.ts'

/** A piece of content. It can be laid out at a share of its size: 1 for full size, 0 for the least. */
export interface LayoutPart {
  /** what a refusal calls it */
  readonly names: readonly string[]
  /** the space above it, unless it is the first in its column */
  readonly gap: number
  layOut(width: number, share: number): PartLayout
}

/** A piece of content in its lines and sizes. */
export interface PartLayout {
  /** from its top to its lowest point */
  readonly height: number
  /** it needs more lines than it should have */
  readonly isLong: boolean
  draw(builder: LabelBuilder, x: number, y: number): void
}

/** The type of a paragraph. Lengths in millimetres. */
export interface TextStyle {
  readonly size: number
  /** the least size; default the least legible one for its script */
  readonly smallest?: number
  /** the lines that it has if possible; default 1 */
  readonly lines?: number
  /** the share to which it is shrunk before it gets further lines; default 0.7 */
  readonly shrink?: number
  readonly isBold?: boolean
  readonly gap?: number
}

const maxLines = 40

/** Fits a text into a width at a share of its size, with more lines than it should have if need be. */
function layOutText(text: string, width: number, share: number, type: TextStyle): FittedText {
  const { isBold = false, lines = 1, shrink = 0.7 } = type
  const smallest = Math.min(type.smallest ?? minLegibleSize(text), type.size)
  const size = smallest + (type.size - smallest) * share
  const least = Math.max(smallest, size * shrink)
  for (let most = lines; ; most++) {
    const fitted = fitText(text, { width, size, smallest: least, lines: most, isBold })
    if (fitted.fits || most >= maxLines) return fitted
  }
}

/** A text. An empty one has no part. */
export function paragraph(name: string, text: string | null, type: TextStyle): LayoutPart[] {
  const whole = toPrintable(text ?? '')
  if (whole === '') return []
  const { lines = 1, isBold = false, gap = 0 } = type
  return [
    {
      names: [name],
      gap,
      layOut(width, share) {
        const fitted = layOutText(whole, width, share, type)
        return {
          height: fitted.height,
          isLong: fitted.lines.length > lines,
          draw: (builder, x, y) => builder.lines(fitted, { x, y, width, isBold }),
        }
      },
    },
  ]
}

/** A value with the title before it. */
export type TitledValue = readonly [title: string, value: string]

/** Values with their titles, as many on a line as fit; a longer one takes several lines. */
export function titledValues(values: readonly TitledValue[], type: TextStyle): LayoutPart[] {
  if (values.length === 0) return []
  return [
    {
      names: values.map(([title]) => title.toLowerCase()),
      gap: type.gap ?? 0,
      layOut: (width, share) => layOutValues(values, width, share, type),
    },
  ]
}

interface PlacedValue {
  title: string
  value: FittedText
  x: number
  y: number
  /** the width of the title and the space after it */
  titleWidth: number
}

function layOutValues(
  values: readonly TitledValue[],
  width: number,
  share: number,
  type: TextStyle,
): PartLayout {
  const smallest = Math.max(...values.map(([, value]) => minLegibleSize(value)))
  const size = Math.min(smallest, type.size) + Math.max(type.size - smallest, 0) * share
  const placed: PlacedValue[] = []
  let [x, y, height, isLong] = [0, 0, 0, false]
  for (const [title, value] of values) {
    const titleWidth = estimateWidth(title, size) + 0.4 * size
    const fitted = fitText(value, { width: width - titleWidth, size, lines: maxLines, isBold: true })
    const taken = titleWidth + Math.max(0, ...fitted.lines.map(line => estimateWidth(line, size, true)))
    if (x > 0 && x + taken > width) [x, y] = [0, height + 0.25 * size]
    placed.push({ title, value: fitted, x, y, titleWidth })
    height = Math.max(height, y + fitted.height)
    isLong ||= fitted.lines.length > 1
    x += taken + size
  }
  return {
    height,
    isLong,
    draw(builder, left, top) {
      for (const { title, value, x, y, titleWidth } of placed) {
        // The title stands on the baseline of the first line, whatever the script of the value.
        const baseline = top + y + (value.baselines[0] ?? 0)
        builder.line({ x: left + x, baseline, size, width: titleWidth, text: title })
        const place = { x: left + x + titleWidth, y: top + y, width: width - x - titleWidth }
        builder.lines(value, { ...place, isBold: true })
      }
    },
  }
}

/** A value with its title above it. */
export function titledParagraph(
  title: string,
  value: string | null,
  type: TextStyle & { titleSize: number },
): LayoutPart[] {
  const name = title.toLowerCase()
  return paragraph(name, value, { ...type, gap: 0, isBold: true }).map(part =>
    stack([...paragraph(name, title, { size: type.titleSize, smallest: 1.2 }), withGap(part, 0.45)], {
      gap: type.gap ?? 0,
    }),
  )
}

const withGap = (part: LayoutPart, gap: number): LayoutPart => ({ ...part, gap })

// Gaps shrink less than texts, so that a label stays legible.
const gapAt = (gap: number, share: number) => gap * (0.45 + 0.55 * share)

/** Sets parts below each other. */
function layOutStack(parts: readonly LayoutPart[], width: number, share: number): PartLayout {
  let height = 0
  const placed = parts.map((part, i) => {
    const layout = part.layOut(width, share)
    const y = i === 0 ? 0 : height + gapAt(part.gap, share)
    height = y + layout.height
    return { layout, y }
  })
  return {
    height,
    isLong: placed.some(({ layout }) => layout.isLong),
    draw(builder, x, top) {
      for (const { layout, y } of placed) layout.draw(builder, x, top + y)
    },
  }
}

/** Parts below each other, as one part. */
export const stack = (parts: readonly LayoutPart[], { gap = 0 } = {}): LayoutPart => ({
  names: parts.flatMap(({ names }) => names),
  gap,
  layOut: (width, share) => layOutStack(parts, width, share),
})

/** Parts side by side, as one part. Each has a share of the width; `between` is the space between them. */
export const row = (
  cells: readonly { part: LayoutPart; share: number }[],
  { gap = 0, between = 2, hasRule = false } = {},
): LayoutPart => ({
  names: cells.flatMap(({ part }) => part.names),
  gap,
  layOut(width, share) {
    const available = width - between * (cells.length - 1)
    let x = 0
    const placed = cells.map(cell => {
      const layout = cell.part.layOut(available * cell.share, share)
      const at = x
      x += available * cell.share + between
      return { layout, x: at }
    })
    const height = Math.max(0, ...placed.map(({ layout }) => layout.height))
    return {
      height,
      isLong: placed.some(({ layout }) => layout.isLong),
      draw(builder, left, y) {
        for (const { layout, x } of placed) layout.draw(builder, left + x, y)
        if (hasRule) for (const { x } of placed.slice(1)) builder.rule(left + x - between / 2, y, 0.3, height)
      },
    }
  },
})

/** A part of a fixed size. */
export const fixedPart = ({ height }: { height: number }, draw: PartLayout['draw']): LayoutPart => ({
  names: [],
  gap: 0,
  layOut: () => ({ height, isLong: false, draw }),
})

/** A rule across the column. */
export const rule = (gap: number): LayoutPart => ({
  names: [],
  gap,
  layOut: width => ({ height: 0.4, isLong: false, draw: (builder, x, y) => builder.rule(x, y, width, 0.4) }),
})

/** The shares at which a column is tried, from full size to the least. */
export const shares = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0] as const

/** A column with the area that it has. */
export interface Column {
  readonly parts: readonly LayoutPart[]
  readonly width: number
  readonly height: number
}

/** Sets a column at a share of its size; null if it is too high. */
export function layOutColumn({ parts, width, height }: Column, share: number): PartLayout | null {
  if (parts.length === 0) return { height: 0, isLong: false, draw: () => {} }
  if (width <= 0 || height <= 0) return null
  const layout = layOutStack(parts, width, share)
  return layout.height <= height ? layout : null
}

/** Names what is too much for a column: its parts with long texts, or all of them. */
export function overflowingNames(columns: readonly Column[]): string[] {
  const parts = columns.flatMap(({ parts, width }) =>
    parts.map(part => ({ part, layout: part.layOut(width, 0) })),
  )
  const long = parts.filter(({ layout }) => layout.isLong)
  return [...new Set((long.length > 0 ? long : parts).flatMap(({ part }) => part.names))]
}
