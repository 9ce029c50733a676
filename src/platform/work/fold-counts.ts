// Adds up counts that every write extends by rows of its own, so that no two writers wait for each other.
// Only the sums matter; fewer rows are read faster.

import { type Database, raw, sql } from '../database/db.ts'
import { startWorkLoop, type WorkLoop } from './work-loop.ts'
import type { WorkerContext } from './worker-context.ts'

/** A table of counts: it has the columns of its cells, `n` and `is_folded`. */
export interface Count {
  table: string
  cell: readonly string[]
}

const maxAtOnce = 5_000

/**
 * Replaces rows that writes have added, and the row that their cell has so far, by one row with their sum;
 * returns how many were added. In one statement, so that a reader sees the rows from before or the sum. Rows
 * that another folder holds are left to it, so a cell may have more than one sum for a while.
 */
async function fold(database: Database, count: Count): Promise<number> {
  const name = raw(count.table)
  const cell = raw(count.cell.join(', '))
  const { added } = await database.inOneStatement(tx =>
    tx.row<{ added: number }>(sql`
      with added as (
        delete from ${name} where ctid = any(array(select ctid from ${name} where not is_folded limit
          ${maxAtOnce} for update skip locked))
        returning ${cell}, n
      ), summed as (
        delete from ${name} where ctid = any(array(
          select s.ctid from (select distinct ${cell} from added) a join ${name} s using (${cell})
            where s.is_folded for update of s skip locked))
        returning ${cell}, n
      ), written as (
        insert into ${name} (${cell}, n, is_folded)
        select ${cell}, sum(n), true from (select * from added union all select * from summed) as r group by
          ${cell} having sum(n) <> 0
      )
      select count(*) as added from added`),
  )
  return added
}

/** Folds some of what was added to each of the counts. Returns whether there may be more. */
export async function foldCounts(database: Database, counts: readonly Count[]): Promise<boolean> {
  let most = 0
  for (const count of counts) most = Math.max(most, await fold(database, count))
  return most === maxAtOnce
}

/** Starts the loop that folds. */
export const startFolding = (
  { database, log }: WorkerContext,
  name: string,
  counts: readonly Count[],
): WorkLoop => startWorkLoop({ name, log, pollMs: 1_000, step: () => foldCounts(database, counts) })
