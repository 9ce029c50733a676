// What storage was billed beside what a card makes of the same days of the ledger: for each period that a run
// billed, as the latest run of its account knew it. What is reckoned is what runs reckon.

import { type Db, sql } from '../../platform/database/db.ts'
import { RateKind } from '../enumerations.ts'
import type { CompiledCharge } from '../rate-cards/compiled-card.ts'
import { type Counterparts, counterpartsOf } from '../rate-cards/counterparts.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { readBilled } from '../storage-charges/bill-storage.ts'
import { versionDaysBefore } from '../storage-charges/charge-periods.ts'
import { type BilledStorage, chargesByKey, keyText } from '../storage-charges/corrections.ts'
import {
  evaluateStorage,
  firstDayOf,
  type MeasuredStorage,
  measureStorage,
  priceStorage,
  type StorageCharge,
  storageRatesOf,
  type VersionDays,
} from '../storage-charges/evaluate-storage.ts'
import { dateOf } from '../storage-charges/local-days.ts'
import type { StorageAccount } from '../storage-charges/read-stock-history.ts'
import { HistorySpans } from '../storage-charges/stock-history.ts'
import { type BilledPeriod, readRuns, type StorageRun } from '../storage-charges/storage-account.ts'
import { type FrozenFacts, factsByRun, readCurrentFacts } from '../storage-charges/storage-facts.ts'
import {
  type Billing,
  historyFor,
  readStorageInputs,
  type StorageInputs,
  termsOf,
} from '../storage-charges/storage-terms.ts'
import type { Comparison, RuleAmount, TestedCard } from './compare.ts'
import type { ReadQuery } from './read-consignments.ts'

/** The storage of a client in a warehouse, from the first run that billed a tested period to the latest. */
export interface TestedAccount extends StorageAccount {
  firstNumber: number
  latestNumber: number
  /** how many lines the ledger of all its goods has */
  lineCount: number
}

/** So many lines of the ledger are held in memory at a time, or those of one period. */
const maxLines = 200_000

/** The accounts of which runs billed periods that end in the tested one. */
export const readAccounts = (
  db: Db,
  { organisationId, partnerIds, dateFrom, dateTo }: ReadQuery,
): Promise<TestedAccount[]> =>
  db.rows<TestedAccount>(sql`
    with ledger as materialized (
      select partner_id, warehouse_id, sum(version) as line_count from warehouse_product
      where organisation_id = ${organisationId} group by partner_id, warehouse_id
    )
    select r.organisation_id, r.client_id, r.warehouse_id, min(r.number) as first_number,
      max(a.run_number) as latest_number, coalesce(max(l.line_count), 0) as line_count
    from storage_run r
    join storage_account a on a.organisation_id = r.organisation_id and a.client_id = r.client_id
      and a.warehouse_id = r.warehouse_id
    left join ledger l on l.partner_id = r.client_id and l.warehouse_id = r.warehouse_id
    where r.organisation_id = ${organisationId} and r.client_id = any(${partnerIds as string[]})
      and r.period_to between ${dateFrom} and ${dateTo}
    group by r.organisation_id, r.client_id, r.warehouse_id
    order by r.client_id, r.warehouse_id`)

/** A run that billed days of its own. */
interface BilledRun extends StorageRun {
  period: BilledPeriod
}

/**
 * The versions of a billed period where the tested one counts from a day on: before it those that counted. A
 * version that goes on is one, as it was for the run.
 */
export function testedVersions(
  { versions, period }: Pick<Billing, 'versions' | 'period'>,
  tested: LoadedVersion,
  since: number,
): VersionDays[] {
  const earlier = versions.flatMap(one =>
    one.from < since ? [{ ...one, to: Math.min(one.to, since - 1) }] : [],
  )
  const latest = earlier.at(-1)
  const { because } = versions.at(-1) ?? { because: 1 }
  if (latest?.version.id === tested.id && latest.to === since - 1)
    return [...earlier.slice(0, -1), { ...latest, to: period.to }]
  const from = Math.max(since, period.from - versionDaysBefore)
  return [...earlier, { from, to: period.to, version: tested, because }]
}

/**
 * What was measured, by versions that count on the same days and differ in prices alone from those that it
 * was measured by. Undefined where there is more to it.
 */
function repricedBy(
  measured: readonly MeasuredStorage[],
  billed: readonly VersionDays[],
  tested: readonly VersionDays[],
): StorageCharge[] | undefined {
  if (billed.length !== tested.length) return undefined
  const counterparts = new Map<VersionDays, Counterparts>()
  for (const [i, days] of billed.entries()) {
    const other = tested[i] as VersionDays
    const its = counterpartsOf(storageRatesOf(days.version), storageRatesOf(other.version))
    if (days.from !== other.from || days.to !== other.to || its === undefined) return undefined
    counterparts.set(days, its)
  }
  const counterpartOf = ({ versionDays, charge }: MeasuredStorage) =>
    counterparts.get(versionDays)?.[charge.number] as CompiledCharge
  return priceStorage(measured.map(one => ({ ...one, charge: counterpartOf(one) })))
}

const chargedBy = (charges: readonly StorageCharge[]): RuleAmount[] =>
  charges.map(({ measured, row }) => ({ charge: measured.charge, amount: row.amount }))

/** Whether charges come to what was billed, key by key. */
function isAsBilled(charges: readonly StorageCharge[], billed: readonly BilledStorage[]): boolean {
  const byKey = chargesByKey(charges)
  for (const one of billed) {
    const key = keyText(one)
    if ((byKey.get(key)?.row.amount ?? 0) !== one.amount) return false
    byKey.delete(key)
  }
  return [...byKey.values()].every(({ row }) => row.amount === 0)
}

/** What was billed, by the rules that it was billed by. */
function chargedAsBilled(billed: readonly BilledStorage[], versions: readonly VersionDays[]): RuleAmount[] {
  const rules = new Map<string, CompiledCharge>()
  for (const { version } of versions)
    for (const charge of storageRatesOf(version).flatMap(({ charges }) => charges))
      rules.set(`${version.id} ${charge.content.id}`, charge)
  return billed.map(({ rateCardVersionId, rateChargeId, amount }) => {
    const charge = rules.get(`${rateCardVersionId} ${rateChargeId}`)
    if (charge === undefined)
      throw new Error(`Version ${rateCardVersionId} has no rate charge ${rateChargeId} of storage.`)
    return { charge, amount }
  })
}

/** Everything of an account that its periods are compared from. */
interface ReadAccount {
  account: StorageAccount
  stored: StorageInputs
  /** by which the periods as billed are cut out, and those that need more days before them to be tried */
  spans: { billed: HistorySpans; tried: HistorySpans }
  /** by the number of the run */
  facts: ReadonlyMap<number, FrozenFacts>
  billed: readonly BilledStorage[]
}

/** What one period comes to, billed by a run and with the tested version. */
function comparePeriod(
  inputs: ReadAccount,
  run: BilledRun,
  versions: readonly VersionDays[],
  comparison: Comparison,
) {
  const { account, stored, spans } = inputs
  const { period } = run
  const facts = inputs.facts.get(run.number) as FrozenFacts
  const terms = termsOf(account, run, stored, facts)
  const history = historyFor(spans.billed, stored, terms)
  const measured = measureStorage(history, terms)
  const derived = priceStorage(measured)
  const billed = inputs.billed.filter(one => one.period.to >= period.from && one.period.to <= period.to)
  const isSame = isAsBilled(derived, billed)
  const triedTerms = { ...terms, versions }
  const isOfSameDays = firstDayOf(triedTerms) === firstDayOf(terms)
  const repriced = repricedBy(measured, run.versions, versions)
  const tried =
    repriced ??
    evaluateStorage(isOfSameDays ? history : historyFor(spans.tried, stored, triedTerms), triedTerms)
  comparison.addPeriod(
    { clientId: account.clientId, month: dateOf(period.to).slice(0, 7) },
    {
      before: isSame ? chargedBy(derived) : chargedAsBilled(billed, run.versions),
      after: chargedBy(tried),
      isSame,
    },
  )
}

/** A billed run, and the versions that it is tried with. */
interface Try {
  run: BilledRun
  versions: readonly VersionDays[]
}

/** The tested runs of an account with the versions that they are tried with, by their periods. */
function triesOf(
  runs: readonly StorageRun[],
  { dateFrom, dateTo }: Pick<ReadQuery, 'dateFrom' | 'dateTo'>,
  tested: LoadedVersion,
): Try[] {
  const billed = runs.flatMap(({ period, ...run }) => {
    const isTested = period !== null && dateOf(period.to) >= dateFrom && dateOf(period.to) <= dateTo
    return isTested ? [{ ...run, period }] : []
  })
  const since = Math.min(...billed.map(({ period }) => period.from))
  return billed.map(run => ({ run, versions: testedVersions(run, tested, since) }))
}

/** Compares the tested periods of an account. */
export async function compareStorage(
  db: Db,
  { firstNumber, latestNumber, lineCount, ...account }: TestedAccount,
  query: ReadQuery,
  tested: TestedCard,
  comparison: Comparison,
): Promise<void> {
  const runs = await readRuns(db, account, { from: firstNumber, to: latestNumber })
  const tries = triesOf(runs, query, tested.version)
  for (const { version } of tries.flatMap(({ run }) => run.versions)) comparison.prepare(version)
  const { knownAt } = runs.at(-1) as StorageRun
  const frozenFacts = runs.map(run => run.frozenFacts)
  const atOnce = Math.ceil(tries.length / Math.max(1, Math.ceil(lineCount / maxLines)))
  for (let first = 0; first < tries.length; first += atOnce) {
    const some = tries.slice(first, first + atOnce)
    const billings = some.flatMap(({ run, versions }) => [run, { ...run, versions }])
    const stored = await readStorageInputs(db, account, billings, frozenFacts, knownAt)
    const facts = factsByRun(runs, await readCurrentFacts(db, account.organisationId, stored.history))
    const billed = await readBilled(
      db,
      account,
      some.map(({ run }) => run),
    )
    comparison.ledgerRowCount += stored.history.lines.length
    const { history } = stored
    const spans = { billed: new HistorySpans(history), tried: new HistorySpans(history) }
    for (const { run, versions } of some)
      comparePeriod({ account, stored, spans, facts, billed }, run, versions, comparison)
  }
}

/** Whether storage is tested. */
export const isStorageTested = ({ kinds, side }: TestedCard): boolean =>
  side === 'client' && kinds.has(RateKind.Storage)
