// The thread that makes a back-test (back-test-thread.ts): it reads what consignments were charged by over
// three connections of its own, month by month, while the process goes on answering everybody else.

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
import { readSetUp } from '../charges/billing-set-up.ts'
import { RateKind } from '../enumerations.ts'
import { add, wholeOf } from '../rate-cards/exact.ts'
import { type LoadedVersion, loadVersions } from '../rate-cards/version-cache.ts'
import { Comparison, type DerivedCharges, type TestedCard } from './compare.ts'
import { areFeesTested, compareFees } from './compare-fees.ts'
import { compareStorage, isStorageTested, readAccounts } from './compare-storage.ts'
import {
  type DecodedPage,
  type PageColumns,
  PageDecoder,
  pageColumns,
  type TestedConsignment,
} from './decode-page.ts'
import type { BackTestJob, FromBackTest } from './messages.ts'
import { monthsOf } from './months.ts'
import { type LoadedBackTest, readBackTest } from './read-back-test.ts'
import { countNotFrozen, pagesOf, readAdhocTotal, readBilled } from './read-consignments.ts'
import { storeResult } from './store-result.ts'

const job = workerData as BackTestJob
const tell = (message: FromBackTest): void => parentPort?.postMessage(message)

// Requests go before tests.
lowerThreadPriority()

const planning = ['enable_seqscan', 'enable_mergejoin', 'enable_hashjoin']
/** Reading a page finds each thing by its key: no table is read whole, whatever the planner thinks of it. */
const byKey = (reader: SnapshotReader) => planWith(reader, 'off')
/** What is read of storage is a part of the ledger, and the planner knows how large it is. */
const asPlanned = (reader: SnapshotReader) => planWith(reader, 'on')

const planWith = (reader: SnapshotReader, setting: 'on' | 'off') =>
  reader.rows(sql`select set_config(name, ${setting}, true) from unnest(${planning}::text[]) name`)

/** Statements are planned for the accounts that they are about, which differ by thousands of times. */
const settings = 'set local plan_cache_mode = force_custom_plan'
const connections = 3

/** The versions that consignments of a page were billed by. */
async function versionsOf(
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

/** Compares the consignments of a page of a month. */
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
  await addByHand(reader, test, comparison, withoutCard)
  if (byRows.length === 0) return
  const ids = byRows.map(([{ id }]) => id)
  const rows = Map.groupBy(await readBilled(reader, test.query, ids), row => row.consignmentId)
  for (const [consignment, derived] of byRows)
    comparison.add(consignment, month, derived, rows.get(consignment.id) ?? [])
}

/** Adds up what was entered by hand for consignments that no card charged. */
async function addByHand(
  reader: SnapshotReader,
  { query }: LoadedBackTest,
  comparison: Comparison,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  comparison.byHand = add(comparison.byHand, wholeOf(2, await readAdhocTotal(reader, query, ids)))
}

/** A part of a test that one connection does. */
type Work = (reader: SnapshotReader) => Promise<void>

const kindsOfConsignments = [RateKind.Activity, RateKind.ClientFreight, RateKind.CarrierFreight]
const areConsignmentsTested = ({ kinds }: TestedCard): boolean =>
  kindsOfConsignments.some(kind => kinds.has(kind))

/** The bills of consignments, a month at a time. */
function worksOfMonths(test: LoadedBackTest, comparison: Comparison): Work[] {
  const { query, localities, tested } = test
  if (!areConsignmentsTested(tested)) return []
  const decoder = new PageDecoder(query.organisationId, localities)
  const versions = new Map<string, LoadedVersion>()
  const count: Work = async reader => {
    comparison.notFrozenCount = await countNotFrozen(reader, query)
  }
  const columns = new Map<SnapshotReader, PageColumns>()
  const months = monthsOf(query.dateFrom, query.dateTo).map(
    (month): Work =>
      async reader => {
        await byKey(reader)
        const own = columns.get(reader) ?? pageColumns()
        columns.set(reader, own)
        for await (const read of pagesOf(reader, { ...query, ...month })) {
          const page = await decoder.decode(reader, read, own)
          await versionsOf(reader, versions, comparison, page.versionIds)
          await comparePage(reader, test, versions, comparison, { month: month.dateFrom.slice(0, 7), page })
        }
      },
  )
  return [count, ...months]
}

/** What bills have besides: storage, of a client in a warehouse at a time, and fees. */
async function worksOfPeriods(
  reader: SnapshotReader,
  { query, tested }: LoadedBackTest,
  comparison: Comparison,
): Promise<Work[]> {
  const accounts = isStorageTested(tested) ? await readAccounts(reader, query) : []
  const works = accounts.map(
    (account): Work =>
      async one => {
        await asPlanned(one)
        await compareStorage(one, account, query, tested, comparison)
      },
  )
  if (areFeesTested(tested)) works.unshift(one => compareFees(one, query, tested, comparison))
  return works
}

/**
 * Goes through all there is to compare, each part over the connection that is free. Storage keeps the
 * database busy and bills keep this thread busy: one connection begins with these, so that both always are.
 */
async function compareAll(
  { readers }: SharedSnapshot,
  test: LoadedBackTest,
  comparison: Comparison,
): Promise<void> {
  const [first] = readers as [SnapshotReader, ...SnapshotReader[]]
  const works = [...(await worksOfPeriods(first, test, comparison)), ...worksOfMonths(test, comparison)]
  const count = works.length
  let done = 0
  async function work(reader: SnapshotReader): Promise<void> {
    const next = () => (reader === first ? works.pop() : works.shift())
    for (let one = next(); one !== undefined; one = next()) {
      await one(reader)
      done++
      tell({ kind: 'progress', percent: Math.floor((done / count) * 100) })
    }
  }
  await Promise.all(readers.map(work))
}

async function make(): Promise<void> {
  const started = performance.now()
  const { connection, organisationId, id } = job
  const moment = await openSharedSnapshot(connection, connections, settings)
  try {
    const [reader] = moment.readers as [SnapshotReader, ...SnapshotReader[]]
    const test = await readBackTest(reader, organisationId, id)
    if (test === undefined) return
    const comparison = new Comparison(test.tested)
    await compareAll(moment, test, comparison)
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
    await moment.close()
  }
}

try {
  await make()
  tell({ kind: 'stored' })
} catch (error) {
  const passing = unavailabilityOf(error)
  const message = passing?.messages.join(' ') ?? (error as Error).stack ?? String(error)
  tell({ kind: 'failed', message, isTransient: passing !== undefined })
}
