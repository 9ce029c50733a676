// Rate limits: how many requests may pass in any 60 seconds. The application names them. Spec 8.

import { SlidingWindow } from './sliding-window.ts'

/** How many requests may pass in any 60 seconds, by the name of the limit. */
export type PerMinute = Readonly<Record<string, number>>

/** Counts requests against the limits. `owner` is whoever's requests are counted, such as an organisation. */
export interface RateLimits {
  readonly perMinute: PerMinute
  /**
   * Counts a request. Returns 0 if it may pass, otherwise the whole seconds after which the next one may.
   * Returns a promise if the database has to be asked; the promise rejects with `LimitsUnavailable` if that
   * fails.
   */
  take(limit: string, owner: string): number | Promise<number>
  /**
   * Returns how many more requests may pass now, as far as this process knows. It learns of requests that
   * other processes let through only when it takes its next permits.
   */
  left(limit: string, owner: string): number
}

/** Thrown if there is no way to know whether a request may pass. */
export class LimitsUnavailable extends Error {
  constructor(cause?: unknown) {
    super('The limits of requests cannot be looked up.', { cause })
  }
}

/** The length of the window of every limit, in milliseconds. */
export const windowMs = 60_000

/** Opens a sliding window for each limit. */
export const createWindows = (perMinute: PerMinute): ReadonlyMap<string, SlidingWindow> =>
  new Map(Object.entries(perMinute).map(([limit, max]) => [limit, new SlidingWindow(max, windowMs)]))

/** Opens limits that count in the memory of this process alone. */
export function createLimitsInMemory(perMinute: PerMinute): RateLimits {
  const windows = createWindows(perMinute)
  return {
    perMinute,
    take: (limit, owner) => windows.get(limit)!.take(owner, performance.now()),
    left: (limit, owner) => windows.get(limit)!.left(owner, performance.now()),
  }
}
