// Folds the counts of the list of stock, so that their table stays short. Migration 016.

import type { Database } from '../../../platform/database/db.ts'
import { foldCounts, startFolding } from '../../../platform/work/fold-counts.ts'
import type { WorkLoop } from '../../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../../platform/work/worker-context.ts'

const counts = [
  {
    table: 'inventory_count',
    keyColumns: ['organisation_id', 'product_id', 'is_depleted', 'partner_id', 'warehouse_id', 'is_mixed'],
  },
] as const

/** Folds a batch of the rows that were added to the counts. Returns whether there may be more. */
export const foldInventoryCounts = (database: Database): Promise<boolean> => foldCounts(database, counts)

export const startFoldingInventoryCounts = (context: WorkerContext): WorkLoop =>
  startFolding(context, 'inventory counts', counts)
