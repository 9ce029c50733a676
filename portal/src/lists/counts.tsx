// The list of stock counts.

import { StockCountStatus } from '../../../client/src/waybill.ts'
import { LocalTime } from '../../../ui/LocalTime.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import type { Tone } from '../../../ui/tone.ts'
import type { RowOf } from '../api.ts'
import { countWords as words } from '../words/counts.ts'
import { usePlaceFilters } from './inventory.tsx'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/stock-counts'>

const tones: Readonly<Record<number, Tone>> = {
  [StockCountStatus.Draft]: 'waits',
  [StockCountStatus.InProgress]: 'moving',
  [StockCountStatus.Counted]: 'warehouse',
  [StockCountStatus.Approved]: 'done',
  [StockCountStatus.Cancelled]: 'waits',
}

/** The status of a count. */
export const CountPill = ({ status }: { status: number }) => (
  <Pill text={words.status(status)} tone={tones[status] ?? 'waits'} />
)

const hrefOf = ({ stockCountId }: Row) => `/counts/${stockCountId}`

export const countList: List<'/v1/stock-counts', Row> = {
  path: '/v1/stock-counts',
  rowsName: 'stockCounts',
  heading: words.counts,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns: () => [
    recordColumn('number', words.number, hrefOf, row => row.stockCountNumber, 130),
    {
      id: 'status',
      head: words.headStatus,
      width: 130,
      isOnPhone: true,
      cell: ({ status }) => <CountPill status={status} />,
      text: ({ status }) => words.status(status),
    },
    { id: 'reference', head: words.reference, cell: row => row.reference ?? words.nothing },
    { id: 'warehouse', head: words.warehouse, width: 160, cell: row => row.warehouseName },
    { id: 'client', head: words.client, width: 160, cell: row => row.partnerName ?? words.allClients },
    { id: 'blind', head: words.blind, width: 80, cell: row => (row.isBlind ? words.yes : words.nothing) },
    {
      id: 'lines',
      head: words.lines,
      width: 120,
      isAtEnd: true,
      cell: row => words.countedOf(row.countedLineCount + row.approvedLineCount, row.lineCount),
    },
    {
      id: 'due',
      head: words.due,
      width: 140,
      isAtEnd: true,
      cell: row => <LocalTime value={row.dueDateTime} />,
      text: row => row.dueDateTime ?? '',
    },
  ],
  filters: usePlaceFilters,
  views: [
    { id: 'all', text: words.all, query: {} },
    ...Object.values(StockCountStatus).map(status => ({
      id: words.statusName(status),
      text: words.status(status),
      query: { Status: String(status) },
    })),
  ],
  isPolled: true,
  idOf: ({ stockCountId }) => stockCountId,
  nameOf: ({ stockCountNumber }) => stockCountNumber,
  statusOf: ({ status }) => words.statusName(status),
  hrefOf,
  emptyText: words.none,
}
