// Deletes the requests of imports, which are most of their bytes, 90 days after their consignments were
// created. The imports stay because their idempotency keys remain in use; the consignments have the data.

import { type Database, raw, sql } from '../platform/database/db.ts'
import { startCleanup } from '../platform/work/cleanup.ts'
import type { WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { ImportStatus } from '../vocabulary/imports.ts'

const maxAtOnce = 500
/** A literal instead of a parameter, so that PostgreSQL can use the partial index on it. */
const reconciled = raw(String(ImportStatus.Reconciled))

export const startDeletingOldRequests = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'old requests of imports', deleteSome: deleteSomeRequests, maxAtOnce })

/** Deletes some requests of consignments older than 90 days. Returns how many. */
export const deleteSomeRequests = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update consignment_import i set request = null
      from (
        select i.organisation_id, i.id from consignment_import i
        join consignment c on c.organisation_id = i.organisation_id and c.id = i.id
        where i.status = ${reconciled} and i.request is not null
          and i.received_utc < now() - interval '90 days' and c.created_utc < now() - interval '90 days'
        order by i.received_utc limit ${maxAtOnce}
      ) old
      where i.organisation_id = old.organisation_id and i.id = old.id`),
  )
