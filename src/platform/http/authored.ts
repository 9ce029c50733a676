// What is written in somebody's name: the database keeps a history of administration, and learns here for
// whom a transaction changes something. See record_administration in migrations/001-organisations.sql.

import type { FastifyRequest } from 'fastify'
import { type Database, sql } from '../database/db.ts'

/** A database whose transactions are those of a request: who asks, by which app, and from where. */
export function authored(database: Database, { actor, id, ip }: FastifyRequest): Database {
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
