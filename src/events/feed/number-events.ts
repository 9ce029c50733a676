// Gives events their numbers in the feed: before each read, and in a worker for organisations whose feed
// nobody reads. The comment on number_events in migrations/007-events.sql explains why no reader can miss an
// event.

import { type Database, sql } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'

// How many waiting rows are numbered at a time. Each row has the events of one statement, which may be a
// hundred or more.
const maxAtOnce = 1_000

/**
 * Gives numbers to waiting events of all organisations; only one process does so at a time. Returns whether
 * more events wait.
 */
export const numberEvents = async (database: Database): Promise<boolean> => {
  const { numbered } = await database.inOneStatement(tx =>
    tx.row<{ numbered: number }>(sql`select number_events(${maxAtOnce}) as numbered`),
  )
  return numbered === maxAtOnce
}

/** Starts the loop that numbers events while nobody reads. */
export const startNumberingEvents = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({ name: 'event feed', log, pollMs: 1_000, step: () => numberEvents(database) })
