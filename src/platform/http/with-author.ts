// The database keeps a history of administrative changes. This tells it who makes the changes of a
// transaction; see record_administration in migrations/001-organisations.sql.

import type { FastifyRequest } from 'fastify'
import { type Database, sql } from '../database/db.ts'

/**
 * Returns the database with transactions that name the user, connection, request and IP address as author.
 */
export function withAuthor(database: Database, { actor, id, ip }: FastifyRequest): Database {
  const author = JSON.stringify({
    userId: actor?.userId,
    connectionId: actor?.connectionId,
    requestId: id,
    address: ip,
  })
  const atomically: Database['atomically'] = work =>
    database.atomically(async tx => {
      await tx.run(sql`select set_config('waybill.author', ${author}, true)`)
      return work(tx)
    })
  return { ...database, atomically, inOneStatement: atomically }
}
