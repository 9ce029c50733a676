// Emits event 1, CronRecurrence, once an hour for every subscription to it. Spec 6.1; decision 6.

import { emit, serviceOrigin } from '../events/emit.ts'
import { sql } from '../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { EventType } from '../vocabulary/events.ts'
import { SubscriptionStatus } from '../vocabulary/webhooks.ts'

const maxAtOnce = 500

/**
 * Starts the loop that emits recurrences. The subscription stores the hour of its last recurrence, so any
 * number of processes may run the loop.
 */
export const startRecurrences = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: 'recurrence',
    log,
    pollMs: 10_000,
    step: () =>
      database.atomically(async tx => {
        const due = await tx.rows<{ organisationId: string; id: string; recurredUtc: string }>(sql`
          update webhook_subscription s set recurred_utc = date_trunc('hour', now())
          from (
            select organisation_id, id from webhook_subscription
            where event_type = ${EventType.CronRecurrence} and status = ${SubscriptionStatus.Active}
              and deleted_utc is null
              and recurred_utc < date_trunc('hour', now())
            limit ${maxAtOnce} for update skip locked
          ) due
          where s.organisation_id = due.organisation_id and s.id = due.id
          returning s.organisation_id, s.id, s.recurred_utc`)
        for (const [organisationId, subscriptions] of Map.groupBy(due, row => row.organisationId)) {
          const events = subscriptions.map(({ id, recurredUtc }) => ({
            type: EventType.CronRecurrence,
            subjectId: id,
            data: { webhookSubscriptionId: id, recurrenceUtc: recurredUtc },
          }))
          await emit(tx, serviceOrigin(organisationId), events)
        }
        return due.length === maxAtOnce
      }),
  })
