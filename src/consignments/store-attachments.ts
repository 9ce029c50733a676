// Attaches files to notes.

import { type Sql, sql } from '../platform/database/db.ts'
import { storeContents } from '../uploads/file-content.ts'

/**
 * The statement that attaches the rows of a query to their notes: `id`, `consignment_note_id`, `file_name`,
 * `content_type`, `print_type` and `bytes`.
 */
export const storeAttachments = (organisationId: string, files: Sql): Sql => sql`
  with file as materialized (${files}),
  content as (${storeContents(organisationId, sql`select bytes from file`)})
  insert into consignment_note_attachment (organisation_id, id, consignment_note_id, file_name, content_type,
    print_type, content_sha256)
  select ${organisationId}::uuid, id, consignment_note_id, file_name, content_type, print_type, sha256(bytes)
  from file`
