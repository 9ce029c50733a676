// Rows of limits that nobody asks for any more go after some minutes: all that they counted is long past.

import { type Database, sql } from '../database/db.ts'
import { startCleanup } from '../work/cleanup.ts'
import type { WorkLoop } from '../work/work-loop.ts'
import type { WorkerContext } from '../work/worker-context.ts'

const maxAtOnce = 1_000

/** Starts the loop that forgets them. */
export const forgetLimits = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'old limits', pollMs: 60_000, deleteSome: forgetSome, maxAtOnce })

/** Forgets some, and returns how many. */
export const forgetSome = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      delete from rate_limit where key = any (array(
        select key from rate_limit where touched_utc < now() - interval '3 minutes' limit ${maxAtOnce}
        for update skip locked))`),
  )
