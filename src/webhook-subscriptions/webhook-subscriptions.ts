// Webhook subscriptions: who is told of what, and where. Spec 2.17, 3, 4.17; open-points 3, 6.

import { v7 as uuidv7 } from 'uuid'
import { emitToSubject } from '../events/emit.ts'
import { EventType, isForPartner, scopeOf } from '../events/event.ts'
import { Relationship } from '../partners/enumerations.ts'
import { empty, sql, type Tx } from '../platform/database/db.ts'
import { insertInto } from '../platform/database/write.ts'
import type { Actor } from '../platform/http/actor.ts'
import { accepted, changed, done, type Endpoint, endpoint, json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { pageOf, pageQuery, readPage } from '../platform/http/paging.ts'
import { forbidden, notFound, verificationFailed } from '../platform/http/refusal.ts'
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
import { requireScope } from '../platform/http/scopes.ts'
import { openAddressCheck, type Resolve } from '../platform/outgoing/outgoing-http.ts'
import { defaultPorts, formatPorts, type Ports } from '../platform/outgoing/ports.ts'
import { normaliseAddress } from '../platform/outgoing/public-address.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hint } from '../platform/work/hints.ts'
import { HeldReason, SubscriptionStatus } from './enumerations.ts'
import {
  heldReason,
  isPending,
  isServed,
  joinCreator,
  requireActive,
  SubscribableEventType,
  statusOf,
  visibleSubscriptions,
} from './subscription.ts'

/** A subscription as it is shown; the signing keys never are. */
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
    customAppId: Uuid,
    appName: Type.String(),
    partnerId: { ...nullable(Uuid), description: 'The partner of the user when it was made.' },
    status: IntegerEnum(SubscriptionStatus),
    isServed: {
      ...Type.Boolean(),
      description:
        'Whether deliveries are sent. While they are not, new ones are held too, save for a Failed ' +
        'subscription, and all go on when the reason is gone.',
    },
    heldReason: nullable(IntegerEnum(HeldReason)),
    lastFailure: nullable(Type.String()),
    lastFailureUtc: nullable(UtcTime),
    createdUtc: UtcTime,
  }),
)

const columns = sql`s.id, s.webhook_url, s.event_type, s.client_partner_id, s.carrier_partner_id,
  u.id as user_id, u.full_name as user_full_name, a.id as custom_app_id, a.name as app_name, s.partner_id,
  s.status, ${isServed} as is_served, ${heldReason} as held_reason, s.last_failure, s.last_failure_utc,
  s.created_utc`

const SigningKey = Type.String({ minLength: 1, maxLength: 200 })

const fields = {
  eventType: IntegerEnum(SubscribableEventType),
  signingKey1: optional(SigningKey),
  signingKey2: optional(SigningKey),
  clientPartnerId: optional(Uuid),
  carrierPartnerId: optional(Uuid),
}

interface Filters {
  clientPartnerId: string | null
  carrierPartnerId: string | null
}

// Storing an event writes a delivery for each of them. The people of one partner get only a part, so that
// they cannot take the places of everybody else.
const maxOfOneType = 1_000
const maxOfOnePartner = 100

/**
 * What the endpoints need: the box that seals signing keys, whether webhooks may go to private addresses, the
 * ports that they may go to otherwise, and how names resolve if not by DNS.
 */
export interface WebhookOptions {
  readonly secretBox: SecretBox
  readonly webhookAllowPrivate: boolean
  readonly webhookPorts?: Ports
  readonly resolve?: Resolve
}

/** The body of a new subscription, which says what its address may be. */
const newWebhookSubscription = (ports: Ports) =>
  named(
    'NewWebhookSubscription',
    Type.Object({
      webhookUrl: Type.String({
        maxLength: 2000,
        description:
          `An https:// address that is public, on port ${formatPorts(ports)}. It is stored as it was ` +
          'understood: without a fragment, its host in small letters.',
        examples: ['https://hooks.example.com/waybill'],
      }),
      ...fields,
    }),
  )

/** The endpoints of subscriptions; their deliveries have a file of their own. */
export function webhookSubscriptions({
  secretBox,
  webhookAllowPrivate: allowPrivate,
  webhookPorts: ports = defaultPorts,
  resolve,
}: WebhookOptions): Endpoint[] {
  const refusalOf = openAddressCheck({ allowPrivate, ports, resolve })
  const sealed = (key: string | null | undefined) => (key ? secretBox.seal(Buffer.from(key)) : undefined)

  return [
    endpoint({
      get: '/v1/webhook-subscriptions',
      name: 'listWebhookSubscriptions',
      partners: 'all',
      scope: 'any',
      extension: true,
      summary: 'List webhook subscriptions',
      description:
        "Those of the token's own connection, or all of the organisation with the scope `organisation`.",
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
        'Partner filters apply to consignment events (client and carrier), schedule events (the partner ' +
        'under either name) and job events (client). ' +
        `Receivers listen on port ${formatPorts(ports)} (the setting WEBHOOK_PORTS of the service).`,
      body: newWebhookSubscription(ports),
      async bodyFaults(body) {
        const url = (body as { webhookUrl?: unknown } | null | undefined)?.webhookUrl
        const refusal = typeof url === 'string' ? await refusalOf(url, 'webhookUrl') : null
        return refusal === null ? [] : [{ path: 'webhookUrl', code: 'format', message: refusal }]
      },
      response: accepted(Type.Object({ webhookSubscriptionId: Uuid })),
      async handle({ tx, actor, body }) {
        const scope = scopeOf(body.eventType)
        requireScope(actor, scope)
        const filters = await checkedFilters(tx, actor, body.eventType, {
          clientPartnerId: body.clientPartnerId ?? null,
          carrierPartnerId: body.carrierPartnerId ?? null,
        })
        const id = uuidv7()
        await tx.run(
          insertInto('webhook_subscription', {
            organisationId: actor.organisationId,
            id,
            identityConnectionId: actor.connectionId,
            partnerId: actor.partnerId,
            webhookUrl: normaliseAddress(body.webhookUrl),
            eventType: body.eventType,
            signingKey1: sealed(body.signingKey1),
            signingKey2: sealed(body.signingKey2),
            ...filters,
          }),
        )
        return { webhookSubscriptionId: id }
      },
    }),
    endpoint({
      put: '/v1/webhook-subscriptions/:webhookSubscriptionId/test',
      name: 'testWebhookSubscription',
      partners: 'all',
      scope: 'any',
      summary: 'Send a test event to the webhook URL',
      description: 'An event of the type webhook.test, signed, retried and recorded like every other.',
      response: done,
      async handle({ tx, actor, params, requestId }) {
        const id = params.webhookSubscriptionId
        await requireActive(tx, actor, id)
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
        'Deliveries that were held begin afresh, with five attempts. Those that used up their attempts, ' +
        'and events raised in the meantime, are sent by replaying them.',
      response: changed,
      async handle({ tx, actor, params }) {
        const id = params.webhookSubscriptionId
        if ((await statusOf(tx, actor, id)) === SubscriptionStatus.Active) return false
        await beginAfresh(tx, actor.organisationId, id)
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
      description: 'Nothing more is sent, not even what was already waiting.',
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
 * Deliveries that are held begin afresh. One that is under way at this moment loses its lease with it, so
 * that its result can fail nothing any more. Before the subscription is changed: those who write results lock
 * in the same order.
 */
const beginAfresh = (tx: Tx, organisationId: string, subscriptionId: string): Promise<number> =>
  tx.run(sql`
    update webhook_delivery d set attempt_count = 0, due_utc = now(), lease_number = d.lease_number + 1,
      worker_id = null
    where d.organisation_id = ${organisationId} and d.webhook_subscription_id = ${subscriptionId}
      and ${isPending} and least(d.attempt_count, 1) = 1`)

/**
 * The partner filters of a new subscription: each names a partner of its relationship (400), and a token of a
 * partner is narrowed to that partner and to events that may be about it (403).
 */
async function checkedFilters(tx: Tx, actor: Actor, eventType: EventType, given: Filters): Promise<Filters> {
  const { organisationId, partnerId, partnerKind } = actor
  const clientPartnerId = partnerKind === 'client' ? partnerId : given.clientPartnerId
  const carrierPartnerId = partnerKind === 'carrier' ? partnerId : given.carrierPartnerId
  if (partnerKind !== null && !isForPartner(partnerKind, eventType)) {
    throw forbidden(
      `A token that belongs to a ${partnerKind} cannot subscribe to events of the type ${eventType}.`,
    )
  }
  // Those who create subscriptions of one type take turns, and each counts what the one before has committed:
  // a statement of its own, sent behind.
  const [, { known, ofPartner, clients, carriers }] = await Promise.all([
    tx.run(
      sql`select pg_advisory_xact_lock(
        hashtextextended(${`subscriptions ${organisationId} ${eventType}`}, 0))`,
    ),
    tx.row<{ known: number; ofPartner: number; clients: string[]; carriers: string[] }>(sql`
      select count(*)::int as known,
        (count(*) filter (where partner_id = ${partnerId}))::int as of_partner,
        array(${partnersOf(actor, clientPartnerId, Relationship.Client)}) as clients,
        array(${partnersOf(actor, carrierPartnerId, Relationship.Carrier)}) as carriers
      from webhook_subscription where organisation_id = ${organisationId} and event_type = ${eventType}
        and deleted_utc is null`),
  ])
  const faults = [
    ...(clientPartnerId && clients.length === 0
      ? [faultAt('clientPartnerId', 'does not name a client', 'unknown_reference')]
      : []),
    ...(carrierPartnerId && carriers.length === 0
      ? [faultAt('carrierPartnerId', 'does not name a carrier', 'unknown_reference')]
      : []),
    ...(known >= maxOfOneType ? [tooMany(`${maxOfOneType} subscriptions`)] : []),
    ...(ofPartner >= maxOfOnePartner ? [tooMany(`${maxOfOnePartner} subscriptions of the partner`)] : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  return { clientPartnerId, carrierPartnerId }
}

const tooMany = (subscriptions: string) =>
  faultAt('eventType', `has ${subscriptions} already. Delete one that is no longer needed`, 'state')

const partnersOf = (actor: Actor, id: string | null | undefined, relationship: number) => sql`
  select p.id from partner p where p.organisation_id = ${actor.organisationId} and p.id = ${id}
    and p.relationship = ${relationship}
    ${actor.partnerId === null ? empty : sql`and p.id = ${actor.partnerId}`}`
