// The rate limits: how many requests may pass in any 60 seconds. Spec 8.

import { SlidingWindow } from './sliding-window.ts'

/**
 * How many requests may pass in any 60 seconds: `standard` and `reports` per organisation, `tokens` per app.
 */
export const perMinute = { standard: 3_000, reports: 150, tokens: 600 } as const

export type LimitName = keyof typeof perMinute

/** Counts requests against the limits. `owner` is the organisation or app whose requests are counted. */
export interface RateLimits {
  /**
   * Counts a request. Returns 0 if it may pass, otherwise the whole seconds after which the next one may.
   * Returns a promise if the database has to be asked; the promise rejects with `LimitsUnavailable` if that
   * fails.
   */
  take(limit: LimitName, owner: string): number | Promise<number>
  /**
   * Returns how many more requests may pass now, as far as this process knows. It learns of requests that
   * other processes let through only when it takes its next permits.
   */
  left(limit: LimitName, owner: string): number
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
export const openWindows = (): Readonly<Record<LimitName, SlidingWindow>> => ({
  standard: new SlidingWindow(perMinute.standard, windowMs),
  reports: new SlidingWindow(perMinute.reports, windowMs),
  tokens: new SlidingWindow(perMinute.tokens, windowMs),
})

/** Opens limits that count in the memory of this process alone. */
export function openLimitsInMemory(): RateLimits {
  const windows = openWindows()
  return {
    take: (limit, owner) => windows[limit].take(owner, performance.now()),
    left: (limit, owner) => windows[limit].left(owner, performance.now()),
  }
}
