// The writes of the mixed load. Each has two sides, and each side undoes the other. A write that only adds
// has the same side twice.

/** A record that requests refer to: path parameters, and the values that queries and bodies need. */
export type Target = Record<string, string>

/** SQL: the consignments that every kind of write can change. */
const isWritable = `c.organisation_id = $1 and c.status in (1, 2, 4, 5) and c.type > 0`

/** A kind of write. */
export interface Write {
  weight: number
  name: string
  /** selects the records: a select list and the rest of a query, in which $1 is the organisation */
  targets: string
  /** undefined if there is no body; `side` is 0 or 1, `n` is a counter */
  body?(side: 0 | 1, target: Target, n: number): unknown
  /** the endpoint of the other side, if it differs */
  undo?: string
}

const consignmentPath = '/v1/consignments/:consignmentId'
const openConsignments = `id as "consignmentId", type, status from consignment c where ${isWritable}`
const typePairs = (table: string) =>
  `c.id as "consignmentId", t.id as "typeId", u.id as "otherId" from consignment c, ${table} t, ${table} u
   where ${isWritable} and t.organisation_id = $1 and u.organisation_id = $1
     and right(t.name, 1) = '7' and right(u.name, 1) = '8'`
const oppositeStatuses: Record<string, [number, number]> = { 1: [4, 1], 2: [2, 1] }

/** The body of an import of two lines, with codes of the organisation. */
const importBody = (_side: 0 | 1, { clientCode = '' }: Target, n: number) => ({
  consignmentType: 2,
  clientCode,
  referenceNumber: `SO-${n}`,
  externalId: `shop-${n}`,
  carrierCode: 'K01',
  warehouseCode: 'W1',
  destinationAddress: {
    name: 'Hemi Walker',
    streetAddress: `${n} Ponsonby Road`,
    city: 'Auckland',
    country: 'New Zealand',
  },
  serviceTypeCodes: ['SER1'],
  products: [0, 1].map(i => ({
    productCode: `P${String(1 + ((n + i) % 50)).padStart(3, '0')}`,
    goodsDescription: 'Fruit',
    items: [{ quantity: 2 + i }],
  })),
})

/** All kinds of writes of the mixed load. */
export const writes: readonly Write[] = [
  {
    weight: 6,
    name: 'POST /v1/consignment-imports',
    targets: `code as "clientCode" from partner c where organisation_id = $1 and relationship = 1`,
    body: importBody,
  },
  {
    weight: 5,
    name: `PUT ${consignmentPath}/status`,
    targets: `${openConsignments} and status = 1`,
    body: (side, { type = '' }) => ({ status: oppositeStatuses[type]?.[side] }),
  },
  {
    weight: 3,
    name: `PUT ${consignmentPath}/priority`,
    targets: openConsignments,
    body: side => ({ priority: 3 + side }),
  },
  {
    weight: 2,
    name: `PUT ${consignmentPath}/general`,
    targets: openConsignments,
    body: (side, _, n) => ({ poNumber: `PO-${n % 7}-${side}`, soNumber: `SO-${side}` }),
  },
  {
    weight: 1,
    name: `PUT ${consignmentPath}/route`,
    targets: openConsignments,
    body: side => ({ carrierRunNumber: `RUN-${side}`, carrierRunOrdinal: side }),
  },
  {
    weight: 3,
    name: `POST ${consignmentPath}/notes`,
    targets: openConsignments,
    body: (_side, _target, n) => ({ note: `Ring twice. ${n}`, displayOnPrintOut: true }),
  },
  {
    weight: 1,
    name: `PUT ${consignmentPath}/notes/:consignmentNoteId`,
    targets: `c.id as "consignmentId", r.id as "consignmentNoteId" from consignment c
      join consignment_note r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
      where ${isWritable}`,
    body: side => ({ note: `Ring ${side + 1} times.` }),
  },
  {
    weight: 1,
    name: `POST ${consignmentPath}/tracking`,
    targets: openConsignments,
    body: (_side, _target, n) => ({ carrierName: 'Swift', trackingNumber: `SW${n}` }),
  },
  {
    weight: 3,
    name: `POST ${consignmentPath}/tracking/:consignmentTrackingId/event`,
    targets: `c.id as "consignmentId", r.id as "consignmentTrackingId" from consignment c
      join consignment_tracking r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
      where ${isWritable}`,
    body: side => ({ status: 3 + side, details: 'Scanned at the depot.' }),
  },
  {
    weight: 2,
    name: `PUT ${consignmentPath}/consumables`,
    targets: typePairs('consumable_type'),
    body: (side, { typeId, otherId }) => ({
      consumables: [
        { consumableTypeId: typeId, value: 1 + side },
        { consumableTypeId: otherId, value: 3 + side },
      ],
    }),
  },
  {
    weight: 2,
    name: `PUT ${consignmentPath}/tasks`,
    targets: typePairs('task_type'),
    body: (side, { typeId, otherId }) => ({
      tasks: [
        { taskTypeId: typeId, value: 1 + side },
        { taskTypeId: otherId, value: 3 + side },
      ],
    }),
  },
  {
    weight: 2,
    name: `POST ${consignmentPath}/service-types/:typeId`,
    undo: `DELETE ${consignmentPath}/service-types/:typeId`,
    targets: typePairs('service_type'),
  },
  {
    weight: 2,
    name: `POST ${consignmentPath}/charges/client-activity/adhoc`,
    targets: `c.id as "consignmentId", t.id as "taxRateId" from consignment c, tax_rate t
      where ${isWritable} and t.organisation_id = $1 and t.name = 'Tax 3'`,
    body: (_side, { taxRateId }, n) => ({
      chargeApplication: 1,
      metricValue: 2,
      chargeRateExclTax: 1 + (n % 9),
      particulars: 'Relabelling',
      taxRateId,
    }),
  },
  {
    weight: 1,
    name: `PUT ${consignmentPath}/charges/:consignmentChargeId`,
    targets: `c.id as "consignmentId", r.id as "consignmentChargeId" from consignment c
      join consignment_charge r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
      where ${isWritable}`,
    body: side => ({ isIncluded: side === 1 }),
  },
  {
    weight: 1,
    name: `POST ${consignmentPath}/edi-detail`,
    targets: openConsignments,
    body: side => ({ ediStatus: 10 + side }),
  },
  {
    weight: 1,
    name: 'PUT /v1/schedules/:partnerScheduleId',
    targets: `id as "partnerScheduleId" from partner_schedule c where organisation_id = $1 and status = 1`,
    body: side => ({ description: `Week ${side}` }),
  },
]
