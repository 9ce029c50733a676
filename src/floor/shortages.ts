// Shortages: lines of which less is allocated, picked and dispatched than was expected. Spec 2.14.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { visibleConsignments } from '../consignments/consignment.ts'
import { type Sql, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { IntegerEnum, LocalTime, named, nullable, Type, Uuid } from '../platform/http/schema.ts'
import { ConsignmentPriority, ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'

const Text = Type.String()

const Shortage = named(
  'Shortage',
  Type.Object({
    consignmentId: Uuid,
    consignmentNumber: Text,
    consignmentStatus: IntegerEnum(ConsignmentStatus),
    priority: IntegerEnum(ConsignmentPriority),
    expectedDispatchDateTime: nullable(LocalTime),
    partnerId: Uuid,
    partnerName: Text,
    warehouseId: Uuid,
    warehouseName: Text,
    consignmentProductId: Uuid,
    partnerProductId: Uuid,
    partnerProductCode: Text,
    partnerProductName: Text,
    batch: nullable(Text),
    expectedQuantity: Type.Number(),
    allocatedQuantity: Type.Number(),
    pickedQuantity: Type.Number(),
    dispatchedQuantity: Type.Number(),
    shortQuantity: Type.Number(),
    availableQuantity: Type.Number({
      description: 'What is available of the product in the warehouse, for any line.',
    }),
  }),
)

/** Nothing is allocated before these statuses, and nothing more is allocated after them. */
const pickingStatuses = [ConsignmentStatus.ReadyToPick, ConsignmentStatus.ReadyToDispatch]

const shortQuantity = sql`q.expected_quantity - q.allocated_quantity - q.picked_quantity
  - q.dispatched_quantity`

/** What is allocated and not picked stays behind when its consignment leaves. */
const isLeftBehind = sql`(t.status = ${ConsignmentStatus.ReadyToDispatch} and q.allocated_quantity > 0)`

/**
 * The lines `q` that lack stock, with their consignments `c`, products `d`, clients `p` and warehouses `w`,
 * of those that an actor may see, as the part of a query after `from`.
 */
export const shortLines = (actor: Actor): Sql => sql`consignment_listing t
  join consignment c on c.organisation_id = t.organisation_id and c.number = t.number
  join consignment_product q on q.organisation_id = c.organisation_id and q.consignment_id = c.id
  join product d on d.organisation_id = q.organisation_id and d.id = q.product_id
  join partner p on p.organisation_id = c.organisation_id and p.id = c.client_id
  join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
  where t.organisation_id = ${actor.organisationId} and t.edi_status = 0
    and t.identity_connection_id = '00000000-0000-0000-0000-000000000000'
    and t.type = ${ConsignmentType.Outwards} and t.status = any(${pickingStatuses})
    and (${shortQuantity} > 0 or ${isLeftBehind})
    and ${visibleConsignments(actor)}`

export const stockShortages = [
  endpoint({
    get: '/v1/inventory/shortages',
    name: 'listShortages',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List the lines of outwards consignments that lack stock, most urgent first',
    description:
      'Covers consignments that are ReadyToPick or ReadyToDispatch, sorted by priority, expected dispatch ' +
      'and number. A line of a ReadyToDispatch consignment is also listed if something of it is allocated ' +
      'but not picked any more: it would stay behind. Its shortQuantity may be 0.',
    query: pageQuery({
      PartnerId: Type.Optional(Uuid),
      PartnerProductId: Type.Optional(Uuid),
      WarehouseId: Type.Optional(Uuid),
    }),
    response: json(pageOf('shortages', Shortage)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'shortages', query, {
        columns: sql`c.id as consignment_id, c.consignment_number, c.status as consignment_status, c.priority,
          c.expected_dispatch_date_time, p.id as partner_id, p.name as partner_name, w.id as warehouse_id,
          w.name as warehouse_name, q.id as consignment_product_id, d.id as partner_product_id,
          d.code as partner_product_code, d.name as partner_product_name, q.batch, q.expected_quantity,
          q.allocated_quantity, q.picked_quantity, q.dispatched_quantity, ${shortQuantity} as short_quantity,
          (
            select coalesce(sum(s.available_quantity), 0) from warehouse_product s
            where s.organisation_id = c.organisation_id and s.warehouse_id = c.warehouse_id
              and s.product_id = q.product_id and not s.is_depleted
          ) as available_quantity`,
        from: sql`${shortLines(actor)}
            and (${query.PartnerId ?? null}::uuid is null or c.client_id = ${query.PartnerId ?? null})
            and (${query.WarehouseId ?? null}::uuid is null or c.warehouse_id = ${query.WarehouseId ?? null})
            and (${query.PartnerProductId ?? null}::uuid is null
              or q.product_id = ${query.PartnerProductId ?? null})`,
        order: sql`c.priority desc, c.expected_dispatch_date_time nulls last, c.number, q.ordinal, q.id`,
      }),
  }),
]
