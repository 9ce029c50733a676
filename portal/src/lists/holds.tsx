// The list of holds.

import { UtcTime } from '../../../ui/LocalTime.tsx'
import { quantity } from '../../../ui/numbers.ts'
import type { RowOf } from '../api.ts'
import { stockWords as words } from '../words/stock.ts'
import { holdKindOptions, usePlaceFilters } from './inventory.tsx'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/inventory/holds'>

const hrefOf = ({ id }: Row) => `/holds/${id}`

export const holdList: List<'/v1/inventory/holds', Row> = {
  path: '/v1/inventory/holds',
  rowsName: 'holds',
  heading: words.holds,
  columns: () => [
    recordColumn('reason', words.reason, hrefOf, row => row.reason),
    { id: 'kind', head: words.holdKind, width: 120, cell: row => words.holdKindOf(row.kind) },
    { id: 'reference', head: words.reference, width: 160, cell: row => row.reference ?? words.nothing },
    {
      id: 'held',
      head: words.held,
      width: 90,
      isAtEnd: true,
      isOnPhone: true,
      cell: row => quantity(row.heldQuantity),
    },
    { id: 'by', head: words.by, width: 160, cell: row => row.createdByName ?? words.nothing },
    {
      id: 'since',
      head: words.heldSince,
      width: 140,
      isAtEnd: true,
      cell: row => <UtcTime value={row.createdUtc} />,
      text: row => row.createdUtc,
    },
    {
      id: 'released',
      head: words.released,
      width: 140,
      isAtEnd: true,
      isHidden: true,
      cell: row => <UtcTime value={row.releasedUtc} />,
      text: row => row.releasedUtc ?? '',
    },
  ],
  filters: useFilters,
  views: [
    { id: 'open', text: words.open, query: { IsOpen: 'true' }, emptyText: words.noHolds },
    { id: 'released', text: words.released, query: { IsOpen: 'false' } },
    { id: 'all', text: words.all, query: {} },
  ],
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf: ({ reason }) => reason,
  hrefOf,
  emptyText: words.noHolds,
}

function useFilters(...[me]: Parameters<typeof usePlaceFilters>) {
  return [
    ...usePlaceFilters(me),
    { name: 'Kind', label: words.holdKind, kind: 'choice' as const, options: holdKindOptions },
  ]
}
