// Freezes the inputs and the charges of consignments as they are Closed, so that nothing that happens later
// changes them. Decision 7.

import { type Db, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { insertColumns, insertRows } from '../../platform/database/insert-rows.ts'
import { EventType } from '../../vocabulary/events.ts'
import { add, type ExactInteger, textOf, wholeOf } from '../evaluator/exact.ts'
import type { Place } from '../evaluator/locality.ts'
import { type LoadedVersion, loadVersions } from '../rate-cards/version-cache.ts'
import type { BillableConsignment, CardInForce } from './billable-consignment.ts'
import { closingTexts } from './closing-texts.ts'
import { factsId, insertFacts } from './frozen-facts.ts'
import { namesOf } from './frozen-names.ts'
import {
  type BillingSetUp,
  type ComputedCharge,
  type RatedConsignment,
  rateConsignment,
  versionIdsOf,
} from './rate-consignment.ts'
import { readBillableConsignments } from './read-billable-consignments.ts'

/** The facts of an address that billing uses. */
const placeFacts = (place: Place) => {
  const { country, postCode, state, suburb, city, latitude, longitude } = place
  return { country, postCode, state, suburb, city, latitude, longitude }
}

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
  names: 'jsonb',
  lineIds: 'uuid[]',
  selectorFacts: 'text',
  partSubjects: 'text',
  partFigures: 'text',
  clientAmounts: 'text',
  carrierAmounts: 'text',
})

const total = (places: number, values: (string | null)[]): string =>
  textOf(
    places,
    values.reduce<ExactInteger>((sum, value) => add(sum, wholeOf(places, value ?? '0')), 0),
  )

function cardColumns<Side extends 'client' | 'carrier'>(side: Side, card: CardInForce | null) {
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

function inputRow({ consignment, sources, rated }: ConsignmentToFreeze) {
  const { lines } = consignment
  const placeId = (place: BillableConsignment['origin']) =>
    place === null ? null : factsId(placeFacts(place))
  return {
    consignmentId: consignment.id,
    closingNumber: consignment.closings + 1,
    chargeDate: consignment.chargeDate,
    chargeUtc: consignment.chargeUtc,
    clientId: consignment.clientId,
    carrierId: consignment.carrierId,
    warehouseId: consignment.warehouseId,
    consignmentType: consignment.consignmentType,
    priority: consignment.priority,
    isContainerised: consignment.isContainerised,
    containerSize: consignment.containerSize,
    containerType: consignment.containerType,
    serviceTypeIds: consignment.serviceTypeIds,
    originPlaceFactsId: placeId(consignment.origin),
    destinationPlaceFactsId: placeId(consignment.destination),
    originLocalityIds: consignment.originLocalityIds,
    destinationLocalityIds: consignment.destinationLocalityIds,
    isByExpected: consignment.isByExpected,
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
    ...cardColumns('client', consignment.clientCard),
    clientFreightResolution: consignment.clientFreightResolution,
    ...cardColumns('carrier', consignment.carrierCard),
    carrierFreightResolution: consignment.carrierFreightResolution,
    freightWarningType: consignment.freightWarningType,
    freightWarningThreshold: consignment.freightWarningThreshold,
    evaluatorVersion: consignment.evaluatorVersion,
    sources: sources ?? {},
    names: namesOf(consignment),
    ...closingTexts(consignment, rated?.charges ?? []),
  }
}

type ChargeRow = ComputedCharge & {
  consignmentId: string
  closingNumber: number
  ordinal: number
}
const insertCharges = insertColumns<ChargeRow>('consignment_charge', {
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
  activityCode: 'text',
  activityName: 'text',
  fafPercent: 'numeric',
  fafProfileRateId: 'uuid',
})

/** The event types that set each group of charge inputs; the first that a consignment has is its source. */
const sourceEventTypes: Record<string, EventType[]> = {
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

/** Event ids by the group of charge inputs that the event set. */
type Sources = Record<string, string>

/** Reads, for each consignment, the event that last set each group of its charge inputs. */
export async function readSources(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, Sources>> {
  const types = [...new Set(Object.values(sourceEventTypes).flat())]
  const rows = await db.rows<{ subjectId: string; latest: Record<string, string> }>(sql`
    select subject_id, json_object_agg(type, id) as latest
    from (
      select distinct on (subject_id, type) subject_id, type, id from event
      where organisation_id = ${organisationId} and subject_id = any(${ids}) and type = any(${types})
      order by subject_id, type, id desc
    ) e
    group by subject_id`)
  return new Map(
    rows.map(({ subjectId, latest }) => {
      const entries = Object.entries(sourceEventTypes).flatMap(([name, eventTypes]) => {
        const id = eventTypes.map(type => latest[type]).find(eventId => eventId !== undefined)
        return id === undefined ? [] : [[name, id] as const]
      })
      return [subjectId, Object.fromEntries(entries) as Sources]
    }),
  )
}

/** A consignment whose charge inputs are to be frozen. */
export interface ConsignmentToFreeze {
  consignment: BillableConsignment
  sources: Sources | undefined
  /** its computed charges; undefined if no rate card charges it */
  rated?: RatedConsignment
}

/** A consignment that is being Closed, with its computed charges. */
export interface ClosingConsignment extends ConsignmentToFreeze {
  rated: RatedConsignment
}

/** Locked consignments with everything that determines their charges. */
export interface ClosingBatch {
  consignments: BillableConsignment[]
  sources: Map<string, Sources>
  versions: ReadonlyMap<string, LoadedVersion>
}

/** Reads locked consignments as if Closed with this local date, in the order of their ids. */
export async function readClosingBatch(
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
  closingDate: string,
): Promise<ClosingBatch> {
  const where = sql`c.organisation_id = ${organisationId} and c.id = any(${ids})`
  const [consignments, sources] = await Promise.all([
    readBillableConsignments(tx, { where, closingDate }),
    readSources(tx, organisationId, ids),
  ])
  const versions = await loadVersions(tx, organisationId, consignments.flatMap(versionIdsOf))
  return { consignments, sources, versions }
}

/** Computes the charges of a batch. */
export const rateClosingBatch = (
  { consignments, sources, versions }: ClosingBatch,
  setUp: BillingSetUp,
): ClosingConsignment[] =>
  consignments.map(consignment => ({
    consignment,
    sources: sources.get(consignment.id),
    rated: rateConsignment(consignment, versions, setUp),
  }))

/** Stores rows, if there are any. Sends the statement at once. */
async function storeRows<Row>(tx: Tx, rows: Row[], insert: (rows: Row[]) => Sql): Promise<void> {
  if (rows.length > 0) await tx.run(insert(rows))
}

/**
 * Freezes the charge inputs of consignments of one organisation and stores their charges. All statements are
 * sent before this returns, so the caller can pipeline further ones.
 */
export async function freezeCharges(
  tx: Tx,
  organisationId: string,
  closing: readonly ClosingConsignment[],
): Promise<void> {
  const charges = closing.flatMap(({ consignment, rated }) =>
    rated.charges.map((charge, ordinal) => ({
      ...charge,
      consignmentId: consignment.id,
      closingNumber: consignment.closings + 1,
      ordinal,
    })),
  )
  const inputs = freezeInputs(tx, organisationId, closing)
  const stored = storeRows(tx, charges, rows => insertCharges(organisationId, rows))
  await Promise.all([inputs, stored])
}

/**
 * Freezes the charge inputs of consignments of one organisation. All statements are sent before this returns.
 */
export async function freezeInputs(
  tx: Tx,
  organisationId: string,
  frozen: readonly ConsignmentToFreeze[],
): Promise<void> {
  const consignments = frozen.map(({ consignment }) => consignment)
  const products = consignments.flatMap(({ lines }) =>
    lines.flatMap(({ facts }) => (facts === null ? [] : [facts])),
  )
  const places = consignments.flatMap(({ origin, destination }) =>
    [origin, destination].flatMap(place => (place === null ? [] : [placeFacts(place)])),
  )
  const inputs = frozen.map(inputRow)
  await Promise.all([
    storeRows(tx, products, facts => insertFacts('product_facts', organisationId, facts)),
    storeRows(tx, places, facts => insertFacts('place_facts', organisationId, facts)),
    tx.run(insertInputs(organisationId, inputs)),
  ])
}
