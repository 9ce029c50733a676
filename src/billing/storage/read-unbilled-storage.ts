// Finds the goods of an organisation that were in store on some days and that no rate charged. Billed days
// are judged by the frozen facts of their runs, other days by the versions that are in force now.

import { type Db, sql } from '../../platform/database/db.ts'
import { BillingRunStatus } from '../../vocabulary/billing.ts'
import type { BilledDays, VersionDays } from './charged-periods.ts'
import { type Days, dateOf, dayOf } from './local-days.ts'
import { type GoodsStays, listStoredProducts, readStays, type StockFilter } from './stays.ts'
import {
  type FrozenFacts,
  factsByRun,
  readCurrentFacts,
  readFrozenFacts,
  storageFactsOf,
} from './storage-facts.ts'
import { type StorageBill, type UnbilledStorage, unbilledStorage } from './unbilled-storage.ts'
import { loadVersionDays, versionsOfClients } from './version-days.ts'

/** Unbilled storage with its client and warehouse. */
export interface ClientUnbilledStorage extends UnbilledStorage {
  clientId: string
  warehouseId: string
}

/** How many products are processed at a time. The event loop is blocked meanwhile. */
const batchSize = 100

interface StoredRun {
  id: string
  clientId: string
  warehouseId: string
  periodFrom: string
  periodTo: string
  billingPeriod: NonNullable<BilledDays['billingPeriod']>
  versions: { fromDate: string; toDate: string; rateCardVersionId: string; because: number }[]
}

/** A storage run that billed some days. */
interface Run extends BilledDays {
  id: string
  versions: VersionDays[]
}

const accountKey = ({ clientId, warehouseId }: { clientId: string; warehouseId: string }): string =>
  `${clientId} ${warehouseId}`

/** Reads the runs that billed a day or later days, by their accounts, in order. */
async function readRunsSince(db: Db, organisationId: string, from: number): Promise<Map<string, Run[]>> {
  const rows = await db.rows<StoredRun>(sql`
    select r.id, r.client_id, r.warehouse_id, r.period_from, r.period_to, r.billing_period, (
      select coalesce(json_agg(json_build_object('fromDate', v.from_date, 'toDate', v.to_date,
        'rateCardVersionId', v.rate_card_version_id, 'because', v.because) order by v.from_date), '[]')
      from storage_run_version v
      where v.organisation_id = r.organisation_id and v.storage_run_id = r.id
    ) as versions
    from storage_run r
    where r.organisation_id = ${organisationId} and r.period_to >= ${dateOf(from)}::date
    order by r.client_id, r.warehouse_id, r.period_from`)
  const days = rows.flatMap(({ versions }) =>
    versions.map(({ fromDate, toDate, ...version }) => ({
      ...version,
      from: dayOf(fromDate),
      to: dayOf(toDate),
    })),
  )
  const loaded = (await loadVersionDays(db, organisationId, days)).values()
  const runs = new Map<string, Run[]>()
  for (const { periodFrom, periodTo, versions, ...row } of rows) {
    const key = accountKey(row)
    const own = versions.map(() => loaded.next().value as VersionDays)
    const { id, billingPeriod } = row
    const run = { id, billingPeriod, period: { from: dayOf(periodFrom), to: dayOf(periodTo) }, versions: own }
    runs.set(key, [...(runs.get(key) ?? []), run])
  }
  return runs
}

/** Reads up to which day each client has been billed, whether for storage or not. */
const readBilledDays = async (db: Db, organisationId: string): Promise<Map<string, number>> =>
  new Map(
    (
      await db.rows<{ clientId: string; periodTo: string }>(sql`
        select partner_id as client_id, max(period_to) as period_to from billing_run
        where organisation_id = ${organisationId} and status = ${BillingRunStatus.Done}
        group by 1`)
    ).map(({ clientId, periodTo }) => [clientId, dayOf(periodTo)]),
  )

/** Reads the frozen facts of the products and locations of some goods, by the ids of the runs. */
async function readFactsOfRuns(
  db: Db,
  organisationId: string,
  runIds: readonly string[],
  goods: readonly GoodsStays[],
): Promise<Map<string, FrozenFacts>> {
  const productIds = [...new Set(goods.map(({ position }) => position.productId))]
  const locationIds = [...new Set(goods.map(({ position }) => position.locationId))]
  const rows = await db.rows<{ runId: string; isProduct: boolean; id: string; factsId: string }>(sql`
    select r.id as run_id, true as is_product, f.id, f.facts_id
    from storage_run r cross join lateral unnest(r.product_ids, r.product_facts_ids) f (id, facts_id)
    where r.organisation_id = ${organisationId} and r.id = any(${runIds}) and f.id = any(${productIds})
    union all
    select r.id, false, f.id, f.facts_id
    from storage_run r cross join lateral unnest(r.location_ids, r.location_facts_ids) f (id, facts_id)
    where r.organisation_id = ${organisationId} and r.id = any(${runIds}) and f.id = any(${locationIds})`)
  const rowsOf = (isProduct: boolean) => rows.filter(row => row.isProduct === isProduct)
  const facts = await readFrozenFacts(db, organisationId, {
    products: rowsOf(true).map(({ factsId }) => factsId),
    locations: rowsOf(false).map(({ factsId }) => factsId),
  })
  const among = <T>(items: readonly { id: string; factsId: string }[], facts: ReadonlyMap<string, T>) =>
    new Map(items.map(({ id, factsId }) => [id, facts.get(factsId) as T]))
  const products = Map.groupBy(rowsOf(true), ({ runId }) => runId)
  const locations = Map.groupBy(rowsOf(false), ({ runId }) => runId)
  return new Map(
    runIds.map(id => [
      id,
      {
        products: among(products.get(id) ?? [], facts.products),
        locations: among(locations.get(id) ?? [], facts.locations),
      },
    ]),
  )
}

/** Reads the first day of clients, by their ids. */
type ReadFirstDays = (clientIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** What decides which goods are charged, read once for all products. */
interface BillingState {
  requested: Days
  /** the first day that clients without a run are billed for */
  firstDays: ReadonlyMap<string, string>
  runs: ReadonlyMap<string, readonly Run[]>
  billedDays: ReadonlyMap<string, number>
  versions: ReadonlyMap<string, readonly VersionDays[]>
}

const firstDayOf = (day: string | undefined, { from }: Days): number =>
  day === undefined ? from : dayOf(day)

/** The bills of the requested days, without a gap between them. */
function billsOf(
  clientId: string,
  runs: readonly Run[],
  { requested, firstDays, billedDays, versions }: BillingState,
  facts: { now: FrozenFacts; ofRuns: ReadonlyMap<string, FrozenFacts> },
): StorageBill[] {
  const billedTo = Math.max(
    billedDays.get(clientId) ?? requested.from - 1,
    runs.at(-1)?.period.to ?? requested.from - 1,
  )
  const unbilled = { billingPeriod: null, versions: versions.get(clientId) ?? [] }
  const bills: StorageBill[] = []
  const withoutRun = (days: Days, isPast: boolean, isBeforeFirst = false) => {
    const period = { from: Math.max(days.from, requested.from), to: Math.min(days.to, requested.to) }
    if (period.from <= period.to)
      bills.push({ ...unbilled, period, isPast, isBeforeFirst, facts: storageFactsOf(facts.now) })
  }
  const known = factsByRun(
    runs.map(({ id }, number) => ({ number, frozenFacts: facts.ofRuns.get(id) as FrozenFacts })),
    facts.now,
  )
  let next = requested.from
  for (const [n, { id: _, ...run }] of runs.entries()) {
    withoutRun({ from: next, to: run.period.from - 1 }, true)
    const ofRun = storageFactsOf(known.get(n) as FrozenFacts)
    bills.push({ ...run, isPast: n < runs.length - 1, facts: ofRun })
    next = run.period.to + 1
  }
  withoutRun({ from: next, to: billedTo }, true)
  const first = Math.max(next, billedTo + 1, firstDayOf(firstDays.get(clientId), requested))
  withoutRun({ from: Math.max(next, billedTo + 1), to: first - 1 }, true, true)
  withoutRun({ from: first, to: requested.to }, false)
  return bills
}

/** Finds the goods of some products that no rate charges. */
async function findUnbilled(
  db: Db,
  organisationId: string,
  at: StockFilter,
  productIds: readonly string[],
  billed: BillingState,
): Promise<ClientUnbilledStorage[]> {
  const goods = await readStays(db, organisationId, at, productIds, billed.requested)
  const accounts = Map.groupBy(goods, accountKey)
  const runIds = [...accounts.keys()].flatMap(key => (billed.runs.get(key) ?? []).map(({ id }) => id))
  const positions = goods.map(({ position }) => position)
  const now = await readCurrentFacts(db, organisationId, { positions })
  const ofRuns = await readFactsOfRuns(db, organisationId, runIds, goods)
  return [...accounts].flatMap(([key, items]) => {
    const { clientId, warehouseId } = items[0] as GoodsStays
    const bills = billsOf(clientId, billed.runs.get(key) ?? [], billed, { now, ofRuns })
    const found = unbilledStorage({ warehouseId, goods: items, bills }, billed.requested)
    return found.map(unbilled => ({ ...unbilled, clientId, warehouseId }))
  })
}

const clientsOf = async (db: Db, organisationId: string, productIds: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ partnerId: string }>(sql`
      select distinct partner_id from product
      where organisation_id = ${organisationId} and id = any(${productIds})`)
  ).map(({ partnerId }) => partnerId)

/**
 * Finds the goods of an organisation that were in store on some days and that no rate charges, some products
 * at a time. Days are local to each warehouse. Days that are not over yet are left out. `readFirstDays` reads
 * the first day that clients without a run will be billed for.
 */
export async function* readUnbilledStorage(
  db: Db,
  organisationId: string,
  at: StockFilter,
  requested: Days,
  readFirstDays: ReadFirstDays,
): AsyncGenerator<ClientUnbilledStorage[]> {
  const productIds = await listStoredProducts(db, organisationId, at, requested.from)
  if (productIds.length === 0 || requested.from > requested.to) return
  const clientIds = await clientsOf(db, organisationId, productIds)
  const [firstDays, runs, billedDays] = await Promise.all([
    readFirstDays(clientIds),
    readRunsSince(db, organisationId, requested.from),
    readBilledDays(db, organisationId),
  ])
  const versions = await versionsOfClients(db, organisationId, clientIds, requested)
  const billed: BillingState = { requested, firstDays, runs, billedDays, versions }
  for (let first = 0; first < productIds.length; first += batchSize) {
    const batch = productIds.slice(first, first + batchSize)
    yield await findUnbilled(db, organisationId, at, batch, billed)
  }
}
