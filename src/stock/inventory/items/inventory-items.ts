// Items with a serial, in stock or dispatched. Spec 2.14.

import type { Actor } from '../../../access/actor.ts'
import { endpoint } from '../../../access/endpoint.ts'
import { empty, type Sql, sql } from '../../../platform/database/db.ts'
import { json } from '../../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../../platform/http/paging.ts'
import { allNullable, named, type Static, Type, Uuid } from '../../../platform/http/schema.ts'

const Text = Type.String()

/** An item with a serial, and where it is: in a row of stock, or dispatched with a consignment. */
const SerialItem = named(
  'SerialItem',
  Type.Object({
    warehouseProductItemId: Uuid,
    serial: Text,
    partnerId: Uuid,
    partnerName: Text,
    partnerProductId: Uuid,
    partnerProductCode: Text,
    partnerProductName: Text,
    isInStock: Type.Boolean(),
    ...allNullable({
      warehouseProductId: Uuid,
      warehouseId: Uuid,
      warehouseName: Text,
      warehouseLocationId: Uuid,
      warehouseLocationName: Text,
      warehouseLogisticUnitId: Uuid,
      logisticUnitNumber: Text,
      ssccNumber: Text,
      palletReferenceNumber: Text,
      batch: Text,
      inventoryHoldId: Uuid,
      weightKG: Type.Number(),
      volumeM3: Type.Number(),
      allocatedConsignmentId: Uuid,
      allocatedConsignmentNumber: Text,
      dispatchedConsignmentId: Uuid,
      dispatchedConsignmentNumber: Text,
    }),
  }),
)

const columns = sql`i.id as warehouse_product_item_id, i.serial, c.id as partner_id, c.name as partner_name,
  d.id as partner_product_id, d.code as partner_product_code, d.name as partner_product_name,
  s.id is not null as is_in_stock, s.id as warehouse_product_id, w.id as warehouse_id,
  w.name as warehouse_name, l.id as warehouse_location_id, l.name as warehouse_location_name,
  u.id as warehouse_logistic_unit_id, u.logistic_unit_number, u.sscc_number,
  u.reference_number as pallet_reference_number, s.batch, s.inventory_hold_id, i.weight_kg, i.volume_m3,
  ao.id as allocated_consignment_id, ao.consignment_number as allocated_consignment_number,
  gone.id as dispatched_consignment_id, gone.consignment_number as dispatched_consignment_number`

const tables = sql`warehouse_product_item i
  join product d on d.organisation_id = i.organisation_id and d.id = i.product_id
  join partner c on c.organisation_id = d.organisation_id and c.id = d.partner_id
  left join warehouse_product s on s.organisation_id = i.organisation_id and s.id = i.warehouse_product_id
  left join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
  left join warehouse_location l on l.organisation_id = s.organisation_id and l.id = s.warehouse_location_id
  left join logistic_unit u on u.organisation_id = s.organisation_id and u.id = s.logistic_unit_id
  left join inventory_allocation a
    on a.organisation_id = i.organisation_id and a.warehouse_product_item_id = i.id
  left join consignment ao on ao.organisation_id = a.organisation_id and ao.id = a.consignment_id
  left join consignment_product g on g.organisation_id = i.organisation_id and g.id = i.consignment_product_id
  left join consignment gone on gone.organisation_id = g.organisation_id and gone.id = g.consignment_id`

const listQuery = pageQuery({
  Serials: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Exact serials, separated by commas.' }),
  ),
  PartnerId: Type.Optional(Uuid),
  PartnerProductId: Type.Optional(Uuid),
  WarehouseId: Type.Optional(Uuid),
  WarehouseProductId: Type.Optional({ ...Uuid, description: 'The row of stock that the items are in.' }),
  WarehouseZoneId: Type.Optional(Uuid),
  WarehouseLocationId: Type.Optional(Uuid),
  PalletReferenceNumber: Type.Optional(
    Type.String({ maxLength: 200, description: 'The reference of the logistic unit that the items are on.' }),
  ),
  ProductAttributeId: Type.Optional({ ...Uuid, description: 'A product attribute that the stock has.' }),
  Batch: Type.Optional(
    Type.String({ maxLength: 200, description: 'Exactly this batch, regardless of case.' }),
  ),
  IncludeDispatched: Type.Optional(
    Type.Boolean({ description: 'Also list items that are no longer in stock; default false.' }),
  ),
})

/** The conditions of the filters in a query. */
function conditions(query: Static<typeof listQuery>): Sql {
  const serials = (query.Serials ?? '')
    .split(',')
    .map(serial => serial.trim())
    .filter(serial => serial !== '')
  const palletReference = query.PalletReferenceNumber
  const attribute = JSON.stringify([{ productAttributeId: query.ProductAttributeId }])
  return sql`
    ${serials.length === 0 ? empty : sql`and i.serial = any(${serials})`}
    ${query.PartnerId === undefined ? empty : sql`and d.partner_id = ${query.PartnerId}`}
    ${query.PartnerProductId === undefined ? empty : sql`and i.product_id = ${query.PartnerProductId}`}
    ${query.WarehouseId === undefined ? empty : sql`and s.warehouse_id = ${query.WarehouseId}`}
    ${query.WarehouseProductId === undefined ? empty : sql`and s.id = ${query.WarehouseProductId}`}
    ${query.WarehouseZoneId === undefined ? empty : sql`and l.warehouse_zone_id = ${query.WarehouseZoneId}`}
    ${query.WarehouseLocationId === undefined ? empty : sql`and l.id = ${query.WarehouseLocationId}`}
    ${palletReference ? sql`and lower(u.reference_number) = lower(${palletReference})` : empty}
    ${query.ProductAttributeId === undefined ? empty : sql`and s.attributes @> ${attribute}::jsonb`}
    ${query.Batch ? sql`and lower(s.batch) = lower(${query.Batch})` : empty}
    ${query.IncludeDispatched ? empty : sql`and i.warehouse_product_id is not null`}`
}

/** An item that the caller may see, as the parent record of the lists below it. */
export const itemOf = ({ organisationId, partnerId }: Actor, warehouseProductItemId: string) => ({
  from: sql`warehouse_product_item i
    join product d on d.organisation_id = i.organisation_id and d.id = i.product_id
    where i.organisation_id = ${organisationId} and i.id = ${warehouseProductItemId}
      ${partnerId === null ? empty : sql`and d.partner_id = ${partnerId}`}`,
  noun: 'Inventory item',
})

export const inventoryItems = [
  endpoint({
    get: '/v1/inventory-items',
    name: 'listSerialItems',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List items with a serial, in the order of their serials',
    query: listQuery,
    response: json(named('SerialItemsPage', pageOf('items', SerialItem))),
    handle: ({ db, actor, query }) =>
      readPage(db, 'items', query, {
        columns,
        from: sql`${tables} where i.organisation_id = ${actor.organisationId}
          ${actor.partnerId === null ? empty : sql`and d.partner_id = ${actor.partnerId}`}
          ${conditions(query)}`,
        order: sql`i.serial, i.id`,
      }),
  }),
]
