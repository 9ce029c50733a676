// Reads the feed: a page for one reader, and what is new for all organisations that this process follows.

import { type Database, type Db, sql } from '../../platform/database/db.ts'
import { type EventType, eventTypeNames } from '../event.ts'
import type { Audience, Subject } from './audience.ts'
import { numberEvents } from './number-events.ts'

/** An event of the feed. */
export interface Entry extends Subject {
  readonly sequence: number
  /** the event as readers are given it, JSON */
  readonly text: string
}

/** Entries that one audience is told of, and how far the feed was read for them. */
export interface Page {
  entries: readonly Entry[]
  /** the last number that was looked at: everything up to it that is for the audience has been told */
  next: number
}

/** Where the feed of an organisation begins and ends. */
export interface Bounds {
  /** the last number that was given, 0 for none */
  last: number
  /** numbers up to this one are no longer kept */
  forgotten: number
}

/** Events of a page. */
const maxEntries = 500
// Numbers that are looked at for a page, whether they are for its reader or not.
const maxLookedAt = 10_000

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

function entryOf({ sequence, type, clientId, carrierId, id, createdUtc, data }: Row): Entry {
  const head = JSON.stringify({ sequence, id, type: eventTypeNames[type], created: createdUtc })
  return { sequence, type, clientId, carrierId, text: `${head.slice(0, -1)},"data":${data}}` } as Entry
}

/**
 * Gives numbers to all events of an organisation that are committed at this moment, and returns where its
 * feed begins and ends. What a request has answered is in the feed of every later one.
 */
export async function boundsOf(database: Database, organisationId: string): Promise<Bounds> {
  for (;;) {
    const { isWaiting, last, forgotten } = await database.db.row<Bounds & { isWaiting: boolean }>(sql`
      select exists (select from event_feed_waiting where organisation_id = ${organisationId}) as is_waiting,
        coalesce(max(last_sequence), 0) as last, coalesce(max(forgotten_sequence), 0) as forgotten
      from event_feed where organisation_id = ${organisationId}`)
    if (!isWaiting) return { last, forgotten }
    await numberEvents(database)
  }
}

/**
 * Reads a page from behind `after` up to `last`, which has been given out. Looks at 10,000 numbers at most,
 * so that it may be empty although the end is not reached.
 */
export async function readPage(db: Db, audience: Audience, after: number, last: number): Promise<Page> {
  const until = Math.min(last, after + maxLookedAt)
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

/** What is new in the feeds of some organisations. */
export interface News {
  /** up to 500 entries of each organisation that has some behind its position, in their order */
  entries: Map<string, Entry[]>
  /** whether events wait for their number, of these organisations or others */
  isWaiting: boolean
}

/** Reads what stands behind the positions of organisations, in one statement whatever their number. */
export async function readNews(db: Db, positions: ReadonlyMap<string, number>): Promise<News> {
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
  const ofAll = Map.groupBy(
    rows.filter(({ organisationId }) => organisationId !== null),
    ({ organisationId }) => organisationId,
  )
  return { isWaiting, entries: new Map([...ofAll].map(([id, own]) => [id, own.map(entryOf)])) }
}
