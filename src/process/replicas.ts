// Checks whether acknowledged data survives the loss of the database server. It does if a commit also waits
// for a replica.

import { type Db, sql } from '../platform/database/db.ts'

/**
 * Returns a warning if the database has replicas and none of them is synchronous. Undefined if one is, or if
 * there is no replica. Without the role pg_monitor only the settings can be checked.
 */
export async function replicaWarning(db: Db): Promise<string | undefined> {
  const { replicas, known, synchronous, names, commit } = await db.row<{
    replicas: number
    known: number
    synchronous: number
    names: string
    commit: string
  }>(sql`
    select count(*) as replicas, count(sync_state) as known,
      count(*) filter (where sync_state in ('sync', 'quorum')) as synchronous,
      current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit
    from pg_stat_replication where state is distinct from 'backup'`)
  if (replicas === 0) return undefined
  const isSynchronous = names !== '' && (known === 0 || synchronous > 0) && !/^(off|local)$/.test(commit)
  if (isSynchronous) return undefined
  return (
    'The database has replicas, and none of them is synchronous: after a fail-over, imports that were ' +
    'acknowledged in the last moments may be gone. docs/production.md says how to set it.'
  )
}
