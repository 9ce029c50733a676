// The list of stock. An entry of the API is a unit with its products, or loose stock; a row here is one
// product of an entry, because acts and records are of those.

import { HoldKind } from '../../../client/src/waybill.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import type { Filter } from '../../../ui/FilterBar.tsx'
import { LocalDay } from '../../../ui/LocalTime.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { dayFromToday } from '../../../ui/time.ts'
import type { RowOf } from '../api.ts'
import { kindOf, type Me } from '../me.ts'
import { Link } from '../router.tsx'
import { useClientOptions, warehouseOptions } from '../suggestions.ts'
import { stockWords as words } from '../words/stock.ts'
import type { List } from './list.ts'

type Entry = RowOf<'/v1/inventory'>

/** A row of stock. */
export type StockRow = Entry['products'][number] & { unit: Entry['logisticUnit'] }

const hrefOf = ({ warehouseProductId }: StockRow) => `/inventory/${warehouseProductId}`

/** What a row is called: the product and its place. */
export const stockNameOf = (row: Pick<StockRow, 'partnerProductCode' | 'warehouseLocationName'>) =>
  words.nameOf(row.partnerProductCode, row.warehouseLocationName)

/** The link to a row of stock: the code is seen, and screen readers say the place with it. */
export const StockLink = ({
  row,
  tabIndex,
}: {
  row: Pick<
    StockRow,
    'warehouseProductId' | 'partnerProductCode' | 'partnerProductName' | 'warehouseLocationName'
  >
  tabIndex: 0 | -1
}) => (
  <>
    <Link to={`/inventory/${row.warehouseProductId}`} tabIndex={tabIndex}>
      <b>{row.partnerProductCode}</b>
      <span className="hidden-text">{words.inPlace(row.warehouseLocationName)}</span>
    </Link>{' '}
    {row.partnerProductName}
  </>
)

/** What keeps stock from being used: a hold, or a place of quarantine. */
export const heldInWords = ({ holdKind, isQuarantined }: Pick<StockRow, 'holdKind' | 'isQuarantined'>) =>
  holdKind !== null ? words.holdKindOf(holdKind) : isQuarantined ? words.quarantine : undefined

const figure = (id: string, head: string, figureOf: (row: StockRow) => number, isOnPhone = false) => ({
  ...{ id, head, isOnPhone, width: 80, isAtEnd: true },
  cell: (row: StockRow) => quantity(figureOf(row)),
  text: (row: StockRow) => String(figureOf(row)),
})

const columns = (me: Me): readonly Column<StockRow>[] => [
  {
    id: 'product',
    head: words.product,
    isRowHeader: true,
    isOnPhone: true,
    cell: (row, tabIndex) => <StockLink row={row} tabIndex={tabIndex} />,
    text: row => row.partnerProductCode,
  },
  {
    id: 'place',
    head: words.place,
    width: 92,
    isOnPhone: true,
    cell: row => row.warehouseLocationName,
  },
  {
    id: 'unit',
    head: words.unit,
    width: 110,
    cell: ({ unit }) => unit?.logisticUnitNumber ?? words.nothing,
  },
  { id: 'batch', head: words.batch, width: 76, cell: ({ batch }) => batch ?? words.nothing },
  {
    id: 'expiry',
    head: words.expiry,
    width: 110,
    cell: ({ expiryDate }) => <LocalDay value={expiryDate} />,
    text: ({ expiryDate }) => expiryDate ?? '',
  },
  figure('onHand', words.onHand, row => row.onHandQuantity, true),
  figure('available', words.available, row => row.availableQuantity),
  figure('allocated', words.allocated, row => row.allocatedQuantity),
  {
    id: 'held',
    head: words.held,
    width: 96,
    cell(row) {
      const held = heldInWords(row)
      return held === undefined ? words.nothing : <Pill text={held} tone="warehouse" />
    },
    text: row => heldInWords(row) ?? '',
  },
  ...(kindOf(me) === 'staff'
    ? [{ id: 'client', head: words.client, width: 140, cell: (row: StockRow) => row.partnerName }]
    : []),
  {
    id: 'warehouse',
    head: words.warehouse,
    width: 130,
    isHidden: true,
    cell: row => row.warehouseName,
  },
  {
    id: 'received',
    head: words.received,
    width: 110,
    isHidden: true,
    cell: ({ receivedDate }) => <LocalDay value={receivedDate} />,
    text: ({ receivedDate }) => receivedDate,
  },
]

/** Filters by warehouse and by client. */
export const usePlaceFilters = (me: Me): readonly Filter[] => [
  { name: 'WarehouseId', label: words.warehouse, kind: 'choice', options: warehouseOptions(me) },
  { name: 'PartnerId', label: words.client, kind: 'choice', options: useClientOptions(me) },
]

/** The kinds of hold, as options of a filter or a field. */
export const holdKindOptions = Object.values(HoldKind).map(kind => ({
  value: String(kind),
  text: words.holdKindOf(kind),
}))

/** How many days ahead people look for what expires. */
const daysAhead = [0, 7, 30, 60, 90, 180] as const

const useFilters = (me: Me): readonly Filter[] => [
  ...usePlaceFilters(me),
  {
    name: 'ExpiryTo',
    label: words.nearExpiry,
    kind: 'choice',
    options: daysAhead.map(days => ({
      value: dayFromToday(days, me.organisation.timezoneId),
      text: words.withinDays(days),
    })),
  },
  {
    name: 'HoldKind',
    label: words.holdKind,
    kind: 'choice',
    options: holdKindOptions,
  },
  {
    name: 'IncludeDepleted',
    label: words.depleted,
    kind: 'choice',
    options: [{ value: 'true', text: words.alsoUsedUp }],
  },
]

export const inventoryList: List<'/v1/inventory', StockRow> = {
  path: '/v1/inventory',
  rowsName: 'inventory',
  heading: words.inventory,
  searchLabel: words.searchInventory,
  searchPlaceholder: words.searchInventoryHint,
  columns,
  filters: useFilters,
  views: [],
  others: ['AsOfUtc', 'KnownAtUtc', 'PartnerProductId', 'WarehouseLocationId'],
  spread: ({ logisticUnit, products }) => products.map(product => ({ ...product, unit: logisticUnit })),
  isPolled: true,
  idOf: ({ warehouseProductId }) => warehouseProductId,
  nameOf: stockNameOf,
  hrefOf,
  emptyText: words.noInventory,
  whose: { filter: 'PartnerId', emptyText: words.noInventoryOfClient },
}
