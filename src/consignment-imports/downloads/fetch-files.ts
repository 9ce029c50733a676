// Fetches and stores the files that one import lacks, one after the other, within one deadline for all of
// them. Spec 2.3; decision 5.

import { sql } from '../../platform/database/db.ts'
import { unavailable, verificationFailed } from '../../platform/http/refusal.ts'
import { SharedSlots } from '../../platform/work/shared-slots.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { DownloadStatus } from '../../vocabulary/imports.ts'
import { type FileToFetch, filesToFetch, missingFileUrls } from '../import-files.ts'
import type { ImportRequest } from '../import-request.ts'
import { fetchFile } from './fetch-file.ts'
import { type FetchResult, readDownloads, storeDownload } from './stored-downloads.ts'

const fileTimeoutMs = 20_000

/**
 * The maximum number of imports that have their files fetched in parallel, once for workers and once for
 * users who wait. Each fetches one file at a time, which limits the files that a process holds in memory.
 */
export const slotCount = 8

export type Fetcher = Pick<WorkerContext, 'database' | 'outgoing'>

/** An import with the files that it names by downloadUrl. */
export interface ImportWithFiles {
  organisationId: string
  id: string
  files: readonly FileToFetch[]
}

/**
 * The outcome of an attempt: `final` if a retry would not help, `refused` if the only transient failures are
 * refused connections, and `transient` if there are other transient failures.
 */
export type FetchOutcome = 'final' | 'refused' | 'transient'

const neverAborted = new AbortController().signal

/**
 * Fetches the files that an import lacks, within `timeMs` in all. Files that earlier attempts did not get to
 * come first, so that a server which hangs does not keep the files of other servers from being fetched.
 */
export async function fetchFiles(
  { database, outgoing }: Fetcher,
  { organisationId, id, files }: ImportWithFiles,
  timeMs: number,
  stopping: AbortSignal = neverAborted,
): Promise<FetchOutcome> {
  const deadline = performance.now() + timeMs
  let outcome: FetchOutcome = 'final'
  for (const url of await missingUrls({ database, outgoing }, { organisationId, id, files })) {
    const msLeft = Math.ceil(deadline - performance.now())
    if (msLeft <= 0) return 'transient'
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
  return result.isRefused && outcome !== 'transient' ? 'refused' : 'transient'
}

/** The addresses of files that an import lacks; those that were never tried come first. */
async function missingUrls({ database }: Fetcher, { organisationId, id, files }: ImportWithFiles) {
  const storedDownloads = await readDownloads(database.db, organisationId, [
    { id, downloadStatus: DownloadStatus.ToFetch },
  ])
  const downloads = storedDownloads.get(id) ?? new Map()
  const missing = new Set(missingFileUrls(files, downloads))
  const triedBefore = [...downloads.keys()].filter(url => missing.delete(url))
  return [...missing, ...triedBefore]
}

/** Returns the result of `work`, but rejects as soon as `stopping` is aborted. */
async function abortable<T>(stopping: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(stopping.reason)
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  return Promise.race([stopped, work]).finally(() => stopping.removeEventListener('abort', stop))
}

/**
 * The slots for users who wait for files, so that those of one organisation do not keep out those of another.
 */
const slotsOfWaitingUsers = new SharedSlots(slotCount)

/**
 * Fetches the files that an import lacks for a user who waits for it. Files that take too long stay missing.
 * Throws 503 if too many users are waiting, and 400 in a rehearsal, which holds a transaction open.
 */
export async function fetchWhileCallerWaits(
  fetcher: Fetcher,
  organisationId: string,
  id: string,
  request: ImportRequest,
): Promise<void> {
  const pending = { organisationId, id, files: filesToFetch(request) }
  if ((await missingUrls(fetcher, pending)).length === 0) return
  if (fetcher.database.isRehearsed)
    throw verificationFailed('The import has files that are still to be fetched; a rehearsal fetches none.')
  if (slotsOfWaitingUsers.hasFairShare(organisationId))
    throw unavailable('The files of many imports are being fetched at this moment. Try again shortly.')
  slotsOfWaitingUsers.take(organisationId)
  try {
    await fetchFiles(fetcher, pending, fileTimeoutMs)
  } finally {
    slotsOfWaitingUsers.release(organisationId)
  }
}
