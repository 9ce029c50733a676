// Bills the storage of a client in a warehouse for a period, and corrects what earlier runs billed by what
// became known since. Decision 7.

import { type Database, type Db, sql, type Tx } from '../../platform/database/db.ts'
import { safeNow } from '../../stock/as-of/as-of.ts'
import { readSetUp } from '../charges/billing-set-up.ts'
import { wholeOf } from '../evaluator/exact.ts'
import { maxPeriodDays, versionDaysBefore } from './charge-periods.ts'
import { storageRatesOf } from './charged-periods.ts'
import { type BilledStorage, differencesOf, type StorageDifference } from './corrections.ts'
import { evaluateStorage, storageEvaluatorVersion } from './evaluate-storage.ts'
import { dateOf, dayOf } from './local-days.ts'
import { insertTransactions, readGroupNames, transactionOf } from './raise-transactions.ts'
import { isMovement, isStockOf, type StorageAccount } from './read-stock-history.ts'
import {
  type BilledPeriod,
  billedBefore,
  type LockedAccount,
  lockAccount,
  readRuns,
  type StorageRun,
  storeRun,
} from './storage-account.ts'
import { type FrozenFacts, factsByRun, readCurrentFacts } from './storage-facts.ts'
import { type Billing, readStorageInputs, termsOf } from './storage-terms.ts'
import { versionsInForce } from './version-days.ts'

/** The storage to bill: the days from one local date to another, both included. */
export interface StorageBillingRequest extends StorageAccount {
  periodFrom: string
  periodTo: string
  /** the kind of period that these days are */
  billingPeriod: BilledPeriod['billingPeriod']
}

/**
 * Bills the storage, in one database transaction, and returns the ids of the transactions raised. Raises
 * nothing if no rate card prices storage, or if the period is billed already and nothing new is known. Days
 * that are already billed are not billed again. Throws if the last day is not over in the warehouse. 503 if
 * movements of this moment are still being written.
 */
export async function billStorage(
  database: Database,
  request: StorageBillingRequest,
): Promise<{ transactionIds: string[] }> {
  for (;;) {
    const knownAt = await safeNow(database.db, request.organisationId)
    const transactionIds = await database.atomically(tx => raiseTransactions(tx, request, knownAt))
    if (transactionIds !== null) return { transactionIds }
  }
}

/** Bills what is known at an instant; null if another run has already used the same knowledge or more. */
async function raiseTransactions(
  tx: Tx,
  request: StorageBillingRequest,
  knownAt: string,
): Promise<string[] | null> {
  const { organisationId, clientId, warehouseId } = request
  const account = { organisationId, clientId, warehouseId }
  const locked = await lockAccount(tx, account, knownAt)
  if (locked.isOvertaken) return null
  // Enough to sort and sum a month of lines in memory.
  await tx.run(sql`set local work_mem = '64MB'`)
  const warehouse = await readWarehouse(tx, request, knownAt)
  const own = await ownBilling(tx, request, locked, warehouse.timeZone)
  const known = await runsToCorrect(tx, account, locked, knownAt)
  if (own === null && known.length === 0) return []
  const { differences, facts } = await compare(tx, account, known, own, knownAt)
  if (own === null && differences.length === 0) return []

  const [runId, setUp, names] = await Promise.all([
    storeRun(tx, account, {
      number: locked.runNumber + 1,
      period: own?.period ?? null,
      knownAt,
      timeZone: warehouse.timeZone,
      versions: own?.versions ?? [],
      frozenFacts: facts,
    }),
    readSetUp(tx, organisationId),
    readGroupNames(
      tx,
      organisationId,
      differences.map(({ groupKey }) => groupKey),
    ),
  ])
  const transactions = differences.map(difference =>
    transactionOf(difference, { ...setUp, warehouse, names, facts, billedThrough: locked.billedThrough }),
  )
  if (transactions.length > 0)
    await insertTransactions(tx, account, { id: runId, date: request.periodTo }, transactions)
  return transactions.map(({ id }) => id)
}

interface Warehouse {
  timeZone: string
  warehouseRevenueAccountId: string | null
  warehouseCostCentreId: string | null
}

async function readWarehouse(
  tx: Tx,
  { organisationId, warehouseId, periodTo }: StorageBillingRequest,
  knownAt: string,
): Promise<Warehouse> {
  const { isOver, ...warehouse } = await tx.row<Warehouse & { isOver: boolean }>(sql`
    select timezone_id as time_zone, revenue_account_id as warehouse_revenue_account_id,
      cost_centre_id as warehouse_cost_centre_id,
      (${knownAt}::timestamptz at time zone timezone_id)::date > ${periodTo}::date as is_over
    from warehouse where organisation_id = ${organisationId} and id = ${warehouseId}`)
  if (!isOver) throw new Error(`${periodTo} is not over in the warehouse, so its storage cannot be billed.`)
  return warehouse
}

/** The requested days that are not billed yet, with their versions; null if there is nothing to bill. */
async function ownBilling(
  tx: Tx,
  { periodFrom, periodTo, billingPeriod, ...account }: StorageBillingRequest,
  { billedThrough, runNumber }: LockedAccount,
  timeZone: string,
): Promise<Billing | null> {
  const to = dayOf(periodTo)
  const from = billedThrough === null ? dayOf(periodFrom) : Math.max(dayOf(periodFrom), billedThrough + 1)
  if (from > to) return null
  const days = { from: from - versionDaysBefore, to }
  const versions = await versionsInForce(tx, account.organisationId, account.clientId, days)
  // A charge may have its own period, which begins earlier.
  const isPriced = versions.some(
    ({ version, to: last }) => last >= from - maxPeriodDays && storageRatesOf(version).length > 0,
  )
  if (!isPriced) return null
  const previous = await billedBefore(tx, account, from)
  return {
    ...{ number: runNumber + 1, evaluatorVersion: storageEvaluatorVersion, previous, timeZone, versions },
    period: { from, to, billingPeriod },
  }
}

/**
 * The runs to correct: the first run that billed a day about which something became known since the latest
 * run, and all runs after it, because a late movement changes every balance that follows.
 */
async function runsToCorrect(
  tx: Tx,
  account: StorageAccount,
  { knownAt: before, runNumber }: LockedAccount,
  knownAt: string,
): Promise<StorageRun[]> {
  if (before === null) return []
  const { number } = await tx.row<{ number: number | null }>(sql`
    select min(r.number) as number
    from (
      select min(t.effective_utc) as effective_utc
      from inventory_transaction t
      join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
      where t.organisation_id = ${account.organisationId} and t.is_late
        and tstzrange(t.effective_utc, t.recorded_utc) @> ${before}::timestamptz
        and t.recorded_utc <= ${knownAt}::timestamptz and ${isMovement} and ${isStockOf(account)}
    ) late
    join storage_run r on (r.period_to + 1)::timestamp at time zone r.timezone_id > late.effective_utc
    where r.organisation_id = ${account.organisationId} and r.client_id = ${account.clientId}
      and r.warehouse_id = ${account.warehouseId}`)
  return number === null ? [] : readRuns(tx, account, { from: number, to: runNumber })
}

/** Compares what storage comes to now with what was billed, for the periods of earlier runs and for `own`. */
async function compare(
  tx: Tx,
  account: StorageAccount,
  known: readonly StorageRun[],
  own: Billing | null,
  knownAt: string,
): Promise<{ differences: StorageDifference[]; facts: FrozenFacts }> {
  const corrected = known.flatMap(({ period, ...run }) => (period === null ? [] : [{ ...run, period }]))
  const billings: Billing[] = own === null ? corrected : [...corrected, own]
  const frozenFacts = known.map(run => run.frozenFacts)
  const stored = await readStorageInputs(tx, account, billings, frozenFacts, knownAt)
  const facts = await readCurrentFacts(tx, account.organisationId, stored.history)
  const ofRuns = factsByRun(known, facts)
  const charges = billings.flatMap(billing =>
    evaluateStorage(stored.history, termsOf(account, billing, stored, ofRuns.get(billing.number) ?? facts)),
  )
  const versions = billings.flatMap(billing => billing.versions)
  return {
    differences: differencesOf(charges, await readBilledStorage(tx, account, corrected), versions),
    facts,
  }
}

interface StoredBilled extends Omit<BilledStorage, 'period' | 'quantity' | 'amount' | 'rate'> {
  periodFrom: string
  periodTo: string
  quantity: string
  amount: string
  rate: string
}

/** Reads what was billed for the periods of some runs, by key. Waived transactions count as billed. */
export async function readBilledStorage(
  db: Db,
  { organisationId, clientId, warehouseId }: StorageAccount,
  billings: readonly Pick<Billing, 'period'>[],
): Promise<BilledStorage[]> {
  if (billings.length === 0) return []
  const from = Math.min(...billings.map(({ period }) => period.from))
  const to = Math.max(...billings.map(({ period }) => period.to))
  const rows = await db.rows<StoredBilled>(sql`
    select rate_card_version_id, rate_id, rate_charge_id, period_from, period_to, group_key,
      sum(quantity)::text as quantity, sum(amount_excl_tax)::text as amount,
      (array_agg(charge_rate_excl_tax order by id))[1]::text as rate,
      (array_agg(id order by id))[1] as transaction_id
    from schedule_transaction
    where organisation_id = ${organisationId} and warehouse_id = ${warehouseId} and partner_id = ${clientId}
      and storage_run_id is not null
      and period_to between ${dateOf(from)}::date and ${dateOf(to)}::date
    group by 1, 2, 3, 4, 5, 6
    order by transaction_id`)
  return rows.map(({ periodFrom, periodTo, quantity, amount, rate, ...key }) => ({
    ...key,
    period: { from: dayOf(periodFrom), to: dayOf(periodTo) },
    quantity: wholeOf(6, quantity),
    amount: wholeOf(2, amount),
    rate: wholeOf(6, rate),
  }))
}

/** A client and a warehouse in which the client has or had stock. */
export interface ClientWarehouse {
  clientId: string
  warehouseId: string
}

/**
 * SQL condition: something that storage account `a` billed, or should have billed, became known since its
 * latest run.
 */
export const hasLateKnowledge = sql`exists (
  select from inventory_transaction t
  join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
  where t.organisation_id = a.organisation_id and t.is_late
    and tstzrange(t.effective_utc, t.recorded_utc) @> a.known_at_utc and ${isMovement}
    and s.partner_id = a.client_id and s.warehouse_id = a.warehouse_id)`

/**
 * Lists the clients and warehouses whose storage has to be billed or corrected, for one client or for all:
 * those with stock at any time since a local date, and those of which something became known since their
 * latest run, even if all of the stock had left by then.
 */
export const listClientWarehouses = (
  db: Db,
  organisationId: string,
  { clientId = null, periodFrom }: { clientId?: string | null; periodFrom: string },
): Promise<ClientWarehouse[]> =>
  db.rows<ClientWarehouse>(sql`
    select distinct s.partner_id as client_id, s.warehouse_id
    from warehouse_product s
    join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
    where s.organisation_id = ${organisationId}
      and (${clientId}::uuid is null or s.partner_id = ${clientId}::uuid)
      and (not s.is_depleted or s.last_effective_utc >= ${periodFrom}::timestamp at time zone w.timezone_id)
    union
    select a.client_id, a.warehouse_id from storage_account a
    where a.organisation_id = ${organisationId}
      and (${clientId}::uuid is null or a.client_id = ${clientId}::uuid) and ${hasLateKnowledge}
    order by 1, 2`)
