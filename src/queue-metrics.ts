// How much work waits, and for how long: the depth and age of the tables that are queues.

import { sql } from './platform/db.ts'
import { isServed, joinApp } from './webhook-subscriptions/subscription.ts'
import type { Working } from './workers.ts'

// Of a longer queue the first part is measured, so that measuring stays cheap.
const mostCounted = 100_000

const waiting = {
  imports: sql`select i.due_utc from consignment_import i where i.due_utc is not null limit ${mostCounted}`,
  deliveries: sql`
    select d.due_utc from webhook_delivery d
    join webhook_subscription s on s.organisation_id = d.organisation_id and s.id = d.webhook_subscription_id
    ${joinApp}
    where d.status = 1 and ${isServed} limit ${mostCounted}`,
}

/** Adds the gauges `queue_depth` and `queue_age_seconds`, both by queue. */
export function measureQueues({ database, metrics }: Pick<Working, 'database' | 'metrics'>): void {
  metrics.gauge('queue_depth', `Rows that wait to be worked on, retries included, by queue; counted up to ${mostCounted}.`, () =>
    database.db.row<Record<string, number>>(sql`
      select (select count(*) from (${waiting.imports}) i) as imports, (select count(*) from (${waiting.deliveries}) d) as deliveries`),
  )
  const age = sql`greatest(0, coalesce(extract(epoch from now() - min(due_utc)), 0))`
  metrics.gauge('queue_age_seconds', 'How long the oldest row has been due, by queue.', () =>
    database.db.row<Record<string, number>>(sql`
      select (select ${age} from (${waiting.imports}) i) as imports, (select ${age} from (${waiting.deliveries}) d) as deliveries`),
  )
}
