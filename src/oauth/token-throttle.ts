// Limits how often tokens may be requested. Spec 8.
//
// Only requests with the right secret count against an app, because its client id is no secret: with that
// alone nobody may use up its limit. Refused requests are counted by app and network.

import { SlidingWindow } from '../platform/http/rate-limit.ts'
import { rateLimitExceeded } from '../platform/http/refusal.ts'
import { networkOf } from './network-of.ts'

/** Counts token requests, and throws 429 when there are too many. */
export interface TokenThrottle {
  /** The app with this client id has given its secret. */
  countAdmitted(clientId: string): void
  /** A request from this address was refused; the client id is undefined when there is no such app. */
  countRefused(clientId: string | undefined, address: string): void
}

const maxPerMinute = 600

/** The throttle of this process, which lets everything through when `rateLimits` is off. */
export function openTokenThrottle(rateLimits: boolean): TokenThrottle {
  const admitted = new SlidingWindow(maxPerMinute, 60_000)
  const refused = new SlidingWindow(maxPerMinute, 60_000)
  function take(window: SlidingWindow, key: string): void {
    const wait = rateLimits ? window.take(key, performance.now()) : 0
    if (wait > 0) throw rateLimitExceeded(wait)
  }
  return {
    countAdmitted: clientId => take(admitted, clientId),
    // Requests without a known app share one count, so that made-up ids cannot fill the memory.
    countRefused: (clientId, address) => take(refused, `${clientId ?? 'unknown'} ${networkOf(address)}`),
  }
}
