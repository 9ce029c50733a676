// The deliveries to a webhook with their attempts, and what was sent. Spec 6; decision 6.

import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { requireScope } from '../access/scopes.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { notFound } from '../platform/http/refusal.ts'
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
import { parseInstant } from '../platform/local-time.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { EventType, eventScope, eventTypeNames } from '../vocabulary/events.ts'
import { DeliveryStatus } from '../vocabulary/webhooks.ts'
import { type DeliveryFacts, requestOf } from './delivery/attempt.ts'
import { isDelivering, joinCreator, requireSubscription, signingSecret } from './subscription.ts'
import type { WebhookOptions } from './webhook-subscriptions.ts'

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

/** The request of a delivery. */
const DeliveryRequest = Type.Object({
  headers: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'As the latest attempt sent them, or the first one would now. The signatures are made with the ' +
      'present secret and keys.',
  }),
  body: Type.String({ description: 'The very text that is signed and sent, the same at every attempt.' }),
})

const WebhookDeliveryDetail = named(
  'WebhookDeliveryDetail',
  Type.Object({ ...WebhookDelivery.properties, request: DeliveryRequest }),
)

const columns = sql`d.id, d.event_id, e.type as event_type, ${statusOf} as status, d.created_utc, d.attempts,
  case when d.status = ${DeliveryStatus.Pending} and ${isDelivering} then d.due_utc end as due_utc`

/** The deliveries to a subscription, as the part of a query after `from`. */
const deliveriesOf = ({ organisationId }: Actor, subscriptionId: string): Sql => sql`webhook_delivery d
  join webhook_subscription s on s.organisation_id = d.organisation_id and s.id = d.webhook_subscription_id
  ${joinCreator}
  join event e on e.organisation_id = d.organisation_id and e.id = d.event_id
  where d.organisation_id = ${organisationId} and d.webhook_subscription_id = ${subscriptionId}`

const toDelivery = ({ eventType, ...row }: Row): Static<typeof WebhookDelivery> => ({
  ...row,
  type: eventTypeNames[eventType],
})

/** The types of events by the names that deliveries have. */
const typesByName = new Map(Object.entries(eventTypeNames).map(([type, name]) => [name, Number(type)]))

/** The request of a delivery. A key that cannot be decrypted signs nothing, and nothing is sent with it. */
function shownRequest(secretBox: SecretBox, delivery: DeliveryFacts) {
  try {
    return requestOf({ secretBox }, delivery)
  } catch {
    return requestOf({ secretBox }, { ...delivery, secretHash: null, signingKey1: null, signingKey2: null })
  }
}

/** The endpoints below a subscription. */
export const webhookDeliveries = ({ secretBox }: Pick<WebhookOptions, 'secretBox'>): Endpoint[] => [
  endpoint({
    get: '/v1/webhook-subscriptions/:webhookSubscriptionId/deliveries',
    name: 'listWebhookDeliveries',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'List the deliveries to a webhook, newest first',
    description: 'Finished deliveries are kept for 30 days.',
    query: pageQuery({
      Status: Type.Optional(IntegerEnum(DeliveryStatus)),
      Type: Type.Optional(
        Type.Unsafe<string>({
          type: 'string',
          enum: [...typesByName.keys()],
          description: 'The type of the event, as deliveries name it.',
        }),
      ),
      EventId: Type.Optional({ ...Uuid, description: 'The event that is delivered.' }),
      From: Type.Optional({ ...UtcTime, description: 'Created at this instant or later.' }),
      To: Type.Optional({ ...UtcTime, description: 'Created before this instant.' }),
    }),
    response: json(pageOf('deliveries', WebhookDelivery)),
    async handle({ db, actor, params, query: { Status, Type: type, EventId, From, To, ...query } }) {
      await requireSubscription(db, actor, params.webhookSubscriptionId)
      const page = await readPage<'deliveries', Row>(db, 'deliveries', query, {
        columns,
        from: sql`${deliveriesOf(actor, params.webhookSubscriptionId)}
          ${Status === undefined ? empty : sql`and ${statusOf} = ${Status}`}
          ${type === undefined ? empty : sql`and e.type = ${typesByName.get(type)}`}
          ${EventId === undefined ? empty : sql`and d.event_id = ${EventId}`}
          ${From === undefined ? empty : sql`and d.created_utc >= ${parseInstant(From)}`}
          ${To === undefined ? empty : sql`and d.created_utc < ${parseInstant(To)}`}`,
        order: sql`d.id desc`,
      })
      return { ...page, deliveries: page.deliveries.map(toDelivery) }
    },
  }),
  endpoint({
    get: '/v1/webhook-subscriptions/:webhookSubscriptionId/deliveries/:deliveryId',
    name: 'getWebhookDelivery',
    partners: 'all',
    scope: 'any',
    extension: true,
    summary: 'Read a delivery with what was sent',
    description: 'Needs the read scope of the event, as a subscription to it does.',
    response: json(WebhookDeliveryDetail),
    async handle({ db, actor, params }) {
      await requireSubscription(db, actor, params.webhookSubscriptionId)
      const found = await db.maybe<Row & Omit<DeliveryFacts, keyof Row>>(sql`
        select ${columns}, s.webhook_url, s.signing_key1, s.signing_key2, ${signingSecret} as secret_hash,
          e.created_utc as event_created_utc, e.data::text as data, now() as at_utc
        from ${deliveriesOf(actor, params.webhookSubscriptionId)} and d.id = ${params.deliveryId}`)
      if (found === undefined) throw notFound('Webhook delivery')
      if (found.eventType !== EventType.Test) requireScope(actor, eventScope(found.eventType))
      const { webhookUrl, signingKey1, signingKey2, secretHash, eventCreatedUtc, data, ...row } = found
      const { atUtc, ...delivery } = row
      const sent = { ...found, atUtc: delivery.attempts.at(-1)?.atUtc ?? atUtc }
      const { headers, body } = shownRequest(secretBox, sent)
      return { ...toDelivery(delivery), request: { headers, body: body.toString() } }
    },
  }),
]
