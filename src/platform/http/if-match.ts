// Updates with If-Match: nothing changes unless the record is still as the caller read it.

import { type Database, type Db, sql } from '../database/db.ts'

/**
 * Returns a database whose transactions are rolled back, with the error that `check` throws, unless the
 * record is still as the caller read it. `record` is a name for the record that is the same in all processes.
 *
 * The ETag of a record depends on everything that its GET reads: rows of many tables, which cannot all be
 * locked here. So `check` compares it twice. The first check runs inside the transaction, behind a lock that
 * all conditional updates of the record take: of two updates with the same If-Match, the second one waits and
 * then sees the changes of the first. The second check runs after the handler, on another connection: it does
 * not see the changes of this transaction, but it does see all unconditional updates that were committed
 * before the handler locked the rows that it changes. An update that commits later simply comes after this
 * one.
 *
 * The transaction keeps its usual isolation level: at a stricter one, handlers would not see what was
 * committed while they waited for their locks.
 */
export function ifStillUnchanged(
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
