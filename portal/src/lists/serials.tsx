// The list of items with a serial.

import type { RowOf } from '../api.ts'
import { kindOf } from '../me.ts'
import { Link } from '../router.tsx'
import { stockWords as words } from '../words/stock.ts'
import { usePlaceFilters } from './inventory.tsx'
import type { List } from './list.ts'

type Row = RowOf<'/v1/inventory-items'>

const hrefOf = ({ warehouseProductItemId }: Row) => `/serials/${warehouseProductItemId}`

export const serialList: List<'/v1/inventory-items', Row> = {
  path: '/v1/inventory-items',
  rowsName: 'items',
  heading: words.serialsHeading,
  searchLabel: words.searchSerials,
  searchPlaceholder: words.searchSerialsHint,
  searchName: 'Serials',
  columns: me => [
    {
      id: 'serial',
      head: words.serial,
      width: 180,
      isRowHeader: true,
      isOnPhone: true,
      cell: (row, tabIndex) => (
        <Link to={hrefOf(row)} search={{ Serial: row.serial } as never} tabIndex={tabIndex}>
          {row.serial}
        </Link>
      ),
      text: row => row.serial,
    },
    {
      id: 'product',
      head: words.product,
      cell: row => (
        <>
          <b>{row.partnerProductCode}</b> {row.partnerProductName}
        </>
      ),
      text: row => row.partnerProductCode,
    },
    {
      id: 'place',
      head: words.place,
      width: 130,
      isOnPhone: true,
      cell: row => row.warehouseLocationName ?? words.notInStock,
    },
    { id: 'unit', head: words.unit, width: 120, cell: row => row.logisticUnitNumber ?? words.nothing },
    { id: 'batch', head: words.batch, width: 90, cell: row => row.batch ?? words.nothing },
    {
      id: 'order',
      head: words.order,
      width: 160,
      cell: row => row.dispatchedConsignmentNumber ?? row.allocatedConsignmentNumber ?? words.nothing,
    },
    ...(kindOf(me) === 'staff'
      ? [{ id: 'client', head: words.client, width: 160, cell: (row: Row) => row.partnerName }]
      : []),
  ],
  filters: usePlaceFilters,
  views: [
    { id: 'in-stock', text: words.inStock, query: {} },
    { id: 'all', text: words.alsoDispatched, query: { IncludeDispatched: 'true' } },
  ],
  isPolled: true,
  idOf: ({ warehouseProductItemId }) => warehouseProductItemId,
  nameOf: ({ serial }) => serial,
  hrefOf,
  emptyText: words.noSerialsYet,
}
