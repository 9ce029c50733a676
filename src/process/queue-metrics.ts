// Measures how much work is waiting and for how long: the depth and age of the tables that serve as queues.

import { isBridgeOnline } from '../paper/printers/printer.ts'
import { type Database, join, type Sql, sql } from '../platform/database/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { PrintJobStatus } from '../vocabulary/paper.ts'
import { SetUpStatus } from '../vocabulary/reference-data.ts'
import { HeldReason } from '../vocabulary/webhooks.ts'
import { heldReason, isDelivering, isPending, joinCreator } from '../webhook-subscriptions/subscription.ts'

// Only this many rows of a longer queue are counted, so that measuring stays cheap.
const maxCounted = 100_000

// Deliveries to a receiver that fails or hangs wait for that receiver and not for the worker, so they are
// measured separately. Such a receiver has a retry pending.
const isSlowed = sql`exists (select from webhook_delivery d where d.organisation_id = s.organisation_id
  and d.webhook_subscription_id = s.id
  and ${isPending} and least(d.attempt_count, 1) = 1)`

// The condition is evaluated once for each subscription, not for each of its deliveries.
const deliveries = (condition: Sql) => sql`
  select d.due_utc from (
    select s.organisation_id, s.id from webhook_subscription s ${joinCreator}
    where s.deleted_utc is null and ${condition} offset 0
  ) s
  join webhook_delivery d on d.organisation_id = s.organisation_id and d.webhook_subscription_id = s.id
  where ${isPending} limit ${maxCounted}`

const queues: Record<string, Sql> = {
  imports: sql`select i.due_utc from consignment_import i where i.due_utc is not null limit ${maxCounted}`,
  deliveries: deliveries(sql`${isDelivering} and not ${isSlowed}`),
  'deliveries-to-failing': deliveries(sql`${isDelivering} and ${isSlowed}`),
  'deliveries-held': deliveries(sql`not ${isDelivering}`),
  'print-jobs': sql`select j.due_utc from print_job j where j.status = ${PrintJobStatus.Pending}
    limit ${maxCounted}`,
}

/**
 * Adds the gauges `queue_depth` and `queue_age_seconds`, both by queue, `webhook_subscriptions`,
 * `printer_bridges` and `ended_print_jobs`.
 */
export function measureQueues({ database, metrics }: Pick<WorkerContext, 'database' | 'metrics'>): void {
  const forEachQueue = (figure: Sql) => async () => {
    const selects = Object.entries(queues).map(
      ([queue, rows]) => sql`select ${queue} as queue, (select ${figure} from (${rows}) q) as figure`,
    )
    const rows = await database.db.rows<{ queue: string; figure: number }>(join(selects, ' union all '))
    return Object.fromEntries(rows.map(({ queue, figure }) => [queue, figure]))
  }
  const countingNote =
    `counted up to ${maxCounted}; deliveries to a receiver whose last attempts failed are ` +
    'deliveries-to-failing, those of subscriptions to which nothing is sent are deliveries-held'
  metrics.gaugeBy(
    'queue',
    'queue_depth',
    `Rows that wait to be worked on, retries included, by queue; ${countingNote}.`,
    forEachQueue(sql`count(*)`),
  )
  metrics.gaugeBy(
    'queue',
    'queue_age_seconds',
    'How long the oldest row has been due, by queue.',
    forEachQueue(sql`greatest(0, coalesce(extract(epoch from now() - min(due_utc)), 0))`),
  )
  metrics.gaugeBy(
    'status',
    'webhook_subscriptions',
    `Webhook subscriptions by status; held: nothing is sent to them. Counted up to ${maxCounted}.`,
    () =>
      database.db.row<Record<string, number>>(sql`
        select count(*) filter (where reason is null) as active,
          count(*) filter (where reason = ${HeldReason.SubscriptionFailed}) as failed,
          count(*) filter (where reason <> ${HeldReason.SubscriptionFailed}) as held
        from (select ${heldReason} as reason from webhook_subscription s ${joinCreator}
          where s.deleted_utc is null limit ${maxCounted}) s`),
  )
  measurePrinting(database, metrics)
}

function measurePrinting(database: Database, metrics: Metrics): void {
  metrics.gaugeBy(
    'state',
    'printer_bridges',
    'Active printer bridges by state; unseen: the bridge has never asked for work.',
    () =>
      database.db.row<Record<string, number>>(sql`
        select count(*) filter (where ${isBridgeOnline}) as online,
          count(*) filter (where b.last_seen_utc is not null and not ${isBridgeOnline}) as offline,
          count(*) filter (where b.last_seen_utc is null) as unseen
        from printer_bridge b where b.status = ${SetUpStatus.Active}`),
  )
  metrics.gaugeBy(
    'result',
    'ended_print_jobs',
    'Print jobs that ended within the last hour, by result; in-doubt: a person has to check.',
    async () => {
      const { inDoubt, ...others } = await database.db.row<Record<string, number>>(sql`
        select count(*) filter (where status = ${PrintJobStatus.Success}) as success,
          count(*) filter (where status = ${PrintJobStatus.Failed} and not is_in_doubt) as failed,
          count(*) filter (where is_in_doubt) as in_doubt,
          count(*) filter (where status = ${PrintJobStatus.Cancelled}) as cancelled
        from print_job where status > 2 and finished_utc > now() - interval '1 hour'`)
      return { ...others, 'in-doubt': inDoubt ?? 0 }
    },
  )
}
