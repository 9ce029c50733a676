// Limits how often tokens may be requested. Spec 8.
//
// Only requests with the right secret count against an app, because its client id is no secret: with that
// alone nobody may use up its limit. Refused requests are counted by app and network, in each process by
// itself: secrets cannot be guessed at any pace, and rows for whatever somebody makes up would cost more.

import { setRateLimitHeaders } from '../platform/http/rate-limit-headers.ts'
import { rateLimitExceeded } from '../platform/http/refusal.ts'
import { openLimitsInMemory, perMinute, type RateLimits, windowMs } from '../platform/limits/limits.ts'
import { SlidingWindow } from '../platform/limits/sliding-window.ts'
import { networkOf } from './network-of.ts'

/** Counts token requests, and throws 429 when there are too many. */
export interface TokenThrottle {
  /** The app with this client id has given its secret. */
  countAdmitted(clientId: string): Promise<void>
  /** A request from this address was refused; the client id is undefined when there is no such app. */
  countRefused(clientId: string | undefined, address: string): void
  /** Says on an answer to the app with this client id what it may still ask. */
  setHeaders(answer: { header(name: string, value: string): unknown }, clientId: string): void
}

/** The throttle, which lets everything through when `rateLimits` is off. */
export function openTokenThrottle(
  rateLimits: boolean,
  limits: RateLimits = openLimitsInMemory(),
): TokenThrottle {
  const refused = new SlidingWindow(perMinute.tokens, windowMs)
  function refuse(waitSeconds: number): void {
    if (waitSeconds > 0) throw rateLimitExceeded(waitSeconds)
  }
  return {
    async countAdmitted(clientId) {
      if (rateLimits) refuse(await limits.take('tokens', clientId))
    },
    // Requests without a known app share one count, so that made-up ids cannot fill the memory.
    countRefused(clientId, address) {
      if (rateLimits)
        refuse(refused.take(`${clientId ?? 'unknown'} ${networkOf(address)}`, performance.now()))
    },
    setHeaders(answer, clientId) {
      if (rateLimits) setRateLimitHeaders(answer, 'tokens', limits.left('tokens', clientId))
    },
  }
}
