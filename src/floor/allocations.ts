// The stock of a consignment as a picker needs it: where to go, what to take, and what is picked already.
// Spec 2.14.

import { endpoint } from '../access/endpoint.ts'
import { visibleConsignments } from '../consignments/consignment.ts'
import { sql } from '../platform/database/db.ts'
import { jsonText } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { allNullable, IntegerEnum, named, PlainDate, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { SerialTrackingMode } from '../vocabulary/partners.ts'

const Text = Type.String()

const AllocatedStock = named(
  'AllocatedStock',
  Type.Object({
    consignmentProductId: { ...Uuid, description: 'The line.' },
    lineNumber: Type.Integer({ description: 'The place of the line in the consignment, from 1.' }),
    warehouseProductId: { ...Uuid, description: 'The row of stock that holds the goods now.' },
    isPicked: Type.Boolean(),
    isOverride: Type.Boolean({ description: 'Whether a person chose some of it against the rules.' }),
    quantity: Type.Number(),
    inventoryAllocationIds: Type.Array(Uuid),
    serials: Type.Array(Text, { description: 'The serials that are allocated by name.' }),
    partnerProductId: Uuid,
    partnerProductCode: Text,
    partnerProductName: Text,
    serialTrackingMode: IntegerEnum(SerialTrackingMode),
    warehouseLocationId: Uuid,
    warehouseLocationName: Text,
    receivedDate: PlainDate,
    ...allNullable({
      walkingOrder: Type.Integer(),
      warehouseLogisticUnitId: Uuid,
      logisticUnitNumber: Text,
      ssccNumber: Text,
      batch: Text,
      bestBeforeDate: PlainDate,
      expiryDate: PlainDate,
      packagingDate: PlainDate,
      productionDate: PlainDate,
      sellByDate: PlainDate,
    }),
    allocatedUtc: UtcTime,
  }),
)

const ConsignmentAllocations = named(
  'ConsignmentAllocations',
  Type.Object({
    ...allNullable({
      jobId: { ...Uuid, description: 'The open wave pick that picks the consignment.' },
      jobNumber: Text,
      dispatchLocationId: {
        ...Uuid,
        description: 'Where picked goods go by default; null if the first pick creates the location.',
      },
      dispatchLocationName: Text,
    }),
    allocations: Type.Array(AllocatedStock),
  }),
)

/** What each line of consignment `c` has of each row of stock, picked or not, in the order of the walk. */
const allocations = sql`
  select coalesce(json_agg(allocation_row order by a.is_picked, l.walking_order nulls last, l.name,
    u.logistic_unit_number nulls first, d.code, r.ordinal, p.id), '[]')
  from (
    select a.consignment_product_id, a.warehouse_product_id, a.is_picked, sum(a.quantity) as quantity,
      bool_or(a.is_override) as is_override, min(a.created_utc) as created_utc,
      array_agg(a.id order by a.id) as ids,
      coalesce(array_agg(i.serial order by i.serial) filter (where i.id is not null), '{}') as serials
    from inventory_allocation a
    left join warehouse_product_item i
      on i.organisation_id = a.organisation_id and i.id = a.warehouse_product_item_id
    where a.organisation_id = c.organisation_id and a.consignment_id = c.id
    group by a.consignment_product_id, a.warehouse_product_id, a.is_picked
  ) a
  join consignment_product r on r.organisation_id = c.organisation_id and r.id = a.consignment_product_id
  join warehouse_product p on p.organisation_id = c.organisation_id and p.id = a.warehouse_product_id
  join product d on d.organisation_id = c.organisation_id and d.id = p.product_id
  join warehouse_location l on l.organisation_id = c.organisation_id and l.id = p.warehouse_location_id
  left join logistic_unit u on u.organisation_id = c.organisation_id and u.id = p.logistic_unit_id
  cross join lateral (
    select r.id as "consignmentProductId", r.ordinal + 1 as "lineNumber", p.id as "warehouseProductId",
      a.is_picked as "isPicked", a.is_override as "isOverride", trim_scale(a.quantity) as quantity,
      a.ids as "inventoryAllocationIds", a.serials, d.id as "partnerProductId",
      d.code as "partnerProductCode", d.name as "partnerProductName",
      d.serial_tracking_mode as "serialTrackingMode", l.id as "warehouseLocationId",
      l.name as "warehouseLocationName", l.walking_order as "walkingOrder",
      p.received_date as "receivedDate", u.id as "warehouseLogisticUnitId",
      u.logistic_unit_number as "logisticUnitNumber", u.sscc_number as "ssccNumber", p.batch,
      p.best_before_date as "bestBeforeDate", p.expiry_date as "expiryDate",
      p.packaging_date as "packagingDate", p.production_date as "productionDate",
      p.sell_by_date as "sellByDate", as_utc(a.created_utc) as "allocatedUtc"
  ) allocation_row`

export const consignmentAllocations = [
  endpoint({
    get: '/v1/consignments/:consignmentId/allocations',
    name: 'listConsignmentAllocations',
    partners: 'clients',
    scope: 'consignment.read',
    extension: true,
    summary: 'List the stock that is allocated to a consignment, or picked for it',
    description:
      'One entry for what a line has of a row of stock, with what is picked apart from what is not: first ' +
      'what is still to be picked, in walking order, then what is picked, at the place where it is now. ' +
      'Its ids are those by which pick, unpick, stage and release name the goods. Dispatched goods are not ' +
      'listed any more.',
    response: jsonText(ConsignmentAllocations),
    async handle({ db, actor, params }) {
      const found = await db.maybe<{ allocations: string }>(sql`
        select json_build_object('jobId', j.id, 'jobNumber', j.job_number, 'dispatchLocationId', k.id,
          'dispatchLocationName', k.name, 'allocations', (${allocations}))::text as allocations
        from consignment c
        left join job_consignment m
          on m.organisation_id = c.organisation_id and m.consignment_id = c.id and m.is_picking
        left join job j on j.organisation_id = m.organisation_id and j.id = m.job_id
        left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
        left join warehouse_location k on k.organisation_id = c.organisation_id
          and k.id = coalesce(c.default_dispatch_location_id, w.default_dispatch_location_id)
        where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}`)
      if (found === undefined) throw notFound('Consignment')
      return found.allocations
    },
  }),
]
