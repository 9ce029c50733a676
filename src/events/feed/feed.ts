// Reads the feed of an organisation: a page, waiting for events if there are none, or a stream of all events
// from a number on.

import type { Database } from '../../platform/database/db.ts'
import type { StreamMessage } from '../../platform/http/event-stream.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { type Audience, includesEvent } from './audience.ts'
import { type FeedBounds, type FeedEntry, readFeedBounds, readFeedPage } from './read-feed.ts'
import { openTail, type Tail } from './tail.ts'

export interface FeedReader {
  /**
   * The next entries, at most 500, and where to continue. If there are none, it waits for some until the
   * signal fires, and then returns the number up to which it has read.
   */
  page(signal: AbortSignal): Promise<FeedPart>
  /** All present and future entries, until the signal fires. */
  follow(signal: AbortSignal): AsyncGenerator<StreamMessage[]>
}

/** A part of the feed: its entries for the reader, and the number up to which it reaches. */
interface FeedPart {
  entries: readonly FeedEntry[]
  next: number
}

// How long a request that does not wait may read past events that are not for it, before it returns.
const maxSearchMs = 2_000

const tails = new WeakMap<Database, Tail>()

/** The tail of a database, which all readers of the process share. */
function tailOf(database: Database): Tail {
  const tail = tails.get(database) ?? openTail(database)
  tails.set(database, tail)
  return tail
}

/**
 * Begins to read after the number `from`; 0 is the oldest entry that is kept, `latest` the last one. Refuses
 * (400) a number after which entries have been deleted, or that the feed has not reached.
 */
export async function createFeedReader(
  database: Database,
  audience: Audience,
  from: number | 'latest' = 0,
): Promise<FeedReader> {
  const { organisationId } = audience
  const bounds = await readFeedBounds(database, organisationId)
  const after = from === 'latest' ? bounds.last : from
  refuseUnreadable(after, bounds)
  const tail = tailOf(database)

  async function* readParts(signal: AbortSignal): AsyncGenerator<FeedPart> {
    let next = Math.max(after, bounds.deletedUpTo)
    for (let { last } = bounds; ; { last } = await readFeedBounds(database, organisationId)) {
      while (next < last) {
        const part = await readFeedPage(database.db, audience, next, last)
        next = part.next
        yield part
      }
      for (;;) {
        const entries = await tail.entriesAfter(organisationId, next, signal)
        if (signal.aborted) return
        if (entries === undefined) break
        next = (entries.at(-1) as FeedEntry).sequence
        yield { entries: entries.filter(entry => includesEvent(audience, entry)), next }
      }
    }
  }

  return {
    async page(signal) {
      const searchEnd = performance.now() + maxSearchMs
      let next = Math.max(after, bounds.deletedUpTo)
      for await (const part of readParts(signal)) {
        next = part.next
        if (part.entries.length > 0) return part
        if (signal.aborted && performance.now() > searchEnd) break
      }
      return { entries: [], next }
    },
    async *follow(signal) {
      for await (const { entries, next } of readParts(signal)) {
        yield entries.map(({ sequence, text }) => ({ id: sequence, data: text }))
        // Sends how far the feed was read, so that a reader who reconnects need not read that part again.
        if (entries.at(-1)?.sequence !== next) yield [{ id: next }]
      }
    },
  }
}

/** Refuses (400) a number after which a reader would miss events. */
function refuseUnreadable(after: number, { last, deletedUpTo }: FeedBounds): void {
  if (after > last)
    throw verificationFailed(
      `There is no event ${after} yet: the last one has the number ${last}. If the service was restored ` +
        'from a backup, read everything that may have changed, and continue after the last number.',
    )
  if (after > 0 && after < deletedUpTo)
    throw verificationFailed(
      `Events after ${after} are older than 90 days and have been deleted. Those that are kept come after ` +
        `${deletedUpTo}. Read everything that may have changed, and continue after that number.`,
    )
}
