// Files that imports name by address are fetched before the import is processed, outside any transaction.
// Spec 2.3; open-points 5.

import { sql } from '../../platform/database/db.ts'
import { isDatabaseUnavailable } from '../../platform/database/errors.ts'
import { hint, onHint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { DownloadStatus } from '../enumerations.ts'
import { isTransient } from '../failure.ts'
import { type FetchOutcome, fetchFiles, laneCount } from './fetch-files.ts'
import { type Lanes, openLanes } from './lanes.ts'
import { endLease, type LeasedImport, leaseNext, withLeaseRenewal } from './lease.ts'

/** All files of an import have so long at each attempt. */
const importTimeoutMs = 60_000
/**
 * Seconds to wait after a failure that may pass; after the last one the import goes on without the file, to
 * wait for a person. Where nobody listens the person is told sooner: that is mostly a wrong address, and else
 * a server that starts again.
 */
const retrySeconds: Record<FetchOutcome, readonly number[]> = {
  final: [],
  refused: [1, 3],
  'may pass': [5, 30],
}
const never = new AbortController().signal
const loopName = 'import-downloads'

/**
 * Fetches the files of the import that is due longest. False: none is due. When it is to stop it gives the
 * import back.
 */
export async function fetchDueFiles(context: WorkerContext, stopping = never): Promise<boolean> {
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
    const outcome = await withLeaseRenewal(database, leased, () =>
      fetchFiles(context, leased, importTimeoutMs, stopping),
    ).catch((error): FetchOutcome => {
      if (stopping.aborted || isTransient(error)) throw error
      log.error({ err: error, organisationId, importId: id }, 'the files of an import could not be fetched')
      return 'may pass'
    })
    const seconds = retrySeconds[outcome][attempts]
    if (seconds === undefined) {
      const fetched = sql`attempts = 0, due_utc = now(), download_status = ${DownloadStatus.Fetched}`
      await endLease(database, leased, fetched)
      hint('imports')
    } else {
      const later = sql`attempts = attempts + 1, due_utc = now() + make_interval(secs => ${seconds})`
      await endLease(database, leased, later)
      setTimeout(() => hint(loopName), seconds * 1000).unref()
    }
  } catch (error) {
    // Where the database does not hear of it, the lease ends soon. What failed must not be first in the queue
    // again.
    const later = sql`due_utc = now() + make_interval(secs => ${stopping.aborted ? 0 : 1})`
    await endLease(database, leased, later).catch(() => {})
    if (!stopping.aborted) throw error
  }
}

/**
 * Fetches files as imports that name them come. An organisation whose servers hang keeps lanes, but never all
 * that others need.
 */
export function startImportDownloads(context: WorkerContext, lanes: Lanes = openLanes(laneCount)): WorkLoop {
  const busyOrganisations = new Set<Promise<void>>()
  /** Leases one import and goes on without waiting for its files. True: there may be more. */
  async function step(stopping: AbortSignal): Promise<boolean> {
    if (!lanes.hasFree()) return false
    const leased = await leaseNext(context.database, context.presence.id, lanes.organisationsAtLimit())
    if (leased === undefined) return false
    const giveBack = lanes.take(leased.organisationId)
    const fetching = fetchLeased(context, leased, stopping)
      .catch(error => {
        if (!isDatabaseUnavailable(error))
          context.log.error({ err: error, loop: loopName }, 'fetching files failed and will be tried again')
      })
      .finally(() => {
        giveBack?.()
        busyOrganisations.delete(fetching)
        loop.wake()
      })
    busyOrganisations.add(fetching)
    return true
  }
  const loop = startWorkLoop({ name: loopName, log: context.log, pollMs: 2_000, step })
  const forget = onHint(loopName, loop.wake)
  return {
    ...loop,
    async stop() {
      forget()
      await loop.stop()
      await Promise.all(busyOrganisations)
    },
  }
}
