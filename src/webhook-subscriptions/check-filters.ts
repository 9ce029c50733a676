// Checks the partner filters of a new subscription, and how many there are. Decision 6.

import type { Actor } from '../access/actor.ts'
import { empty, sql, type Tx } from '../platform/database/db.ts'
import { faultAt } from '../platform/http/fault.ts'
import { forbidden, verificationFailed } from '../platform/http/refusal.ts'
import { type EventType, isForPartner } from '../vocabulary/events.ts'
import { Relationship } from '../vocabulary/partners.ts'

interface Filters {
  clientPartnerId: string | null
  carrierPartnerId: string | null
}

// Limits on the subscriptions to one event type, because storing an event writes a delivery for each. The
// people of one partner may have only a part of them, so that they cannot use up the limit of everyone else.
const maxOfOneType = 1_000
const maxOfOnePartner = 100

/**
 * Checks and returns the partner filters of a new subscription. Each must name a partner of its relationship
 * (400). The filters of a token that belongs to a partner are set to that partner, and the event type must be
 * one that may be about the partner (403).
 */
export async function checkFilters(
  tx: Tx,
  actor: Actor,
  eventType: EventType,
  requested: Filters,
): Promise<Filters> {
  const { organisationId, partnerId, partnerKind } = actor
  const clientPartnerId = partnerKind === 'client' ? partnerId : requested.clientPartnerId
  const carrierPartnerId = partnerKind === 'carrier' ? partnerId : requested.carrierPartnerId
  if (partnerKind !== null && !isForPartner(partnerKind, eventType)) {
    throw forbidden(
      `A token that belongs to a ${partnerKind} cannot subscribe to events of the type ${eventType}.`,
    )
  }
  if (carrierPartnerId !== null && isJobEvent(eventType))
    throw verificationFailed(
      faultAt('carrierPartnerId', 'does not apply to events of jobs, which have no carrier', 'invalid'),
    )
  // The lock makes requests that create subscriptions of one type take turns. Counting is a separate
  // statement, sent right after it, so that it sees what the previous request has committed.
  const [, { existing, ofPartner, clients, carriers }] = await Promise.all([
    tx.run(
      sql`select pg_advisory_xact_lock(
        hashtextextended(${`subscriptions ${organisationId} ${eventType}`}, 0))`,
    ),
    tx.row<{ existing: number; ofPartner: number; clients: string[]; carriers: string[] }>(sql`
      select count(*)::int as existing,
        (count(*) filter (where partner_id = ${partnerId}))::int as of_partner,
        array(${partnersOf(actor, clientPartnerId, Relationship.Client)}) as clients,
        array(${partnersOf(actor, carrierPartnerId, Relationship.Carrier)}) as carriers
      from webhook_subscription where organisation_id = ${organisationId} and event_type = ${eventType}
        and deleted_utc is null`),
  ])
  const faults = [
    ...(clientPartnerId && clients.length === 0
      ? [faultAt('clientPartnerId', 'does not refer to a client', 'unknown_reference')]
      : []),
    ...(carrierPartnerId && carriers.length === 0
      ? [faultAt('carrierPartnerId', 'does not refer to a carrier', 'unknown_reference')]
      : []),
    ...(existing >= maxOfOneType ? [tooMany(`${maxOfOneType} subscriptions`)] : []),
    ...(ofPartner >= maxOfOnePartner ? [tooMany(`${maxOfOnePartner} subscriptions of the partner`)] : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  return { clientPartnerId, carrierPartnerId }
}

/** Whether an event is about a job. */
const isJobEvent = (eventType: EventType) => Math.floor(eventType / 100) === 3

const tooMany = (subscriptions: string) =>
  faultAt('eventType', `has ${subscriptions} already. Delete one that is no longer needed`, 'state')

const partnersOf = (actor: Actor, id: string | null | undefined, relationship: number) => sql`
  select p.id from partner p where p.organisation_id = ${actor.organisationId} and p.id = ${id}
    and p.relationship = ${relationship}
    ${actor.partnerId === null ? empty : sql`and p.id = ${actor.partnerId}`}`
