// Compares what storage was billed with what a card charges for the same days of the ledger: for each period
// that a run billed, as the latest run of its account knew it. It uses the same evaluator as storage runs.

import { type Db, sql } from '../../platform/database/db.ts'
import { RateKind } from '../../vocabulary/billing.ts'
import type { CompiledCharge } from '../evaluator/compiled-card.ts'
import { type CorrespondingCharges, findCorrespondingCharges } from '../evaluator/corresponding-charges.ts'
import type { LoadedVersion } from '../rate-cards/version-cache.ts'
import { readBilledStorage } from '../storage/bill-storage.ts'
import { versionDaysBefore } from '../storage/charge-periods.ts'
import { firstDayOf, storageRatesOf, type VersionDays } from '../storage/charged-periods.ts'
import { type BilledStorage, chargesByKey, keyText } from '../storage/corrections.ts'
import {
  evaluateStorage,
  type MeasuredStorage,
  measureStorage,
  priceStorage,
  type StorageCharge,
} from '../storage/evaluate-storage.ts'
import { dateOf } from '../storage/local-days.ts'
import type { StorageAccount } from '../storage/read-stock-history.ts'
import { HistorySpans } from '../storage/stock-history.ts'
import { type BilledPeriod, readRuns, type StorageRun } from '../storage/storage-account.ts'
import { type FrozenFacts, factsByRun, readCurrentFacts } from '../storage/storage-facts.ts'
import {
  type Billing,
  historyFor,
  readStorageInputs,
  type StorageInputs,
  termsOf,
} from '../storage/storage-terms.ts'
import type { Comparison, RuleAmount, TestedCard } from './compare.ts'
import type { ReadQuery } from './read-consignments.ts'

/** A storage account, and its runs from the first that billed a tested period to the latest. */
export interface TestedAccount extends StorageAccount {
  firstNumber: number
  latestNumber: number
  /** the number of ledger lines of all its goods */
  lineCount: number
}

/** The number of ledger lines that may be in memory at a time; those of one period may be more. */
const maxLines = 200_000

/** Reads the accounts with runs that billed periods which end in the tested period. */
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

/** A run that billed a period, and did not only correct earlier ones. */
interface BilledRun extends StorageRun {
  period: BilledPeriod
}

/**
 * The versions of a billed period if the tested version is in force from the day `since`; before that day,
 * the versions are those of the run. If the tested version was in force until then, it is not split into two.
 */
export function testedVersions(
  { versions, period }: Pick<Billing, 'versions' | 'period'>,
  tested: LoadedVersion,
  since: number,
): VersionDays[] {
  const earlier = versions.flatMap(version =>
    version.from < since ? [{ ...version, to: Math.min(version.to, since - 1) }] : [],
  )
  const latest = earlier.at(-1)
  const { because } = versions.at(-1) ?? { because: 1 }
  if (latest?.version.id === tested.id && latest.to === since - 1)
    return [...earlier.slice(0, -1), { ...latest, to: period.to }]
  const from = Math.max(since, period.from - versionDaysBefore)
  return [...earlier, { from, to: period.to, version: tested, because }]
}

/**
 * Prices measured storage by the tested versions, if they are in force on the same days as the billed
 * versions and differ from them in prices alone. Returns undefined otherwise.
 */
function repriceStorage(
  measured: readonly MeasuredStorage[],
  billed: readonly VersionDays[],
  tested: readonly VersionDays[],
): StorageCharge[] | undefined {
  if (billed.length !== tested.length) return undefined
  const counterparts = new Map<VersionDays, CorrespondingCharges>()
  for (const [i, days] of billed.entries()) {
    const testedDays = tested[i] as VersionDays
    const found = findCorrespondingCharges(storageRatesOf(days.version), storageRatesOf(testedDays.version))
    if (days.from !== testedDays.from || days.to !== testedDays.to || found === undefined) return undefined
    counterparts.set(days, found)
  }
  const counterpartOf = ({ versionDays, charge }: MeasuredStorage) =>
    counterparts.get(versionDays)?.[charge.number] as CompiledCharge
  return priceStorage(measured.map(storage => ({ ...storage, charge: counterpartOf(storage) })))
}

const ruleAmountsOf = (charges: readonly StorageCharge[]): RuleAmount[] =>
  charges.map(({ measured, row }) => ({ charge: measured.charge, amount: row.amount }))

/** Whether charges equal what was billed, key by key. */
function isAsBilled(charges: readonly StorageCharge[], billed: readonly BilledStorage[]): boolean {
  const byKey = chargesByKey(charges)
  for (const item of billed) {
    const key = keyText(item)
    if ((byKey.get(key)?.row.amount ?? 0) !== item.amount) return false
    byKey.delete(key)
  }
  return [...byKey.values()].every(({ row }) => row.amount === 0)
}

/** The billed amounts with the rules that they were billed by. */
function billedRuleAmounts(billed: readonly BilledStorage[], versions: readonly VersionDays[]): RuleAmount[] {
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

interface AccountInputs {
  account: StorageAccount
  stored: StorageInputs
  /** cut the history for a period as billed and, if the tested versions need earlier days, as tested */
  spans: { billed: HistorySpans; tested: HistorySpans }
  /** by the numbers of the runs */
  facts: ReadonlyMap<number, FrozenFacts>
  billed: readonly BilledStorage[]
}

/** Compares one billed period with what the tested version charges for it. */
function comparePeriod(
  inputs: AccountInputs,
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
  const billed = inputs.billed.filter(item => item.period.to >= period.from && item.period.to <= period.to)
  const isSame = isAsBilled(derived, billed)
  const testedTerms = { ...terms, versions }
  const hasSameDays = firstDayOf(testedTerms) === firstDayOf(terms)
  const repriced = repriceStorage(measured, run.versions, versions)
  const testedCharges =
    repriced ??
    evaluateStorage(hasSameDays ? history : historyFor(spans.tested, stored, testedTerms), testedTerms)
  comparison.addPeriod(
    { clientId: account.clientId, month: dateOf(period.to).slice(0, 7) },
    {
      before: isSame ? ruleAmountsOf(derived) : billedRuleAmounts(billed, run.versions),
      after: ruleAmountsOf(testedCharges),
      isSame,
    },
  )
}

interface TestedRun {
  run: BilledRun
  versions: readonly VersionDays[]
}

/** The runs of an account that are tested, in order, with the versions that they are tested with. */
function testedRunsOf(
  runs: readonly StorageRun[],
  { dateFrom, dateTo }: Pick<ReadQuery, 'dateFrom' | 'dateTo'>,
  tested: LoadedVersion,
): TestedRun[] {
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
  const testedRuns = testedRunsOf(runs, query, tested.version)
  for (const { version } of testedRuns.flatMap(({ run }) => run.versions)) comparison.prepare(version)
  const { knownAt } = runs.at(-1) as StorageRun
  const frozenFacts = runs.map(run => run.frozenFacts)
  const batchSize = Math.ceil(testedRuns.length / Math.max(1, Math.ceil(lineCount / maxLines)))
  for (let first = 0; first < testedRuns.length; first += batchSize) {
    const batch = testedRuns.slice(first, first + batchSize)
    const billings = batch.flatMap(({ run, versions }) => [run, { ...run, versions }])
    const stored = await readStorageInputs(db, account, billings, frozenFacts, knownAt)
    const facts = factsByRun(runs, await readCurrentFacts(db, account.organisationId, stored.history))
    const billed = await readBilledStorage(
      db,
      account,
      batch.map(({ run }) => run),
    )
    comparison.ledgerRowCount += stored.history.lines.length
    const { history } = stored
    const spans = { billed: new HistorySpans(history), tested: new HistorySpans(history) }
    for (const { run, versions } of batch)
      comparePeriod({ account, stored, spans, facts, billed }, run, versions, comparison)
  }
}

export const isStorageTested = ({ kinds, side }: TestedCard): boolean =>
  side === 'client' && kinds.has(RateKind.Storage)
