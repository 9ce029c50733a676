// Deletes deliveries after 30 days. Until then they can be replayed. Events are kept, because they are the
// history. Decision 6.

import { type Database, sql } from '../../platform/database/db.ts'
import { startCleanup } from '../../platform/work/cleanup.ts'
import type { WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { DeliveryStatus } from '../../vocabulary/webhooks.ts'
import { isDelivering, joinCreator } from '../subscription.ts'

const maxAtOnce = 1_000

/** Starts the loop that deletes old deliveries. */
export const startDeletingOldDeliveries = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'old deliveries', deleteSome: deleteOldDeliveries, maxAtOnce })

/**
 * Deletes up to `maxAtOnce` deliveries that are older than 30 days and finished or held, and returns how many
 * it deleted. Their ids show their age.
 */
export const deleteOldDeliveries = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      delete from webhook_delivery d using (
        select old.* from organisation o cross join lateral (
          select d.organisation_id, d.id from webhook_delivery d
          join webhook_subscription s on s.organisation_id = d.organisation_id
            and s.id = d.webhook_subscription_id
          ${joinCreator}
          where d.organisation_id = o.id and d.id < (select uuid_at(now() - interval '30 days'))
            and (d.status <> ${DeliveryStatus.Pending} or not ${isDelivering})
          limit ${maxAtOnce}
        ) old limit ${maxAtOnce}
      ) old
      where d.organisation_id = old.organisation_id and d.id = old.id`),
  )
