// Who may see a webhook subscription, when it is held, and its conditions in SQL. Spec 2.17, 3; decisions
// 3, 6.

import type { Actor } from '../access/actor.ts'
import { roles, scopesOfRole } from '../access/roles.ts'
import { includesScope, scopes } from '../access/scopes.ts'
import { type Db, empty, raw, type Sql, sql } from '../platform/database/db.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { type EventScope, eventScope, SubscribableEventType } from '../vocabulary/events.ts'
import { GrantType } from '../vocabulary/organisations.ts'
import { DeliveryStatus, HeldReason, SubscriptionStatus } from '../vocabulary/webhooks.ts'

/**
 * The condition for the subscriptions `s` that an actor may see: those of its connection or, with the scope
 * `organisation`, all of the organisation. A token that belongs to a partner sees only those that were made
 * for that partner.
 */
export function visibleSubscriptions(actor: Actor): Sql {
  const connection = actor.scopes.has('organisation')
    ? empty
    : sql`and s.identity_connection_id = ${actor.connectionId}`
  const partner = actor.partnerId === null ? empty : sql`and s.partner_id = ${actor.partnerId}`
  return sql`s.organisation_id = ${actor.organisationId} and s.deleted_utc is null ${connection} ${partner}`
}

/**
 * Joins a subscription `s` with its creator, the connection `i` and its user `u`, and with the app `a` that
 * signs: the one that the subscription names, or else that of the connection.
 */
export const joinCreator = sql`
  join identity_connection i on i.organisation_id = s.organisation_id and i.id = s.identity_connection_id
  join custom_app a on a.organisation_id = i.organisation_id
    and a.id = coalesce(s.custom_app_id, i.custom_app_id)
  join app_user u on u.organisation_id = i.organisation_id and u.id = i.user_id`

/** The hash of the secret that signs for a subscription, encrypted; null for built-in apps. */
export const signingSecret = sql`(case when a.built_in is null then a.secret_hash end)`

/**
 * Whether deliveries of new events are stored for a subscription `s`. They are not if it has failed. While it
 * is held for any other reason they are stored, and sent once the reason no longer applies. The condition is
 * written as in the index, so that PostgreSQL uses it.
 */
export const acceptsEvents = sql`(s.status = ${raw(String(SubscriptionStatus.Active))}
  and s.deleted_utc is null)`

/** The scope of events by the hundreds of their type numbers. */
const scopeOfHundred = new Map(
  Object.values(SubscribableEventType).map(type => [Math.floor(type / 100), eventScope(type)] as const),
)

/** An SQL array of names that depends on the scope of the events of a subscription `s`. */
function namesFor(namesOf: (scope: EventScope) => readonly string[]): Sql {
  const cases = [...scopeOfHundred].map(
    ([hundred, scope]) => `when ${hundred} then '{${namesOf(scope)}}'::text[]`,
  )
  return sql`(case s.event_type / 100 ${raw(cases.join(' '))} end)`
}

const sufficientScopes = namesFor(scope => scopes.filter(held => includesScope(new Set([held]), scope)))
const sufficientRoles = namesFor(scope => roles.filter(role => includesScope(scopesOfRole[role], scope)))

/**
 * Why a subscription `s`, joined with its creator, is held; null while it is served. An app with client
 * credentials belongs to the organisation, so its subscriptions and tokens depend neither on the role of the
 * user who created it nor on whether that user is disabled.
 */
export const heldReason = sql`(case
  when s.status = ${SubscriptionStatus.Failed} then ${HeldReason.SubscriptionFailed}::int
  when a.disabled_utc is not null then ${HeldReason.AppDisabled}
  when u.partner_id is distinct from s.partner_id then ${HeldReason.PartnerChanged}
  when not a.scopes && ${sufficientScopes} then ${HeldReason.ScopeLost}
  when a.grant_type = ${GrantType.ClientCredentials} then null
  when u.disabled_utc is not null then ${HeldReason.UserDisabled}
  when u.role <> all (${sufficientRoles}) or not i.allowed_scopes && ${sufficientScopes}
    then ${HeldReason.ScopeLost} end)`

/** Whether deliveries are sent to a subscription `s`. Pending deliveries of other subscriptions are held. */
export const isDelivering = sql`(s.deleted_utc is null and ${heldReason} is null)`

/** Whether a delivery `d` waits to be sent. The condition is written as in the partial indexes. */
export const isPending = sql`d.status = ${raw(String(DeliveryStatus.Pending))}`

/** Refuses an unknown subscription with 404. */
export async function requireSubscription(db: Db, actor: Actor, id: string): Promise<void> {
  await readSubscriptionStatus(db, actor, id)
}

/** Refuses an unknown subscription with 404, and a failed one with 400, because nothing is sent to it. */
export async function requireActiveSubscription(db: Db, actor: Actor, id: string): Promise<void> {
  if ((await readSubscriptionStatus(db, actor, id)) === SubscriptionStatus.Failed) {
    throw verificationFailed('The subscription has failed. Reactivate it first.')
  }
}

/** The status of a subscription; refuses an unknown one with 404. */
export async function readSubscriptionStatus(db: Db, actor: Actor, id: string): Promise<number> {
  const subscription = await db.maybe<{ status: number }>(sql`
    select s.status from webhook_subscription s where ${visibleSubscriptions(actor)} and s.id = ${id}`)
  if (subscription === undefined) throw notFound('Webhook subscription')
  return subscription.status
}
