// Leases imports while their files are fetched, so that no other worker takes them. If the process dies, the
// lease expires. Spec 2.3; decision 5.

import { type Database, type Sql, sql } from '../../platform/database/db.ts'
import type { ImportWithFiles } from './fetch-files.ts'
import { toFetchStatus } from './stored-downloads.ts'

/**
 * The duration of a lease, which is how long an import waits if its process dies. It is renewed meanwhile.
 */
const leaseDuration = sql`interval '5 seconds'`
const renewalMs = 1_500
/** How many imports of an organisation are tried, because workers may be leasing the first ones. */
const candidatesOfOrganisation = 10

/** An import that this process has leased in order to fetch its files. */
export interface LeasedImport extends ImportWithFiles {
  leaseNumber: number
  attempts: number
}

// Only the files are read, so that a request of many megabytes is not kept in memory while a server hangs.
const filesOfRequest = sql`(
  select coalesce(json_agg(json_build_object('fileName', f.file ->> 'fileName', 'contentType',
    f.file ->> 'contentType', 'downloadUrl', f.file ->> 'downloadUrl')), '[]')
  from json_array_elements(case json_typeof(i.request -> 'notes') when 'array' then i.request -> 'notes'
    else '[]' end) as n (note),
  json_array_elements(case json_typeof(n.note -> 'attachments') when 'array' then n.note -> 'attachments'
    else '[]' end) as f (file)
  where coalesce(f.file ->> 'content', '') = '' and f.file ->> 'downloadUrl' <> '')`

/**
 * Leases to a worker the import whose files have been due longest. Skips organisations in
 * `organisationsAtLimit`. The query reads a few index entries for each organisation (a skip scan), so a long
 * queue of one organisation costs the others nothing. Only the leased import is locked, so other workers find
 * the rest meanwhile.
 */
export const leaseNext = (
  database: Database,
  workerId: string,
  organisationsAtLimit: readonly string[],
): Promise<LeasedImport | undefined> =>
  database.inOneStatement(tx =>
    tx.maybe<LeasedImport>(sql`
      with recursive waiting (organisation_id) as (
        (select organisation_id from consignment_import
          where download_status = ${toFetchStatus} and due_utc is not null order by organisation_id limit 1)
        union all
        select (select organisation_id from consignment_import
          where download_status = ${toFetchStatus} and due_utc is not null
            and organisation_id > waiting.organisation_id order by organisation_id limit 1)
        from waiting where waiting.organisation_id is not null
      ), candidate as materialized (
        select oldest.* from waiting cross join lateral (
          select c.organisation_id, c.id, c.due_utc from consignment_import c
          where c.organisation_id = waiting.organisation_id and c.download_status = ${toFetchStatus}
            and c.due_utc <= now()
          order by c.due_utc limit ${candidatesOfOrganisation}
        ) oldest
        where waiting.organisation_id <> all (${organisationsAtLimit}::uuid[])
      ), due as materialized (
        select c.organisation_id, c.id from candidate
        join consignment_import c on c.organisation_id = candidate.organisation_id and c.id = candidate.id
          and c.download_status = ${toFetchStatus} and c.due_utc <= now()
        order by candidate.due_utc limit 1 for update of c skip locked
      )
      update consignment_import i set due_utc = now() + ${leaseDuration}, lease_number = i.lease_number + 1,
        worker_id = ${workerId}
      from due where i.organisation_id = due.organisation_id and i.id = due.id
      returning i.organisation_id, i.id, i.lease_number, i.attempts, ${filesOfRequest} as files`),
  )

/** An SQL condition: the lease is still valid, and the import was not reconciled or discarded meanwhile. */
const isStillLeased = ({ organisationId, id, leaseNumber }: LeasedImport): Sql =>
  sql`organisation_id = ${organisationId} and id = ${id} and lease_number = ${leaseNumber} and due_utc
    is not null`

/**
 * Renews a lease while `work` runs. If a renewal fails, the next one makes up for it. If the lease is lost
 * all the same, the files are only fetched twice.
 */
export async function withDownloadLease<T>(
  database: Database,
  leased: LeasedImport,
  work: () => Promise<T>,
): Promise<T> {
  const renew = () =>
    database.inOneStatement(tx =>
      tx.run(
        sql`update consignment_import set due_utc = now() + ${leaseDuration} where ${isStillLeased(leased)}`,
      ),
    )
  const renewing = setInterval(() => renew().catch(() => {}), renewalMs)
  return work().finally(() => clearInterval(renewing))
}

/** Ends a lease and applies `change` to the import, unless the lease was lost before. */
export const endLease = (database: Database, leased: LeasedImport, change: Sql): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(
      sql`update consignment_import set lease_number = lease_number + 1, worker_id = null, ${change}
        where ${isStillLeased(leased)}`,
    ),
  )

/** Frees the imports that are leased to these workers, which have died. Returns how many there were. */
export const releaseDownloadLeases = (database: Database, workerIds: readonly string[]): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update consignment_import set due_utc = now(), lease_number = lease_number + 1, worker_id = null
      where worker_id = any (${workerIds as string[]}::uuid[]) and due_utc is not null`),
  )
