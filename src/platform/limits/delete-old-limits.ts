// Deletes the rows of limits that have not been used for minutes: everything that they counted has expired.

import { type Database, sql } from '../database/db.ts'
import { startCleanup } from '../work/cleanup.ts'
import type { WorkLoop } from '../work/work-loop.ts'
import type { WorkerContext } from '../work/worker-context.ts'

const maxAtOnce = 1_000

export const startDeletingOldLimits = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'old limits', pollMs: 60_000, deleteSome: deleteOldLimits, maxAtOnce })

/** Deletes one batch, and returns how many rows it deleted. */
export const deleteOldLimits = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      delete from rate_limit where key = any (array(
        select key from rate_limit where touched_utc < now() - interval '3 minutes' limit ${maxAtOnce}
        for update skip locked))`),
  )
