// The feed of an organisation as its readers ask for it: a page, waited for if need be, or everything from a
// number on as it comes.

import type { Database } from '../../platform/database/db.ts'
import type { StreamMessage } from '../../platform/http/event-stream.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { type Audience, isToldOf } from './audience.ts'
import { type Bounds, boundsOf, type Entry, readPage } from './read-feed.ts'
import { openTail, type Tail } from './tail.ts'

/** One reader of the feed. */
export interface Reader {
  /**
   * The next entries, at most 500, and where to go on. Where there are none it waits for some until the
   * signal fires, and then says how far it has looked.
   */
  page(signal: AbortSignal): Promise<Part>
  /** All entries, those that are there and those that come, until the signal fires. */
  follow(signal: AbortSignal): AsyncGenerator<StreamMessage[]>
}

/** A part of the feed: what in it is for the reader, and the number up to which it goes. */
interface Part {
  entries: readonly Entry[]
  next: number
}

// How long a request that waits for nothing goes through what is not for it, before it says how far it came.
const maxSearchMs = 2_000

const tails = new WeakMap<Database, Tail>()

/** What is followed in a database: once for all readers of the process. */
function tailOf(database: Database): Tail {
  const tail = tails.get(database) ?? openTail(database)
  tails.set(database, tail)
  return tail
}

/**
 * Begins to read behind the number `after`; undefined or 0 is the start of what is kept. Refused (400) where
 * entries behind it are no longer kept, or where the feed has not come to it.
 */
export async function openReader(
  database: Database,
  audience: Audience,
  after: number | undefined = 0,
): Promise<Reader> {
  const { organisationId } = audience
  const bounds = await boundsOf(database, organisationId)
  refuseLost(after, bounds)
  const tail = tailOf(database)

  async function* parts(signal: AbortSignal): AsyncGenerator<Part> {
    let next = Math.max(after, bounds.forgotten)
    for (let { last } = bounds; ; { last } = await boundsOf(database, organisationId)) {
      while (next < last) {
        const part = await readPage(database.db, audience, next, last)
        next = part.next
        yield part
      }
      for (;;) {
        const entries = await tail.behind(organisationId, next, signal)
        if (signal.aborted) return
        if (entries === undefined) break
        next = (entries.at(-1) as Entry).sequence
        yield { entries: entries.filter(entry => isToldOf(audience, entry)), next }
      }
    }
  }

  return {
    async page(signal) {
      const enough = performance.now() + maxSearchMs
      let next = Math.max(after, bounds.forgotten)
      for await (const part of parts(signal)) {
        next = part.next
        if (part.entries.length > 0) return part
        if (signal.aborted && performance.now() > enough) break
      }
      return { entries: [], next }
    },
    async *follow(signal) {
      for await (const { entries, next } of parts(signal)) {
        yield entries.map(({ sequence, text }) => ({ id: sequence, data: text }))
        // Says how far the feed was read, so that who comes back need not go through it again.
        if (entries.at(-1)?.sequence !== next) yield [{ id: next }]
      }
    },
  }
}

/** Refuses (400) a number behind which something would be missed. */
function refuseLost(after: number, { last, forgotten }: Bounds): void {
  if (after > last)
    throw verificationFailed(
      `After ${after} there is nothing yet, for the last number is ${last}. Where the service was restored ` +
        'from a backup, read what may have changed, and go on behind the last number.',
    )
  if (after > 0 && after < forgotten)
    throw verificationFailed(
      `After ${after} came events that are older than 90 days and no longer kept: those that are begin ` +
        `behind ${forgotten}. Read what may have changed, and go on from there.`,
    )
}
