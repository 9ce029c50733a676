// Follows the feeds of organisations: one loop, and one statement for all organisations with waiting readers,
// however many wait. The loop runs only while readers wait.

import type { Database } from '../../platform/database/db.ts'
import { onHint } from '../../platform/work/hints.ts'
import { numberEvents } from './number-events.ts'
import { type FeedEntry, readNewEntries } from './read-feed.ts'

// The pause between two polls. A hint announces events of this process; those of other processes are found by
// polling. More frequent polls than the minimum allows would each find almost nothing.
const minPauseMs = 10
const pauseMs = 20
// A reader that is busy with its last entries returns soon, and finds the latest batch.
const retentionMs = 1_000

/** A reader that waits for entries after a position. */
interface Waiter {
  position: number
  resolve(entries: readonly FeedEntry[] | undefined): void
  reject(error: unknown): void
}

/** The feed of an organisation that is followed. */
interface FollowedFeed {
  /** the number up to which it has been read */
  position: number
  /** `batch` holds the entries read last: those after `batchStart` up to `position` */
  batchStart: number
  batch: readonly FeedEntry[]
  waiters: Set<Waiter>
  lastWaitedMs: number
}

/** Follows the feeds of organisations. */
export interface Tail {
  /**
   * Waits for entries after a position and returns them, or none once the signal fires. Returns undefined if
   * more entries have come since than are kept in memory; the caller then reads them itself. Rejects if the
   * database cannot be queried.
   */
  entriesAfter(
    organisationId: string,
    position: number,
    signal: AbortSignal,
  ): Promise<readonly FeedEntry[] | undefined>
}

/** Makes the tail of a database. Nothing is read until a reader waits. */
export function openTail(database: Database): Tail {
  const feeds = new Map<string, FollowedFeed>()
  let isRunning = false
  let endPause = () => {}
  onHint('event-feed', () => endPause())

  /** The positions of organisations with waiting readers. Stops following those without any for a while. */
  function positions(): Map<string, number> {
    const now = performance.now()
    const wantedPositions = new Map<string, number>()
    for (const [id, feed] of feeds) {
      if (feed.waiters.size > 0) {
        feed.lastWaitedMs = now
        wantedPositions.set(id, feed.position)
      } else if (now - feed.lastWaitedMs > retentionMs) feeds.delete(id)
    }
    return wantedPositions
  }

  async function poll(): Promise<void> {
    const wantedPositions = positions()
    if (wantedPositions.size === 0) return
    let newEntries = await readNewEntries(database.db, wantedPositions)
    if (newEntries.isWaiting) {
      await numberEvents(database)
      newEntries = await readNewEntries(database.db, wantedPositions)
    }
    for (const [id, entries] of newEntries.entries) deliverEntries(feeds.get(id) as FollowedFeed, entries)
  }

  function rejectWaiters(error: unknown): void {
    for (const { waiters } of feeds.values()) for (const waiter of waiters) waiter.reject(error)
    feeds.clear()
  }

  async function run(): Promise<void> {
    isRunning = true
    while (feeds.size > 0) {
      await poll().catch(rejectWaiters)
      await pause(minPauseMs)
      await new Promise<void>(resolve => {
        endPause = resolve
        setTimeout(resolve, pauseMs - minPauseMs)
      })
    }
    isRunning = false
  }

  return {
    entriesAfter(organisationId, position, signal) {
      if (signal.aborted) return Promise.resolve([])
      const feed = feeds.get(organisationId) ?? followFrom(position)
      feeds.set(organisationId, feed)
      if (position < feed.position) return Promise.resolve(batchAfter(feed, position))
      const waiting = waitForEntries(feed.waiters, position, signal)
      if (!isRunning) void run()
      return waiting
    },
  }
}

const followFrom = (position: number): FollowedFeed => ({
  position,
  batchStart: position,
  batch: [],
  waiters: new Set(),
  lastWaitedMs: performance.now(),
})

/** Waits until entries after a position are delivered, or reading them fails. */
async function waitForEntries(
  waiters: Set<Waiter>,
  position: number,
  signal: AbortSignal,
): Promise<readonly FeedEntry[] | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly FeedEntry[] | undefined>()
  const waiter: Waiter = { position, resolve, reject }
  const stop = () => resolve([])
  signal.addEventListener('abort', stop, { once: true })
  waiters.add(waiter)
  try {
    return await promise
  } finally {
    waiters.delete(waiter)
    signal.removeEventListener('abort', stop)
  }
}

/** Stores the entries that were read, and delivers them to the readers that wait for them. */
function deliverEntries(feed: FollowedFeed, entries: readonly FeedEntry[]): void {
  feed.batchStart = feed.position
  feed.batch = entries
  feed.position = (entries.at(-1) as FeedEntry).sequence
  for (const waiter of feed.waiters) {
    if (waiter.position < feed.position) waiter.resolve(batchAfter(feed, waiter.position))
  }
}

/** The entries of the latest batch after a position; undefined if the batch starts later. */
const batchAfter = (
  { batchStart, batch }: FollowedFeed,
  position: number,
): readonly FeedEntry[] | undefined =>
  position < batchStart ? undefined : batch.filter(({ sequence }) => sequence > position)

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
