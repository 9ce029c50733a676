// What was sent to a webhook and what came of it, and sending it again. Spec 6; open-points 6.

import { wants } from '../events/emit.ts'
import { type EventType, eventTypeNames } from '../events/event.ts'
import { empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { accepted, endpoint, json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { Count, Integer, IntegerEnum, named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { parseInstant } from '../platform/local-time.ts'
import { hint } from '../platform/work/hints.ts'
import { DeliveryStatus } from './enumerations.ts'
import { isServed, joinApp, requireActive, requireSubscription, visibleSubscriptions } from './subscription.ts'

/** One attempt to send a delivery. Exactly one of `statusCode` and `error` may be null. */
const Attempt = named(
  'WebhookAttempt',
  Type.Object({
    atUtc: UtcTime,
    statusCode: nullable(Integer),
    durationMs: Count,
    error: nullable(Type.String()),
    answer: nullable(Type.String({ description: 'The first kilobyte of the answer.' })),
  }),
)

/** A delivery with its attempts. `id` is the operationId that the receiver was given. */
const WebhookDelivery = named(
  'WebhookDelivery',
  Type.Object({
    id: Uuid,
    eventId: Uuid,
    type: Type.String({ examples: ['consignment.created'] }),
    status: IntegerEnum(DeliveryStatus),
    createdUtc: UtcTime,
    dueUtc: { ...nullable(UtcTime), description: 'When the next attempt is due; null once there is none.' },
    attempts: Type.Array(Attempt),
  }),
)

type Row = Omit<Static<typeof WebhookDelivery>, 'type'> & { eventType: EventType }

const statusOf = sql`case when d.status = ${DeliveryStatus.Pending} and not ${isServed} then ${DeliveryStatus.Held}::int else d.status end`

const mostReplayed = 10_000

/** The endpoints below a subscription. */
export const deliveries = [
  endpoint({
    get: '/v1/webhook-subscriptions/:webhookSubscriptionId/deliveries',
    scope: 'any',
    extension: true,
    summary: 'List what was sent to a webhook, newest first',
    description: 'Finished deliveries are kept for 30 days.',
    query: pageQuery({ Status: Type.Optional(IntegerEnum(DeliveryStatus)) }),
    answer: json(pageOf('deliveries', WebhookDelivery)),
    async handle({ db, actor, params, query }) {
      await requireSubscription(db, actor, params.webhookSubscriptionId)
      const page = await readPage<'deliveries', Row>(db, 'deliveries', query, {
        columns: sql`d.id, d.event_id, e.type as event_type, ${statusOf} as status, d.created_utc, d.attempts,
          case when d.status = ${DeliveryStatus.Pending} and ${isServed} then d.due_utc end as due_utc`,
        from: sql`webhook_delivery d
          join webhook_subscription s on s.organisation_id = d.organisation_id and s.id = d.webhook_subscription_id
          ${joinApp}
          join event e on e.organisation_id = d.organisation_id and e.id = d.event_id
          where d.organisation_id = ${actor.organisationId} and d.webhook_subscription_id = ${params.webhookSubscriptionId}
          ${query.Status === undefined ? empty : sql`and ${statusOf} = ${query.Status}`}`,
        order: sql`d.id desc`,
      })
      return { ...page, deliveries: page.deliveries.map(({ eventType, ...row }) => ({ ...row, type: eventTypeNames[eventType] })) }
    },
  }),
  endpoint({
    post: '/v1/webhook-subscriptions/:webhookSubscriptionId/deliveries/:deliveryId/replay',
    scope: 'any',
    extension: true,
    summary: 'Send the event of a delivery again',
    description: 'As a new delivery, with an operationId of its own; the id of the event stays.',
    answer: accepted(Type.Object({ deliveryId: Uuid })),
    async handle({ tx, actor, params }) {
      await requireActive(tx, actor, params.webhookSubscriptionId)
      const [id] = await replay(
        tx,
        actor,
        params.webhookSubscriptionId,
        sql`
        select d.event_id from webhook_delivery d
        where d.organisation_id = s.organisation_id and d.webhook_subscription_id = s.id and d.id = ${params.deliveryId}`,
      )
      if (id === undefined) throw notFound('Webhook delivery')
      return { deliveryId: id }
    },
  }),
  endpoint({
    post: '/v1/webhook-subscriptions/:webhookSubscriptionId/replay',
    scope: 'any',
    extension: true,
    summary: 'Send the events of a time range again',
    description:
      'Every event from fromUtc to before toUtc that the subscription wants, whether it was delivered or not, as new deliveries. ' +
      `The range begins at most 30 days ago and holds at most ${mostReplayed.toLocaleString('en-GB')} events.`,
    body: named('WebhookReplay', Type.Object({ fromUtc: UtcTime, toUtc: UtcTime })),
    answer: accepted(Type.Object({ deliveries: Count })),
    async handle({ tx, actor, params, body }) {
      const [fromUtc, toUtc] = [parseInstant(body.fromUtc), parseInstant(body.toUtc)]
      await requireActive(tx, actor, params.webhookSubscriptionId)
      const range = await tx.row<{ isForward: boolean; isRecent: boolean }>(sql`
        select ${fromUtc}::timestamptz < ${toUtc}::timestamptz as is_forward, ${fromUtc}::timestamptz >= now() - interval '30 days' as is_recent`)
      if (!range.isForward) throw validationFailed('toUtc must be after fromUtc.')
      if (!range.isRecent) throw verificationFailed('fromUtc must not be more than 30 days ago.')
      const ids = await replay(
        tx,
        actor,
        params.webhookSubscriptionId,
        sql`
        select e.id from event e
        where ${wants} and e.created_utc >= ${fromUtc} and e.created_utc < ${toUtc} order by e.created_utc, e.id limit ${mostReplayed + 1}`,
      )
      if (ids.length > mostReplayed) throw verificationFailed(`The range holds more than ${mostReplayed} events. Replay it in parts.`)
      return { deliveries: ids.length }
    },
  }),
]

/** New deliveries to a subscription `s`, of the events whose ids the query gives. Answers the ids of the deliveries. */
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
