// A consignment with everything that it holds, read in one statement and sent as the JSON that PostgreSQL
// makes of it. Spec 2.2 to 2.7; open-points 4.

import { JobPriority, JobStatus, JobType, WavePickStyle } from '../../jobs/enumerations.ts'
import { Partner } from '../../partners/partners.ts'
import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import { endpoint, jsonText } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  nullables,
  PlainDate,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { CriticalStockStatus } from '../../stock/enumerations.ts'
import { visibleConsignments } from '../consignment.ts'
import { ConsignmentSummary, summaryJoins } from '../consignments.ts'
import { ConsignmentPriority, ConsignmentType } from '../enumerations.ts'
import {
  containerFields,
  generalFields,
  jsonColumnsOf,
  ports,
  routeFields,
  schemasOf,
} from '../request-fields.ts'
import { Tracking } from '../tracking.ts'

const AnyText = Type.String()
const Amount = Type.Number()

const Item = Type.Object({
  quantity: Amount,
  ...nullables({ serial: AnyText, weightKG: Amount, volumeM3: Amount }),
})

/** A line. weight and volume are those expected. */
const Line = named(
  'ConsignmentProduct',
  Type.Object({
    id: Uuid,
    product: nullable(Type.Object({ id: Uuid, code: AnyText, name: AnyText })),
    productCode: AnyText,
    ...nullables({
      goodsDescription: AnyText,
      batch: AnyText,
      bestBeforeDate: LocalTime,
      expiryDate: LocalTime,
      packagingDate: LocalTime,
      productionDate: LocalTime,
      sellByDate: LocalTime,
      packageTypeCode: AnyText,
      logisticUnitSsccNumber: AnyText,
      logisticUnitReferenceNumber: AnyText,
      criticalStockStatus: IntegerEnum(CriticalStockStatus),
    }),
    isManualReconciliationRequired: Type.Boolean(),
    attributes: Type.Array(Type.Object({ name: nullable(AnyText), description: nullable(AnyText) })),
    expectedQuantity: Amount,
    expectedWeightKG: nullable(Amount),
    expectedVolumeM3: nullable(Amount),
    items: Type.Array(Item),
  }),
)

/** A job as a consignment in it shows it. Spec 2.15. */
const Job = named(
  'JobOfConsignment',
  Type.Object({
    jobId: Uuid,
    jobNumber: AnyText,
    reference: nullable(AnyText),
    status: IntegerEnum(JobStatus),
    priority: IntegerEnum(JobPriority),
    type: IntegerEnum(JobType),
    wavePickStyle: nullable(IntegerEnum(WavePickStyle)),
    position: Type.Integer(),
    dueDateTime: nullable(LocalTime),
  }),
)

/** A consignment whole. */
const ConsignmentDetail = named(
  'ConsignmentDetail',
  Type.Object({
    ...ConsignmentSummary.properties,
    ...nullables({ ...schemasOf(generalFields), ...schemasOf(routeFields), ...schemasOf(containerFields) }),
    consignmentType: IntegerEnum(ConsignmentType),
    priority: IntegerEnum(ConsignmentPriority),
    ...nullables({
      actualReceiveDateTime: LocalTime,
      actualDispatchDateTime: LocalTime,
      closedTransactionDate: PlainDate,
    }),
    client: Partner,
    carrier: nullable(Partner),
    serviceTypeCodes: Type.Array(AnyText),
    products: Type.Array(Line),
    metrics: Type.Object(
      {
        expectedQuantity: Amount,
        expectedWeightKG: nullable(Amount),
        expectedVolumeM3: nullable(Amount),
      },
      {
        description:
          'Sums over the lines. A weight or volume is that of the lines that know theirs, and null where ' +
          'no line does.',
      },
    ),
    consignmentTracking: Type.Array(Tracking),
    notes: Type.Array(
      Type.Object({
        id: Uuid,
        note: AnyText,
        displayOnPrintOut: Type.Boolean(),
        attachmentCount: Type.Integer(),
      }),
    ),
    consumables: Type.Array(
      Type.Object({ id: Uuid, consumableTypeId: Uuid, consumableTypeName: AnyText, value: Amount }),
    ),
    tasks: Type.Array(Type.Object({ id: Uuid, taskTypeId: Uuid, taskTypeName: AnyText, value: Amount })),
    serviceTypes: Type.Array(Type.Object({ id: Uuid, code: AnyText, name: AnyText })),
    jobs: Type.Array(Job),
    pods: Type.Array(
      Type.Object({
        id: Uuid,
        eventUtc: UtcTime,
        signatoryName: nullable(AnyText),
        externalUrl: nullable(AnyText),
      }),
    ),
  }),
)

/** The JSON of a row whose columns are named as its fields. */
const rowOf = (columns: Sql, from: Sql = empty): Sql =>
  sql`(select to_json(x) from (select ${columns} ${from}) x)`

/**
 * The JSON array of such rows. PostgreSQL names the fields of a row far faster than those of a built object.
 */
const rowsOf = (columns: Sql, from: Sql): Sql =>
  sql`(select coalesce(json_agg(x), '[]') from (select ${columns} ${from}) x)`

/** The records `r` that belong to the consignment, in their order. */
const recordsOf = (columns: Sql, from: Sql, order: Sql): Sql =>
  rowsOf(
    columns,
    sql`from ${from} where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      order by ${order}`,
  )

const summary = sql`c.id, c.consignment_number as "consignmentNumber", c.client_id as "clientId",
  client.name as "clientName", client.code as "clientCode", as_local(c.date_entered) as "dateEntered", c.type,
  c.status, c.warehouse_id as "warehouseId",
  warehouse.name as "warehouseName", c.carrier_id as "carrierId", carrier.name as "carrierName",
  c.carrier_reference_number as "carrierReferenceNumber", edi.edi_status as "ediStatus"`

const partner = (alias: 'client' | 'carrier'): Sql => {
  const p = raw(alias)
  return rowOf(
    sql`${p}.id, ${p}.external_id as "externalId", ${p}.name, ${p}.code, ${p}.email, ${p}.relationship,
      ${p}.status`,
  )
}

const items = rowsOf(
  sql`i.serial, trim_scale(i.quantity) as quantity, trim_scale(i.weight_kg) as "weightKG",
    trim_scale(i.volume_m3) as "volumeM3"`,
  sql`from consignment_product_item i where i.organisation_id = r.organisation_id
    and i.consignment_product_id = r.id order by i.ordinal`,
)

const products = recordsOf(
  sql`r.id, case when d.id is not null then ${rowOf(sql`d.id, d.code, d.name`)} end as product,
    r.product_code as "productCode", r.goods_description as "goodsDescription", r.batch,
    as_local(r.best_before_date) as "bestBeforeDate", as_local(r.expiry_date) as "expiryDate",
    as_local(r.packaging_date) as "packagingDate", as_local(r.production_date) as "productionDate",
    as_local(r.sell_by_date) as "sellByDate", t.code as "packageTypeCode",
    r.logistic_unit_sscc_number as "logisticUnitSsccNumber",
    r.logistic_unit_reference_number as "logisticUnitReferenceNumber",
    r.critical_stock_status as "criticalStockStatus",
    r.is_manual_reconciliation_required as "isManualReconciliationRequired",
    coalesce(r.attributes, '[]') as attributes, trim_scale(r.expected_quantity) as "expectedQuantity",
    trim_scale(r.expected_weight_kg) as "expectedWeightKG",
    trim_scale(r.expected_volume_m3) as "expectedVolumeM3", ${items} as items`,
  sql`consignment_product r
    left join product d on d.organisation_id = r.organisation_id and d.id = r.product_id
    left join package_type t on t.organisation_id = r.organisation_id and t.id = r.package_type_id`,
  sql`r.ordinal`,
)

const metrics = rowOf(
  sql`coalesce(trim_scale(sum(r.expected_quantity)), 0) as "expectedQuantity",
    trim_scale(sum(r.expected_weight_kg)) as "expectedWeightKG",
    trim_scale(sum(r.expected_volume_m3)) as "expectedVolumeM3"`,
  sql`from consignment_product r where r.organisation_id = c.organisation_id and r.consignment_id = c.id`,
)

const tracking = recordsOf(
  sql`r.id, r.carrier_name as "carrierName", r.status, r.tracking_number as "trackingNumber",
    r.tracking_url as "trackingUrl", r.integration_name as "integrationName",
    as_utc(r.created_utc) as "createdUtc", as_utc(r.modified_utc) as "modifiedUtc",
    r.last_updated_date as "lastUpdatedDate"`,
  sql`consignment_tracking r`,
  sql`r.created_utc, r.id`,
)

const notes = recordsOf(
  sql`r.id, r.note, r.display_on_print_out as "displayOnPrintOut",
    (select count(*) from consignment_note_attachment a
    where a.organisation_id = r.organisation_id and a.consignment_note_id = r.id) as "attachmentCount"`,
  sql`consignment_note r`,
  sql`r.created_utc, r.id`,
)

const consumables = recordsOf(
  sql`r.id, t.id as "consumableTypeId", t.name as "consumableTypeName", trim_scale(r.value) as value`,
  sql`consignment_consumable r join consumable_type t on t.organisation_id = r.organisation_id
    and t.id = r.consumable_type_id`,
  sql`t.name, t.id`,
)

const tasks = recordsOf(
  sql`r.id, t.id as "taskTypeId", t.name as "taskTypeName", trim_scale(r.value) as value`,
  sql`consignment_task r join task_type t on t.organisation_id = r.organisation_id and t.id = r.task_type_id`,
  sql`t.name, t.id`,
)

const serviceTypes = recordsOf(
  sql`t.id, t.code, t.name`,
  sql`consignment_service_type r join service_type t on t.organisation_id = r.organisation_id
    and t.id = r.service_type_id`,
  sql`t.name, t.id`,
)

const serviceTypeCodes = sql`(
  select coalesce(json_agg(t.code order by t.name, t.id), '[]') from consignment_service_type r
  join service_type t on t.organisation_id = r.organisation_id and t.id = r.service_type_id
  where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

const pods = recordsOf(
  sql`r.id, as_utc(r.event_utc) as "eventUtc", r.signatory_name as "signatoryName",
    r.external_url as "externalUrl"`,
  sql`consignment_pod r`,
  sql`r.event_utc, r.id`,
)

const jobs = recordsOf(
  sql`j.id as "jobId", j.job_number as "jobNumber", j.reference, j.status, j.priority, j.type,
    j.wave_pick_style as "wavePickStyle", r.position, as_local(j.due_date_time) as "dueDateTime"`,
  sql`job_consignment r join job j on j.organisation_id = r.organisation_id and j.id = r.job_id`,
  sql`j.number`,
)

const detail = sql`${summary}, ${jsonColumnsOf({ ...generalFields, ...containerFields })},
  ${jsonColumnsOf(routeFields)}, c.type as "consignmentType", c.priority,
  as_local(c.actual_receive_date_time) as "actualReceiveDateTime",
  as_local(c.actual_dispatch_date_time) as "actualDispatchDateTime",
  c.closed_transaction_date as "closedTransactionDate", ${partner('client')} as client,
  case when carrier.id is not null then ${partner('carrier')} end as carrier,
  ${serviceTypeCodes} as "serviceTypeCodes", ${products} as products, ${metrics} as metrics,
  ${tracking} as "consignmentTracking", ${notes} as notes, ${consumables} as consumables, ${tasks} as tasks,
  ${serviceTypes} as "serviceTypes", ${pods} as pods, ${jobs} as jobs`

export const consignmentDetail = [
  endpoint({
    get: '/v1/consignments/:consignmentId',
    name: 'getConsignment',
    partners: 'all',
    scope: 'consignment.read',
    extension: true,
    summary: 'Read a consignment with everything that it holds',
    answer: jsonText(ConsignmentDetail),
    async handle({ db, actor, params }) {
      const found = await db.maybe<{ consignment: string }>(sql`
        select ${rowOf(detail)}::text as consignment from consignment c ${summaryJoins(actor)} ${ports}
        where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}`)
      if (found === undefined) throw notFound('Consignment')
      return found.consignment
    },
  }),
]
