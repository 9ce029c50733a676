// The database keeps a history of administrative changes. This tells it who makes the changes of a
// transaction; see record_administration in migrations/001-organisations.sql.

import { type Database, sql } from '../platform/database/db.ts'
import type { Authorship } from '../platform/http/access-rules.ts'

/**
 * Returns the database with transactions that name the user, connection, request and IP address as author.
 */
export function withAuthor(database: Database, { actor, id, ip }: Authorship): Database {
  const author = JSON.stringify({
    userId: actor?.userId,
    connectionId: actor?.connectionId,
    requestId: id,
    address: ip,
  })
  const atomically: Database['atomically'] = work =>
    database.atomically(async tx => {
      // The names are those of before the change, which may be a change of the author's own name.
      await tx.run(sql`select set_config('waybill.author', (${author}::jsonb || jsonb_build_object(
        'userName', user_name(${actor?.organisationId}, ${actor?.userId}),
        'appName', app_name(${actor?.organisationId}, ${actor?.connectionId})))::text, true)`)
      return work(tx)
    })
  return { ...database, atomically, inOneStatement: atomically }
}
