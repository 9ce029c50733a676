// Compacts tables of counts. Every write adds rows of its own instead of updating a shared one, so that
// writers do not wait for each other; only the sums matter, and fewer rows are faster to read.

import { type Database, raw, sql } from '../database/db.ts'
import { startWorkLoop, type WorkLoop } from './work-loop.ts'
import type { WorkerContext } from './worker-context.ts'

/** A table of counts: rows with the same key columns are added up. It also has `n` and `is_folded`. */
export interface CounterTable {
  table: string
  keyColumns: readonly string[]
}

const maxAtOnce = 5_000

/**
 * Replaces some of the rows that writes have added, together with the sums so far for the same keys, by one
 * row for each key with the new sum. Returns how many added rows it replaced. It is one statement, so that a
 * reader sees either the rows from before or the sum. Rows that another worker has locked are skipped, so a
 * key may have more than one sum for a while.
 */
async function fold(database: Database, { table, keyColumns }: CounterTable): Promise<number> {
  const name = raw(table)
  const key = raw(keyColumns.join(', '))
  const { added } = await database.inOneStatement(tx =>
    tx.row<{ added: number }>(sql`
      with added as (
        delete from ${name} where ctid = any(array(select ctid from ${name} where not is_folded limit
          ${maxAtOnce} for update skip locked))
        returning ${key}, n
      ), summed as (
        delete from ${name} where ctid = any(array(
          select s.ctid from (select distinct ${key} from added) a join ${name} s using (${key})
            where s.is_folded for update of s skip locked))
        returning ${key}, n
      ), written as (
        insert into ${name} (${key}, n, is_folded)
        select ${key}, sum(n), true from (select * from added union all select * from summed) as r group by
          ${key} having sum(n) <> 0
      )
      select count(*) as added from added`),
  )
  return added
}

/** Folds some of the rows added to each table. Returns whether there may be more. */
export async function foldCounts(database: Database, tables: readonly CounterTable[]): Promise<boolean> {
  let maxFolded = 0
  for (const table of tables) maxFolded = Math.max(maxFolded, await fold(database, table))
  return maxFolded === maxAtOnce
}

export const startFolding = (
  { database, log }: WorkerContext,
  name: string,
  tables: readonly CounterTable[],
): WorkLoop => startWorkLoop({ name, log, pollMs: 1_000, step: () => foldCounts(database, tables) })
