// The list of a wave pick's picks: where to go, what to take, and for which consignment. Spec 2.14, 2.15.

import { endpoint } from '../../access/endpoint.ts'
import { type Sql, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../../platform/http/paging.ts'
import {
  allNullable,
  IntegerEnum,
  named,
  nullable,
  PlainDate,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { JobType, PickSortBy, WavePickStyle } from '../../vocabulary/jobs.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { visibleJobs } from '../job.ts'

const Text = Type.String()

const consignmentFields = {
  consignmentId: Uuid,
  consignmentNumber: Text,
  position: Type.Integer(),
  consignmentProductId: Uuid,
}

const WavePickPick = named(
  'WavePickPick',
  Type.Object({
    inventoryAllocationId: nullable({ ...Uuid, description: 'Null in a BulkPicking job.' }),
    warehouseProductId: Uuid,
    ...allNullable(consignmentFields),
    consignments: Type.Array(Type.Object({ ...consignmentFields, quantity: Type.Number() }), {
      description:
        'The consignments that the goods are for, by position; exactly one in a ParallelPicking job.',
    }),
    partnerProductId: Uuid,
    partnerProductCode: Text,
    partnerProductName: Text,
    serialTrackingMode: IntegerEnum(SerialTrackingMode),
    warehouseLocationId: Uuid,
    warehouseLocationName: Text,
    ...allNullable({
      walkingOrder: Type.Integer(),
      logisticUnitNumber: Text,
      ssccNumber: Text,
      batch: Text,
      bestBeforeDate: PlainDate,
      expiryDate: PlainDate,
      packagingDate: PlainDate,
      productionDate: PlainDate,
      sellByDate: PlainDate,
    }),
    serials: Type.Array(Text, { description: 'The serials that are allocated.' }),
    quantity: Type.Number(),
    isPicked: Type.Boolean(),
  }),
)

/**
 * The picks of a job: one row for each allocation in ParallelPicking, one for all allocations of a row of
 * stock in BulkPicking.
 */
const groupedPicks = (job: Sql, includePicked: boolean): Sql => sql`(
    select a.organisation_id, a.warehouse_product_id, a.is_picked, k.inventory_allocation_id,
      sum(a.quantity) as quantity, min(m.position) as first_position,
      jsonb_agg(jsonb_build_object('consignmentId', c.id, 'consignmentNumber', c.consignment_number,
        'position', m.position, 'consignmentProductId', a.consignment_product_id,
        'quantity', a.quantity) order by m.position, l.ordinal, a.id) as allocations,
      coalesce(jsonb_agg(i.serial order by i.serial) filter (where i.id is not null), '[]') as serials
    from job j
    join job_consignment m on m.organisation_id = j.organisation_id and m.job_id = j.id
    join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
    join inventory_allocation a on a.organisation_id = m.organisation_id
      and a.consignment_id = m.consignment_id
    join consignment_product l on l.organisation_id = a.organisation_id and l.id = a.consignment_product_id
    left join warehouse_product_item i on i.organisation_id = a.organisation_id
      and i.id = a.warehouse_product_item_id
    cross join lateral (
      select case when j.wave_pick_style = ${WavePickStyle.ParallelPicking} then a.id
        end as inventory_allocation_id
    ) k
    where ${job} and case when a.is_picked then ${includePicked} else m.is_picking end
    group by a.organisation_id, a.warehouse_product_id, a.is_picked, k.inventory_allocation_id
  )`

const byLocation = sql`l.walking_order nulls last, l.name, u.logistic_unit_number nulls first, d.code`
const orders: Record<PickSortBy, Sql> = {
  [PickSortBy.Location]: byLocation,
  [PickSortBy.ProductCode]: sql`d.code, ${byLocation}`,
  [PickSortBy.ProductName]: sql`d.name, ${byLocation}`,
}

/** A field of the consignment of a ParallelPicking pick, null in BulkPicking. */
const consignmentValue = (field: string) =>
  sql`case when g.inventory_allocation_id is not null then g.allocations->0->>${field} end`

export const wavePickPicks = [
  endpoint({
    get: '/v1/jobs/:jobId/wave-pick/picks',
    name: 'listWavePickPicks',
    partners: 'clients',
    scope: 'job.read',
    extension: true,
    summary: 'List the picks of a wave pick',
    description:
      'In a ParallelPicking job, one pick for each allocation, with its consignment and position. In a ' +
      'BulkPicking job, one pick for each row of stock, with the total quantity and the consignments that ' +
      'it is for. By default in walking order.',
    query: pageQuery({
      SortBy: Type.Optional(IntegerEnum(PickSortBy)),
      IncludePicked: Type.Optional(
        Type.Boolean({
          description:
            'Whether to include picked goods, at their present location, until they are dispatched.',
        }),
      ),
    }),
    response: json(pageOf('picks', WavePickPick)),
    handle({ db, actor, params, query }) {
      const job = sql`${visibleJobs(actor)} and j.id = ${params.jobId} and j.type = ${JobType.WavePick}`
      return readPage(db, 'picks', query, {
        parent: { from: sql`job j where ${job}`, noun: 'Job' },
        columns: sql`g.inventory_allocation_id, g.warehouse_product_id,
          (${consignmentValue('consignmentId')})::uuid as consignment_id,
          ${consignmentValue('consignmentNumber')} as consignment_number,
          (${consignmentValue('position')})::integer as position,
          (${consignmentValue('consignmentProductId')})::uuid as consignment_product_id,
          g.allocations as consignments, d.id as partner_product_id, d.code as partner_product_code,
          d.name as partner_product_name, d.serial_tracking_mode, l.id as warehouse_location_id,
          l.name as warehouse_location_name,
          l.walking_order, u.logistic_unit_number, u.sscc_number as "ssccNumber", p.batch,
          p.best_before_date, p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date,
          g.serials, g.quantity, g.is_picked`,
        from: sql`${groupedPicks(job, query.IncludePicked ?? false)} g
          join warehouse_product p on p.organisation_id = g.organisation_id and p.id = g.warehouse_product_id
          join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
          join warehouse_location l on l.organisation_id = p.organisation_id
            and l.id = p.warehouse_location_id
          left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id`,
        order: sql`${orders[query.SortBy ?? PickSortBy.Location]}, g.first_position,
          g.warehouse_product_id, g.is_picked, g.inventory_allocation_id`,
      })
    },
  }),
]
