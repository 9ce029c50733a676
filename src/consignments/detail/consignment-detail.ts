// A consignment with all of its records, sent as the JSON that PostgreSQL makes of it. Spec 2.2 to 2.7;
// decision 4.

import { endpoint } from '../../access/endpoint.ts'
import { Partner } from '../../partners/partners.ts'
import { jsonText } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import {
  allNullable,
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  PlainDate,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { JobPriority, JobStatus, JobType, WavePickStyle } from '../../vocabulary/jobs.ts'
import { CriticalStockStatus } from '../../vocabulary/stock.ts'
import { fieldSchemas, parts } from '../consignment-fields.ts'
import { ConsignmentSummary } from '../consignments.ts'
import { Tracking } from '../tracking.ts'
import { readDetail } from './read-detail.ts'

const AnyText = Type.String()
const Amount = Type.Number()

const Item = Type.Object({
  quantity: Amount,
  ...allNullable({ serial: AnyText, weightKG: Amount, volumeM3: Amount }),
})

/** A line: what was announced, and its quantities so far. */
const Line = named(
  'ConsignmentProduct',
  Type.Object({
    id: Uuid,
    product: nullable(Type.Object({ id: Uuid, code: AnyText, name: AnyText })),
    productCode: AnyText,
    ...allNullable({
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
    allocatedQuantity: Amount,
    pickedQuantity: Amount,
    receivedQuantity: Amount,
    receivedWeightKG: Amount,
    receivedVolumeM3: Amount,
    dispatchedQuantity: Amount,
    dispatchedWeightKG: Amount,
    dispatchedVolumeM3: Amount,
    heldQuantity: Type.Number({ description: 'on hand in the holds that it was received into' }),
    shortQuantity: Type.Number({
      description: 'outwards, what is not allocated, picked or dispatched; inwards, what was not received',
    }),
    items: Type.Array(Item),
    sentBatches: Type.Array(
      Type.Object({
        partnerProductId: Uuid,
        batch: nullable(AnyText),
        expiryDate: nullable(LocalTime),
        quantity: Amount,
      }),
      {
        description:
          'On a line of a return, what left with the line of which it returns goods: the batches to choose ' +
          'from when the goods come in. Empty on other lines.',
      },
    ),
  }),
)

/** A job that contains the consignment. Spec 2.15. */
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

const consignmentName = { consignmentId: Uuid, consignmentNumber: AnyText }

export const ConsignmentDetail = named(
  'ConsignmentDetail',
  Type.Object({
    ...ConsignmentSummary.properties,
    ...allNullable(fieldSchemas(parts.general)),
    ...allNullable(fieldSchemas(parts.route)),
    ...allNullable(fieldSchemas(parts.container)),
    consignmentType: IntegerEnum(ConsignmentType),
    ...fieldSchemas(parts.priority),
    ...allNullable({
      actualReceiveDateTime: LocalTime,
      actualDispatchDateTime: LocalTime,
      closedTransactionDate: PlainDate,
      returnOf: Type.Object(consignmentName, {
        description: 'The outwards consignment of which this one returns goods.',
      }),
    }),
    returns: Type.Array(Type.Object({ ...consignmentName, status: IntegerEnum(ConsignmentStatus) }), {
      description: 'The inwards consignments that return goods of this one.',
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
        actualQuantity: nullable(Amount),
        actualWeightKG: nullable(Amount),
        actualVolumeM3: nullable(Amount),
      },
      {
        description:
          'Sums over the lines. A weight or volume covers the lines that have one, and is null if no line ' +
          'has. The actual figures are what was received or dispatched, once the consignment is Complete.',
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

export const consignmentDetail = [
  endpoint({
    get: '/v1/consignments/:consignmentId',
    name: 'getConsignment',
    partners: 'all',
    scope: 'consignment.read',
    extension: true,
    summary: 'Read a consignment with all of its records',
    response: jsonText(ConsignmentDetail),
    async handle({ db, actor, params }) {
      const consignment = await readDetail(db, actor, params.consignmentId)
      if (consignment === undefined) throw notFound('Consignment')
      return consignment
    },
  }),
]
