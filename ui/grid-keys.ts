// Moves the focus in a grid: arrow keys by cell, Home and End in a row, Ctrl with them to the first and last
// row, Page Up and Page Down by ten rows.

import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'

export interface Cell {
  row: number
  column: number
}

/** What the grid tells of itself. */
export interface GridOptions {
  box: RefObject<HTMLElement | null>
  active: Cell
  setActive: (cell: Cell) => void
  rowCount: number
  /** the number of columns without that of the checkboxes, which is column 0 */
  columnCount: number
  /** 0 with checkboxes, else 1 */
  firstColumn: number
  /** brings a row into the page */
  virtual: { scrollToIndex: (index: number) => void }
}

const pageRows = 10

/** Listens to the keys of a grid. Returns the function that moves the focus to a cell. */
export function useGridKeys(options: GridOptions): (row: number, column: number) => void {
  const latest = useRef(options)
  latest.current = options
  const goal = useRef<Cell>(undefined)
  const move = useCallback((row: number, column: number) => {
    const { rowCount, columnCount, firstColumn, setActive, virtual, box } = latest.current
    if (rowCount === 0) return
    const to = {
      row: Math.min(Math.max(row, 0), rowCount - 1),
      column: Math.min(Math.max(column, firstColumn), columnCount),
    }
    setActive(to)
    goal.current = to
    virtual.scrollToIndex(to.row)
    // The row may come into the page only with the next frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        // A later key leads further.
        if (goal.current !== to) return
        const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${to.row} ${to.column}"]`)
        const link = cell?.querySelector<HTMLElement>('a, button')
        ;(link ?? cell)?.focus()
      }),
    )
  }, [])
  useLayoutEffect(() => {
    const { box } = latest.current
    const grid = box.current
    // However the focus came there: keys go on from it.
    const onFocusIn = ({ target }: FocusEvent) => {
      const cell = cellOf(target)
      const { active, setActive } = latest.current
      if (cell !== undefined && (cell.row !== active.row || cell.column !== active.column)) setActive(cell)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const cell = cellOf(event.target)
      const to = cell && target(event, cell, latest.current)
      if (to === undefined) return
      event.preventDefault()
      move(to.row, to.column)
    }
    grid?.addEventListener('focusin', onFocusIn)
    grid?.addEventListener('keydown', onKeyDown)
    return () => {
      grid?.removeEventListener('focusin', onFocusIn)
      grid?.removeEventListener('keydown', onKeyDown)
    }
  }, [move])
  return move
}

/** The cell that a part of the page belongs to. */
function cellOf(part: EventTarget | null): Cell | undefined {
  const place = (part as Element).closest('[data-cell]')?.getAttribute('data-cell')
  const [row, column] = place?.split(' ').map(Number) ?? []
  return row === undefined || column === undefined ? undefined : { row, column }
}

/** Where a key leads from a cell; undefined if it is not one of the grid's keys. */
function target(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: Cell,
  { rowCount, columnCount, firstColumn }: GridOptions,
): Cell | undefined {
  const far = ctrlKey || metaKey
  switch (key) {
    case 'ArrowDown':
      return { row: row + 1, column }
    case 'ArrowUp':
      return { row: row - 1, column }
    case 'ArrowRight':
      return { row, column: column + 1 }
    case 'ArrowLeft':
      return { row, column: column - 1 }
    case 'PageDown':
      return { row: row + pageRows, column }
    case 'PageUp':
      return { row: row - pageRows, column }
    case 'Home':
      return { row: far ? 0 : row, column: firstColumn }
    case 'End':
      return { row: far ? rowCount - 1 : row, column: columnCount }
    default:
      return undefined
  }
}
