// Work that nobody pays for: what no rate takes, days in store among it, what was left out by hand, what
// comes to nothing, and what waits to be Closed. Open-points 7.

import { ConsignmentStatus } from '../consignments/enumerations.ts'
import { type Db, empty, sql } from '../platform/database/db.ts'
import type { ChargeSubject } from './charges/charge-subject.ts'
import type { Closing } from './charges/frozen-inputs.ts'
import type { ComputedCharge, RatedConsignment } from './charges/rate-consignment.ts'
import {
  type ConsignmentFilter,
  rateOpenConsignments,
  ratingBatchSize,
} from './charges/rate-open-consignments.ts'
import { ChargePartKind, UnbilledKind, UnratedReason } from './enumerations.ts'
import { deriveClosings } from './proofs/derive-closings.ts'
import { numberOf } from './rate-cards/exact.ts'
import { dateOf, dayOf } from './storage-charges/local-days.ts'
import { readUnbilledStorage } from './storage-charges/read-unbilled-storage.ts'
import type { StorageGap } from './storage-charges/unbilled-storage.ts'

/** A piece of work that is not billed: of a consignment, or goods of a client in a warehouse. */
export interface UnbilledWork {
  consignmentId?: string
  clientId?: string
  warehouseId?: string
  productId?: string
  date: string
  /** the last of the days on which goods lay */
  dateTo?: string
  kind: UnbilledKind
  subject: string | null
  quantity: number | null
  unit: string | null
  reason: string
  suggestion: string
}

/** Which work is looked for. Dates are charge dates and days in store, local and inclusive. */
export interface UnbilledWorkQuery extends ConsignmentFilter {
  dateFrom: string
  dateTo?: string | undefined
  /** a consignment that has been Complete for so many days should be Closed */
  completeDays: number
}

type Told = Pick<UnbilledWork, 'reason' | 'suggestion'>

const reasons: Record<UnratedReason, Told> = {
  [UnratedReason.NoRateCard]: {
    reason: 'The client has no rate card, and there is none to fall back on.',
    suggestion: 'Make a rate card for the client, or one for all that have none.',
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
    suggestion: 'Make a locality that holds the address.',
  },
  [UnratedReason.Remainder]: {
    reason: 'Whole units are charged, and this is left of them.',
    suggestion: 'Charge what is left by quantity, after the whole units.',
  },
  [UnratedReason.NotPositive]: {
    reason: 'What is measured is 0 or less.',
    suggestion: 'Look at the value of the work.',
  },
}
const zeroAmount: Told = {
  reason: 'Its charge comes to 0.00.',
  suggestion: 'Look at rate, base and minimum of the charge.',
}
const byExpected: Told = {
  reason: 'It is Complete, and nothing of it came or went here: what was expected is charged.',
  suggestion: 'Look at what was received or dispatched.',
}
const serviceUnnamed: Told = {
  reason: 'No charge of the card names this service type.',
  suggestion: 'Add a charge for the service type.',
}

const storageReasons: Record<Exclude<StorageGap, UnratedReason>, Told> = {
  missed: {
    reason: 'No bill charges these days, and later ones are billed.',
    suggestion: 'Let the billing rule raise storage from the first day on; charge these by hand.',
  },
  begun: {
    reason: 'The version that charges it began within a billing period, and counts from the next one on.',
    suggestion: 'Let versions begin with a billing period; charge these days by hand.',
  },
}

const kinds: Partial<Record<ChargePartKind, UnbilledKind>> = {
  [ChargePartKind.Line]: UnbilledKind.Line,
  [ChargePartKind.Task]: UnbilledKind.Task,
  [ChargePartKind.Consumable]: UnbilledKind.Consumable,
  [ChargePartKind.Freight]: UnbilledKind.Freight,
}

/** What an excluded or empty charge is told by. */
interface OddCharge {
  particulars: string | null
  metricValue: string
  isIncluded: boolean
  /** who left it out, and when; null where nobody knows */
  by: string | null
  atUtc: string | null
}

function oddWork(one: OddCharge): Omit<UnbilledWork, 'consignmentId' | 'date'> {
  const about = { subject: one.particulars, quantity: Number(one.metricValue), unit: null }
  if (one.isIncluded) return { ...about, kind: UnbilledKind.ZeroAmount, ...zeroAmount }
  const by = one.by === null ? '' : ` by ${one.by}`
  const at = one.atUtc === null ? '' : ` at ${one.atUtc}`
  return {
    ...{ ...about, kind: UnbilledKind.Excluded, reason: `Left out by hand${by}${at}.` },
    suggestion: 'Include the charge again, if it was meant to be billed.',
  }
}

/** The service types that no charge of the client's card names. */
function unnamedServices({ serviceTypeIds }: ChargeSubject, { client }: RatedConsignment): string[] {
  if (client === null) return []
  const named = new Set(
    client.version.content.rates.flatMap(({ charges }) =>
      charges.flatMap(({ when }) => when?.serviceTypeIds ?? []),
    ),
  )
  return serviceTypeIds.filter(id => !named.has(id))
}

/** What a consignment's cards leave, as rows. */
function unratedWork(
  subject: ChargeSubject,
  rated: RatedConsignment,
  serviceNames: ReadonlyMap<string, string>,
): Omit<UnbilledWork, 'consignmentId' | 'date'>[] {
  const left = rated.unrated.map(({ part, quantity, reason }) => ({
    kind: kinds[part.kind] as UnbilledKind,
    subject: part.name,
    quantity: part.kind === ChargePartKind.Freight ? null : quantity,
    unit: part.kind === ChargePartKind.Line ? 'item' : null,
    ...reasons[reason],
  }))
  const none = { subject: null, quantity: null, unit: null }
  const services = unnamedServices(subject, rated).map(id => ({
    ...{ ...none, kind: UnbilledKind.ServiceType, subject: serviceNames.get(id) ?? null, ...serviceUnnamed },
  }))
  const expected = subject.isByExpected ? [{ ...none, kind: UnbilledKind.ByExpected, ...byExpected }] : []
  return [...left, ...services, ...expected]
}

/** The names of an organisation's service types by id. */
const readServiceNames = async (db: Db, organisationId: string): Promise<Map<string, string>> =>
  new Map(
    (
      await db.rows<{ id: string; name: string }>(
        sql`select id, name from service_type where organisation_id = ${organisationId}`,
      )
    ).map(({ id, name }) => [id, name]),
  )

/**
 * By consignment: charges that were entered, or frozen with the latest closing, which were left out or come
 * to 0.00; and who left out those that make themselves, by rule and part.
 */
async function readOdd(db: Db, organisationId: string, ids: readonly string[]) {
  const stored = await db.rows<OddCharge & { consignmentId: string }>(sql`
    select h.consignment_id, h.particulars, h.metric_value::text as metric_value, h.is_included,
      u.full_name as by, as_utc(x.excluded_utc) as at_utc
    from consignment_charge h
    left join charge_exclusion x on x.organisation_id = h.organisation_id
      and x.consignment_id = h.consignment_id and x.rate_charge_id = h.rate_charge_id
      and x.part_key = h.part_key
    left join app_user u on u.organisation_id = x.organisation_id and u.id = x.excluded_by
    where h.organisation_id = ${organisationId} and h.consignment_id = any(${ids})
      and (not h.is_included or h.amount_excl_tax = 0)
      and (h.closing_number is null or h.closing_number = (
        select max(i.closing_number) from charge_input i
        where i.organisation_id = h.organisation_id and i.consignment_id = h.consignment_id
      ) and (
        select c.status from consignment c
        where c.organisation_id = h.organisation_id and c.id = h.consignment_id
      ) = ${ConsignmentStatus.Closed})
    order by h.consignment_id, h.ordinal, h.id`)
  const left = await db.rows<{ key: string; by: string | null; atUtc: string }>(sql`
    select concat_ws(' ', x.consignment_id, x.rate_charge_id, x.part_key) as key, u.full_name as by,
      as_utc(x.excluded_utc) as at_utc
    from charge_exclusion x
    left join app_user u on u.organisation_id = x.organisation_id and u.id = x.excluded_by
    where x.organisation_id = ${organisationId} and x.consignment_id = any(${ids})`)
  return {
    stored: Map.groupBy(stored, ({ consignmentId }) => consignmentId),
    left: new Map(left.map(({ key, ...who }) => [key, who])),
  }
}

type Odd = Awaited<ReturnType<typeof readOdd>>

/** Charges of an open consignment that are left out or come to 0.00. */
const oddComputed = (charges: readonly ComputedCharge[], consignmentId: string, { left }: Odd): OddCharge[] =>
  charges
    .filter(one => !one.isIncluded || Number(one.amountExclTax) === 0)
    .map(one => {
      const who = left.get([consignmentId, one.rateChargeId, one.partKey].join(' '))
      return { ...one, by: who?.by ?? null, atUtc: who?.atUtc ?? null }
    })

/** A consignment with what it comes to. */
interface Looked {
  subject: ChargeSubject
  rated: RatedConsignment
  isFrozen: boolean
}

const isInRange = (date: string, { dateFrom, dateTo }: UnbilledWorkQuery): boolean =>
  date >= dateFrom && (dateTo === undefined || date <= dateTo)

const dayMs = 86_400_000

/** A consignment that has been Complete for long. */
function notClosed(
  { status, chargeDate }: ChargeSubject,
  completeDays: number,
): Omit<UnbilledWork, 'consignmentId' | 'date'>[] {
  const days = Math.floor((Date.now() - Date.parse(`${chargeDate}T00:00:00Z`)) / dayMs)
  if (status !== ConsignmentStatus.Complete || days < completeDays) return []
  return [
    {
      ...{ kind: UnbilledKind.NotClosed, subject: null, quantity: days, unit: 'day' },
      ...{ reason: 'It is Complete and not Closed.', suggestion: 'Close the consignment.' },
    },
  ]
}

/** What is not billed of some consignments. */
async function unbilledOf(
  db: Db,
  organisationId: string,
  question: UnbilledWorkQuery,
  some: readonly Looked[],
  serviceNames: ReadonlyMap<string, string>,
): Promise<UnbilledWork[]> {
  const ids = some.map(({ subject }) => subject.id)
  const odd = await readOdd(db, organisationId, ids)
  return some.flatMap(({ subject, rated, isFrozen }) => {
    const { id: consignmentId, chargeDate: date } = subject
    if (!isInRange(date, question)) return []
    const computed = isFrozen ? [] : oddComputed(rated.charges, consignmentId, odd)
    return [
      ...unratedWork(subject, rated, serviceNames),
      ...[...computed, ...(odd.stored.get(consignmentId) ?? [])].map(oddWork),
      ...notClosed(subject, question.completeDays),
    ].map(one => ({ consignmentId, date, ...one }))
  })
}

/** The latest closings of consignments that are Closed now and were charged by rules. */
const latestClosings = (
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
  question: UnbilledWorkQuery,
): AsyncGenerator<Looked> {
  const closings = await latestClosings(db, organisationId, question)
  for (let at = 0; at < closings.length; at += ratingBatchSize) {
    const derived = await deriveClosings(db, organisationId, closings.slice(at, at + ratingBatchSize))
    for (const { frozen, rated } of derived.values())
      if (rated !== null) yield { subject: frozen, rated, isFrozen: true }
  }
}

async function* openConsignments(
  db: Db,
  organisationId: string,
  question: UnbilledWorkQuery,
): AsyncGenerator<Looked> {
  for await (const { subject, rated } of rateOpenConsignments(db, organisationId, question))
    yield { subject, rated, isFrozen: false }
}

/** The days in store that nobody pays for, some products at a time. */
async function* unbilledDays(
  db: Db,
  organisationId: string,
  { clientId, warehouseId, dateFrom, dateTo }: UnbilledWorkQuery,
): AsyncGenerator<UnbilledWork[]> {
  const today = Math.floor(Date.now() / dayMs)
  // Somewhere it is tomorrow already.
  const days = { from: dayOf(dateFrom), to: dateTo === undefined ? today + 1 : dayOf(dateTo) }
  for await (const some of readUnbilledStorage(db, organisationId, { clientId, warehouseId }, days))
    yield some.map(({ from, to, reason, unitDays, ...whose }) => ({
      ...{ ...whose, date: dateOf(from), dateTo: dateOf(to), kind: UnbilledKind.StorageDay, subject: null },
      ...{ quantity: numberOf(4, unitDays), unit: 'unit day' },
      ...(typeof reason === 'number' ? reasons[reason] : storageReasons[reason]),
    }))
}

/** Finds the work of an organisation that nobody pays for, some consignments or products at a time. */
export async function* unbilledWork(
  db: Db,
  organisationId: string,
  question: UnbilledWorkQuery,
): AsyncGenerator<UnbilledWork[]> {
  const serviceNames = await readServiceNames(db, organisationId)
  for (const consignments of [frozenConsignments, openConsignments]) {
    let some: Looked[] = []
    for await (const one of consignments(db, organisationId, question)) {
      some.push(one)
      if (some.length < ratingBatchSize) continue
      yield await unbilledOf(db, organisationId, question, some, serviceNames)
      some = []
    }
    if (some.length > 0) yield await unbilledOf(db, organisationId, question, some, serviceNames)
  }
  yield* unbilledDays(db, organisationId, question)
}
