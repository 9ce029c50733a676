// What this process follows of the feeds: one loop, and one statement for all organisations that somebody
// waits for, however many wait. It runs only while somebody does.

import type { Database } from '../../platform/database/db.ts'
import { onHint } from '../../platform/work/hints.ts'
import { numberEvents } from './number-events.ts'
import { type Entry, readNews } from './read-feed.ts'

// How long after one look comes the next. Events of this process are told of by a hint, those of others are
// found by looking; looks closer together than the least would each find next to nothing.
const leastPauseMs = 10
const pauseMs = 20
// A follower that is busy with what it was given comes back soon, and finds what was read last.
const keptMs = 1_000

/** Somebody who waits for what stands behind a position. */
interface Waiter {
  position: number
  resolve(entries: readonly Entry[] | undefined): void
  reject(error: unknown): void
}

/** An organisation that is followed. */
interface Followed {
  /** up to here its feed has been read */
  position: number
  /** what was read last: everything behind `before` up to `position` */
  before: number
  batch: readonly Entry[]
  waiters: Set<Waiter>
  lastWaitedMs: number
}

/** Follows the feeds of organisations. */
export interface Tail {
  /**
   * Waits until something stands behind a position and returns it, or nothing once the signal fires.
   * Undefined: more came since than is kept here; the caller reads it itself. Rejects when the database
   * cannot be asked.
   */
  behind(organisationId: string, position: number, signal: AbortSignal): Promise<readonly Entry[] | undefined>
}

/** Makes the tail of a database. Nothing is read until somebody waits. */
export function openTail(database: Database): Tail {
  const followed = new Map<string, Followed>()
  let isRunning = false
  let endPause = () => {}
  onHint('event-feed', () => endPause())

  /** What somebody waits for, by organisation; those that nobody has waited for lately are forgotten. */
  function positions(): Map<string, number> {
    const now = performance.now()
    const wanted = new Map<string, number>()
    for (const [id, one] of followed) {
      if (one.waiters.size > 0) {
        one.lastWaitedMs = now
        wanted.set(id, one.position)
      } else if (now - one.lastWaitedMs > keptMs) followed.delete(id)
    }
    return wanted
  }

  async function look(): Promise<void> {
    const wanted = positions()
    if (wanted.size === 0) return
    let news = await readNews(database.db, wanted)
    if (news.isWaiting) {
      await numberEvents(database)
      news = await readNews(database.db, wanted)
    }
    for (const [id, entries] of news.entries) handOut(followed.get(id) as Followed, entries)
  }

  function giveUp(error: unknown): void {
    for (const { waiters } of followed.values()) for (const waiter of waiters) waiter.reject(error)
    followed.clear()
  }

  async function run(): Promise<void> {
    isRunning = true
    while (followed.size > 0) {
      await look().catch(giveUp)
      await pause(leastPauseMs)
      await new Promise<void>(resolve => {
        endPause = resolve
        setTimeout(resolve, pauseMs - leastPauseMs)
      })
    }
    isRunning = false
  }

  return {
    behind(organisationId, position, signal) {
      if (signal.aborted) return Promise.resolve([])
      const one = followed.get(organisationId) ?? followedFrom(position)
      followed.set(organisationId, one)
      if (position < one.position) return Promise.resolve(batchBehind(one, position))
      const waiting = waitAmong(one.waiters, position, signal)
      if (!isRunning) void run()
      return waiting
    },
  }
}

const followedFrom = (position: number): Followed => ({
  position,
  before: position,
  batch: [],
  waiters: new Set(),
  lastWaitedMs: performance.now(),
})

/** Waits among others until somebody gives or refuses what stands behind a position. */
async function waitAmong(
  waiters: Set<Waiter>,
  position: number,
  signal: AbortSignal,
): Promise<readonly Entry[] | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Entry[] | undefined>()
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

/** Notes what was read, and gives it to those who wait for it. */
function handOut(one: Followed, entries: readonly Entry[]): void {
  one.before = one.position
  one.batch = entries
  one.position = (entries.at(-1) as Entry).sequence
  for (const waiter of one.waiters) {
    if (waiter.position < one.position) waiter.resolve(batchBehind(one, waiter.position))
  }
}

/** What stands behind a position in the batch that was read last; undefined where the batch begins later. */
const batchBehind = ({ before, batch }: Followed, position: number): readonly Entry[] | undefined =>
  position < before ? undefined : batch.filter(({ sequence }) => sequence > position)

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
