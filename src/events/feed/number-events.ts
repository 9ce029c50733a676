// Giving events their numbers in the feed: done by whoever reads it, before reading, and by a worker for the
// organisations whose feed nobody reads. Why nobody can miss an event stands at number_events in
// migrations/007-events.sql.

import { type Database, sql } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'

// Statements that have told of events. One of an import worker has told of a hundred or more.
const maxAtOnce = 1_000

/**
 * Gives numbers to events that wait for one, of every organisation, in turns with all other processes.
 * Returns whether more wait.
 */
export const numberEvents = async (database: Database): Promise<boolean> => {
  const { numbered } = await database.inOneStatement(tx =>
    tx.row<{ numbered: number }>(sql`select number_events(${maxAtOnce}) as numbered`),
  )
  return numbered === maxAtOnce
}

/** Starts the loop that gives numbers while nobody reads. */
export const startNumberingEvents = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({ name: 'event feed', log, pollMs: 1_000, step: () => numberEvents(database) })
