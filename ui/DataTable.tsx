// A list as a grid: a real table, of which only the rows in sight are in the page. One cell has the focus and
// arrow keys move it; rows have native checkboxes. What is shown, in which order, and what is selected
// belongs to the screen.
//
// A list gives it `columns` as data (portal/src/lists/), and Listing (portal/src/frame/) gives it everything
// else.

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  memo,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import styles from './data-table.module.css'
import { tabStop, useFocusedCell } from './focused-cell.ts'
import { words } from './words.ts'

/** A column. */
export interface Column<Row> {
  id: string
  /** its head, capitalised */
  head: string
  /** what a cell shows: text, or an element that is no more than text. A link in it gets the tab index. */
  cell: (row: Row, tabIndex: 0 | -1) => ReactNode
  /** the cell in an exported file; by default what it shows, if that is text */
  text?: (row: Row) => string
  /** in pixels; a column without one takes what is left */
  width?: number
  /** numbers and times stand at the end */
  isAtEnd?: boolean
  /** the column names the row, and its cell is a link to it */
  isRowHeader?: boolean
  /** the name of the API's sort by this column */
  sort?: string
  /** shown on a phone */
  isOnPhone?: boolean
  /** given up where the grid has little room, so that the last columns stay in sight */
  isOnWide?: boolean
  /** hidden until the reader adds it */
  isHidden?: boolean
}

export interface DataTableProps<Row> {
  /** the accessible name, which is the heading of the list */
  label: string
  /** those that are shown, in their order */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** what a row is called: its checkbox is `Select <name>` */
  nameOf: (row: Row) => string
  statusOf?: (row: Row) => string
  state: 'loading' | 'ready' | 'empty' | 'error'
  /** the ids of the selected rows; without it rows cannot be selected */
  selection?: ReadonlySet<string>
  onSelect?: (selection: ReadonlySet<string>) => void
  onOpen?: (row: Row) => void
  /** the present sort, such as `due` or `-due` */
  sort?: string | undefined
  onSort?: (sort: string) => void
  /** what a row that is dragged carries, as text; without it rows cannot be dragged */
  dragOf?: (row: Row) => string
  /** called when the end of the loaded rows comes into sight */
  onNearEnd?: () => void
  /** below the rows, by column, such as sums */
  foot?: ReadonlyMap<string, ReactNode>
}

const rowHeights = { dense: 30, roomy: 44 } as const

/** The height of a row: that of the reader's density, as tokens.css has it. */
const rowHeight = () => {
  const { classList } = document.documentElement
  return classList.contains('dense') ? rowHeights.dense : classList.contains('roomy') ? rowHeights.roomy : 36
}

/** A column that takes what is left keeps this much; where that is not there, the grid scrolls sideways. */
const leastOfColumn = 100

/** The classes of the cells of a column: at its end, and where they are not shown. */
const classOf = ({ isAtEnd, isOnPhone, isOnWide }: Shown): string =>
  [isAtEnd && styles.atEnd, !isOnPhone && styles.notOnPhone, isOnWide && styles.onWide]
    .filter(Boolean)
    .join(' ')
type Shown = Pick<Column<never>, 'isAtEnd' | 'isOnPhone' | 'isOnWide'>

const leastWidth = (columns: readonly { width?: number }[]) =>
  columns.reduce((sum, { width = leastOfColumn }) => sum + width, 0)

/** A text that its cell cuts is told whole where the pointer rests on it. */
function tellWhole({ target }: PointerEvent): void {
  const cell = (target as Element).closest('td, th')
  if (!(cell instanceof HTMLElement) || cell.title !== '' || cell.querySelector('[title]') !== null) return
  const isCut = [cell, ...cell.querySelectorAll('*')].some(
    ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
  )
  if (isCut) cell.title = cell.textContent
}

/** The grid. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, idOf, state, selection, onSelect, onNearEnd } = props
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: rowHeight,
    overscan: 12,
    getItemKey: index => idOf(rows[index] as Row),
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - 40 && rows.length > 0) onNearEnd?.()
  }, [last, rows.length, onNearEnd])
  const toggle = useToggle(selection, onSelect)
  const active = useFocusedCell(props, box, virtual, toggle)
  const stop = tabStop(active, items, virtual.range?.startIndex)
  const before = items[0]?.start ?? 0
  const least = useMemo(() => leastWidth(props.columns), [props.columns])
  const givesUp = props.columns.some(({ isOnWide }) => isOnWide)
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div ref={box} className={`${styles.box} ${givesUp ? styles.givesUp : ''}`}>
      <table
        role="grid"
        className={styles.table}
        style={{ '--least': `${least}px` } as CSSProperties}
        onPointerOver={tellWhole}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-multiselectable={selection !== undefined}
        aria-busy={state === 'loading'}
        data-state={state}
      >
        <Head {...props} />
        <tbody>
          {before > 0 && <Space height={before} />}
          {items.map(({ index }) => (
            <BodyRow
              key={idOf(rows[index] as Row)}
              row={rows[index] as Row}
              index={index}
              table={props}
              isSelected={selection?.has(idOf(rows[index] as Row))}
              activeColumn={stop.row === index ? stop.column : -1}
              onToggle={toggle}
            />
          ))}
          {after > 0 && <Space height={after} />}
        </tbody>
        {props.foot !== undefined && <Foot columns={props.columns} foot={props.foot} />}
      </table>
    </div>
  )
}

/** Switches rows of the selection. The function stays the same, so that other rows are not drawn again. */
function useToggle(
  selection: ReadonlySet<string> | undefined,
  onSelect: ((selection: ReadonlySet<string>) => void) | undefined,
): (id: string) => void {
  const latest = useRef({ selection, onSelect })
  latest.current = { selection, onSelect }
  return useCallback(id => {
    const next = new Set(latest.current.selection)
    if (!next.delete(id)) next.add(id)
    latest.current.onSelect?.(next)
  }, [])
}

/** Keeps the place of rows that are not in the page. */
const Space = ({ height }: { height: number }) => (
  <tr aria-hidden className={styles.space} style={{ blockSize: height }}>
    <td />
  </tr>
)

const Foot = <Row,>({
  columns,
  foot,
}: Pick<DataTableProps<Row>, 'columns'> & Pick<Required<DataTableProps<Row>>, 'foot'>) => (
  <tfoot className={styles.foot}>
    <tr>
      {columns.map(column => (
        <td key={column.id} className={classOf(column)}>
          {foot.get(column.id)}
        </td>
      ))}
    </tr>
  </tfoot>
)

function Head<Row>({ columns, rows, idOf, selection, onSelect, sort, onSort }: DataTableProps<Row>) {
  const isAll = selection !== undefined && rows.length > 0 && rows.every(row => selection.has(idOf(row)))
  return (
    <thead>
      <tr>
        {selection !== undefined && (
          <th scope="col" className={styles.check}>
            <input
              type="checkbox"
              aria-label={words.selectAll}
              checked={isAll}
              ref={input => {
                if (input !== null) input.indeterminate = selection.size > 0 && !isAll
              }}
              onChange={() => onSelect?.(new Set(isAll ? [] : rows.map(idOf)))}
            />
          </th>
        )}
        {columns.map(column => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
}) {
  const { head, width, sort: by } = column
  const isSorted = by !== undefined && (sort === by || sort === `-${by}`)
  const direction = sort === by ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      className={classOf(column)}
      style={width === undefined ? {} : { inlineSize: width }}
      {...(isSorted ? { 'aria-sort': direction } : {})}
    >
      {by === undefined || onSort === undefined ? (
        head
      ) : (
        <button
          type="button"
          className={styles.sort}
          title={words.sortedBy(head)}
          onClick={() => onSort(sort === by ? `-${by}` : by)}
        >
          {head}
          {isSorted && <span aria-hidden>{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
        </button>
      )}
    </th>
  )
}

interface BodyRowProps<Row> {
  row: Row
  index: number
  table: DataTableProps<Row>
  isSelected: boolean | undefined
  activeColumn: number
  onToggle: (id: string) => void
}

function PlainRow<Row>({ row, index, table, isSelected, activeColumn, onToggle }: BodyRowProps<Row>) {
  const { columns, idOf, nameOf, statusOf, selection, dragOf } = table
  const id = idOf(row)
  return (
    <tr
      aria-rowindex={index + 2}
      data-id={id}
      data-status={statusOf?.(row)}
      className={styles.row}
      {...(dragOf === undefined
        ? {}
        : { draggable: true, onDragStart: event => event.dataTransfer.setData('text/plain', dragOf(row)) })}
      {...(isSelected === undefined ? {} : { 'aria-selected': isSelected })}
    >
      {selection !== undefined && (
        <td className={styles.check}>
          <input
            type="checkbox"
            aria-label={words.selectRow(nameOf(row))}
            checked={isSelected ?? false}
            tabIndex={activeColumn === 0 ? 0 : -1}
            data-cell={`${index} 0`}
            onChange={() => onToggle(id)}
          />
        </td>
      )}
      {columns.map((column, i) => {
        const CellTag = column.isRowHeader ? 'th' : 'td'
        const tabIndex = activeColumn === i + 1 ? 0 : -1
        const content = column.cell(row, tabIndex)
        // Else the link in it takes the focus.
        const takesFocus = !column.isRowHeader || typeof content === 'string'
        return (
          <CellTag
            key={column.id}
            {...(column.isRowHeader ? { scope: 'row' as const } : {})}
            className={classOf(column)}
            {...(takesFocus ? { tabIndex } : {})}
            data-cell={`${index} ${i + 1}`}
          >
            {content}
          </CellTag>
        )
      })}
    </tr>
  )
}

/** Draws a row again only if it, its columns, its selection or the focus in it has changed. */
const BodyRow = memo(
  PlainRow,
  (before, now) =>
    before.row === now.row &&
    before.index === now.index &&
    before.isSelected === now.isSelected &&
    before.activeColumn === now.activeColumn &&
    before.table.columns === now.table.columns,
) as typeof PlainRow
