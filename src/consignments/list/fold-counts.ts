// Keeps the count tables of consignments short: changes are added as rows, and folded into sums here.
// Migration 008 defines them.

import type { Database } from '../../platform/database/db.ts'
import { foldCounts, startFolding } from '../../platform/work/fold-counts.ts'
import type { WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'

const counts = [
  {
    table: 'consignment_count',
    keyColumns: [
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
  },
  {
    table: 'consignment_week_count',
    keyColumns: ['organisation_id', 'filter', 'identity_connection_id', 'week'],
  },
] as const

/** Folds some of the rows that were added to the count tables. Returns true if there may be more. */
export const foldConsignmentCounts = (database: Database): Promise<boolean> => foldCounts(database, counts)

export const startFoldingConsignmentCounts = (context: WorkerContext): WorkLoop =>
  startFolding(context, 'consignment counts', counts)
