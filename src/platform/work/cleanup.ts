// Deletes expired rows a batch at a time, so that no statement holds many locks for long.

import type { Database } from '../database/db.ts'
import { startWorkLoop, type WorkLoop } from './work-loop.ts'
import type { WorkerContext } from './worker-context.ts'

/** What a cleanup loop deletes, and how. */
interface Cleanup {
  /** what is deleted, for the log */
  name: string
  /** how often to look for expired rows, in milliseconds; every ten minutes by default */
  pollMs?: number
  /** Deletes at most `maxAtOnce` expired rows and returns how many it deleted. */
  deleteSome(database: Database): Promise<number>
  maxAtOnce: number
}

/** Starts a loop that deletes expired rows. */
export const startCleanup = (
  { database, log }: Pick<WorkerContext, 'database' | 'log'>,
  { name, pollMs = 600_000, deleteSome, maxAtOnce }: Cleanup,
): WorkLoop =>
  startWorkLoop({ name, log, pollMs, step: async () => (await deleteSome(database)) >= maxAtOnce })
