// Leases imports while their files are fetched, so that no other worker takes them. If the process dies, the
// lease expires. Spec 2.3; decision 5.

import { type Database, sql } from '../../platform/database/db.ts'
import { Lease, type Leased } from '../../platform/work/lease.ts'
import type { ImportWithFiles } from './fetch-files.ts'
import { toFetchStatus } from './stored-downloads.ts'

/** The leases of imports whose files are being fetched. */
export const downloadLease = new Lease({
  table: 'consignment_import',
  until: 'due_utc',
  seconds: 5,
  // Null once the import was reconciled or discarded.
  whileHeld: sql`due_utc is not null`,
  returned: sql`due_utc = now()`,
})

/** How many imports of an organisation are tried, because workers may be leasing the first ones. */
const candidatesOfOrganisation = 10

/** An import that this process has leased in order to fetch its files. */
export interface LeasedImport extends ImportWithFiles, Leased {
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
      update consignment_import i set ${downloadLease.taking(workerId)}
      from due where i.organisation_id = due.organisation_id and i.id = due.id
      returning i.organisation_id, i.id, i.lease_number, i.attempts, ${filesOfRequest} as files`),
  )
