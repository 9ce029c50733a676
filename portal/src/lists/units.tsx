// The list of logistic units.

import { LocalDay } from '../../../ui/LocalTime.tsx'
import type { RowOf } from '../api.ts'
import { kindOf } from '../me.ts'
import { stockWords as words } from '../words/stock.ts'
import { usePlaceFilters } from './inventory.tsx'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/logistic-units'>

const hrefOf = ({ id }: Row) => `/units/${id}`

export const unitList: List<'/v1/logistic-units', Row> = {
  path: '/v1/logistic-units',
  rowsName: 'logisticUnits',
  heading: words.units,
  searchLabel: words.searchUnits,
  searchPlaceholder: words.searchUnitsHint,
  columns: me => [
    recordColumn('number', words.number, hrefOf, row => row.logisticUnitNumber, 140),
    { id: 'place', head: words.place, width: 130, isOnPhone: true, cell: row => row.warehouseLocationName },
    { id: 'warehouse', head: words.warehouse, cell: row => row.warehouseName },
    { id: 'sscc', head: words.sscc, width: 190, cell: row => row.ssccNumber ?? words.nothing },
    { id: 'reference', head: words.reference, cell: row => row.referenceNumber ?? words.nothing },
    ...(kindOf(me) === 'staff'
      ? [{ id: 'client', head: words.client, cell: (row: Row) => row.partnerName ?? words.nothing }]
      : []),
    {
      id: 'made',
      head: words.made,
      width: 110,
      isAtEnd: true,
      cell: row => <LocalDay value={row.createdUtc} />,
      text: row => row.createdUtc,
    },
  ],
  filters: usePlaceFilters,
  views: [
    { id: 'with-stock', text: words.withStock, query: { IsEmpty: 'false' } },
    { id: 'empty', text: words.empty, query: { IsEmpty: 'true' } },
    { id: 'all', text: words.all, query: {} },
  ],
  isPolled: true,
  idOf: ({ id }) => id,
  nameOf: ({ logisticUnitNumber }) => logisticUnitNumber,
  hrefOf,
  emptyText: words.noUnits,
}
