// The list of lines that lack stock, the most urgent first.

import { LocalTime } from '../../../ui/LocalTime.tsx'
import { quantity } from '../../../ui/numbers.ts'
import type { RowOf } from '../api.ts'
import { kindOf } from '../me.ts'
import { consignmentWords } from '../words/consignments.ts'
import { stockWords as words } from '../words/stock.ts'
import { usePlaceFilters } from './inventory.tsx'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

/** A line that lacks stock. */
export type Shortage = RowOf<'/v1/inventory/shortages'>

const hrefOf = ({ consignmentId }: Shortage) => `/consignments/${consignmentId}`

const figure = (id: string, head: string, figureOf: (row: Shortage) => number, isOnPhone = false) => ({
  ...{ id, head, isOnPhone, width: 76, isAtEnd: true },
  cell: (row: Shortage) => quantity(figureOf(row)),
  text: (row: Shortage) => String(figureOf(row)),
})

export const shortageList: List<'/v1/inventory/shortages', Shortage> = {
  path: '/v1/inventory/shortages',
  rowsName: 'shortages',
  heading: words.shortages,
  columns: me => [
    recordColumn('order', words.order, hrefOf, row => row.consignmentNumber, 142),
    {
      id: 'product',
      head: words.product,
      isOnPhone: true,
      cell: row => (
        <>
          <b>{row.partnerProductCode}</b> {row.partnerProductName}
        </>
      ),
      text: row => row.partnerProductCode,
    },
    { id: 'batch', head: words.batch, width: 70, cell: row => row.batch ?? words.nothing },
    { id: 'priority', head: words.priority, width: 72, cell: row => consignmentWords.priority(row.priority) },
    {
      id: 'due',
      head: words.due,
      width: 110,
      cell: row => <LocalTime value={row.expectedDispatchDateTime} />,
      text: row => row.expectedDispatchDateTime ?? '',
    },
    ...(kindOf(me) === 'staff'
      ? [{ id: 'client', head: words.client, width: 140, cell: (row: Shortage) => row.partnerName }]
      : []),
    figure('expected', words.expected, row => row.expectedQuantity),
    figure('allocated', words.allocated, row => row.allocatedQuantity),
    figure('short', words.short, row => row.shortQuantity, true),
    { ...figure('available', words.availableNow, row => row.availableQuantity), width: 110 },
  ],
  filters: usePlaceFilters,
  views: [],
  isPolled: true,
  idOf: ({ consignmentProductId }) => consignmentProductId,
  nameOf: row => words.lineOf(row.partnerProductCode, row.consignmentNumber),
  hrefOf,
  emptyText: words.noShortages,
}
