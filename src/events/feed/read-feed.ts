// Reads the feed: a page for one reader, and new entries of all organisations that this process follows.

import { type Database, type Db, sql } from '../../platform/database/db.ts'
import { type EventType, eventTypeNames } from '../../vocabulary/events.ts'
import type { Audience, EventFacts } from './audience.ts'
import { numberEvents } from './number-events.ts'

export interface FeedEntry extends EventFacts {
  readonly sequence: number
  /** the event as readers receive it, as JSON text */
  readonly text: string
}

/** Entries for one audience, and how far the feed was read to find them. */
export interface FeedPage {
  entries: readonly FeedEntry[]
  /** the last number that was read: the audience has received everything up to it */
  next: number
}

/** Where the feed of an organisation begins and ends. */
export interface FeedBounds {
  /** the last number that was given, 0 for none */
  last: number
  /** entries up to this number have been deleted, 0 for none */
  deletedUpTo: number
}

/** How many events a page has at most. */
const maxEntries = 500
// How many numbers are read for a page, whether their events are for the reader or not.
const maxScanned = 10_000

interface Row {
  organisationId: string
  sequence: number
  type: EventType
  clientId: string | null
  carrierId: string | null
  id: string
  createdUtc: string
  data: string
}

const columns = sql`n.sequence, n.type, n.client_id, n.carrier_id, e.id, e.created_utc,
  e.data::text as data`

function entryOf({ sequence, type, clientId, carrierId, id, createdUtc, data }: Row): FeedEntry {
  const head = JSON.stringify({ sequence, id, type: eventTypeNames[type], created: createdUtc })
  return { sequence, type, clientId, carrierId, text: `${head.slice(0, -1)},"data":${data}}` } as FeedEntry
}

/**
 * Gives numbers to all events of an organisation that are committed at this moment, and returns where its
 * feed begins and ends. Events of a request that has completed are therefore in the feed of every later
 * request.
 */
export async function readFeedBounds(database: Database, organisationId: string): Promise<FeedBounds> {
  for (;;) {
    const { isWaiting, last, deletedUpTo } = await database.db.row<FeedBounds & { isWaiting: boolean }>(sql`
      select exists (select from event_feed_waiting where organisation_id = ${organisationId}) as is_waiting,
        coalesce(max(last_sequence), 0) as last, coalesce(max(forgotten_sequence), 0) as deleted_up_to
      from event_feed where organisation_id = ${organisationId}`)
    if (!isWaiting) return { last, deletedUpTo }
    await numberEvents(database)
  }
}

/**
 * Reads a page of the entries after `after` up to `last`, a number that has been given to an event. Reads
 * 10,000 numbers at most, so a page may be empty although it has not reached the end.
 */
export async function readFeedPage(
  db: Db,
  audience: Audience,
  after: number,
  last: number,
): Promise<FeedPage> {
  const until = Math.min(last, after + maxScanned)
  const { organisationId, types, partnerId } = audience
  const rows = await db.rows<Row>(sql`
          select ${columns}
          from (
            select * from event_feed_entry n
            where n.organisation_id = ${organisationId} and n.sequence > ${after} and n.sequence <= ${until}
              and n.type = any (${[...types]}::smallint[])
              and (${partnerId}::uuid is null or ${partnerId} in (n.client_id, n.carrier_id))
            order by n.sequence limit ${maxEntries}
          ) n
          cross join lateral (
            select * from event e where e.organisation_id = n.organisation_id and e.id = n.event_id offset 0
          ) e
          order by n.sequence`)
  const next = rows.length === maxEntries ? (rows.at(-1) as Row).sequence : until
  return { entries: rows.map(entryOf), next }
}

/** New entries in the feeds of some organisations. */
export interface NewEntries {
  /** up to 500 entries of each organisation that has some after its position, in order */
  entries: Map<string, FeedEntry[]>
  /** whether events of these or other organisations wait for their number */
  isWaiting: boolean
}

/** Reads the entries after the positions of any number of organisations in one statement. */
export async function readNewEntries(db: Db, positions: ReadonlyMap<string, number>): Promise<NewEntries> {
  const rows = await db.rows<Row & { isWaiting: boolean; organisationId: string | null }>(sql`
    select w.is_waiting, news.*
    from (select exists (select from event_feed_waiting) as is_waiting) w
    left join lateral (
      select f.organisation_id, ${columns}
      from unnest(${[...positions.keys()]}::uuid[], ${[...positions.values()]}::bigint[])
        as known (organisation_id, position)
      join event_feed f on f.organisation_id = known.organisation_id and f.last_sequence > known.position
      cross join lateral (
        select * from event_feed_entry n
        where n.organisation_id = f.organisation_id and n.sequence > known.position
        order by n.sequence limit ${maxEntries}
      ) n
      cross join lateral (
        select * from event e where e.organisation_id = n.organisation_id and e.id = n.event_id offset 0
      ) e
      order by f.organisation_id, n.sequence
    ) news on true`)
  const isWaiting = rows[0]?.isWaiting ?? false
  const byOrganisation = Map.groupBy(
    rows.filter(({ organisationId }) => organisationId !== null),
    ({ organisationId }) => organisationId,
  )
  return {
    isWaiting,
    entries: new Map([...byOrganisation].map(([id, newRows]) => [id, newRows.map(entryOf)])),
  }
}
