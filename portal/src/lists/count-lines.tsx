// The columns of the lines of a stock count, with its rounds side by side.

import type { Column } from '../../../ui/DataTable.tsx'
import { quantity } from '../../../ui/numbers.ts'
import type { RowOf } from '../api.ts'
import styles from '../screens/inventory/stock.module.css'
import { countWords as words } from '../words/counts.ts'
import { StockLink } from './inventory.tsx'

export type CountLine = RowOf<'/v1/stock-counts/{stockCountId}/lines'>

/** The columns of lines that were counted in so many rounds. */
export const countLineColumns = (rounds: number): readonly Column<CountLine>[] => [
  {
    id: 'product',
    head: words.product,
    isRowHeader: true,
    isOnPhone: true,
    cell: (line, tabIndex) => <StockLink row={line} tabIndex={tabIndex} />,
  },
  { id: 'place', head: words.place, width: 104, isOnPhone: true, cell: line => line.warehouseLocationName },
  { id: 'unit', head: words.unit, width: 110, cell: line => line.logisticUnitNumber ?? words.nothing },
  { id: 'batch', head: words.batch, width: 76, cell: line => line.batch ?? words.nothing },
  { id: 'status', head: words.headStatus, width: 110, cell: line => words.lineStatus(line.status) },
  figure('book', words.book, line => line.bookQuantity),
  ...Array.from({ length: rounds }, (_, i) =>
    figure(
      `round ${i + 1}`,
      words.round(i + 1),
      ({ entries }) => entries.find(one => one.round === i + 1)?.countedQuantity,
    ),
  ),
  {
    ...figure('difference', words.difference, line => line.varianceQuantity),
    isOnPhone: true,
    cell: ({ varianceQuantity: difference }) =>
      difference == null || difference === 0 ? (
        <span>{difference === 0 ? quantity(0) : words.nothing}</span>
      ) : (
        <b className={styles.minus}>{difference > 0 ? `+${quantity(difference)}` : quantity(difference)}</b>
      ),
  },
  { id: 'by', head: words.countedBy, width: 120, cell: line => line.countedByName ?? words.nothing },
]

function figure(id: string, head: string, figureOf: (line: CountLine) => number | null | undefined) {
  const cell = (line: CountLine) => {
    const value = figureOf(line)
    return value == null ? words.nothing : quantity(value)
  }
  return { id, head, width: 96, isAtEnd: true, cell }
}
