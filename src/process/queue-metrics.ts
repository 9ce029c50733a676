// How much work waits, and for how long: the depth and age of the tables that are queues.

import { type Sql, sql } from '../platform/database/db.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { isPending, isServed, joinMaker } from '../webhook-subscriptions/subscription.ts'

// Of a longer queue the first part is measured, so that measuring stays cheap.
const maxCounted = 100_000

// A receiver that fails or hangs is slowed down and its deliveries wait for it, not for the worker: they are
// measured apart. It has a retry pending.
const isSlowed = sql`exists (select from webhook_delivery d where d.organisation_id = s.organisation_id
  and d.webhook_subscription_id = s.id
  and ${isPending} and least(d.attempt_count, 1) = 1)`

// Judged once for each subscription, not for each of its deliveries.
const deliveries = (which: Sql) => sql`
  select d.due_utc from (
    select s.organisation_id, s.id from webhook_subscription s ${joinMaker}
    where ${isServed} and ${which} offset 0
  ) s
  join webhook_delivery d on d.organisation_id = s.organisation_id and d.webhook_subscription_id = s.id
  where ${isPending} limit ${maxCounted}`

const waiting = {
  imports: sql`select i.due_utc from consignment_import i where i.due_utc is not null limit ${maxCounted}`,
  deliveries: deliveries(sql`not ${isSlowed}`),
  deliveriesToFailing: deliveries(isSlowed),
}

/** Adds the gauges `queue_depth` and `queue_age_seconds`, both by queue. */
export function measureQueues({ database, metrics }: Pick<WorkerContext, 'database' | 'metrics'>): void {
  const ofEach = (figure: Sql) => () =>
    database.db.row<Record<string, number>>(sql`
      select (select ${figure} from (${waiting.imports}) i) as imports, (select ${figure}
        from (${waiting.deliveries}) d) as deliveries,
        (select ${figure} from (${waiting.deliveriesToFailing}) d) as "deliveries-to-failing"`)
  const counted =
    `counted up to ${maxCounted}; deliveries to a receiver whose last attempts failed are ` +
    `deliveries-to-failing`
  metrics.gauge(
    'queue_depth',
    `Rows that wait to be worked on, retries included, by queue; ${counted}.`,
    ofEach(sql`count(*)`),
  )
  metrics.gauge(
    'queue_age_seconds',
    'How long the oldest row has been due, by queue.',
    ofEach(sql`greatest(0, coalesce(extract(epoch from now() - min(due_utc)), 0))`),
  )
}
