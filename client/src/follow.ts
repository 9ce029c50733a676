// Follows the event feed: every event once and in order, even if the connection or the service fails
// repeatedly. Specification section 6.

import type { components, paths } from './generated/api.ts'
import { pause } from './retry.ts'
import { errorOf, readRefusal, WaybillError } from './waybill-error.ts'

/** An event of the feed. Its type determines which data it has. */
export type FeedEvent = components['schemas']['FeedEvent']

/** Where to begin in the feed, and which events to read. */
export interface FollowOptions {
  /** the `sequence` of the last processed event; by default, the feed is read from its oldest event */
  after?: number
  /** only events of these types */
  types?: NonNullable<NonNullable<paths['/v1/events']['get']['parameters']['query']>['Types']>
  /** ends the iteration */
  signal?: AbortSignal
  /**
   * Called with the position up to which the feed has been read, even if it held no events for this program.
   */
  onPosition?: (next: number) => unknown
}

interface Page {
  events: FeedEvent[]
  next: number
}

const waitSeconds = 25
// The pause between attempts while the service cannot be reached doubles from the first value to the second.
const [firstPauseMs, maxPauseMs] = [250, 10_000]

/**
 * Yields every event after `after`, existing and future ones, until the signal fires. `read` requests a path.
 * Temporary failures, such as an unavailable service, are retried without limit; a refusal is thrown as a
 * `WaybillError`.
 */
export async function* followFeed(
  read: (path: string, signal: AbortSignal) => Promise<Response>,
  { after, types, signal = new AbortController().signal, onPosition }: FollowOptions,
  maxWaitMs: number,
): AsyncGenerator<FeedEvent, void, undefined> {
  const wait = Math.min(waitSeconds, Math.max(0, Math.floor(maxWaitMs / 1000) - 5))
  let failures = 0
  for (let position = after; !signal.aborted; ) {
    const query = new URLSearchParams({ WaitSeconds: String(wait) })
    if (position !== undefined) query.set('After', String(position))
    if (types !== undefined) query.set('Types', types.join(','))
    const page = await readPage(() => read(`/v1/events?${query}`, signal))
    if (page === undefined) {
      await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** failures++), signal).catch(() => {})
      continue
    }
    failures = 0
    for (const event of page.events) {
      yield event
      if (signal.aborted) return
    }
    if (position !== page.next) await onPosition?.(page.next)
    position = page.next
  }
}

/** Reads a page, or returns undefined if the service cannot be reached or cannot respond at the moment. */
async function readPage(read: () => Promise<Response>): Promise<Page | undefined> {
  try {
    const response = await read()
    if (response.ok) return (await response.json()) as Page
    throw errorOf(response.status, await readRefusal(response))
  } catch (error) {
    if (error instanceof WaybillError && error.status < 500 && error.status !== 429) throw error
    return undefined
  }
}
