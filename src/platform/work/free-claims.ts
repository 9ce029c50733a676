// What a worker had claimed that has died is free at once, before its claims end by themselves.

import type { Database } from '../database/db.ts'
import { hint } from './hints.ts'
import { startWorkLoop, type WorkLoop } from './work-loop.ts'
import type { WorkerContext } from './worker-context.ts'

/**
 * Starts the loop that frees the claims of dead workers; `free` frees those on one table and returns how many
 * there were. The loop `name` is told of them.
 */
export const startFreeing = (
  { database, log, presence }: WorkerContext,
  name: string,
  free: (database: Database, workerIds: readonly string[]) => Promise<number>,
): WorkLoop =>
  startWorkLoop({
    name: `${name} of dead workers`,
    log,
    pollMs: 500,
    async step() {
      const workerIds = presence.silentWorkers()
      if (workerIds.length === 0) return false
      if ((await free(database, workerIds)) > 0) hint(name)
      return false
    },
  })
