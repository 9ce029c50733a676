// Adds up the rows of the counts of consignments. Every write adds rows of its own; only their sums matter,
// and fewer rows are read faster. Migration 008.

import { type Database, raw, sql } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'

const maxAtOnce = 5_000

const counts = {
  consignment_count: [
    'organisation_id',
    'level',
    'identity_connection_id',
    'client_id',
    'edi_status',
    'carrier_id',
    'warehouse_id',
    'type',
    'status',
  ],
  consignment_week_count: ['organisation_id', 'filter', 'identity_connection_id', 'week'],
} as const

/**
 * Replaces rows that writes have added, together with the existing sum of their cell, by one new sum. Returns
 * how many added rows were replaced. One statement, so that a reader sees either the rows or the sum. Rows
 * that another process is folding are left to it, so a cell may have more than one sum for a while. /
 */
async function fold(database: Database, table: keyof typeof counts): Promise<number> {
  const name = raw(table)
  const cell = raw(counts[table].join(', '))
  const { added } = await database.inOneStatement(tx =>
    tx.row<{ added: number }>(sql`
      with added as (
        delete from ${name} where ctid = any(array(
          select ctid from ${name} where not is_folded
          limit ${maxAtOnce} for update skip locked))
        returning ${cell}, n
      ), summed as (
        delete from ${name} where ctid = any(array(
          select s.ctid from (select distinct ${cell} from added) a join ${name} s using (${cell})
          where s.is_folded
          for update of s skip locked))
        returning ${cell}, n
      ), written as (
        insert into ${name} (${cell}, n, is_folded)
        select ${cell}, sum(n), true
        from (select * from added union all select * from summed) as r
        group by ${cell} having sum(n) <> 0
      )
      select count(*) as added from added`),
  )
  return added
}

/** Folds some of the rows added to the two counts. Returns whether there may be more. */
export async function foldCounts(database: Database): Promise<boolean> {
  const cells = await fold(database, 'consignment_count')
  const weeks = await fold(database, 'consignment_week_count')
  return Math.max(cells, weeks) === maxAtOnce
}

/** Starts the loop that folds. */
export const startFoldingCounts = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({ name: 'consignment counts', log, pollMs: 1_000, step: () => foldCounts(database) })
