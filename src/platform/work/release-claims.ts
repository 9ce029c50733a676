// Releases the claims of a worker that has died at once, rather than when they expire.

import { hint } from './hints.ts'
import type { Lease } from './lease.ts'
import { startWorkLoop, type WorkLoop } from './work-loop.ts'
import type { WorkerContext } from './worker-context.ts'

/**
 * Starts the loop that returns what dead workers held by this lease; if there was any, the loop called `name`
 * is woken.
 */
export const startReleasingClaims = (
  { database, log, presence }: WorkerContext,
  name: string,
  lease: Lease,
): WorkLoop =>
  startWorkLoop({
    name: `${name} of dead workers`,
    log,
    pollMs: 500,
    async step() {
      const workerIds = presence.deadWorkers()
      if (workerIds.length === 0) return false
      if ((await lease.returnRowsOf(database, workerIds)) > 0) hint(name)
      return false
    },
  })
