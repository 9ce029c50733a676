// Closing: what a consignment was charged by is frozen, and its charges become rows. Nothing that happens
// later changes them. Open-points 7.

import { hash } from 'node:crypto'
import { EventType } from '../../events/event.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { ChargePartKind } from '../enumerations.ts'
import { evaluatorVersion } from '../rate-cards/evaluate.ts'
import { add, textOf, type Whole, wholeOf } from '../rate-cards/exact.ts'
import { loadVersions } from '../rate-cards/version-cache.ts'
import { readSetUp } from './billing-set-up.ts'
import { readSubjects } from './charge-inputs.ts'
import type { ChargeSubject, SubjectCard, SubjectLine, SubjectValue } from './charge-subject.ts'
import {
  type ComputedCharge,
  type RatedConsignment,
  rateConsignment,
  versionIdsOf,
} from './rate-consignment.ts'

/** An id that is the hash of what it stands for. */
function factsId(facts: unknown): string {
  const digits = hash('sha256', JSON.stringify(facts), 'hex')
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ]
  return [...parts, digits.slice(20, 32)].join('-')
}

/** What billing reads of an address. */
const placeFacts = (place: ChargeSubject['origin']) => {
  if (place === null) return null
  const { country, postCode, state, suburb, city, latitude, longitude } = place
  return { country, postCode, state, suburb, city, latitude, longitude }
}

interface Facts {
  id: string
  facts: unknown
}
const factsFields = { id: 'uuid', facts: 'jsonb' }
const insertProductFacts = insertRows<Facts>('product_facts', factsFields)
const insertPlaceFacts = insertRows<Facts>('place_facts', factsFields)

const insertInputs = insertRows<ReturnType<typeof inputRow>>('charge_input', {
  consignmentId: 'uuid',
  closingNumber: 'integer',
  chargeDate: 'date',
  chargeUtc: 'timestamptz',
  clientId: 'uuid',
  carrierId: 'uuid',
  warehouseId: 'uuid',
  consignmentType: 'smallint',
  priority: 'smallint',
  isContainerised: 'boolean',
  containerSize: 'smallint',
  containerType: 'smallint',
  serviceTypeIds: 'uuid[]',
  originPlaceFactsId: 'uuid',
  destinationPlaceFactsId: 'uuid',
  originLocalityIds: 'uuid[]',
  destinationLocalityIds: 'uuid[]',
  isByExpected: 'boolean',
  quantity: 'numeric',
  weightKG: 'numeric',
  volumeM3: 'numeric',
  clientVersionId: 'uuid',
  clientBecause: 'smallint',
  clientFreightResolution: 'smallint',
  clientFafPercent: 'numeric',
  clientFafProfileRateId: 'uuid',
  carrierVersionId: 'uuid',
  carrierBecause: 'smallint',
  carrierFreightResolution: 'smallint',
  carrierFafPercent: 'numeric',
  carrierFafProfileRateId: 'uuid',
  freightWarningType: 'smallint',
  freightWarningThreshold: 'numeric',
  evaluatorVersion: 'integer',
  sources: 'jsonb',
})

const total = (places: number, values: (string | null)[]): string =>
  textOf(
    places,
    values.reduce<Whole>((sum, value) => add(sum, wholeOf(places, value ?? '0')), 0),
  )

function cardColumns<Side extends 'client' | 'carrier'>(side: Side, card: SubjectCard | null) {
  return {
    [`${side}VersionId`]: card?.rateCardVersionId ?? null,
    [`${side}Because`]: card?.because ?? null,
    [`${side}FafPercent`]: card?.fafPercent ?? '0',
    [`${side}FafProfileRateId`]: card?.fafProfileRateId ?? null,
  } as Record<
    `${Side}VersionId` | `${Side}Because` | `${Side}FafPercent` | `${Side}FafProfileRateId`,
    unknown
  >
}

function inputRow(subject: ChargeSubject, sources: Record<string, string>) {
  const { lines } = subject
  const place = (of: ChargeSubject['origin']) => (of === null ? null : factsId(placeFacts(of)))
  return {
    consignmentId: subject.id,
    closingNumber: subject.closings + 1,
    chargeDate: subject.chargeDate,
    chargeUtc: subject.chargeUtc,
    clientId: subject.clientId,
    carrierId: subject.carrierId,
    warehouseId: subject.warehouseId,
    consignmentType: subject.consignmentType,
    priority: subject.priority,
    isContainerised: subject.isContainerised,
    containerSize: subject.containerSize,
    containerType: subject.containerType,
    serviceTypeIds: subject.serviceTypeIds,
    originPlaceFactsId: place(subject.origin),
    destinationPlaceFactsId: place(subject.destination),
    originLocalityIds: subject.originLocalityIds,
    destinationLocalityIds: subject.destinationLocalityIds,
    isByExpected: subject.isByExpected,
    quantity: total(
      4,
      lines.map(({ quantity }) => quantity),
    ),
    weightKG: total(
      4,
      lines.map(({ weight }) => weight),
    ),
    volumeM3: total(
      6,
      lines.map(({ volume }) => volume),
    ),
    ...cardColumns('client', subject.clientCard),
    clientFreightResolution: subject.clientFreightResolution,
    ...cardColumns('carrier', subject.carrierCard),
    carrierFreightResolution: subject.carrierFreightResolution,
    freightWarningType: subject.freightWarningType,
    freightWarningThreshold: subject.freightWarningThreshold,
    evaluatorVersion,
    sources,
  }
}

const insertParts = insertRows<ReturnType<typeof partRows>[number]>('charge_input_part', {
  consignmentId: 'uuid',
  closingNumber: 'integer',
  ordinal: 'integer',
  kind: 'smallint',
  recordId: 'uuid',
  typeId: 'uuid',
  productId: 'uuid',
  productFactsId: 'uuid',
  attributes: 'jsonb',
  packageTypeCode: 'text',
  quantity: 'numeric',
  weightKG: 'numeric',
  volumeM3: 'numeric',
  logisticUnits: 'integer',
  serials: 'integer',
})

function partRows(subject: ChargeSubject) {
  const of = { consignmentId: subject.id, closingNumber: subject.closings + 1 }
  const none = { recordId: null, productId: null, productFactsId: null, attributes: null }
  const value = (kind: ChargePartKind) => (one: SubjectValue) => ({
    ...{ ...none, kind, typeId: one.typeId, packageTypeCode: null, quantity: one.quantity },
    ...{ weightKG: null, volumeM3: null, logisticUnits: 0, serials: 0 },
  })
  const line = (one: SubjectLine) => ({
    kind: ChargePartKind.Line,
    recordId: one.id,
    typeId: null,
    productId: one.productId,
    productFactsId: one.facts === null ? null : factsId(one.facts),
    attributes: one.attributes,
    packageTypeCode: one.packageTypeCode,
    quantity: one.quantity,
    weightKG: one.weight,
    volumeM3: one.volume,
    logisticUnits: one.logisticUnits,
    serials: one.serials,
  })
  const parts = [
    ...subject.lines.map(line),
    ...subject.tasks.map(value(ChargePartKind.Task)),
    ...subject.consumables.map(value(ChargePartKind.Consumable)),
  ]
  return parts.map((part, ordinal) => ({ ...of, ordinal, ...part }))
}

type ChargeRow = Omit<ComputedCharge, 'activityCode' | 'activityName'> & {
  consignmentId: string
  closingNumber: number
  ordinal: number
}
const insertCharges = insertRows<ChargeRow>('consignment_charge', {
  id: 'uuid',
  consignmentId: 'uuid',
  closingNumber: 'integer',
  ordinal: 'integer',
  partnerId: 'uuid',
  chargeType: 'smallint',
  chargeApplication: 'smallint',
  isIncluded: 'boolean',
  particulars: 'text',
  metricValue: 'numeric',
  chargeMin: 'numeric',
  chargeBase: 'numeric',
  chargeRate: 'numeric',
  chargeMax: 'numeric',
  taxRateId: 'uuid',
  taxRatePercent: 'numeric',
  revenueAccountId: 'uuid',
  costCentreId: 'uuid',
  amountExclTax: 'numeric',
  rateCardVersionId: 'uuid',
  rateId: 'uuid',
  rateChargeId: 'uuid',
  partKey: 'text',
  activityTypeId: 'uuid',
  fafPercent: 'numeric',
  fafProfileRateId: 'uuid',
})

/** The events that told what charging reads, the latest that apply. */
const told: Record<string, EventType[]> = {
  general: [EventType.ConsignmentGeneralUpdated, EventType.ConsignmentCreated],
  route: [EventType.ConsignmentRouteUpdated, EventType.ConsignmentCreated],
  container: [EventType.ConsignmentContainerUpdated, EventType.ConsignmentCreated],
  serviceTypes: [EventType.ConsignmentServiceTypeUpdated, EventType.ConsignmentCreated],
  tasks: [EventType.ConsignmentTasksUpdated, EventType.ConsignmentCreated],
  consumables: [EventType.ConsignmentConsumablesUpdated, EventType.ConsignmentCreated],
  products: [
    EventType.ConsignmentProductsUpdated,
    EventType.ConsignmentMetricsUpdated,
    EventType.ConsignmentCreated,
  ],
  status: [EventType.ConsignmentStatusUpdated, EventType.ConsignmentCreated],
}

/** By consignment: the event behind each of what charging reads. */
async function readSources(tx: Tx, organisationId: string, ids: readonly string[]) {
  const types = [...new Set(Object.values(told).flat())]
  const rows = await tx.rows<{ subjectId: string; latest: Record<string, string> }>(sql`
    select subject_id, json_object_agg(type, id) as latest
    from (
      select distinct on (subject_id, type) subject_id, type, id from event
      where organisation_id = ${organisationId} and subject_id = any(${ids}) and type = any(${types})
      order by subject_id, type, id desc
    ) e
    group by subject_id`)
  return new Map(
    rows.map(({ subjectId, latest }) => {
      const entries = Object.entries(told).flatMap(([name, its]) => {
        const id = its.map(type => latest[type]).find(one => one !== undefined)
        return id === undefined ? [] : [[name, id] as const]
      })
      return [subjectId, Object.fromEntries(entries) as Record<string, string>]
    }),
  )
}

/** A consignment that is closing, with what it comes to. */
export interface ClosingConsignment {
  subject: ChargeSubject
  rated: RatedConsignment
}

/** What locked consignments come to if they are Closed with this date, in the order of their ids. */
export async function rateClosing(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
  closingDate: string,
): Promise<ClosingConsignment[]> {
  const where = sql`c.organisation_id = ${organisationId} and c.id = any(${ids})`
  const [subjects, setUp] = await Promise.all([
    readSubjects(tx, { where, closingDate }),
    readSetUp(tx, organisationId),
  ])
  const versions = await loadVersions(tx, organisationId, subjects.flatMap(versionIdsOf))
  return subjects.map(subject => ({ subject, rated: rateConsignment(subject, versions, setUp) }))
}

/** Freezes what consignments of an organisation are charged by, and stores their charges. */
export async function freezeCharges(
  tx: Tx,
  organisationId: string,
  closing: readonly ClosingConsignment[],
): Promise<void> {
  const subjects = closing.map(({ subject }) => subject)
  const products = subjects.flatMap(({ lines }) =>
    lines.flatMap(({ facts }) => (facts === null ? [] : [facts])),
  )
  const places = subjects.flatMap(({ origin, destination }) =>
    [origin, destination].flatMap(place => (place === null ? [] : [placeFacts(place)])),
  )
  const once = (facts: unknown[]): Facts[] =>
    [...new Map(facts.map(one => [factsId(one), { id: factsId(one), facts: one }])).values()].toSorted(
      (a, b) => (a.id < b.id ? -1 : 1),
    )
  const sources = await readSources(
    tx,
    organisationId,
    subjects.map(({ id }) => id),
  )
  const charges = closing.flatMap(({ subject, rated }) =>
    rated.charges.map(({ activityCode, activityName, ...charge }, ordinal) => ({
      ...charge,
      consignmentId: subject.id,
      closingNumber: subject.closings + 1,
      ordinal,
    })),
  )
  const inputs = subjects.map(subject => inputRow(subject, sources.get(subject.id) ?? {}))
  // Sent together; each is done before the next, which refers to it.
  await Promise.all([
    tx.run(sql`${insertProductFacts(organisationId, once(products))} on conflict do nothing`),
    tx.run(sql`${insertPlaceFacts(organisationId, once(places))} on conflict do nothing`),
    tx.run(insertInputs(organisationId, inputs)),
    tx.run(insertParts(organisationId, subjects.flatMap(partRows))),
    tx.run(insertCharges(organisationId, charges)),
  ])
}
