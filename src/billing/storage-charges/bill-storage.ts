// Raises the storage charges of a client in a warehouse for a period, and corrects what earlier runs
// billed by what was learned since. Open-points 7.

import { type Database, type Db, sql, type Tx } from '../../platform/database/db.ts'
import { settledNow } from '../../stock/as-of/moment.ts'
import { readSetUp } from '../charges/billing-set-up.ts'
import { wholeOf } from '../rate-cards/exact.ts'
import { maxPeriodDays, versionDaysBefore } from './charge-periods.ts'
import { type BilledStorage, differencesOf, type StorageDifference } from './corrections.ts'
import { evaluateStorage, storageRatesOf } from './evaluate-storage.ts'
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

/** What is to be billed: the days from one local date to another, both included. */
export interface StorageBillingRequest extends StorageAccount {
  periodFrom: string
  periodTo: string
  /** the kind of period that it is */
  billingPeriod: BilledPeriod['billingPeriod']
}

/**
 * Raises what there is to bill and returns the transactions, in one transaction of the database. Nothing
 * is raised, and that is no fault, where no rate card prices storage; nor when it is asked for again and
 * nothing was learned meanwhile. Days that are billed already stay so. Throws where the last day is not
 * over in the warehouse; 503 where the stock of this moment is still being written.
 */
export async function billStorage(
  database: Database,
  asked: StorageBillingRequest,
): Promise<{ transactionIds: string[] }> {
  for (;;) {
    const knownAt = await settledNow(database.db, asked.organisationId)
    const transactionIds = await database.atomically(tx => raiseAsKnown(tx, asked, knownAt))
    if (transactionIds !== null) return { transactionIds }
  }
}

/** The same as known at an instant; null where another run has known as much or more. */
async function raiseAsKnown(tx: Tx, asked: StorageBillingRequest, knownAt: string): Promise<string[] | null> {
  const { organisationId, clientId, warehouseId } = asked
  const at = { organisationId, clientId, warehouseId }
  const account = await lockAccount(tx, at, knownAt)
  if (account.isOvertaken) return null
  // A month of lines is sorted and summed in memory.
  await tx.run(sql`set local work_mem = '64MB'`)
  const warehouse = await readWarehouse(tx, asked, knownAt)
  const own = await ownBilling(tx, asked, account, warehouse.timeZone)
  const known = await runsToCorrect(tx, at, account, knownAt)
  if (own === null && known.length === 0) return []
  const { differences, facts } = await compare(tx, at, known, own, knownAt)
  if (own === null && differences.length === 0) return []

  const [runId, setUp, names] = await Promise.all([
    storeRun(tx, at, {
      number: account.runNumber + 1,
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
  const transactions = differences.map(one =>
    transactionOf(one, { ...setUp, warehouse, names, facts: facts }),
  )
  if (transactions.length > 0)
    await insertTransactions(tx, at, { id: runId, date: asked.periodTo }, transactions)
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

/** The days that are asked for and not billed yet, with their versions; null where nothing is billed. */
async function ownBilling(
  tx: Tx,
  { periodFrom, periodTo, billingPeriod, ...at }: StorageBillingRequest,
  { billedThrough, runNumber }: LockedAccount,
  timeZone: string,
): Promise<Billing | null> {
  const to = dayOf(periodTo)
  const from = billedThrough === null ? dayOf(periodFrom) : Math.max(dayOf(periodFrom), billedThrough + 1)
  if (from > to) return null
  const days = { from: from - versionDaysBefore, to }
  const versions = await versionsInForce(tx, at.organisationId, at.clientId, days)
  // A charge may have periods of its own, which begin before.
  const isPriced = versions.some(
    ({ version, to: last }) => last >= from - maxPeriodDays && storageRatesOf(version).length > 0,
  )
  if (!isPriced) return null
  const previous = await billedBefore(tx, at, from)
  return { number: runNumber + 1, period: { from, to, billingPeriod }, previous, timeZone, versions }
}

/**
 * The runs from the first on that billed a day of which something was learned since the latest run: goods
 * that came late raise everything that follows.
 */
async function runsToCorrect(
  tx: Tx,
  at: StorageAccount,
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
      where t.organisation_id = ${at.organisationId} and t.is_late
        and tstzrange(t.effective_utc, t.recorded_utc) @> ${before}::timestamptz
        and t.recorded_utc <= ${knownAt}::timestamptz and ${isMovement} and ${isStockOf(at)}
    ) late
    join storage_run r on (r.period_to + 1)::timestamp at time zone r.timezone_id > late.effective_utc
    where r.organisation_id = ${at.organisationId} and r.client_id = ${at.clientId}
      and r.warehouse_id = ${at.warehouseId}`)
  return number === null ? [] : readRuns(tx, at, { from: number, to: runNumber })
}

/** What storage comes to now less what was billed, of the periods of earlier runs and of its own. */
async function compare(
  tx: Tx,
  at: StorageAccount,
  known: readonly StorageRun[],
  own: Billing | null,
  knownAt: string,
): Promise<{ differences: StorageDifference[]; facts: FrozenFacts }> {
  const corrected = known.flatMap(({ period, ...run }) => (period === null ? [] : [{ ...run, period }]))
  const billings: Billing[] = own === null ? corrected : [...corrected, own]
  const frozenFacts = known.map(run => run.frozenFacts)
  const stored = await readStorageInputs(tx, at, billings, frozenFacts, knownAt)
  const facts = await readCurrentFacts(tx, at.organisationId, stored.history)
  const ofRuns = factsByRun(known, facts)
  const charges = billings.flatMap(billing =>
    evaluateStorage(stored.history, termsOf(at, billing, stored, ofRuns.get(billing.number) ?? facts)),
  )
  const versions = billings.flatMap(billing => billing.versions)
  return { differences: differencesOf(charges, await readBilled(tx, at, corrected), versions), facts }
}

interface StoredBilled extends Omit<BilledStorage, 'period' | 'quantity' | 'amount' | 'rate'> {
  periodFrom: string
  periodTo: string
  quantity: string
  amount: string
  rate: string
}

/** What was billed for the periods of some runs, by key. What was waived counts as billed. */
export async function readBilled(
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

/** Whose goods lie or lay where. */
export interface ClientWarehouse {
  clientId: string
  warehouseId: string
}

/** The clients and warehouses with stock at some time since a local date, of one client or of all. */
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
    order by 1, 2`)
