// Who is told of a rehearsed act: the subscriptions that its events are delivered to.

import { type Db, empty, sql } from '../platform/database/db.ts'
import type { Effect } from '../platform/http/rehearsal.ts'
import { eventTypeNames } from '../vocabulary/events.ts'
import { type Note, notesAbout } from './notes.ts'
import { count } from './words.ts'

/** One effect, if any webhook subscription is told; of those of a partner, if the token belongs to one. */
export async function eventEffects(
  db: Db,
  { organisationId, partnerId }: { organisationId: string; partnerId: string | null },
  notes: readonly Note[],
): Promise<Effect[]> {
  const events = notesAbout(notes, 'events').flatMap(note => note.events)
  if (events.length === 0) return []
  // The ids of deliveries rise with time, so only those made since the transaction began are looked at.
  const ids = events.map(({ id }) => id)
  const told = await db.rows<{ id: string; deliveries: number }>(sql`
    select s.id, d.deliveries
    from webhook_subscription s
    cross join lateral (
      select count(*) as deliveries from webhook_delivery d
      where d.organisation_id = s.organisation_id and d.webhook_subscription_id = s.id
        and d.id >= uuid_at(now() - interval '1 millisecond') and d.event_id = any(${ids})
    ) d
    where s.organisation_id = ${organisationId} and d.deliveries > 0
      ${partnerId === null ? empty : sql`and s.partner_id = ${partnerId}`}
    order by s.id`)
  if (told.length === 0) return []
  const byType = Map.groupBy(events, ({ type }) => type)
  const types = [...byType].map(([type, ofType]) => ({ type: eventTypeNames[type], count: ofType.length }))
  return [
    {
      kind: 'event',
      text: `tell ${count(told.length, 'webhook subscription')}`,
      data: {
        webhookSubscriptionIds: told.map(({ id }) => id),
        deliveries: told.reduce((sum, { deliveries }) => sum + deliveries, 0),
        events: types,
      },
    },
  ]
}
