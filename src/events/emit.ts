// Emits events: an event is stored in the transaction in which it happens, together with its deliveries. Spec
// 6.1; decision 6.

import { v7 as uuidv7 } from 'uuid'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { tableOf } from '../platform/database/table-of.ts'
import { hint } from '../platform/work/hints.ts'
import { note } from '../rehearsal/notes.ts'
import { EventType, firstFeedType } from '../vocabulary/events.ts'
import { acceptsEvents } from '../webhook-subscriptions/subscription.ts'

/** Who caused an event: an actor with the id of its request, or the service itself (nulls). */
export interface EventOrigin {
  organisationId: string
  connectionId: string | null
  userId: string | null
  requestId: string | null
}

/** The source of events that the service itself causes. */
export const serviceOrigin = (organisationId: string): EventOrigin => ({
  organisationId,
  connectionId: null,
  userId: null,
  requestId: null,
})

/** An event that is to be stored. */
export interface NewEvent {
  type: EventType
  /** what it is about: a consignment (or its import), a partner schedule, a job, a subscription */
  subjectId: string
  /** the data that receivers get, in this order of fields; organisationId is added in front */
  data: Record<string, unknown>
  /** the partners that the filters of subscriptions compare; a schedule has its partner in one of the two */
  clientId?: string | null
  carrierId?: string | null
  /** the changes, for the history; they are never sent */
  changes?: { field: string; from: unknown; to: unknown }[] | null
  /** the source, if it differs from that of the call */
  origin?: EventOrigin
}

/**
 * Whether a subscription `s` is for an event `e`, including its partner filters: consignments are filtered by
 * client and carrier, jobs by client, and schedules by their partner in either filter. A recurrence is for
 * the one subscription that is its subject, and an action for the subscriptions of the app that is its
 * subject. Partners need no further condition: their people can subscribe only with the filter of
 * that partner and only to events that are for partners (`isForPartner`).
 */
export const matchesSubscription = sql`s.organisation_id = e.organisation_id and s.event_type = e.type
  and case e.type / 100
    when 1 then (s.client_partner_id is null or s.client_partner_id = e.client_id)
      and (s.carrier_partner_id is null or s.carrier_partner_id = e.carrier_id)
    when 2 then coalesce(s.client_partner_id, s.carrier_partner_id) is null
      or s.client_partner_id = e.client_id or s.carrier_partner_id = e.carrier_id
    when 3 then s.client_partner_id is null or s.client_partner_id = e.client_id
    else case e.type
      when ${EventType.CronRecurrence} then e.subject_id = s.id
      when ${EventType.IdentityConnectionActionExecution} then exists (
        select from identity_connection i
        where i.organisation_id = s.organisation_id and i.id = s.identity_connection_id
          and coalesce(s.custom_app_id, i.custom_app_id) = e.subject_id)
      else true end
  end`

/**
 * Stores events, and a delivery for every subscription that is for one of them and has not failed, in one
 * statement. Queues the events for a number in the feed. After the commit it wakes the delivery worker and
 * the readers of the feed.
 */
export async function emit(tx: Tx, origin: EventOrigin, events: NewEvent[]): Promise<void> {
  await store(tx, origin, events, matchesSubscription)
}

/**
 * Stores events as `emit` does, but sends each to the subscription that is its subject, whatever event type
 * it has subscribed to.
 */
export async function emitToSubject(tx: Tx, origin: EventOrigin, events: NewEvent[]): Promise<void> {
  await store(tx, origin, events, sql`s.organisation_id = e.organisation_id and s.id = e.subject_id`)
}

const fields = {
  ...{ organisation_id: 'uuid', id: 'uuid', type: 'smallint', subject_id: 'uuid', data: 'json' },
  ...{ changes: 'jsonb', client_id: 'uuid', carrier_id: 'uuid', identity_connection_id: 'uuid' },
  ...{ user_id: 'uuid', request_id: 'text' },
}

async function store(tx: Tx, origin: EventOrigin, events: NewEvent[], isRecipient: Sql): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(event => {
    const { organisationId, connectionId, userId, requestId } = event.origin ?? origin
    return {
      organisation_id: organisationId,
      id: uuidv7(),
      type: event.type,
      subject_id: event.subjectId,
      data: toStoredJson({ organisationId, ...event.data }),
      changes: event.changes ? toStoredJson(event.changes) : null,
      client_id: event.clientId ?? null,
      carrier_id: event.carrierId ?? null,
      identity_connection_id: connectionId,
      user_id: userId,
      request_id: requestId,
    }
  })
  const deliveries = await tx.run(sql`
    with e as materialized (
      select * from ${tableOf('e', fields, rows)}
    ), stored as (
      insert into event (organisation_id, id, type, subject_id, data, changes, client_id, carrier_id,
        identity_connection_id, user_id, request_id, user_name, app_name)
      select e.*,
        (select full_name from app_user u where u.organisation_id = e.organisation_id and u.id = e.user_id),
        (select a.name from identity_connection i
          join custom_app a on a.organisation_id = i.organisation_id and a.id = i.custom_app_id
          where i.organisation_id = e.organisation_id and i.id = e.identity_connection_id)
      from e
    ), queued_for_feed as (
      insert into event_feed_waiting (organisation_id, event_ids)
      select organisation_id, array_agg(id order by id) from e
      where type >= ${firstFeedType} group by organisation_id
    )
    insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id)
    select e.organisation_id, uuid_at(clock_timestamp()), s.id, e.id
    from e join webhook_subscription s on ${isRecipient} and ${acceptsEvents}`)
  note(tx, {
    about: 'events',
    events: events.map(({ type, subjectId, data, changes }, i) => ({
      ...{ id: rows[i]?.id as string, type, subjectId, data, changes: changes ?? [] },
    })),
  })
  if (deliveries > 0) tx.afterCommit(() => hint('deliveries'))
  if (events.some(({ type }) => type >= firstFeedType)) tx.afterCommit(() => hint('event-feed'))
}

/**
 * The value as JSON text. Replaces what PostgreSQL does not accept, NUL and half a surrogate pair, by U+FFFD,
 * so that an unusual name cannot make an event fail.
 */
function toStoredJson(value: object): string {
  const text = JSON.stringify(value)
  if (!/\\u(0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\uFFFD') : part,
  )
}
