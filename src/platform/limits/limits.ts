// How many requests may pass in any 60 seconds, and who counts them. Spec 8.

import { SlidingWindow } from './sliding-window.ts'

/**
 * The requests that may pass in any 60 seconds: of an organisation, of its reports, and for tokens of an app.
 */
export const perMinute = { standard: 3_000, reports: 150, tokens: 600 } as const

export type LimitName = keyof typeof perMinute

/** Counts requests. */
export interface RateLimits {
  /**
   * Counts a request of `whose`: 0 when it may pass, else the whole seconds after which the next one may.
   * With a promise where others have to be asked; it rejects where they cannot be.
   */
  take(limit: LimitName, whose: string): number | Promise<number>
  /**
   * How many more requests of `whose` may pass now, as far as this process knows: what others have let
   * through in the last moments is told to it when it takes its next permits.
   */
  left(limit: LimitName, whose: string): number
}

/** Thrown where it cannot be known whether a request may pass. */
export class LimitsUnavailable extends Error {
  constructor(cause?: unknown) {
    super('The limits of requests cannot be looked up.', { cause })
  }
}

export const windowMs = 60_000

/** A window for each limit. */
export const openWindows = (): Readonly<Record<LimitName, SlidingWindow>> => ({
  standard: new SlidingWindow(perMinute.standard, windowMs),
  reports: new SlidingWindow(perMinute.reports, windowMs),
  tokens: new SlidingWindow(perMinute.tokens, windowMs),
})

/** The limits of a process that is alone. */
export function openLimitsInMemory(): RateLimits {
  const windows = openWindows()
  return {
    take: (limit, whose) => windows[limit].take(whose, performance.now()),
    left: (limit, whose) => windows[limit].left(whose, performance.now()),
  }
}
