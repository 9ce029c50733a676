// How often tokens may be asked for. Spec 8.
//
// Only who knows its secret uses up an app's requests, so that nobody who has read the client id in an
// address can. What is refused is counted by the app that was named and the address that named it.

import { SlidingWindow } from '../platform/http/rate-limit.ts'
import { rateLimitExceeded } from '../platform/http/refusal.ts'
import { networkOf } from './network-of.ts'

/** Counts token requests, and throws 429 when there are too many. */
export interface TokenThrottle {
  /** The app with this client id has given its secret. */
  countAdmitted(clientId: string): void
  /** Somebody at this address did not give it; the client id is undefined when there is no such app. */
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
    // Ids that belong to no app share one count, so that made-up ones cannot fill the memory.
    countRefused: (clientId, address) => take(refused, `${clientId ?? 'unknown'} ${networkOf(address)}`),
  }
}
