// The files that one import lacks, fetched one after the other and stored, within one deadline for all of
// them. Spec 2.3; open-points 5.

import { sql } from '../../platform/database/db.ts'
import { unavailable } from '../../platform/http/refusal.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { DownloadStatus } from '../enumerations.ts'
import { type FileToFetch, filesToFetch, missingFileUrls } from '../import-files.ts'
import type { ImportRequest } from '../import-request.ts'
import { fetchFile } from './fetch-file.ts'
import { openLanes } from './lanes.ts'
import { downloadsOf, type FetchResult, storeDownload } from './stored-downloads.ts'

const fileTimeoutMs = 20_000

/**
 * So many imports of workers, and so many of people who wait, have their files fetched side by side, each one
 * file at a time. A process holds no more files than that in memory, whoever's they are.
 */
export const laneCount = 8

/** What fetching needs. */
export type Fetcher = Pick<WorkerContext, 'database' | 'outgoing'>

/** An import and the files that it names by address. */
export interface ImportWithFiles {
  organisationId: string
  id: string
  files: readonly FileToFetch[]
}

/** What an attempt came to. `refused`: what may pass is only that nobody listened. */
export type FetchOutcome = 'final' | 'refused' | 'may pass'

const never = new AbortController().signal

/**
 * Fetches what an import lacks within `timeMs` in all. What had no turn in earlier attempts comes first, so
 * that a server that hangs does not keep the files of others from being asked for.
 */
export async function fetchFiles(
  { database, outgoing }: Fetcher,
  { organisationId, id, files }: ImportWithFiles,
  timeMs: number,
  stopping: AbortSignal = never,
): Promise<FetchOutcome> {
  const until = performance.now() + timeMs
  let outcome: FetchOutcome = 'final'
  for (const url of await missingUrls({ database, outgoing }, { organisationId, id, files })) {
    const msLeft = Math.ceil(until - performance.now())
    if (msLeft <= 0) return 'may pass'
    const { askedUtc } = await database.db.row<{ askedUtc: string }>(
      sql`select clock_timestamp()::text as asked_utc`,
    )
    const result = await abortable(
      stopping,
      fetchFile(outgoing, url, Math.min(fileTimeoutMs, Math.ceil(msLeft / 1000) * 1000)),
    )
    outcome = worseOutcome(outcome, result)
    await database.inOneStatement(tx => tx.run(storeDownload(organisationId, id, url, result, askedUtc)))
  }
  return outcome
}

function worseOutcome(outcome: FetchOutcome, result: FetchResult): FetchOutcome {
  if (!('fault' in result) || !result.isTransient) return outcome
  return result.isRefused && outcome !== 'may pass' ? 'refused' : 'may pass'
}

/** The addresses of files that an import lacks: those that were never asked first. */
async function missingUrls({ database }: Fetcher, { organisationId, id, files }: ImportWithFiles) {
  const asked = await downloadsOf(database.db, organisationId, [
    { id, downloadStatus: DownloadStatus.ToFetch },
  ])
  const downloads = asked.get(id) ?? new Map()
  const missing = new Set(missingFileUrls(files, downloads))
  const askedBefore = [...downloads.keys()].filter(url => missing.delete(url))
  return [...missing, ...askedBefore]
}

/** What the work comes to; fails as soon as there is to be a stop. */
async function abortable<T>(stopping: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(stopping.reason)
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  return Promise.race([stopped, work]).finally(() => stopping.removeEventListener('abort', stop))
}

/** How many people may wait for files: those of one organisation do not keep out those of another. */
const people = openLanes(laneCount)

/**
 * Fetches what an import lacks for a person who waits for it; what takes too long is left. 503 where too many
 * wait.
 */
export async function fetchWhileCallerWaits(
  fetcher: Fetcher,
  organisationId: string,
  id: string,
  request: ImportRequest,
): Promise<void> {
  const naming = { organisationId, id, files: filesToFetch(request) }
  if ((await missingUrls(fetcher, naming)).length === 0) return
  const giveBack = people.take(organisationId)
  if (giveBack === undefined)
    throw unavailable('The files of many imports are being fetched at this moment. Try again shortly.')
  try {
    await fetchFiles(fetcher, naming, fileTimeoutMs)
  } finally {
    giveBack()
  }
}
