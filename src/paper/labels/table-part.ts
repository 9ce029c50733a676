// A table as a part of a column on a label. A cell that is too wide takes several lines. Pure.

import type { LayoutPart, PartLayout } from './column.ts'
import { type FittedText, fitText, toPrintable } from './text-fit.ts'
import { minLegibleSize } from './text-height.ts'
import { estimateWidth } from './text-width.ts'

export interface TableColumn<Row> {
  title: string
  textOf(row: Row): string | null
  isBold?: boolean
  /** it gets the width that the others leave; otherwise a column is as wide as its longest text */
  isWide?: boolean
}

const maxLines = 40
/** The largest part of the table for a column that is not wide. */
const maxTableShare = 0.24

/** A table with titles. Columns that are empty in every row are left out. */
export function table<Row>(
  name: string,
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  type: { size: number; titleSize: number },
): LayoutPart {
  const texts = columns.map(({ textOf }) => rows.map(row => toPrintable(textOf(row) ?? '')))
  const shownColumns = columns.flatMap((column, i) =>
    (texts[i] as string[]).some(text => text !== '') ? [{ ...column, texts: texts[i] as string[] }] : [],
  )
  const smallest = Math.min(
    type.size,
    Math.max(...shownColumns.flatMap(column => column.texts.map(minLegibleSize))),
  )
  return {
    names: [name],
    gap: 0,
    layOut(width, share) {
      const size = smallest + (type.size - smallest) * share
      const titleSize = Math.min(type.titleSize, size * 0.75)
      return layOutTable(shownColumns, { width, size, titleSize, space: 0.6 * size })
    },
  }
}

interface Measures {
  width: number
  size: number
  titleSize: number
  /** between columns */
  space: number
}

type ShownColumn = { title: string; texts: readonly string[]; isBold?: boolean; isWide?: boolean }

function layOutTable(
  columns: readonly ShownColumn[],
  { width, size, titleSize, space }: Measures,
): PartLayout {
  const natural = ({ title, texts, isBold }: ShownColumn) =>
    Math.max(estimateWidth(title, titleSize), ...texts.map(text => estimateWidth(text, size, isBold))) * 1.001
  const narrow = columns.map(column => (column.isWide ? 0 : Math.min(natural(column), width * maxTableShare)))
  const rest = width - space * (columns.length - 1) - narrow.reduce((sum, each) => sum + each, 0)
  let x = 0
  const placed = columns.map((column, i) => {
    const columnWidth = column.isWide ? rest : (narrow[i] as number)
    const at = x
    x += columnWidth + space
    return { column, x: at, width: columnWidth }
  })
  const lines: { cells: { fitted: FittedText; x: number; width: number; isBold: boolean }[]; y: number }[] =
    []
  let height = 0
  const addLine = (textOf: (column: ShownColumn) => string, textSize: number, isTitle: boolean): void => {
    const cells = placed.map(({ column, x, width: cellWidth }) => {
      const isBold = !isTitle && column.isBold === true
      const place = { width: cellWidth, size: textSize, lines: maxLines, isBold }
      return { fitted: fitText(textOf(column), place), x, width: cellWidth, isBold }
    })
    const y = lines.length === 0 ? 0 : height + 0.22 * size
    lines.push({ cells, y })
    height = y + Math.max(...cells.map(({ fitted }) => fitted.height))
  }
  addLine(({ title }) => title, titleSize, true)
  const count = columns[0]?.texts.length ?? 0
  for (let i = 0; i < count; i++) addLine(({ texts }) => texts[i] as string, size, false)
  return {
    height,
    isLong: true,
    draw(builder, left, top) {
      for (const { cells, y } of lines)
        for (const { fitted, x, width: cellWidth, isBold } of cells)
          builder.lines(fitted, { x: left + x, y: top + y, width: cellWidth, isBold })
    },
  }
}
