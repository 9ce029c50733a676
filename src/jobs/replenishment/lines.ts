// The lines of a replenishment: which goods to move, from where and to where. Spec 2.14, 2.15.

import { endpoint } from '../../access/endpoint.ts'
import { sql } from '../../platform/database/db.ts'
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
import { JobType, ReplenishmentLineStatus } from '../../vocabulary/jobs.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { visibleJobs } from '../job.ts'

const Text = Type.String()

const ReplenishmentLine = named(
  'ReplenishmentLine',
  Type.Object({
    replenishmentLineId: Uuid,
    status: IntegerEnum(ReplenishmentLineStatus),
    partnerProductId: Uuid,
    partnerProductCode: Text,
    partnerProductName: Text,
    serialTrackingMode: IntegerEnum(SerialTrackingMode),
    warehouseProductId: Uuid,
    warehouseLocationId: Uuid,
    warehouseLocationName: Text,
    walkingOrder: nullable(Type.Integer()),
    ...allNullable({
      logisticUnitNumber: Text,
      ssccNumber: Text,
      batch: Text,
      bestBeforeDate: PlainDate,
      expiryDate: PlainDate,
      packagingDate: PlainDate,
      productionDate: PlainDate,
      sellByDate: PlainDate,
    }),
    toWarehouseLocationId: Uuid,
    toWarehouseLocationName: Text,
    quantity: Type.Number(),
    movedQuantity: Type.Number(),
    openQuantity: Type.Number({ description: 'How much of it has not been moved.' }),
    availableQuantity: Type.Number({ description: 'How much of the row of stock is free now.' }),
  }),
)

export const replenishmentLines = [
  endpoint({
    get: '/v1/jobs/:jobId/replenishment/lines',
    name: 'listReplenishmentLines',
    partners: 'clients',
    scope: 'job.read',
    extension: true,
    summary: 'List the lines of a replenishment',
    description: 'In walking order of the locations that the stock is taken from.',
    query: pageQuery({ Status: Type.Optional(IntegerEnum(ReplenishmentLineStatus)) }),
    response: json(named('ReplenishmentLinesPage', pageOf('lines', ReplenishmentLine))),
    handle({ db, actor, params, query }) {
      const job = sql`job j where ${visibleJobs(actor)} and j.id = ${params.jobId}
        and j.type = ${JobType.Replenishment}`
      return readPage(db, 'lines', query, {
        parent: { from: job, noun: 'Job' },
        columns: sql`r.id as replenishment_line_id, r.status, d.id as partner_product_id,
          d.code as partner_product_code, d.name as partner_product_name, d.serial_tracking_mode,
          p.id as warehouse_product_id, l.id as warehouse_location_id, l.name as warehouse_location_name,
          l.walking_order, u.logistic_unit_number, u.sscc_number as "ssccNumber", p.batch,
          p.best_before_date, p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date,
          t.id as to_warehouse_location_id, t.name as to_warehouse_location_name, r.quantity,
          r.moved_quantity, r.quantity - r.moved_quantity as open_quantity, p.available_quantity`,
        from: sql`replenishment_line r
          join product d on d.organisation_id = r.organisation_id and d.id = r.product_id
          join warehouse_product p on p.organisation_id = r.organisation_id
            and p.id = r.from_warehouse_product_id
          join warehouse_location l on l.organisation_id = p.organisation_id
            and l.id = p.warehouse_location_id
          join warehouse_location t on t.organisation_id = r.organisation_id
            and t.id = r.to_warehouse_location_id
          left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
          where r.organisation_id = ${actor.organisationId} and r.job_id = ${params.jobId}
            and (${query.Status ?? null}::smallint is null or r.status = ${query.Status ?? null})`,
        order: sql`l.walking_order nulls last, l.name, r.ordinal`,
      })
    },
  }),
]
