// The endpoints of webhook subscriptions: which events are sent to which URL. Spec 2.17, 3, 4.17; decisions
// 3, 6.

import { v7 as uuidv7 } from 'uuid'
import { type Endpoint, endpoint } from '../access/endpoint.ts'
import { requireScope } from '../access/scopes.ts'
import { emitToSubject } from '../events/emit.ts'
import { empty, sql, type Tx } from '../platform/database/db.ts'
import { insertInto } from '../platform/database/write.ts'
import { accepted, changed, done, json } from '../platform/http/endpoint.ts'
import type { Fault } from '../platform/http/fault.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { notFound } from '../platform/http/refusal.ts'
import {
  IntegerEnum,
  named,
  nullable,
  optional,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { createAddressCheck, type OutgoingHttp, type Resolve } from '../platform/outgoing/outgoing-http.ts'
import { formatPorts, type Ports } from '../platform/outgoing/ports.ts'
import { normaliseAddress } from '../platform/outgoing/public-address.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'
import { EventType, eventScope, SubscribableEventType } from '../vocabulary/events.ts'
import { HeldReason, SubscriptionStatus } from '../vocabulary/webhooks.ts'
import {
  changeSubscription,
  maxUrlLength,
  SigningKey,
  WebhookSubscriptionChange,
} from './change-subscription.ts'
import { checkFilters } from './check-filters.ts'
import { checkSigning } from './signing-app.ts'
import {
  heldReason,
  isDelivering,
  isPending,
  joinCreator,
  readSubscriptionStatus,
  requireActiveSubscription,
  visibleSubscriptions,
} from './subscription.ts'

/** A subscription as the API shows it. Signing keys are never shown. */
const WebhookSubscription = named(
  'WebhookSubscription',
  Type.Object({
    id: Uuid,
    webhookUrl: Type.String(),
    eventType: IntegerEnum(SubscribableEventType),
    clientPartnerId: nullable(Uuid),
    carrierPartnerId: nullable(Uuid),
    userId: Uuid,
    userFullName: Type.String(),
    customAppId: { ...Uuid, description: 'The app whose secret signs, and whose scopes bound it.' },
    appName: Type.String(),
    partnerId: {
      ...nullable(Uuid),
      description: 'The partner to which the user belonged when the subscription was made.',
    },
    status: IntegerEnum(SubscriptionStatus),
    isServed: {
      ...Type.Boolean(),
      description:
        'Whether deliveries are sent. While they are not, new deliveries are held, too, except for a ' +
        'Failed subscription. All are sent once the reason no longer applies.',
    },
    heldReason: nullable(IntegerEnum(HeldReason)),
    lastFailure: nullable(Type.String()),
    lastFailureUtc: nullable(UtcTime),
    createdUtc: UtcTime,
  }),
)

const columns = sql`s.id, s.webhook_url, s.event_type, s.client_partner_id, s.carrier_partner_id,
  u.id as user_id, u.full_name as user_full_name, a.id as custom_app_id, a.name as app_name, s.partner_id,
  s.status, ${isDelivering} as is_served, ${heldReason} as held_reason, s.last_failure, s.last_failure_utc,
  s.created_utc`

const fields = {
  eventType: IntegerEnum(SubscribableEventType),
  signingKey1: optional(SigningKey),
  signingKey2: optional(SigningKey),
  clientPartnerId: optional(Uuid),
  carrierPartnerId: optional(Uuid),
  customAppId: optional({
    ...Uuid,
    description:
      'The app whose secret signs, and whose scopes bound the subscription: enabled and not built in. ' +
      'Needs the scope `organisation`. Default the app of the token. A token of the portal or the floor ' +
      'app needs this or signingKey1, because nobody has the secret of these apps.',
  }),
}

/**
 * The settings and dependencies of the endpoints. A host name is resolved by DNS unless `resolve` is given.
 */
export interface WebhookOptions {
  /** encrypts signing keys */
  readonly secretBox: SecretBox
  /** delivers the webhooks, and decides which addresses they may have */
  readonly outgoing: OutgoingHttp
  readonly resolve?: Resolve
}

/** The schema of a new subscription, which describes the addresses that are allowed. */
const newWebhookSubscription = (ports: Ports) =>
  named(
    'NewWebhookSubscription',
    Type.Object({
      webhookUrl: Type.String({
        maxLength: maxUrlLength,
        description:
          `A public https:// address on port ${formatPorts(ports)}. It is stored in normalised form: ` +
          'without a fragment, its host in lower case.',
        examples: ['https://hooks.example.com/waybill'],
      }),
      ...fields,
    }),
  )

/** The endpoints of subscriptions. deliveries.ts and replay.ts have those of their deliveries. */
export function webhookSubscriptions({
  secretBox,
  outgoing: { rules },
  resolve,
}: WebhookOptions): Endpoint[] {
  const refusalOf = createAddressCheck({ ...rules, resolve })
  const encrypt = (key: string | null | undefined) => (key ? secretBox.seal(Buffer.from(key)) : undefined)

  const addressFaults = async (body: unknown): Promise<Fault[]> => {
    const url = (body as { webhookUrl?: unknown } | null | undefined)?.webhookUrl
    const refusal = typeof url === 'string' ? await refusalOf(url, 'webhookUrl') : null
    return refusal === null ? [] : [{ path: 'webhookUrl', code: 'format', message: refusal }]
  }

  return [
    endpoint({
      get: '/v1/webhook-subscriptions',
      name: 'listWebhookSubscriptions',
      partners: 'all',
      scope: 'any',
      extension: true,
      summary: 'List webhook subscriptions',
      description:
        "Lists those of the token's own connection or, with the scope `organisation`, all of the " +
        'organisation.',
      query: pageQuery({
        EventType: Type.Optional(IntegerEnum(SubscribableEventType)),
        Status: Type.Optional(IntegerEnum(SubscriptionStatus)),
      }),
      response: json(pageOf('webhookSubscriptions', WebhookSubscription)),
      handle: ({ db, actor, query }) =>
        readPage(db, 'webhookSubscriptions', query, {
          columns,
          from: sql`webhook_subscription s ${joinCreator} where ${visibleSubscriptions(actor)}
            ${query.EventType === undefined ? empty : sql`and s.event_type = ${query.EventType}`}
            ${query.Status === undefined ? empty : sql`and s.status = ${query.Status}`}`,
          order: sql`s.created_utc desc, s.id desc`,
        }),
    }),
    endpoint({
      get: '/v1/webhook-subscriptions/:webhookSubscriptionId',
      name: 'getWebhookSubscription',
      partners: 'all',
      scope: 'any',
      extension: true,
      summary: 'Read a webhook subscription',
      response: json(WebhookSubscription),
      async handle({ db, actor, params }) {
        const subscription = await db.maybe<Static<typeof WebhookSubscription>>(sql`
          select ${columns} from webhook_subscription s ${joinCreator}
          where ${visibleSubscriptions(actor)} and s.id = ${params.webhookSubscriptionId}`)
        if (subscription === undefined) throw notFound('Webhook subscription')
        return subscription
      },
    }),
    endpoint({
      post: '/v1/webhook-subscriptions/create',
      name: 'createWebhookSubscription',
      partners: 'all',
      scope: 'any',
      summary: 'Subscribe a webhook to an event type',
      description:
        'Needs the read scope of the events: consignment.read, financial.read for schedules, job.read, ' +
        'organisation.read for system events. ' +
        'Partner filters apply to consignment events (client and carrier), schedule events (the partner in ' +
        'either field) and job events (client; a carrier is refused). ' +
        `Receivers must listen on port ${formatPorts(rules.ports)} (the setting WEBHOOK_PORTS of the ` +
        'service).',
      body: newWebhookSubscription(rules.ports),
      bodyFaults: addressFaults,
      response: accepted(Type.Object({ webhookSubscriptionId: Uuid })),
      async handle({ tx, actor, body }) {
        const scope = eventScope(body.eventType)
        requireScope(actor, scope)
        const filters = await checkFilters(tx, actor, body.eventType, {
          clientPartnerId: body.clientPartnerId ?? null,
          carrierPartnerId: body.carrierPartnerId ?? null,
        })
        const customAppId = body.customAppId ?? null
        await checkSigning(tx, actor, scope, { customAppId, hasSigningKey: Boolean(body.signingKey1) })
        const id = uuidv7()
        await tx.run(
          insertInto('webhook_subscription', {
            organisationId: actor.organisationId,
            id,
            identityConnectionId: actor.connectionId,
            customAppId,
            partnerId: actor.partnerId,
            webhookUrl: normaliseAddress(body.webhookUrl),
            eventType: body.eventType,
            signingKey1: encrypt(body.signingKey1),
            signingKey2: encrypt(body.signingKey2),
            ...filters,
          }),
        )
        return { webhookSubscriptionId: id }
      },
    }),
    endpoint({
      put: '/v1/webhook-subscriptions/:webhookSubscriptionId',
      name: 'updateWebhookSubscription',
      partners: 'all',
      scope: 'any',
      extension: true,
      summary: 'Change the URL or the signing keys of a webhook subscription',
      description:
        'Needs the read scope of the events, as a new subscription does. ' +
        'What waits to be sent goes to the new URL, signed with the new keys. A key that is null is taken ' +
        'away, but not the last one of a subscription that no app signs.',
      body: WebhookSubscriptionChange,
      bodyFaults: addressFaults,
      response: changed,
      handle: ({ tx, actor, params, body }) =>
        changeSubscription(tx, secretBox, actor, params.webhookSubscriptionId, body),
    }),
    endpoint({
      put: '/v1/webhook-subscriptions/:webhookSubscriptionId/test',
      name: 'testWebhookSubscription',
      partners: 'all',
      scope: 'any',
      summary: 'Send a test event to the webhook URL',
      description:
        'The event has the type webhook.test. It is signed, retried and recorded like every other.',
      response: done,
      async handle({ tx, actor, params, requestId }) {
        const id = params.webhookSubscriptionId
        await requireActiveSubscription(tx, actor, id)
        await emitToSubject(tx, { ...actor, requestId }, [
          { type: EventType.Test, subjectId: id, data: { webhookSubscriptionId: id } },
        ])
      },
    }),
    endpoint({
      put: '/v1/webhook-subscriptions/:webhookSubscriptionId/reactivate',
      name: 'reactivateWebhookSubscription',
      partners: 'all',
      scope: 'any',
      extension: true,
      summary: 'Reactivate a failed webhook subscription',
      description:
        'Held deliveries start again with five attempts. Deliveries that have used up their attempts, and ' +
        'events since the subscription failed, are not sent unless they are replayed.',
      response: changed,
      async handle({ tx, actor, params }) {
        const id = params.webhookSubscriptionId
        if ((await readSubscriptionStatus(tx, actor, id)) === SubscriptionStatus.Active) return false
        await restartHeldDeliveries(tx, actor.organisationId, id)
        const reactivated = await tx.run(sql`
          update webhook_subscription set status = ${SubscriptionStatus.Active}
          where organisation_id = ${actor.organisationId} and id = ${id}
            and status = ${SubscriptionStatus.Failed}`)
        if (reactivated === 0) return false
        tx.afterCommit(() => hint('deliveries'))
        return true
      },
    }),
    endpoint({
      delete: '/v1/webhook-subscriptions/:webhookSubscriptionId/delete',
      name: 'deleteWebhookSubscription',
      partners: 'all',
      scope: 'any',
      summary: 'Delete a webhook subscription',
      description: 'Nothing more is sent, not even deliveries that are already waiting.',
      response: done,
      async handle({ tx, actor, params }) {
        const deleted = await tx.run(sql`
          update webhook_subscription s set deleted_utc = now() where ${visibleSubscriptions(actor)}
            and s.id = ${params.webhookSubscriptionId}`)
        if (deleted === 0) throw notFound('Webhook subscription')
      },
    }),
  ]
}

/**
 * Resets the attempts of held deliveries. A delivery that is being sent at this moment loses its lease, so
 * that its outcome can no longer fail the subscription. Call this before changing the subscription, because
 * writing outcomes locks rows in the same order.
 */
const restartHeldDeliveries = (tx: Tx, organisationId: string, subscriptionId: string): Promise<number> =>
  tx.run(sql`
    update webhook_delivery d set attempt_count = 0, due_utc = now(), lease_number = d.lease_number + 1,
      worker_id = null
    where d.organisation_id = ${organisationId} and d.webhook_subscription_id = ${subscriptionId}
      and ${isPending} and least(d.attempt_count, 1) = 1`)
