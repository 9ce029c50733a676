// The cell of a grid that has the focus, or gets it by Tab.

import { type RefObject, useState } from 'react'
import { type Cell, useGridKeys } from './grid-keys.ts'
import { useKeys } from './keys.ts'

interface Grid<Row> {
  columns: readonly { isRowHeader?: boolean }[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  selection?: ReadonlySet<string>
  onOpen?: (row: Row) => void
}

/** The cell with the focus, which arrow keys and `j` and `k` move; `x` selects its row and Enter opens it. */
export function useFocusedCell<Row>(
  { columns, rows, idOf, selection, onOpen }: Grid<Row>,
  box: RefObject<HTMLElement | null>,
  virtual: { scrollToIndex: (index: number) => void },
  toggle: (id: string) => void,
): Cell {
  const firstColumn = selection === undefined ? 1 : 0
  const nameColumn = columns.findIndex(({ isRowHeader }) => isRowHeader) + 1
  const [moved, setActive] = useState<Cell>()
  // Rows and columns may have gone, and checkboxes come, since the focus was there.
  const active = {
    row: Math.max(Math.min(moved?.row ?? 0, rows.length - 1), 0),
    column: Math.max(Math.min(moved?.column ?? (firstColumn && nameColumn), columns.length), firstColumn),
  }
  const sizes = { rowCount: rows.length, columnCount: columns.length, firstColumn }
  const move = useGridKeys({ box, active, setActive, virtual, ...sizes })
  const row = rows[active.row]
  const open = () => row !== undefined && onOpen?.(row)
  // The first key leads to the first row.
  const step = (by: number) => move(moved === undefined ? 0 : active.row + by, active.column)
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    ...(moved === undefined ? {} : { Enter: open }),
    x: () => row !== undefined && selection !== undefined && toggle(idOf(row)),
  }
  useKeys(keys, box)
  return active
}

/** The cell that Tab leads to: the one that had the focus last, or one in sight if it is not in the page. */
export const tabStop = (active: Cell, items: readonly { index: number }[], firstInSight = 0): Cell =>
  items.some(({ index }) => index === active.row) ? active : { ...active, row: firstInSight }
