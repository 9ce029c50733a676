// Sending events to a webhook again. Open-points 6.

import { wants } from '../events/emit.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { accepted, endpoint } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { Count, named, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { hint } from '../platform/work/hints.ts'
import { isPending, requireActive, visibleSubscriptions } from './subscription.ts'

const maxReplayed = 10_000
// Each replay stores so many rows at once, so there is none while as many still wait.
const maxWaiting = 10_000

/**
 * New deliveries to a subscription `s`, of the events whose ids the query gives. Returns the ids of the
 * deliveries.
 */
async function replay(tx: Tx, actor: Actor, subscriptionId: string, events: Sql): Promise<string[]> {
  const made = await tx.rows<{ id: string }>(sql`
    insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id)
    select s.organisation_id, uuid_at(clock_timestamp()), s.id, replayed.event_id
    from webhook_subscription s cross join lateral (${events}) as replayed (event_id)
    where ${visibleSubscriptions(actor)} and s.id = ${subscriptionId}
    returning id`)
  if (made.length > 0) tx.afterCommit(() => hint('deliveries'))
  return made.map(({ id }) => id)
}

/** Refuses (400) to add to a backlog of deliveries that wait to be sent to this subscription. */
async function refuseBacklog(tx: Tx, { organisationId }: Actor, subscriptionId: string): Promise<void> {
  const { waiting } = await tx.row<{ waiting: number }>(sql`
    select count(*)::int as waiting from (
      select from webhook_delivery d
      where d.organisation_id = ${organisationId} and d.webhook_subscription_id = ${subscriptionId}
        and ${isPending}
      limit ${maxWaiting}) d`)
  if (waiting >= maxWaiting)
    throw verificationFailed(
      `${maxWaiting.toLocaleString('en-GB')} deliveries or more wait to be sent already. ` +
        'Replay the range once they have been sent.',
    )
}

export const replays = [
  endpoint({
    post: '/v1/webhook-subscriptions/:webhookSubscriptionId/deliveries/:deliveryId/replay',
    name: 'replayWebhookDelivery',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Send the event of a delivery again',
    description: 'As a new delivery, with an operationId of its own; the id of the event stays.',
    response: accepted(Type.Object({ deliveryId: Uuid })),
    async handle({ tx, actor, params }) {
      await requireActive(tx, actor, params.webhookSubscriptionId)
      const [id] = await replay(
        tx,
        actor,
        params.webhookSubscriptionId,
        sql`
        select d.event_id from webhook_delivery d
        where d.organisation_id = s.organisation_id and d.webhook_subscription_id = s.id
          and d.id = ${params.deliveryId}`,
      )
      if (id === undefined) throw notFound('Webhook delivery')
      return { deliveryId: id }
    },
  }),
  endpoint({
    post: '/v1/webhook-subscriptions/:webhookSubscriptionId/replay',
    name: 'replayWebhookEvents',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Send the events of a time range again',
    description:
      'Every event from fromUtc to before toUtc that the subscription wants, whether it was delivered or ' +
      'not, as new deliveries. ' +
      `The range begins at most 30 days ago and holds at most ${maxReplayed.toLocaleString('en-GB')} ` +
      'events. Refused while as many deliveries wait to be sent to the subscription.',
    body: named('WebhookReplay', Type.Object({ fromUtc: UtcTime, toUtc: UtcTime })),
    response: accepted(Type.Object({ deliveries: Count })),
    async handle({ tx, actor, params, body }) {
      const [fromUtc, toUtc] = [parseInstant(body.fromUtc), parseInstant(body.toUtc)]
      await requireActive(tx, actor, params.webhookSubscriptionId)
      await refuseBacklog(tx, actor, params.webhookSubscriptionId)
      const range = await tx.row<{ isForward: boolean; isRecent: boolean }>(sql`
        select ${fromUtc}::timestamptz < ${toUtc}::timestamptz as is_forward,
          ${fromUtc}::timestamptz >= now() - interval '30 days' as is_recent`)
      if (!range.isForward) throw validationFailed(faultAt('toUtc', 'must be after fromUtc', 'range'))
      if (!range.isRecent)
        throw verificationFailed(faultAt('fromUtc', 'must not be more than 30 days ago', 'range'))
      const ids = await replay(
        tx,
        actor,
        params.webhookSubscriptionId,
        sql`
        select e.id from event e
        where ${wants} and e.created_utc >= ${fromUtc} and e.created_utc < ${toUtc}
        order by e.created_utc, e.id limit ${maxReplayed + 1}`,
      )
      if (ids.length > maxReplayed)
        throw verificationFailed(`The range holds more than ${maxReplayed} events. Replay it in parts.`)
      return { deliveries: ids.length }
    },
  }),
]
