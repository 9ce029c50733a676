// What a webhook subscription is, and whose it is. Spec 2.17, 3; open-points 3, 6.

import { EventType } from '../events/event.ts'
import { type Db, empty, type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { SubscriptionStatus } from './enumerations.ts'

const { Test: _, ...subscribable } = EventType

/** The event types that can be subscribed to. */
export const SubscribableEventType = subscribable
export type SubscribableEventType = Exclude<EventType, typeof EventType.Test>

/**
 * The subscriptions `s` that an actor may see: those of its connection, or all of the organisation with the
 * scope `organisation`; for a token that belongs to a partner only those that are filtered by that partner.
 */
export function visibleSubscriptions(actor: Actor): Sql {
  const connection = actor.scopes.has('organisation')
    ? empty
    : sql`and s.identity_connection_id = ${actor.connectionId}`
  const partner =
    actor.partnerId === null
      ? empty
      : sql`and ${actor.partnerId} in (s.client_partner_id, s.carrier_partner_id)`
  return sql`s.organisation_id = ${actor.organisationId} and s.deleted_utc is null ${connection} ${partner}`
}

/** Joins a subscription `s` with the app `a` that made it. */
export const joinApp = sql`join identity_connection i on i.organisation_id = s.organisation_id
  and i.id = s.identity_connection_id
  join custom_app a on a.organisation_id = i.organisation_id and a.id = i.custom_app_id`

/** Whether anything is sent to a subscription `s` of an app `a`. What is pending for another one is held. */
export const isServed = sql`(s.status = ${SubscriptionStatus.Active} and s.deleted_utc is null
  and a.disabled_utc is null)`

/** Refuses an unknown subscription with 404. */
export async function requireSubscription(db: Db, actor: Actor, id: string): Promise<void> {
  await statusOf(db, actor, id)
}

/** Refuses an unknown subscription with 404 and a failed one, to which nothing is sent, with 400. */
export async function requireActive(db: Db, actor: Actor, id: string): Promise<void> {
  if ((await statusOf(db, actor, id)) === SubscriptionStatus.Failed) {
    throw verificationFailed('The subscription has failed. Reactivate it first.')
  }
}

async function statusOf(db: Db, actor: Actor, id: string): Promise<number> {
  const found = await db.maybe<{ status: number }>(sql`
    select s.status from webhook_subscription s where ${visibleSubscriptions(actor)} and s.id = ${id}`)
  if (found === undefined) throw notFound('Webhook subscription')
  return found.status
}
