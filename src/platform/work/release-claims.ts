// Releases the claims of a worker that has died at once, rather than when they expire.

import type { Database } from '../database/db.ts'
import { hint } from './hints.ts'
import { startWorkLoop, type WorkLoop } from './work-loop.ts'
import type { WorkerContext } from './worker-context.ts'

/**
 * Starts the loop that releases the claims of dead workers. `release` releases those on one table and returns
 * how many there were; if there were any, the loop called `name` is woken.
 */
export const startReleasingClaims = (
  { database, log, presence }: WorkerContext,
  name: string,
  release: (database: Database, workerIds: readonly string[]) => Promise<number>,
): WorkLoop =>
  startWorkLoop({
    name: `${name} of dead workers`,
    log,
    pollMs: 500,
    async step() {
      const workerIds = presence.deadWorkers()
      if (workerIds.length === 0) return false
      if ((await release(database, workerIds)) > 0) hint(name)
      return false
    },
  })
