// Deletes stored operations after 90 days, when a device may no longer repeat them. The ledger keeps their
// movements. Spec 2.14.

import { type Database, sql } from '../../platform/database/db.ts'
import { startCleanup } from '../../platform/work/cleanup.ts'
import type { WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'

const maxAtOnce = 1_000

export const startDeletingOldOperations = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'old operations', deleteSome: deleteOldOperations, maxAtOnce })

/** Deletes up to 1,000 operations that are older than 90 days. Returns how many it deleted. */
export const deleteOldOperations = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      delete from inventory_operation o using (
        select organisation_id, operation_id from inventory_operation
        where recorded_utc < now() - interval '90 days' order by recorded_utc limit ${maxAtOnce}
      ) old
      where o.organisation_id = old.organisation_id and o.operation_id = old.operation_id`),
  )
