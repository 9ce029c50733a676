// The endpoint that lists the deliveries to a webhook with their attempts. Spec 6; decision 6.

import { endpoint } from '../access/endpoint.ts'
import { empty, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import {
  Count,
  Integer,
  IntegerEnum,
  named,
  nullable,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { type EventType, eventTypeNames } from '../vocabulary/events.ts'
import { DeliveryStatus } from '../vocabulary/webhooks.ts'
import { isDelivering, joinCreator, requireSubscription } from './subscription.ts'

/** One attempt to send a delivery. Exactly one of `statusCode` and `error` may be null. */
const Attempt = named(
  'WebhookAttempt',
  Type.Object({
    atUtc: UtcTime,
    statusCode: nullable(Integer),
    durationMs: Count,
    error: nullable(Type.String()),
    answer: nullable(Type.String({ description: 'The first kilobyte of the response.' })),
  }),
)

/** A delivery with its attempts. `id` is the operationId that is sent to the receiver. */
const WebhookDelivery = named(
  'WebhookDelivery',
  Type.Object({
    id: Uuid,
    eventId: Uuid,
    type: Type.String({ examples: ['consignment.created'] }),
    status: IntegerEnum(DeliveryStatus),
    createdUtc: UtcTime,
    dueUtc: { ...nullable(UtcTime), description: 'When the next attempt is due; null if there is none.' },
    attempts: Type.Array(Attempt),
  }),
)

type Row = Omit<Static<typeof WebhookDelivery>, 'type'> & { eventType: EventType }

const statusOf = sql`case when d.status = ${DeliveryStatus.Pending} and not ${isDelivering} then
  ${DeliveryStatus.Held}::int else d.status end`

/** The endpoints below a subscription. */
export const webhookDeliveries = [
  endpoint({
    get: '/v1/webhook-subscriptions/:webhookSubscriptionId/deliveries',
    name: 'listWebhookDeliveries',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'List the deliveries to a webhook, newest first',
    description: 'Finished deliveries are kept for 30 days.',
    query: pageQuery({ Status: Type.Optional(IntegerEnum(DeliveryStatus)) }),
    response: json(pageOf('deliveries', WebhookDelivery)),
    async handle({ db, actor, params, query }) {
      await requireSubscription(db, actor, params.webhookSubscriptionId)
      const page = await readPage<'deliveries', Row>(db, 'deliveries', query, {
        columns: sql`d.id, d.event_id, e.type as event_type, ${statusOf} as status, d.created_utc, d.attempts,
          case when d.status = ${DeliveryStatus.Pending} and ${isDelivering} then d.due_utc end as due_utc`,
        from: sql`webhook_delivery d
          join webhook_subscription s on s.organisation_id = d.organisation_id
            and s.id = d.webhook_subscription_id
          ${joinCreator}
          join event e on e.organisation_id = d.organisation_id and e.id = d.event_id
          where d.organisation_id = ${actor.organisationId}
            and d.webhook_subscription_id = ${params.webhookSubscriptionId}
          ${query.Status === undefined ? empty : sql`and ${statusOf} = ${query.Status}`}`,
        order: sql`d.id desc`,
      })
      return {
        ...page,
        deliveries: page.deliveries.map(({ eventType, ...row }) => ({
          ...row,
          type: eventTypeNames[eventType],
        })),
      }
    },
  }),
]
