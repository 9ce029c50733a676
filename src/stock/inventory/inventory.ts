// The list of stock, and one row of it. Spec 2.14, 4.13.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { empty, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, searchIn } from '../../platform/http/paging.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { parseInstant } from '../../platform/local-time.ts'
import { HoldKind } from '../../vocabulary/stock.ts'
import { resolveAsOf } from '../as-of/as-of.ts'
import {
  productFields,
  productJoins,
  productJson,
  type StoredProduct,
  toProduct,
} from './inventory-product.ts'
import type { InventoryFilters } from './list/filters.ts'
import { currentStock, InventoryEntry, readInventory } from './list/read-inventory.ts'
import { stockAsOf } from './list/stock-as-of.ts'

const listQuery = pageQuery({
  SearchText: searchIn('product code, name and barcode, batch and SSCC'),
  PartnerId: Type.Optional(Uuid),
  PartnerProductId: Type.Optional(Uuid),
  WarehouseId: Type.Optional(Uuid),
  WarehouseZoneId: Type.Optional({ ...Uuid, description: 'The current zone of the location.' }),
  WarehouseLocationId: Type.Optional(Uuid),
  IncludeDepleted: Type.Optional(
    Type.Boolean({ description: 'Also list stock of which nothing is left; default false.' }),
  ),
  DgHazardClassId: Type.Optional(Uuid),
  DgHazardCategoryId: Type.Optional(Uuid),
  LogisticUnitId: Type.Optional(Uuid),
  Batch: Type.Optional(
    Type.String({ maxLength: 200, description: 'Exactly this batch, regardless of case.' }),
  ),
  HoldKind: Type.Optional(IntegerEnum(HoldKind)),
  ExpiryTo: Type.Optional({
    ...PlainDate,
    description: 'Its expiry date or best-before date is on this day or earlier.',
  }),
  AsOfUtc: Type.Optional({
    ...UtcTime,
    description: 'Stock as of this instant: what had happened by then. Not in the future; default now.',
  }),
  KnownAtUtc: Type.Optional({
    ...UtcTime,
    description: 'Only what had been recorded by this instant. Not in the future; default now.',
  }),
})

const filtersOf = (query: Static<typeof listQuery>): InventoryFilters => ({
  partnerId: query.PartnerId,
  productId: query.PartnerProductId,
  warehouseId: query.WarehouseId,
  zoneId: query.WarehouseZoneId,
  locationId: query.WarehouseLocationId,
  logisticUnitId: query.LogisticUnitId,
  hazardClassId: query.DgHazardClassId,
  hazardCategoryId: query.DgHazardCategoryId,
  batch: query.Batch || undefined,
  holdKind: query.HoldKind,
  expiryTo: query.ExpiryTo,
  searchText: query.SearchText || undefined,
  includeDepleted: query.IncludeDepleted ?? false,
})

const instantOf = (text: string | undefined) => (text === undefined ? undefined : parseInstant(text))

/** Restricts the filters to the stock of the client that a token belongs to. Null: nothing can match. */
function restrictToPartner({ partnerId }: Actor, filters: InventoryFilters): InventoryFilters | null {
  if (partnerId === null) return filters
  if (filters.partnerId !== undefined && filters.partnerId !== partnerId) return null
  return { ...filters, partnerId }
}

/** A row of stock with its logistic unit and its allocations. */
const InventoryProductDetail = named(
  'InventoryProductDetail',
  Type.Object({
    ...productFields,
    warehouseZoneId: nullable(Uuid),
    warehouseZoneName: nullable(Type.String()),
    walkingOrder: nullable(Type.Integer()),
    warehouseLogisticUnitId: nullable(Uuid),
    logisticUnitNumber: nullable(Type.String()),
    ssccNumber: nullable(Type.String()),
    allocations: Type.Array(
      Type.Object({
        inventoryAllocationId: Uuid,
        consignmentId: Uuid,
        consignmentNumber: Type.String(),
        consignmentProductId: Uuid,
        warehouseProductItemId: nullable(Uuid),
        serial: nullable(Type.String()),
        quantity: Type.Number(),
        isPicked: Type.Boolean(),
        isOverride: Type.Boolean(),
      }),
      { description: 'At most 1,000, those of the oldest consignments.' },
    ),
  }),
)
type Detail = Static<typeof InventoryProductDetail>

/** The most allocations that are shown: a row of a popular product may have thousands. */
const maxAllocations = 1_000

const allocations = sql`(
  select coalesce(json_agg(json_build_object('inventoryAllocationId', a.id,
    'consignmentId', a.consignment_id, 'consignmentNumber', a.consignment_number,
    'consignmentProductId', a.consignment_product_id,
    'warehouseProductItemId', a.warehouse_product_item_id, 'serial', a.serial, 'quantity', a.quantity,
    'isPicked', a.is_picked, 'isOverride', a.is_override) order by a.number, a.id), '[]')
  from (
    select a.*, o.number, o.consignment_number, i.serial
    from inventory_allocation a
    join consignment o on o.organisation_id = a.organisation_id and o.id = a.consignment_id
    left join warehouse_product_item i
      on i.organisation_id = a.organisation_id and i.id = a.warehouse_product_item_id
    where a.organisation_id = s.organisation_id and a.warehouse_product_id = s.id
    order by o.number, a.id limit ${maxAllocations}) a)`

/** A row of stock that the caller may see, as the parent record of the lists below it. */
export const stockOf = (actor: Actor, warehouseProductId: string) => ({
  from: sql`warehouse_product s
    where s.organisation_id = ${actor.organisationId} and s.id = ${warehouseProductId}
      ${actor.partnerId === null ? empty : sql`and s.partner_id = ${actor.partnerId}`}`,
  noun: 'Warehouse product',
})

export const inventory = [
  endpoint({
    get: '/v1/inventory',
    name: 'listInventory',
    partners: 'clients',
    scope: 'inventory.read',
    summary: 'List stock',
    description:
      'An entry is a logistic unit with the stock on it, or a row of loose stock. Entries are listed in ' +
      'the order of their creation. Filters of product, dangerous goods, batch, dates and hold list an ' +
      'entry if one of its products matches, and show only its matching products; the sums of a unit ' +
      'always include everything on it. With AsOfUtc or KnownAtUtc, quantities, places, ' +
      'units, holds, serials and quarantine are those of then, and the same request always gets the same ' +
      'ones; names, codes, zones, types and hazards are those of now. A token that belongs to a client ' +
      'sees its own stock.',
    query: listQuery,
    response: json(pageOf('inventory', InventoryEntry)),
    async handle({ db, actor, query }) {
      const filters = restrictToPartner(actor, filtersOf(query))
      const { PageIndex: index, PageSize: limit } = query
      if (filters === null) return { index, total: 0, inventory: [] }
      const { organisationId } = actor
      const page = { limit, offset: (index - 1) * limit }
      const [asOf, knownAt] = [instantOf(query.AsOfUtc), instantOf(query.KnownAtUtc)]
      const source =
        asOf === undefined && knownAt === undefined
          ? currentStock(organisationId, filters, page)
          : stockAsOf(organisationId, filters, page, await resolveAsOf(db, organisationId, { asOf, knownAt }))
      return { index, ...(await readInventory(db, organisationId, filters, source)) }
    },
  }),
  endpoint({
    get: '/v1/inventory/:warehouseProductId',
    name: 'getInventoryProduct',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'Read one row of stock, with its location and its allocations',
    response: json(InventoryProductDetail),
    async handle({ db, actor, params }) {
      type OtherFields = Omit<Detail, keyof StoredProduct | 'dgUnNumber'>
      const row = await db.maybe<OtherFields & { product: StoredProduct }>(sql`
        select ${productJson()} as product, z.id as warehouse_zone_id, z.name as warehouse_zone_name,
          l.walking_order, u.id as warehouse_logistic_unit_id, u.logistic_unit_number, u.sscc_number,
          ${allocations} as allocations
        from (select s.* from ${stockOf(actor, params.warehouseProductId).from}) s ${productJoins}
        left join warehouse_zone z on z.organisation_id = l.organisation_id and z.id = l.warehouse_zone_id
        left join logistic_unit u on u.organisation_id = s.organisation_id and u.id = s.logistic_unit_id`)
      if (row === undefined) throw notFound('Warehouse product')
      const { product, ...otherFields } = row
      return { ...toProduct(product), ...otherFields }
    },
  }),
]
