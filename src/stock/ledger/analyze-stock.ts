// Keeps the planner's statistics about the tables of stock while these grow fast. PostgreSQL itself gathers
// them a minute later. Until then, plans that were made while the tables were nearly empty stay in use: all
// indexes looked alike then, so that checking one foreign key may read all stock of an organisation.

import { type Database, raw, sql } from '../../platform/database/db.ts'
import { hint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'

const loopName = 'stock-statistics'

/** The tables that stock is in, and those that its foreign keys refer to. */
const tables = [
  'warehouse_product',
  'warehouse_product_item',
  'inventory_transaction',
  'inventory_transaction_item',
  'inventory_allocation',
  'inventory_listing',
  'inventory_count',
  'inventory_checkpoint_row',
  'logistic_unit',
  'warehouse_location',
  'product',
  'consignment_product',
]

/** Gathers statistics about the tables that have grown tenfold since the last time. Returns their names. */
export async function analyzeGrownStock(database: Database): Promise<string[]> {
  const grown = await database.db.rows<{ name: string }>(sql`
    select relname as name from pg_class
    where oid = any(${tables}::regclass[])
      and pg_relation_size(oid) / current_setting('block_size')::int >= 10 * greatest(relpages, 1)`)
  // One table at a time, so that no lock is held for long, and none that is being vacuumed.
  for (const { name } of grown)
    await database.inOneStatement(tx => tx.run(sql`analyze (skip_locked) ${raw(name)}`))
  return grown.map(({ name }) => name)
}

/** Says that stock may have grown much, so that the worker need not find out by itself. */
export const noteGrownStock = (): void => hint(loopName)

/** Starts the worker that gathers statistics. */
export const startAnalyzingStock = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: loopName,
    log,
    pollMs: 5_000,
    async step() {
      await analyzeGrownStock(database)
      return false
    },
  })
