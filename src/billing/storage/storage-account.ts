// The stored runs of a storage account: what each billed, what it knew, and the rules that it used.

import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { insertInto } from '../../platform/database/write.ts'
import { newId } from '../../platform/new-id.ts'
import type { BillingPeriod } from '../../vocabulary/billing.ts'
import { factsId, insertFacts } from '../charges/frozen-facts.ts'
import type { BilledDays, VersionDays } from './charged-periods.ts'
import { storageEvaluatorVersion } from './evaluate-storage.ts'
import { type Days, dateOf, dayOf } from './local-days.ts'
import type { StorageAccount } from './read-stock-history.ts'
import { type FrozenFacts, readFrozenFacts } from './storage-facts.ts'
import { loadVersionDays } from './version-days.ts'

type Period = (typeof BillingPeriod)[keyof typeof BillingPeriod]

/** The days that a run billed, and the kind of period that they are. */
export interface BilledPeriod extends Days {
  billingPeriod: Period
}

export interface StorageRun {
  id: string
  number: number
  /** null if it only corrected earlier runs */
  period: BilledPeriod | null
  /** the period billed up to the day before; null if there is none */
  previous: BilledDays | null
  knownAt: string
  timeZone: string
  evaluatorVersion: number
  versions: readonly VersionDays[]
  frozenFacts: FrozenFacts
}

/** A storage account that this transaction has locked. */
export interface LockedAccount {
  /** the last billed day; null if none is */
  billedThrough: number | null
  runNumber: number
  /** the instant up to which its latest run knew the ledger; null before the first run */
  knownAt: string | null
  /** an earlier run already used the same knowledge or more */
  isOvertaken: boolean
}

/** Locks an account until the transaction ends, and creates it if necessary. */
export async function lockAccount(tx: Tx, account: StorageAccount, knownAt: string): Promise<LockedAccount> {
  const { organisationId, clientId, warehouseId } = account
  await tx.run(sql`
    insert into storage_account (organisation_id, client_id, warehouse_id)
    values (${organisationId}, ${clientId}, ${warehouseId}) on conflict do nothing`)
  const { billedThrough, ...locked } = await tx.row<
    Omit<LockedAccount, 'billedThrough'> & { billedThrough: string | null }
  >(sql`
    select billed_through, run_number, known_at_utc::text as known_at,
      coalesce(known_at_utc >= ${knownAt}::timestamptz, false) as is_overtaken
    from storage_account
    where organisation_id = ${organisationId} and client_id = ${clientId} and warehouse_id = ${warehouseId}
    for no key update`)
  return { ...locked, billedThrough: billedThrough === null ? null : dayOf(billedThrough) }
}

interface StoredPeriod {
  periodFrom: string
  periodTo: string
  billingPeriod: Period
}

const billedDays = ({ periodFrom, periodTo, billingPeriod }: StoredPeriod): BilledDays => ({
  period: { from: dayOf(periodFrom), to: dayOf(periodTo) },
  billingPeriod,
})

/** Reads the period of an account that was billed up to the day before `day`; null if there is none. */
export async function billedBefore(
  db: Db,
  { organisationId, clientId, warehouseId }: StorageAccount,
  day: number,
): Promise<BilledDays | null> {
  const row = await db.maybe<StoredPeriod>(sql`
    select period_from, period_to, billing_period from storage_run
    where organisation_id = ${organisationId} and client_id = ${clientId} and warehouse_id = ${warehouseId}
      and period_to = ${dateOf(day - 1)}::date`)
  return row === undefined ? null : billedDays(row)
}

interface StoredRun {
  id: string
  number: number
  periodFrom: string | null
  periodTo: string | null
  billingPeriod: Period | null
  previous: StoredPeriod | null
  knownAt: string
  timeZone: string
  evaluatorVersion: number
  // Ids separated by commas, which are read much faster than arrays.
  productIds: string
  productFactsIds: string
  locationIds: string
  locationFactsIds: string
  versions: { fromDate: string; toDate: string; rateCardVersionId: string; because: number }[]
}

/**
 * Reads the runs of an account from one number to another, in order, with their versions and frozen facts.
 */
export async function readRuns(
  db: Db,
  { organisationId, clientId, warehouseId }: StorageAccount,
  numbers: Days,
): Promise<StorageRun[]> {
  const rows = await db.rows<StoredRun>(sql`
    select r.id, r.number, r.period_from, r.period_to, r.billing_period, r.known_at_utc::text as known_at,
      r.timezone_id as time_zone, r.evaluator_version, array_to_string(r.product_ids, ',') as product_ids,
      array_to_string(r.product_facts_ids, ',') as product_facts_ids,
      array_to_string(r.location_ids, ',') as location_ids,
      array_to_string(r.location_facts_ids, ',') as location_facts_ids, (
        select coalesce(json_agg(json_build_object('fromDate', v.from_date, 'toDate', v.to_date,
          'rateCardVersionId', v.rate_card_version_id, 'because', v.because) order by v.from_date), '[]')
        from storage_run_version v
        where v.organisation_id = r.organisation_id and v.storage_run_id = r.id
      ) as versions, (
        select json_build_object('periodFrom', p.period_from, 'periodTo', p.period_to,
          'billingPeriod', p.billing_period)
        from storage_run p
        where p.organisation_id = r.organisation_id and p.client_id = r.client_id
          and p.warehouse_id = r.warehouse_id and p.period_to = r.period_from - 1
      ) as previous
    from storage_run r
    where r.organisation_id = ${organisationId} and r.client_id = ${clientId}
      and r.warehouse_id = ${warehouseId} and r.number between ${numbers.from} and ${numbers.to}
    order by r.number`)
  const facts = await readFrozenFacts(db, organisationId, {
    products: rows.flatMap(({ productFactsIds }) => idsOf(productFactsIds)),
    locations: rows.flatMap(({ locationFactsIds }) => idsOf(locationFactsIds)),
  })
  const versions = await loadVersionDays(
    db,
    organisationId,
    rows.flatMap(row =>
      row.versions.map(({ fromDate, toDate, ...version }) => ({
        ...version,
        from: dayOf(fromDate),
        to: dayOf(toDate),
      })),
    ),
  )
  let next = 0
  return rows.map(row => ({
    id: row.id,
    number: row.number,
    period:
      row.periodFrom === null || row.periodTo === null
        ? null
        : {
            from: dayOf(row.periodFrom),
            to: dayOf(row.periodTo),
            billingPeriod: row.billingPeriod as Period,
          },
    previous: row.previous === null ? null : billedDays(row.previous),
    knownAt: row.knownAt,
    timeZone: row.timeZone,
    evaluatorVersion: row.evaluatorVersion,
    versions: row.versions.map(() => versions[next++] as VersionDays),
    frozenFacts: {
      products: factsById(row.productIds, row.productFactsIds, facts.products),
      locations: factsById(row.locationIds, row.locationFactsIds, facts.locations),
    },
  }))
}

const idsOf = (text: string): string[] => (text === '' ? [] : text.split(','))

/** Maps ids to the facts that have the corresponding ids of facts. */
function factsById<T>(ids: string, factsIds: string, facts: ReadonlyMap<string, T>): Map<string, T> {
  const found = new Map<string, T>()
  const listOfFactsIds = idsOf(factsIds)
  for (const [n, id] of idsOf(ids).entries()) found.set(id, facts.get(listOfFactsIds[n] as string) as T)
  return found
}

const insertVersions = insertRows<{
  storageRunId: string
  fromDate: string
  toDate: string
  rateCardVersionId: string
  because: number
}>('storage_run_version', {
  storageRunId: 'uuid',
  fromDate: 'date',
  toDate: 'date',
  rateCardVersionId: 'uuid',
  because: 'smallint',
})

/** Stores a run, and updates what its account knows and has billed. Returns the id of the run. */
export async function storeRun(
  tx: Tx,
  account: StorageAccount,
  run: Omit<StorageRun, 'id' | 'evaluatorVersion' | 'previous'>,
) {
  const { organisationId } = account
  const id = newId()
  const { period, frozenFacts } = run
  await Promise.all([
    tx.run(insertFacts('product_facts', organisationId, [...frozenFacts.products.values()])),
    tx.run(insertFacts('location_facts', organisationId, [...frozenFacts.locations.values()])),
    tx.run(
      insertInto('storage_run', {
        ...account,
        id,
        number: run.number,
        periodFrom: period === null ? undefined : dateOf(period.from),
        periodTo: period === null ? undefined : dateOf(period.to),
        billingPeriod: period?.billingPeriod,
        knownAtUtc: run.knownAt,
        timezoneId: run.timeZone,
        evaluatorVersion: storageEvaluatorVersion,
        productIds: [...frozenFacts.products.keys()],
        productFactsIds: [...frozenFacts.products.values()].map(factsId),
        locationIds: [...frozenFacts.locations.keys()],
        locationFactsIds: [...frozenFacts.locations.values()].map(factsId),
      }),
    ),
    tx.run(
      insertVersions(
        organisationId,
        run.versions.map(({ version, from, to, because }) => ({
          storageRunId: id,
          fromDate: dateOf(from),
          toDate: dateOf(to),
          rateCardVersionId: version.id,
          because,
        })),
      ),
    ),
    tx.run(sql`
      update storage_account set run_number = ${run.number}, known_at_utc = ${run.knownAt}::timestamptz,
        billed_through = coalesce(${period === null ? null : dateOf(period.to)}::date, billed_through)
      where organisation_id = ${organisationId} and client_id = ${account.clientId}
        and warehouse_id = ${account.warehouseId}`),
  ])
  return id
}
