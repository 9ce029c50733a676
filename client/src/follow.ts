// Following the event feed: every event once, in order, however often the connection or the service goes
// away. Specification section 6.

import type { components, paths } from './generated/api.ts'
import { pause } from './retry.ts'
import { errorOf, readRefusal, WaybillError } from './waybill-error.ts'

/** An event of the feed. Which data it has follows from its type. */
export type FeedEvent = components['schemas']['FeedEvent']

/** Where to begin in the feed, and what to be told of. */
export interface FollowOptions {
  /** the `sequence` of the last event that was dealt with; without it, the start of what is kept */
  after?: number
  /** only events of these types */
  types?: NonNullable<NonNullable<paths['/v1/events']['get']['parameters']['query']>['Types']>
  /** ends the walk */
  signal?: AbortSignal
  /** Is told how far the feed was read, also where nothing in it was for this program. */
  onPosition?: (next: number) => unknown
}

interface Page {
  events: FeedEvent[]
  next: number
}

const waitSeconds = 25
// Between tries while the service cannot be reached, doubled from the first to the last.
const [firstPauseMs, lastPauseMs] = [250, 10_000]

/**
 * Every event behind `after`, those that are there and those that come, until the signal fires. `read` asks
 * for a path. What may pass, such as a service that is away, is waited out for as long as it takes; a refusal
 * is thrown as a `WaybillError`.
 */
export async function* walkFeed(
  read: (path: string, signal: AbortSignal) => Promise<Response>,
  { after, types, signal = new AbortController().signal, onPosition }: FollowOptions,
  longestWaitMs: number,
): AsyncGenerator<FeedEvent, void, undefined> {
  const wait = Math.min(waitSeconds, Math.max(0, Math.floor(longestWaitMs / 1000) - 5))
  let failures = 0
  for (let position = after; !signal.aborted; ) {
    const query = new URLSearchParams({ WaitSeconds: String(wait) })
    if (position !== undefined) query.set('After', String(position))
    if (types !== undefined) query.set('Types', types.join(','))
    const page = await readPage(() => read(`/v1/events?${query}`, signal))
    if (page === undefined) {
      await pause(Math.min(lastPauseMs, firstPauseMs * 2 ** failures++), signal).catch(() => {})
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

/** Reads a page; undefined where the service cannot be reached or cannot answer at the moment. */
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
