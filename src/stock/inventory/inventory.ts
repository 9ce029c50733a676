// Stock: the list of what lies where. Spec 2.14, 4.13.

import type { Actor } from '../../platform/http/actor.ts'
import { endpoint, json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, searchIn } from '../../platform/http/paging.ts'
import { IntegerEnum, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { HoldKind } from '../enumerations.ts'
import type { InventoryFilters } from './list/filters.ts'
import { InventoryEntry, readInventory, stockNow } from './list/read-inventory.ts'

const listQuery = pageQuery({
  SearchText: searchIn('product code, name and barcode, batch and SSCC'),
  PartnerId: Type.Optional(Uuid),
  PartnerProductId: Type.Optional(Uuid),
  WarehouseId: Type.Optional(Uuid),
  WarehouseZoneId: Type.Optional({ ...Uuid, description: 'The zone that the location is in today.' }),
  WarehouseLocationId: Type.Optional(Uuid),
  IncludeDepleted: Type.Optional(
    Type.Boolean({ description: 'Also what is not there any more; default false.' }),
  ),
  DgHazardClassId: Type.Optional(Uuid),
  DgHazardCategoryId: Type.Optional(Uuid),
  LogisticUnitId: Type.Optional(Uuid),
  Batch: Type.Optional(
    Type.String({ maxLength: 200, description: 'Exactly this batch, large or small letters alike.' }),
  ),
  HoldKind: Type.Optional(IntegerEnum(HoldKind)),
})

const filtersOf = (query: Static<typeof listQuery>): InventoryFilters => ({
  partnerId: query.PartnerId?.toLowerCase(),
  productId: query.PartnerProductId?.toLowerCase(),
  warehouseId: query.WarehouseId,
  zoneId: query.WarehouseZoneId,
  locationId: query.WarehouseLocationId,
  logisticUnitId: query.LogisticUnitId,
  hazardClassId: query.DgHazardClassId,
  hazardCategoryId: query.DgHazardCategoryId,
  batch: query.Batch || undefined,
  holdKind: query.HoldKind,
  searchText: query.SearchText || undefined,
  includeDepleted: query.IncludeDepleted ?? false,
})

/** The same filters for a token that belongs to a client: its own stock. Null: nothing can match. */
function narrowed({ partnerId }: Actor, filters: InventoryFilters): InventoryFilters | null {
  if (partnerId === null) return filters
  if (filters.partnerId !== undefined && filters.partnerId !== partnerId) return null
  return { ...filters, partnerId }
}

export const inventory = [
  endpoint({
    get: '/v1/inventory',
    name: 'listInventory',
    partners: 'clients',
    scope: 'inventory.read',
    summary: 'List stock',
    description:
      'An entry is a logistic unit with the stock on it, or stock that is on none. Entries come in the order ' +
      'in which they came to be. Filters of product, dangerous goods, batch and hold keep an entry if one ' +
      'product of it matches, and show only those that do; the sums of the unit are always of the whole unit. ' +
      'A token that belongs to a client sees its own stock.',
    query: listQuery,
    answer: json(pageOf('inventory', InventoryEntry)),
    async handle({ db, actor, query }) {
      const filters = narrowed(actor, filtersOf(query))
      const { PageIndex: index, PageSize: limit } = query
      if (filters === null) return { index, total: 0, inventory: [] }
      const { organisationId } = actor
      const source = stockNow(organisationId, filters, { limit, offset: (index - 1) * limit })
      return { index, ...(await readInventory(db, organisationId, filters, source)) }
    },
  }),
]
