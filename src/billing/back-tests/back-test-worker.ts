// The code of the thread that runs a back-test (started by back-test-thread.ts). It reads bills over three
// connections of its own, month by month, while the process continues to serve requests.

import { parentPort, workerData } from 'node:worker_threads'
import { sql } from '../../platform/database/db.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import {
  openSharedSnapshot,
  type SharedSnapshot,
  type SnapshotReader,
} from '../../platform/database/shared-snapshot.ts'
import { unavailabilityOf } from '../../platform/http/unavailability.ts'
import { lowerThreadPriority } from '../../platform/priority.ts'
import { RateKind } from '../../vocabulary/billing.ts'
import { readSetUp } from '../charges/billing-set-up.ts'
import { add, wholeOf } from '../evaluator/exact.ts'
import { type LoadedVersion, loadVersions } from '../rate-cards/version-cache.ts'
import { Comparison, type DerivedCharges, type TestedCard } from './compare.ts'
import { areFeesTested, compareFees } from './compare-fees.ts'
import { compareStorage, isStorageTested, readAccounts } from './compare-storage.ts'
import {
  createPageColumns,
  type DecodedPage,
  type PageColumns,
  PageDecoder,
  type TestedConsignment,
} from './decode-page.ts'
import type { BackTestJob, FromBackTest } from './messages.ts'
import { monthsOf } from './months.ts'
import { type LoadedBackTest, readBackTest } from './read-back-test.ts'
import { pagesOf, readAdhocTotal, readBilled } from './read-consignments.ts'
import { storeResult } from './store-result.ts'

const job = workerData as BackTestJob
const send = (message: FromBackTest): void => parentPort?.postMessage(message)

// Requests have priority over back-tests.
lowerThreadPriority()

const plannerSettings = ['enable_seqscan', 'enable_mergejoin', 'enable_hashjoin']
/**
 * Makes the planner use indexes. A page is read by keys, so reading a whole table is never the better plan.
 */
const useIndexesOnly = (reader: SnapshotReader) => setPlannerSettings(reader, 'off')
/** Lets the planner choose. Storage reads a large part of the ledger, whose size the planner knows. */
const usePlannerDefaults = (reader: SnapshotReader) => setPlannerSettings(reader, 'on')

const setPlannerSettings = (reader: SnapshotReader, setting: 'on' | 'off') =>
  reader.rows(sql`select set_config(name, ${setting}, true) from unnest(${plannerSettings}::text[]) name`)

/** Plans each statement for its own account, because the sizes of accounts differ by factors of thousands. */
const settings = 'set local plan_cache_mode = force_custom_plan'
const connections = 3

/**
 * Loads the versions that the consignments of a page were billed by, and prepares the comparison for them.
 */
async function loadPageVersions(
  reader: SnapshotReader,
  known: Map<string, LoadedVersion>,
  comparison: Comparison,
  ids: readonly string[],
): Promise<void> {
  const unknown = ids.filter(id => !known.has(id))
  if (unknown.length === 0) return
  for (const [id, version] of await loadVersions(reader, job.organisationId, unknown)) {
    comparison.prepare(version)
    known.set(id, version)
  }
}

/** Compares the consignments of a page, which belong to one month. */
async function comparePage(
  reader: SnapshotReader,
  test: LoadedBackTest,
  versions: ReadonlyMap<string, LoadedVersion>,
  comparison: Comparison,
  { month, page }: { month: string; page: DecodedPage },
): Promise<void> {
  const byRows: [TestedConsignment, DerivedCharges][] = []
  const withoutCard: string[] = []
  for (const consignment of page.consignments()) {
    const { versionId } = consignment.terms
    if (versionId === null) withoutCard.push(consignment.id)
    const version = versionId === null ? null : versions.get(versionId)
    const derived = comparison.derive(consignment, version ?? null)
    if (derived.isAsBilled) comparison.add(consignment, month, derived, [])
    else byRows.push([consignment, derived])
  }
  await addAdhocTotal(reader, test, comparison, withoutCard)
  if (byRows.length === 0) return
  const ids = byRows.map(([{ id }]) => id)
  const rows = Map.groupBy(await readBilled(reader, test.query, ids), row => row.consignmentId)
  for (const [consignment, derived] of byRows)
    comparison.add(consignment, month, derived, rows.get(consignment.id) ?? [])
}

/** Adds to the total of what was entered by hand for consignments that no card charged. */
async function addAdhocTotal(
  reader: SnapshotReader,
  { query }: LoadedBackTest,
  comparison: Comparison,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  comparison.adhocTotal = add(comparison.adhocTotal, wholeOf(2, await readAdhocTotal(reader, query, ids)))
}

/** A step of a back-test, which one connection does. */
type Step = (reader: SnapshotReader) => Promise<void>

const kindsOfConsignments = [RateKind.Activity, RateKind.ClientFreight, RateKind.CarrierFreight]
const areConsignmentsTested = ({ kinds }: TestedCard): boolean =>
  kindsOfConsignments.some(kind => kinds.has(kind))

/** The steps that compare the bills of consignments, one for each month. */
function consignmentSteps(test: LoadedBackTest, comparison: Comparison): Step[] {
  const { query, localities, tested } = test
  if (!areConsignmentsTested(tested)) return []
  const decoder = new PageDecoder(query.organisationId, localities)
  const versions = new Map<string, LoadedVersion>()
  const columns = new Map<SnapshotReader, PageColumns>()
  const months = monthsOf(query.dateFrom, query.dateTo).map(
    (month): Step =>
      async reader => {
        await useIndexesOnly(reader)
        const own = columns.get(reader) ?? createPageColumns()
        columns.set(reader, own)
        for await (const read of pagesOf(reader, { ...query, ...month })) {
          const page = await decoder.decode(reader, read, own)
          await loadPageVersions(reader, versions, comparison, page.versionIds)
          await comparePage(reader, test, versions, comparison, { month: month.dateFrom.slice(0, 7), page })
        }
      },
  )
  return months
}

/** The steps that compare storage, one for each account, and fees. */
async function periodSteps(
  reader: SnapshotReader,
  { query, tested }: LoadedBackTest,
  comparison: Comparison,
): Promise<Step[]> {
  const accounts = isStorageTested(tested) ? await readAccounts(reader, query) : []
  const steps = accounts.map(
    (account): Step =>
      async reader => {
        await usePlannerDefaults(reader)
        await compareStorage(reader, account, query, tested, comparison)
      },
  )
  if (areFeesTested(tested)) steps.unshift(reader => compareFees(reader, query, tested, comparison))
  return steps
}

/**
 * Runs all steps, each on the next free connection. Storage keeps the database busy, and the bills of
 * consignments keep this thread busy, so one connection begins with the latter and the others with the
 * former.
 */
async function compareAll(
  { readers }: SharedSnapshot,
  test: LoadedBackTest,
  comparison: Comparison,
): Promise<void> {
  const [first] = readers as [SnapshotReader, ...SnapshotReader[]]
  const steps = [...(await periodSteps(first, test, comparison)), ...consignmentSteps(test, comparison)]
  const count = steps.length
  let done = 0
  async function work(reader: SnapshotReader): Promise<void> {
    const next = () => (reader === first ? steps.pop() : steps.shift())
    for (let step = next(); step !== undefined; step = next()) {
      await step(reader)
      done++
      send({ kind: 'progress', percent: Math.floor((done / count) * 100) })
    }
  }
  await Promise.all(readers.map(work))
}

async function runBackTest(): Promise<void> {
  const started = performance.now()
  const { connection, organisationId, id } = job
  const snapshot = await openSharedSnapshot(connection, connections, settings)
  try {
    const [reader] = snapshot.readers as [SnapshotReader, ...SnapshotReader[]]
    const test = await readBackTest(reader, organisationId, id)
    if (test === undefined) return
    const comparison = new Comparison(test.tested)
    await compareAll(snapshot, test, comparison)
    const { activityTypes } = await readSetUp(reader, organisationId)
    const database = openDatabase({ connection: connection as never, poolSize: 1 })
    try {
      const durationMs = Math.round(performance.now() - started)
      const result = { codes: activityTypes, durationMs }
      await database.atomically(tx => storeResult(tx, job, comparison, result))
    } finally {
      await database.close()
    }
  } finally {
    await snapshot.close()
  }
}

try {
  await runBackTest()
  send({ kind: 'stored' })
} catch (error) {
  const unavailability = unavailabilityOf(error)
  const message = unavailability?.messages.join(' ') ?? (error as Error).stack ?? String(error)
  send({ kind: 'failed', message, isTransient: unavailability !== undefined })
}
