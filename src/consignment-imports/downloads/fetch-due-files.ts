// Fetches the files that imports name by downloadUrl, before the import is processed and outside any
// transaction. Spec 2.3; decision 5.

import { sql } from '../../platform/database/db.ts'
import { isDatabaseUnavailable } from '../../platform/database/errors.ts'
import { hint, onHint } from '../../platform/work/hints.ts'
import { SharedSlots } from '../../platform/work/shared-slots.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { DownloadStatus } from '../../vocabulary/imports.ts'
import { isTransient } from '../failure.ts'
import { type FetchOutcome, fetchFiles, slotCount } from './fetch-files.ts'
import { downloadLease, type LeasedImport, leaseNext } from './lease-next.ts'

/** The time limit for all files of an import in one attempt. */
const importTimeoutMs = 60_000
/**
 * The delays in seconds before each retry. After the last retry, the import is processed without the file,
 * and waits for a user. A refused connection is retried for a shorter time, because it is mostly a wrong
 * address, or else a server that is restarting.
 */
const retrySeconds: Record<FetchOutcome, readonly number[]> = {
  final: [],
  refused: [1, 3],
  transient: [5, 30],
}
const neverAborted = new AbortController().signal
const loopName = 'import-downloads'

/**
 * Fetches the files of the import that has been due longest. Returns false if none is due. When `stopping` is
 * aborted, releases the import.
 */
export async function fetchDueFiles(context: WorkerContext, stopping = neverAborted): Promise<boolean> {
  const leased = await leaseNext(context.database, context.presence.id, [])
  if (leased !== undefined) await fetchLeased(context, leased, stopping)
  return leased !== undefined
}

async function fetchLeased(
  context: WorkerContext,
  leased: LeasedImport,
  stopping: AbortSignal,
): Promise<void> {
  const { database, log } = context
  const { organisationId, id, attempts } = leased
  try {
    const outcome = await downloadLease
      .whileRenewed(database, leased, () => fetchFiles(context, leased, importTimeoutMs, stopping))
      .catch((error): FetchOutcome => {
        if (stopping.aborted || isTransient(error)) throw error
        log.error({ err: error, organisationId, importId: id }, 'the files of an import could not be fetched')
        return 'transient'
      })
    const seconds = retrySeconds[outcome][attempts]
    if (seconds === undefined) {
      const fetched = sql`attempts = 0, due_utc = now(), download_status = ${DownloadStatus.Fetched}`
      await downloadLease.end(database, leased, fetched)
      hint('imports')
    } else {
      const later = sql`attempts = attempts + 1, due_utc = now() + make_interval(secs => ${seconds})`
      await downloadLease.end(database, leased, later)
      setTimeout(() => hint(loopName), seconds * 1000).unref()
    }
  } catch (error) {
    // The delay keeps a failed import from being first in the queue again. If this update fails too, the
    // lease soon expires.
    const later = sql`due_utc = now() + make_interval(secs => ${stopping.aborted ? 0 : 1})`
    await downloadLease.end(database, leased, later).catch(() => {})
    if (!stopping.aborted) throw error
  }
}

/**
 * Fetches files as imports with downloads arrive. An organisation with servers that hang keeps some slots,
 * but never all of them.
 */
export function startImportDownloads(context: WorkerContext): WorkLoop {
  const slots = new SharedSlots(slotCount)
  const inProgress = new Set<Promise<void>>()
  /** Leases one import and continues without waiting for its files. Returns true if there may be more. */
  async function step(stopping: AbortSignal): Promise<boolean> {
    if (slots.free === 0) return false
    const leased = await leaseNext(context.database, context.presence.id, slots.ownersWithFairShare())
    if (leased === undefined) return false
    slots.take(leased.organisationId)
    const fetching = fetchLeased(context, leased, stopping)
      .catch(error => {
        if (!isDatabaseUnavailable(error))
          context.log.error({ err: error, loop: loopName }, 'fetching files failed and will be tried again')
      })
      .finally(() => {
        slots.release(leased.organisationId)
        inProgress.delete(fetching)
        loop.wake()
      })
    inProgress.add(fetching)
    return true
  }
  const loop = startWorkLoop({ name: loopName, log: context.log, pollMs: 2_000, step })
  const forget = onHint(loopName, loop.wake)
  return {
    ...loop,
    async stop() {
      forget()
      await loop.stop()
      await Promise.all(inProgress)
    },
  }
}
