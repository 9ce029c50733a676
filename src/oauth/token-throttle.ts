// Limits how often tokens may be requested. Spec 8.
//
// Only requests with the right secret count against the limit of an app. Its client id is not secret, so
// knowing it must not be enough to use up the limit. Refused requests are counted by app and network,
// separately in each process: secrets cannot be guessed at any rate, and rows for made-up ids would cost more
// than they prevent.

import { perMinute } from '../access/limits.ts'
import { rateLimitHeaders } from '../platform/http/rate-limit-headers.ts'
import { rateLimitExceeded } from '../platform/http/refusal.ts'
import { type RateLimits, windowMs } from '../platform/limits/limits.ts'
import { SlidingWindow } from '../platform/limits/sliding-window.ts'
import { networkOf } from './network-of.ts'

/** Counts token requests, and throws 429 if there are too many. */
export interface TokenThrottle {
  /** Counts a request of the app with this client id, which has given its secret. */
  countAdmitted(clientId: string): Promise<void>
  /** Counts a refused request from this address; the client id is undefined if there is no such app. */
  countRefused(clientId: string | undefined, address: string): void
  /** Sets the rate limit headers of a response to the app with this client id. */
  setHeaders(response: { header(name: string, value: string): unknown }, clientId: string): void
}

/** Makes the throttle, which lets everything through if there are no limits. */
export function createTokenThrottle(limits: RateLimits | undefined): TokenThrottle {
  const setHeaders = limits && rateLimitHeaders(limits)
  const refusedRequests = new SlidingWindow(perMinute.tokens, windowMs)
  function refuse(waitSeconds: number): void {
    if (waitSeconds > 0) throw rateLimitExceeded(waitSeconds)
  }
  return {
    async countAdmitted(clientId) {
      if (limits !== undefined) refuse(await limits.take('tokens', clientId))
    },
    // Requests without a known app share one count, so that made-up ids cannot fill the memory.
    countRefused(clientId, address) {
      if (limits !== undefined)
        refuse(refusedRequests.take(`${clientId ?? 'unknown'} ${networkOf(address)}`, performance.now()))
    },
    setHeaders(response, clientId) {
      setHeaders?.(response, 'tokens', clientId)
    },
  }
}
