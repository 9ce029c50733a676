// A consignment with everything that it holds, read in one statement. Spec 2.2 to 2.7; open-points 4.

import { JobPriority, JobStatus, JobType, WavePickStyle } from '../../jobs/enumerations.ts'
import { Partner } from '../../partners/partners.ts'
import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { endpoint, json } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  nullables,
  PlainDate,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { collectionOf, visibleConsignments } from '../consignment.ts'
import { ConsignmentSummary, summaryColumns, summaryJoins } from '../consignments.ts'
import { ConsignmentPriority, ConsignmentType, CriticalStockStatus } from '../enumerations.ts'
import {
  columnsOf,
  containerFields,
  generalFields,
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

const partner = (alias: 'client' | 'carrier'): Sql => {
  const p = raw(alias)
  return sql`jsonb_build_object('id', ${p}.id, 'externalId', ${p}.external_id, 'name', ${p}.name, 'code',
    ${p}.code, 'email', ${p}.email,
    'relationship', ${p}.relationship, 'status', ${p}.status)`
}

const items = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('serial', i.serial, 'quantity', i.quantity, 'weightKG',
    i.weight_kg, 'volumeM3', i.volume_m3)
    order by i.ordinal), '[]')
  from consignment_product_item i where i.organisation_id = r.organisation_id
    and i.consignment_product_id = r.id)`

const products = collectionOf(
  sql`'id', r.id, 'product', case when d.id is not null then jsonb_build_object('id', d.id, 'code', d.code,
    'name', d.name) end,
    'productCode', r.product_code, 'goodsDescription', r.goods_description, 'batch', r.batch,
      'bestBeforeDate', as_local(r.best_before_date),
    'expiryDate', as_local(r.expiry_date), 'packagingDate', as_local(r.packaging_date), 'productionDate',
      as_local(r.production_date),
    'sellByDate', as_local(r.sell_by_date), 'packageTypeCode', t.code, 'logisticUnitSsccNumber',
      r.logistic_unit_sscc_number,
    'logisticUnitReferenceNumber', r.logistic_unit_reference_number, 'criticalStockStatus',
      r.critical_stock_status,
    'isManualReconciliationRequired', r.is_manual_reconciliation_required,
    'attributes', coalesce(r.attributes, '[]'), 'expectedQuantity', r.expected_quantity, 'expectedWeightKG',
      r.expected_weight_kg,
    'expectedVolumeM3', r.expected_volume_m3, 'items', ${items}`,
  sql`consignment_product r
    left join product d on d.organisation_id = r.organisation_id and d.id = r.product_id
    left join package_type t on t.organisation_id = r.organisation_id and t.id = r.package_type_id`,
  sql`r.ordinal`,
)

const metrics = sql`(
  select jsonb_build_object('expectedQuantity', coalesce(sum(r.expected_quantity), 0),
    'expectedWeightKG', sum(r.expected_weight_kg), 'expectedVolumeM3', sum(r.expected_volume_m3))
  from consignment_product r where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

const tracking = collectionOf(
  sql`'id', r.id, 'carrierName', r.carrier_name, 'status', r.status, 'trackingNumber', r.tracking_number,
    'trackingUrl', r.tracking_url,
    'integrationName', r.integration_name, 'createdUtc', as_utc(r.created_utc), 'modifiedUtc',
      as_utc(r.modified_utc),
    'lastUpdatedDate', r.last_updated_date`,
  sql`consignment_tracking r`,
  sql`r.created_utc, r.id`,
)

const notes = collectionOf(
  sql`'id', r.id, 'note', r.note, 'displayOnPrintOut', r.display_on_print_out, 'attachmentCount',
    (select count(*) from consignment_note_attachment a
    where a.organisation_id = r.organisation_id and a.consignment_note_id = r.id)`,
  sql`consignment_note r`,
  sql`r.created_utc, r.id`,
)

const consumables = collectionOf(
  sql`'id', r.id, 'consumableTypeId', t.id, 'consumableTypeName', t.name, 'value', r.value`,
  sql`consignment_consumable r join consumable_type t on t.organisation_id = r.organisation_id
    and t.id = r.consumable_type_id`,
  sql`t.name, t.id`,
)

const tasks = collectionOf(
  sql`'id', r.id, 'taskTypeId', t.id, 'taskTypeName', t.name, 'value', r.value`,
  sql`consignment_task r join task_type t on t.organisation_id = r.organisation_id and t.id = r.task_type_id`,
  sql`t.name, t.id`,
)

const serviceTypes = collectionOf(
  sql`'id', t.id, 'code', t.code, 'name', t.name`,
  sql`consignment_service_type r join service_type t on t.organisation_id = r.organisation_id
    and t.id = r.service_type_id`,
  sql`t.name, t.id`,
)

const serviceTypeCodes = sql`(
  select coalesce(jsonb_agg(t.code order by t.name, t.id), '[]') from consignment_service_type r
  join service_type t on t.organisation_id = r.organisation_id and t.id = r.service_type_id
  where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

const pods = collectionOf(
  sql`'id', r.id, 'eventUtc', as_utc(r.event_utc), 'signatoryName', r.signatory_name, 'externalUrl',
    r.external_url`,
  sql`consignment_pod r`,
  sql`r.event_utc, r.id`,
)

const jobs = collectionOf(
  sql`'jobId', j.id, 'jobNumber', j.job_number, 'reference', j.reference, 'status', j.status, 'priority',
    j.priority, 'type', j.type,
    'wavePickStyle', j.wave_pick_style, 'position', r.position, 'dueDateTime', as_local(j.due_date_time)`,
  sql`job_consignment r join job j on j.organisation_id = r.organisation_id and j.id = r.job_id`,
  sql`j.number`,
)

const detail = sql`${summaryColumns}, ${columnsOf({ ...generalFields, ...containerFields })},
  ${columnsOf(routeFields)},
  c.type as consignment_type, c.priority, c.actual_receive_date_time, c.actual_dispatch_date_time,
    c.closed_transaction_date,
  ${partner('client')} as client, case when carrier.id is not null then ${partner('carrier')} end as carrier,
  ${serviceTypeCodes} as service_type_codes, ${products} as products, ${metrics} as metrics, ${tracking}
    as consignment_tracking,
  ${notes} as notes, ${consumables} as consumables, ${tasks} as tasks, ${serviceTypes} as service_types,
    ${pods} as pods,
  ${jobs} as jobs`

export const consignmentDetail = [
  endpoint({
    get: '/v1/consignments/:consignmentId',
    name: 'getConsignment',
    partners: 'all',
    scope: 'consignment.read',
    extension: true,
    summary: 'Read a consignment with everything that it holds',
    answer: json(ConsignmentDetail),
    async handle({ db, actor, params }) {
      const consignment = await db.maybe<Static<typeof ConsignmentDetail>>(sql`
        select ${detail} from consignment c ${summaryJoins(actor)} ${ports}
        where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}`)
      if (consignment === undefined) throw notFound('Consignment')
      return consignment
    },
  }),
]
