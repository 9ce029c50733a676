// Updates with If-Match: nothing changes unless the record is still the one that the caller has read.

import { type Database, type Db, sql } from '../database/db.ts'

/**
 * A database whose transactions are undone, by what `check` throws, unless the record stands as the caller
 * has read it. `record` is its name in all processes.
 *
 * What a record's ETag is made of is for its GET to say: rows of many tables, which nobody can lock by name.
 * So `check` asks it at both ends. First, inside of the transaction, behind a lock that all conditional
 * updates of the record take: of two with the same If-Match the second waits, and then reads what the first
 * has made of it. Last, after the handler, over a connection of its own: it sees the record without what this
 * transaction has written, but with everything that unconditional updates committed before the handler had
 * locked the rows that it changes. Who commits after that comes later than this one, and wants no condition.
 *
 * The transaction stays at its usual level: at a stricter one, handlers would not see what was committed
 * while they waited for their locks.
 */
export function whileUnchanged(
  database: Database,
  record: string,
  check: (db: Db) => Promise<void>,
): Database {
  const atomically: Database['atomically'] = work =>
    database.atomically(async tx => {
      await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${record}, 412))`)
      await check(tx)
      const result = await work(tx)
      await check(database.db)
      return result
    })
  return { ...database, atomically, inOneStatement: atomically }
}
