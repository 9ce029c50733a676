// What is kept for a while only goes some at a time, so that no statement holds much for long.

import type { Database } from '../database/db.ts'
import { startWorkLoop, type WorkLoop } from './work-loop.ts'
import type { WorkerContext } from './worker-context.ts'

/** What is forgotten, and how. */
interface Forgetting {
  /** what goes, for the log */
  name: string
  /** how often it is looked for, in milliseconds; every ten minutes unless said */
  pollMs?: number
  /** Forgets some and returns how many; `maxAtOnce` where more may be left. */
  forgetSome(database: Database): Promise<number>
  maxAtOnce: number
}

/** Starts the loop that forgets what is old. */
export const startForgetting = (
  { database, log }: Pick<WorkerContext, 'database' | 'log'>,
  { name, pollMs = 600_000, forgetSome, maxAtOnce }: Forgetting,
): WorkLoop =>
  startWorkLoop({ name, log, pollMs, step: async () => (await forgetSome(database)) >= maxAtOnce })
