// The bytes of files, stored once for each organisation however many attachments and print jobs have them.

import { type Sql, sql } from '../platform/database/db.ts'

/**
 * A statement, for a common table expression, that stores the `bytes` of the rows of a query, unless they are
 * stored already. It locks them, so that they stay until the same statement has referred to them.
 */
export const storeContents = (organisationId: string, files: Sql): Sql => sql`
  insert into file_content (organisation_id, sha256, bytes, size_bytes)
  select distinct on (sha256(f.bytes)) ${organisationId}::uuid, sha256(f.bytes), f.bytes,
    octet_length(f.bytes)
  from (${files}) f order by sha256(f.bytes)
  on conflict (organisation_id, sha256) do update set size_bytes = excluded.size_bytes`
