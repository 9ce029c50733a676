// Deletes entries of the feed after 90 days. The events themselves are kept, because they are the history.
// Decision 6.

import { type Database, sql } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'

// How many entries of an organisation are deleted at a time.
const maxAtOnce = 1_000

export const startDeletingOldEntries = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: 'old feed entries',
    log,
    pollMs: 600_000,
    step: async () => (await deleteOldEntries(database)) > 0,
  })

/**
 * Deletes the first entries of each organisation that are older than 90 days, and returns how many it
 * deleted. The ids of events show their age. Deletion stops at the first younger entry, so that the entries
 * that are kept have no gap. The same statement stores the number up to which entries were deleted.
 */
export const deleteOldEntries = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      with feed as materialized (
        select f.organisation_id, f.forgotten_sequence, cutoff.id as cutoff
        from event_feed f cross join (select uuid_at(now() - interval '90 days') as id) cutoff
        where (
          select event_id from event_feed_entry
          where organisation_id = f.organisation_id and sequence > f.forgotten_sequence
          order by sequence limit 1) < cutoff.id
      ), old as (
        select f.organisation_id, f.forgotten_sequence, max(n.sequence) filter (where n.is_old) as last_old
        from feed f cross join lateral (
          select sequence, bool_and(event_id < f.cutoff) over (order by sequence) as is_old
          from event_feed_entry
          where organisation_id = f.organisation_id and sequence > f.forgotten_sequence
          order by sequence limit ${maxAtOnce}
        ) n
        group by f.organisation_id, f.forgotten_sequence
      ), noted as (
        update event_feed f set forgotten_sequence = old.last_old from old
        where f.organisation_id = old.organisation_id and f.forgotten_sequence < old.last_old
      )
      delete from event_feed_entry n using old
      where n.organisation_id = old.organisation_id and n.sequence > old.forgotten_sequence
        and n.sequence <= old.last_old`),
  )
