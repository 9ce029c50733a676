// Timeouts, and retries if the service asks for them. Specification section 8.

import { isOutcomeUnknown, mayRepeat, responseOfFirstAttempt } from './repeatable.ts'

/** Sends a request. */
export type Send = (request: Request) => Promise<Response>

/** Limits the time of a request and its response, including the body; then it fails with a `TimeoutError`. */
export function withTimeout(timeoutMs: number, send: Send): Send {
  return request => {
    const controller = new AbortController()
    const limitedRequest = new Request(request, { signal: controller.signal })
    // The listeners keep references to both requests: in Node.js, a garbage-collected request no longer
    // forwards its signal.
    const references = { request, limitedRequest }
    for (const signal of [request.signal, AbortSignal.timeout(timeoutMs)]) {
      const stop = () => references && controller.abort(signal.reason)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    }
    return send(limitedRequest)
  }
}

/** Returns the result of a promise, or rejects as soon as the signal fires. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const maxRetries = 4
const maxWaitMs = 60_000

/**
 * Retries a request after 429 (too many requests) and 503 (unavailable), at most four times. It waits as long
 * as `Retry-After` says; without that header for half a second, doubled each time. If the service asks for
 * more than a minute, its response is returned at once.
 *
 * A request that gets 429 was not executed, so any request may be retried. After a 503 it may be unknown
 * whether it was executed, so only requests that `isRepeatable` permits are retried. An import whose first
 * attempt turns out to have been stored counts as accepted.
 */
export function withRetries(
  send: Send,
  isRepeatable: (request: Request) => boolean | Promise<boolean> = mayRepeat,
): Send {
  return async request => {
    let mayBeStored = false
    for (let retries = 0; ; retries++) {
      const response = await send(request.clone())
      const isRetryable =
        response.status === 429 || (response.status === 503 && (await isRepeatable(request)))
      const wait = retryDelay(response, 500 * 2 ** retries)
      if (!isRetryable || retries === maxRetries || wait > maxWaitMs)
        return mayBeStored ? responseOfFirstAttempt(request, response) : response
      mayBeStored ||= isOutcomeUnknown(response)
      await response.body?.cancel()
      await pause(wait, request.signal)
    }
  }
}

/** Returns the wait that `Retry-After` asks for, in seconds or as a date, in milliseconds. */
function retryDelay(response: Response, defaultMs: number): number {
  const header = response.headers.get('retry-after')
  if (header === null) return defaultMs
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? defaultMs : Math.max(wait, 0)
}

/** Waits that long, or rejects as soon as the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const elapsed = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await unlessAborted(elapsed, signal).finally(() => clearTimeout(timer))
}
