// The endpoints that send events to a webhook again. Decision 6.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { matchesSubscription } from '../events/emit.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { accepted } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { Count, named, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { hint } from '../platform/work/hints.ts'
import { isPending, requireActiveSubscription, visibleSubscriptions } from './subscription.ts'

const maxReplayed = 10_000
// A replay stores up to `maxReplayed` rows at once, so it is refused while as many deliveries still wait.
const maxWaiting = 10_000

/**
 * Stores new deliveries to a subscription `s` of the events with the ids that the query `events` returns.
 * Returns the ids of the deliveries.
 */
async function storeReplays(tx: Tx, actor: Actor, subscriptionId: string, events: Sql): Promise<string[]> {
  const deliveries = await tx.rows<{ id: string }>(sql`
    insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id)
    select s.organisation_id, uuid_at(clock_timestamp()), s.id, replayed.event_id
    from webhook_subscription s cross join lateral (${events}) as replayed (event_id)
    where ${visibleSubscriptions(actor)} and s.id = ${subscriptionId}
    returning id`)
  if (deliveries.length > 0) tx.afterCommit(() => hint('deliveries'))
  return deliveries.map(({ id }) => id)
}

/** Refuses (400) a replay while too many deliveries to this subscription wait to be sent. */
async function refuseBacklog(tx: Tx, { organisationId }: Actor, subscriptionId: string): Promise<void> {
  // The lock makes replays of one subscription take turns. Counting is a separate statement, sent right after
  // it, so that it sees what the previous replay has committed.
  const [, { waiting }] = await Promise.all([
    tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`replays ${subscriptionId}`}, 0))`),
    tx.row<{ waiting: number }>(sql`
      select count(*)::int as waiting from (
        select from webhook_delivery d
        where d.organisation_id = ${organisationId} and d.webhook_subscription_id = ${subscriptionId}
          and ${isPending}
        limit ${maxWaiting}) d`),
  ])
  if (waiting >= maxWaiting)
    throw verificationFailed(
      `At least ${maxWaiting.toLocaleString('en-GB')} deliveries are already waiting. ` +
        'Replay the range once they have been sent.',
    )
}

export const replayDeliveries = [
  endpoint({
    post: '/v1/webhook-subscriptions/:webhookSubscriptionId/deliveries/:deliveryId/replay',
    name: 'replayWebhookDelivery',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Send the event of a delivery again',
    description: 'Makes a new delivery with its own operationId. The id of the event stays the same.',
    response: accepted(Type.Object({ deliveryId: Uuid })),
    async handle({ tx, actor, params }) {
      await requireActiveSubscription(tx, actor, params.webhookSubscriptionId)
      const [id] = await storeReplays(
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
      'Makes new deliveries of every event from fromUtc up to, but not including, toUtc that the ' +
      'subscription is for, whether the event was delivered before or not. ' +
      `The range begins at most 30 days ago and contains at most ${maxReplayed.toLocaleString('en-GB')} ` +
      'events. It is refused while that many deliveries wait to be sent to the subscription.',
    body: named('WebhookReplay', Type.Object({ fromUtc: UtcTime, toUtc: UtcTime })),
    response: accepted(Type.Object({ deliveries: Count })),
    async handle({ tx, actor, params, body }) {
      const [fromUtc, toUtc] = [parseInstant(body.fromUtc), parseInstant(body.toUtc)]
      await requireActiveSubscription(tx, actor, params.webhookSubscriptionId)
      await refuseBacklog(tx, actor, params.webhookSubscriptionId)
      const range = await tx.row<{ isForward: boolean; isRecent: boolean }>(sql`
        select ${fromUtc}::timestamptz < ${toUtc}::timestamptz as is_forward,
          ${fromUtc}::timestamptz >= now() - interval '30 days' as is_recent`)
      if (!range.isForward) throw validationFailed(faultAt('toUtc', 'must be after fromUtc', 'range'))
      if (!range.isRecent)
        throw verificationFailed(faultAt('fromUtc', 'must not be more than 30 days ago', 'range'))
      const ids = await storeReplays(
        tx,
        actor,
        params.webhookSubscriptionId,
        sql`
        select e.id from event e
        where ${matchesSubscription} and e.created_utc >= ${fromUtc} and e.created_utc < ${toUtc}
        order by e.created_utc, e.id limit ${maxReplayed + 1}`,
      )
      if (ids.length > maxReplayed)
        throw verificationFailed(`The range holds more than ${maxReplayed} events. Replay it in parts.`)
      return { deliveries: ids.length }
    },
  }),
]
