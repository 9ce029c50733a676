// Unbilled work: work and storage days that no rate charges, charges that were excluded by hand or amount to
// 0.00, and consignments that have not been Closed. Decision 7.

import { type Db, empty, sql } from '../platform/database/db.ts'
import { dayMs } from '../platform/local-time.ts'
import { ChargePartKind, ChargeType, UnbilledKind, UnratedReason } from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import type { BillableConsignment } from './charges/billable-consignment.ts'
import { isClientCharge } from './charges/closing-texts.ts'
import type { ComputedCharge, RatedConsignment } from './charges/rate-consignment.ts'
import {
  type ConsignmentFilter,
  rateOpenConsignments,
  ratingBatchSize,
} from './charges/rate-open-consignments.ts'
import type { Closing } from './charges/read-closings.ts'
import { toNumber } from './evaluator/exact.ts'
import { deriveClosings } from './proofs/derive-closings.ts'
import { readFirstUnbilled } from './runs/billed-partner.ts'
import { readDaysInStatus } from './status-changed-at.ts'
import { dateOf, dayOf } from './storage/local-days.ts'
import { readUnbilledStorage } from './storage/read-unbilled-storage.ts'
import type { StorageGap } from './storage/unbilled-storage.ts'

/** A piece of unbilled work: of a consignment, or storage of a client's product in a warehouse. */
export interface UnbilledWork {
  consignmentId?: string
  clientId?: string
  warehouseId?: string
  productId?: string
  date: string
  /** the last day of unbilled storage */
  dateTo?: string
  kind: UnbilledKind
  subject: string | null
  quantity: number | null
  unit: string | null
  reason: string
  suggestion: string
}

/** Which work to find. Dates are charge dates and storage days, local and inclusive. */
export interface UnbilledWorkQuery extends ConsignmentFilter {
  dateFrom: string
  dateTo?: string | undefined
  /** a consignment that has been Complete for this many days should be Closed */
  completeDays: number
}

type Advice = Pick<UnbilledWork, 'reason' | 'suggestion'>

const reasons: Record<UnratedReason, Advice> = {
  [UnratedReason.NoRateCard]: {
    reason: 'The client has no rate card, and there is none to fall back on.',
    suggestion: 'Create a rate card for the client, or a fall-back card.',
  },
  [UnratedReason.NoRate]: {
    reason: 'No rate of the card prices this kind of work.',
    suggestion: 'Add a rate for it to the card; a rate of 0 says that it is free.',
  },
  [UnratedReason.NothingMatches]: {
    reason: 'No charge of the card matches it.',
    suggestion: 'End the rate with a charge without selectors.',
  },
  [UnratedReason.NotMeasured]: {
    reason: 'It cannot be measured: its product has no weight, volume or unit of that kind.',
    suggestion: 'Give the product its weight, volume and units.',
  },
  [UnratedReason.NoLocality]: {
    reason: 'Its address is in none of the localities that the card names.',
    suggestion: 'Create a locality that contains the address.',
  },
  [UnratedReason.Remainder]: {
    reason: 'Only whole units are charged; this is the remainder.',
    suggestion: 'Charge the remainder by quantity, after the whole units.',
  },
  [UnratedReason.NotPositive]: {
    reason: 'The measured value is 0 or less.',
    suggestion: 'Check the value of the work.',
  },
}
const zeroAmount: Advice = {
  reason: 'Its charge comes to 0.00.',
  suggestion: 'Check the rate, base and minimum of the charge.',
}
const byExpected: Advice = {
  reason: 'It is Complete, but nothing was received or dispatched: the expected quantities are charged.',
  suggestion: 'Check what was received or dispatched.',
}
const unnamedService: Advice = {
  reason: 'No charge of the card names this service type.',
  suggestion: 'Add a charge for the service type.',
}

const storageReasons: Record<Exclude<StorageGap, UnratedReason>, Advice> = {
  beforeFirst: {
    reason: 'These days are before the first billing period, so no run bills them.',
    suggestion: 'Set billsFrom of the billing rule to the first of these days, or charge them by hand.',
  },
  missed: {
    reason: 'No bill charges these days, and later ones are billed.',
    suggestion: 'Let the billing rule raise storage from the first day; charge these days by hand.',
  },
  begun: {
    reason: 'The version that charges it took effect within a billing period, and applies from the next one.',
    suggestion: 'Let versions take effect at the start of a billing period; charge these days by hand.',
  },
}

const kinds: Partial<Record<ChargePartKind, UnbilledKind>> = {
  [ChargePartKind.Line]: UnbilledKind.Line,
  [ChargePartKind.Task]: UnbilledKind.Task,
  [ChargePartKind.Consumable]: UnbilledKind.Consumable,
  [ChargePartKind.Freight]: UnbilledKind.Freight,
}

/** A charge that was excluded or amounts to 0.00, so that it bills nothing. */
interface IneffectiveCharge {
  particulars: string | null
  metricValue: string
  isIncluded: boolean
  /** who excluded it, and when; null if unknown */
  by: string | null
  atUtc: string | null
}

function describeIneffective(charge: IneffectiveCharge): Omit<UnbilledWork, 'consignmentId' | 'date'> {
  const common = { subject: charge.particulars, quantity: Number(charge.metricValue), unit: null }
  if (charge.isIncluded) return { ...common, kind: UnbilledKind.ZeroAmount, ...zeroAmount }
  const by = charge.by === null ? '' : ` by ${charge.by}`
  const at = charge.atUtc === null ? '' : ` at ${charge.atUtc}`
  return {
    ...{ ...common, kind: UnbilledKind.Excluded, reason: `Left out by hand${by}${at}.` },
    suggestion: 'Include the charge again, if it was meant to be billed.',
  }
}

/** Returns the consignment's service types that no charge of the client's card names. */
function unnamedServices({ serviceTypeIds }: BillableConsignment, { client }: RatedConsignment): string[] {
  if (client === null) return []
  const named = new Set(
    client.version.content.rates.flatMap(({ charges }) =>
      charges.flatMap(({ when }) => when?.serviceTypeIds ?? []),
    ),
  )
  return serviceTypeIds.filter(id => !named.has(id))
}

/** Returns the work of a consignment that its client's card does not charge. */
function unratedWork(
  consignment: BillableConsignment,
  rated: RatedConsignment,
  serviceNames: ReadonlyMap<string, string>,
): Omit<UnbilledWork, 'consignmentId' | 'date'>[] {
  const unrated = rated.unrated.map(({ part, quantity, reason }) => ({
    kind: kinds[part.kind] as UnbilledKind,
    subject: part.name,
    quantity: part.kind === ChargePartKind.Freight ? null : quantity,
    unit: part.kind === ChargePartKind.Line ? 'item' : null,
    ...reasons[reason],
  }))
  const blank = { subject: null, quantity: null, unit: null }
  const services = unnamedServices(consignment, rated).map(id => ({
    ...{ ...blank, kind: UnbilledKind.ServiceType, subject: serviceNames.get(id) ?? null, ...unnamedService },
  }))
  const expected = consignment.isByExpected
    ? [{ ...blank, kind: UnbilledKind.ByExpected, ...byExpected }]
    : []
  return [...unrated, ...services, ...expected]
}

/** Reads the names of an organisation's service types, by id. */
const readServiceNames = async (db: Db, organisationId: string): Promise<Map<string, string>> =>
  new Map(
    (
      await db.rows<{ id: string; name: string }>(
        sql`select id, name from service_type where organisation_id = ${organisationId}`,
      )
    ).map(({ id, name }) => [id, name]),
  )

/**
 * Reads the stored charges of clients (ad hoc ones, and those frozen by the latest closing) that are
 * excluded or amount to 0.00, and who excluded which computed charges.
 */
async function readIneffective(db: Db, organisationId: string, ids: readonly string[]) {
  const stored = await db.rows<IneffectiveCharge & { consignmentId: string }>(sql`
    select h.consignment_id, h.particulars, h.metric_value::text as metric_value, h.is_included,
      u.full_name as by, as_utc(x.excluded_utc) as at_utc
    from consignment_charge h
    left join charge_exclusion x on x.organisation_id = h.organisation_id
      and x.consignment_id = h.consignment_id and x.rate_charge_id = h.rate_charge_id
      and x.part_key = h.part_key
    left join app_user u on u.organisation_id = x.organisation_id and u.id = x.excluded_by
    where h.organisation_id = ${organisationId} and h.consignment_id = any(${ids})
      and h.charge_type < ${ChargeType.CarrierFreightAdhoc} and (not h.is_included or h.amount_excl_tax = 0)
      and (h.closing_number is null or h.closing_number = (
        select max(i.closing_number) from charge_input i
        where i.organisation_id = h.organisation_id and i.consignment_id = h.consignment_id
      ) and (
        select c.status from consignment c
        where c.organisation_id = h.organisation_id and c.id = h.consignment_id
      ) = ${ConsignmentStatus.Closed})
    order by h.consignment_id, h.ordinal, h.id`)
  const exclusions = await db.rows<{ key: string; by: string | null; atUtc: string }>(sql`
    select concat_ws(' ', x.consignment_id, x.rate_charge_id, x.part_key) as key, u.full_name as by,
      as_utc(x.excluded_utc) as at_utc
    from charge_exclusion x
    left join app_user u on u.organisation_id = x.organisation_id and u.id = x.excluded_by
    where x.organisation_id = ${organisationId} and x.consignment_id = any(${ids})`)
  return {
    stored: Map.groupBy(stored, ({ consignmentId }) => consignmentId),
    /** by consignment, rate charge and part key */
    exclusions: new Map(exclusions.map(({ key, ...exclusion }) => [key, exclusion])),
  }
}

type Ineffective = Awaited<ReturnType<typeof readIneffective>>

/** Returns the computed charges of the client of an open consignment that are excluded or amount to 0.00. */
const ineffectiveComputed = (
  charges: readonly ComputedCharge[],
  consignmentId: string,
  { exclusions }: Ineffective,
): IneffectiveCharge[] =>
  charges
    .filter(isClientCharge)
    .filter(charge => !charge.isIncluded || Number(charge.amountExclTax) === 0)
    .map(charge => {
      const exclusion = exclusions.get([consignmentId, charge.rateChargeId, charge.partKey].join(' '))
      return { ...charge, by: exclusion?.by ?? null, atUtc: exclusion?.atUtc ?? null }
    })

/** A consignment with its computed charges. */
interface ExaminedConsignment {
  consignment: BillableConsignment
  rated: RatedConsignment
  isFrozen: boolean
}

const isInRange = (date: string, { dateFrom, dateTo }: UnbilledWorkQuery): boolean =>
  date >= dateFrom && (dateTo === undefined || date <= dateTo)

/** Reports a consignment that has been Complete for at least `completeDays` and is not Closed. */
function reportNotClosed(
  days: number | undefined,
  completeDays: number,
): Omit<UnbilledWork, 'consignmentId' | 'date'>[] {
  if (days === undefined || days < completeDays) return []
  return [
    {
      ...{ kind: UnbilledKind.NotClosed, subject: null, quantity: days, unit: 'day' },
      ...{ reason: 'It is Complete and not Closed.', suggestion: 'Close the consignment.' },
    },
  ]
}

const isComplete = ({ status }: BillableConsignment): boolean => status === ConsignmentStatus.Complete

/** Finds the unbilled work of one batch of consignments. */
async function findUnbilled(
  db: Db,
  organisationId: string,
  query: UnbilledWorkQuery,
  batch: readonly ExaminedConsignment[],
  serviceNames: ReadonlyMap<string, string>,
): Promise<UnbilledWork[]> {
  const ids = batch.map(({ consignment }) => consignment.id)
  const complete = batch.filter(({ consignment, isFrozen }) => isComplete(consignment) && !isFrozen)
  const [ineffective, completeDays] = await Promise.all([
    readIneffective(db, organisationId, ids),
    readDaysInStatus(
      db,
      organisationId,
      complete.map(({ consignment }) => consignment.id),
    ),
  ])
  return batch.flatMap(({ consignment, rated, isFrozen }) => {
    const { id: consignmentId, chargeDate: date } = consignment
    if (!isInRange(date, query)) return []
    const computed = isFrozen ? [] : ineffectiveComputed(rated.charges, consignmentId, ineffective)
    return [
      ...unratedWork(consignment, rated, serviceNames),
      ...[...computed, ...(ineffective.stored.get(consignmentId) ?? [])].map(describeIneffective),
      ...reportNotClosed(completeDays.get(consignmentId), query.completeDays),
    ].map(work => ({ consignmentId, date, ...work }))
  })
}

/** Reads the latest closings of consignments that are Closed now and were charged by a rate card. */
const readLatestClosings = (
  db: Db,
  organisationId: string,
  { clientId, carrierId, warehouseId, dateFrom, dateTo }: UnbilledWorkQuery,
): Promise<Closing[]> =>
  db.rows(sql`
    select i.consignment_id, i.closing_number
    from charge_input i
    join consignment c on c.organisation_id = i.organisation_id and c.id = i.consignment_id
      and c.status = ${ConsignmentStatus.Closed}
    where i.organisation_id = ${organisationId} and i.evaluator_version > 0
      ${clientId === undefined ? empty : sql`and i.client_id = ${clientId}`}
      ${carrierId === undefined ? empty : sql`and i.carrier_id = ${carrierId}`}
      ${warehouseId === undefined ? empty : sql`and i.warehouse_id = ${warehouseId}`}
      and i.charge_date >= ${dateFrom}::date
      ${dateTo === undefined ? empty : sql`and i.charge_date <= ${dateTo}::date`}
      and not exists (
        select from charge_input later
        where later.organisation_id = i.organisation_id and later.consignment_id = i.consignment_id
          and later.closing_number > i.closing_number
      )
    order by i.consignment_id`)

async function* frozenConsignments(
  db: Db,
  organisationId: string,
  query: UnbilledWorkQuery,
): AsyncGenerator<ExaminedConsignment> {
  const closings = await readLatestClosings(db, organisationId, query)
  for (let at = 0; at < closings.length; at += ratingBatchSize) {
    const derived = await deriveClosings(db, organisationId, closings.slice(at, at + ratingBatchSize))
    for (const { frozen, rated } of derived.values())
      if (rated !== null) yield { consignment: frozen, rated, isFrozen: true }
  }
}

async function* openConsignments(
  db: Db,
  organisationId: string,
  query: UnbilledWorkQuery,
): AsyncGenerator<ExaminedConsignment> {
  for await (const { consignment, rated } of rateOpenConsignments(db, organisationId, query))
    yield { consignment, rated, isFrozen: false }
}

/** Finds the storage days that are not billed, a batch of products at a time. */
async function* findUnbilledDays(
  db: Db,
  organisationId: string,
  { clientId, warehouseId, dateFrom, dateTo }: UnbilledWorkQuery,
): AsyncGenerator<UnbilledWork[]> {
  const today = Math.floor(Date.now() / dayMs)
  // In some time zones it is already tomorrow.
  const days = { from: dayOf(dateFrom), to: dateTo === undefined ? today + 1 : dayOf(dateTo) }
  const readFirstDays = (clientIds: readonly string[]) => readFirstUnbilled(db, organisationId, clientIds)
  const at = { clientId, warehouseId }
  for await (const batch of readUnbilledStorage(db, organisationId, at, days, readFirstDays))
    yield batch.map(({ from, to, reason, unitDays, ...ids }) => ({
      ...{ ...ids, date: dateOf(from), dateTo: dateOf(to), kind: UnbilledKind.StorageDay, subject: null },
      ...{ quantity: toNumber(4, unitDays), unit: 'unit day' },
      ...(typeof reason === 'number' ? reasons[reason] : storageReasons[reason]),
    }))
}

/** Finds the unbilled work of an organisation, a batch of consignments or products at a time. */
export async function* unbilledWork(
  db: Db,
  organisationId: string,
  query: UnbilledWorkQuery,
): AsyncGenerator<UnbilledWork[]> {
  const serviceNames = await readServiceNames(db, organisationId)
  for (const consignments of [frozenConsignments, openConsignments]) {
    let batch: ExaminedConsignment[] = []
    for await (const consignment of consignments(db, organisationId, query)) {
      batch.push(consignment)
      if (batch.length < ratingBatchSize) continue
      yield await findUnbilled(db, organisationId, query, batch, serviceNames)
      batch = []
    }
    if (batch.length > 0) yield await findUnbilled(db, organisationId, query, batch, serviceNames)
  }
  yield* findUnbilledDays(db, organisationId, query)
}
