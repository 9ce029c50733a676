// The lists of warehouses, and of the places of one.

import { LocationType, WarehouseStatus } from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { Pill } from '../../../ui/Pill.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import type { RowOf } from '../api.ts'
import { Link, type Search } from '../router.tsx'
import type { Choice } from '../suggestions.ts'
import { warehouseWords as words } from '../words/warehouses.ts'
import type { List } from './list.ts'
import { recordColumn } from './record-column.tsx'

type Row = RowOf<'/v1/warehouses'>

/** A place of a warehouse. */
export type LocationRow = RowOf<'/v1/warehouses/{warehouseId}/locations'>

/** Whether new records can refer to it. */
export const ActivePill = ({ status }: { status: number }) => (
  <Pill
    text={words.status(status)}
    tone={status === WarehouseStatus.Active ? 'done' : 'waits'}
    isRing={status !== WarehouseStatus.Active}
  />
)

const views = [
  { id: 'active', text: words.active, query: { Status: String(WarehouseStatus.Active) } },
  { id: 'inactive', text: words.inactive, query: { Status: String(WarehouseStatus.Inactive) } },
  { id: 'all', text: words.all, query: {} },
]

const hrefOf = ({ id }: Row) => `/warehouses/${id}`

export const warehouseList: List<'/v1/warehouses', Row> = {
  path: '/v1/warehouses',
  rowsName: 'warehouses',
  heading: words.warehouses,
  searchLabel: words.search,
  searchPlaceholder: words.searchHint,
  columns: () => [
    recordColumn('name', words.name, hrefOf, row => row.name),
    { id: 'code', head: words.code, width: 140, isOnPhone: true, cell: row => row.code },
    { id: 'timezone', head: words.timezone, width: 200, cell: row => row.timezoneId },
    {
      id: 'status',
      head: words.headStatus,
      width: 120,
      cell: row => <ActivePill status={row.status} />,
      text: row => words.status(row.status),
    },
    { id: 'latitude', head: words.latitude, width: 100, isHidden: true, cell: row => numberOf(row.latitude) },
    {
      id: 'longitude',
      head: words.longitude,
      width: 100,
      isHidden: true,
      cell: row => numberOf(row.longitude),
    },
  ],
  filters: () => [],
  views,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  hrefOf,
  emptyText: words.noWarehouses,
}

const numberOf = (value: number | null) => (value === null ? uiWords.nothing : quantity(value))

/** The types of places, as options of a filter or a field. */
export const locationTypeOptions: readonly Choice[] = Object.values(LocationType).map(type => ({
  value: String(type),
  text: words.locationType(type),
}))

/** The places of a warehouse. The address names the one that is opened. */
export const locationListOf = (
  warehouseId: string,
  zones: readonly Choice[],
): List<'/v1/warehouses/{warehouseId}/locations', LocationRow> => ({
  path: '/v1/warehouses/{warehouseId}/locations',
  ids: { warehouseId },
  rowsName: 'locations',
  heading: words.locations,
  searchLabel: words.searchLocations,
  searchPlaceholder: words.searchHint,
  columns: () => [
    {
      id: 'name',
      head: words.name,
      isRowHeader: true,
      isOnPhone: true,
      cell: ({ id, name }, tabIndex) => (
        <Link
          to="."
          search={((before: Search) => ({ ...before, Location: id })) as never}
          tabIndex={tabIndex}
        >
          {name}
        </Link>
      ),
      text: row => row.name,
    },
    { id: 'type', head: words.type, width: 110, isOnPhone: true, cell: row => words.locationType(row.type) },
    { id: 'zone', head: words.zone, width: 150, cell: row => row.warehouseZoneName ?? uiWords.nothing },
    {
      id: 'walk',
      head: words.walkingOrder,
      width: 110,
      isAtEnd: true,
      cell: row => numberOf(row.walkingOrder),
    },
    {
      id: 'product',
      head: words.pickface,
      width: 150,
      cell: row => (row.isPickface ? (row.partnerProductCode ?? uiWords.yes) : uiWords.nothing),
    },
    { id: 'minimum', head: words.minimum, width: 90, isAtEnd: true, cell: row => numberOf(row.minQuantity) },
    { id: 'target', head: words.target, width: 90, isAtEnd: true, cell: row => numberOf(row.targetQuantity) },
    {
      id: 'status',
      head: words.headStatus,
      width: 110,
      cell: row => <ActivePill status={row.status} />,
      text: row => words.status(row.status),
    },
  ],
  filters: () => [
    { name: 'Type', label: words.type, kind: 'choice', options: locationTypeOptions },
    { name: 'WarehouseZoneId', label: words.zone, kind: 'choice', options: zones },
    {
      name: 'IsPickface',
      label: words.pickface,
      kind: 'choice',
      options: [
        { value: 'true', text: words.onlyPickfaces },
        { value: 'false', text: words.noPickfaces },
      ],
    },
  ],
  views,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  emptyText: words.noLocations,
})
