// Not waiting for an answer for ever, and sending a request again when the service says "later".
// Specification section 8.

/** Sends a request. */
export type Send = (request: Request) => Promise<Response>

/** Gives a request and its answer, body and all, this long; then it fails with a `TimeoutError`. */
export function within(timeoutMs: number, send: Send): Send {
  return request => {
    const ending = new AbortController()
    const limited = new Request(request, { signal: ending.signal })
    // The listeners hold both requests: in Node.js a request that was collected as garbage no longer passes
    // its signal on.
    const held = { request, limited }
    for (const signal of [request.signal, AbortSignal.timeout(timeoutMs)]) {
      const stop = () => held && ending.abort(signal.reason)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    }
    return send(limited)
  }
}

/** What a promise gives, unless the signal ends the waiting for it. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const maxRetries = 4
const longestWait = 60_000

/**
 * Sends a request again after 429 (too many requests) and 503 (not available), at most four times, as long
 * after as `Retry-After` says; without it after half a second, doubled each time. When the service asks for
 * more than a minute its answer is given back at once.
 *
 * A request that was too many was not looked at, so any may be sent again. After a 503 it may be unknown
 * whether something happened: only requests that `mayRepeat` lets through, by default all but POST, are sent
 * again.
 */
export function patiently(
  send: Send,
  mayRepeat: (request: Request) => boolean = request => request.method !== 'POST',
): Send {
  return async request => {
    for (let retries = 0; ; retries++) {
      const response = await send(request.clone())
      const isLater = response.status === 429 || (response.status === 503 && mayRepeat(request))
      const wait = waitOf(response, 500 * 2 ** retries)
      if (!isLater || retries === maxRetries || wait > longestWait) return response
      await response.body?.cancel()
      await pause(wait, request.signal)
    }
  }
}

/** What `Retry-After` says, seconds or a date, in milliseconds. */
function waitOf(response: Response, otherwise: number): number {
  const told = response.headers.get('retry-after')
  if (told === null) return otherwise
  const wait = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now()
  return Number.isNaN(wait) ? otherwise : Math.max(wait, 0)
}

/** Waits, unless the signal ends it: then it rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await unlessAborted(over, signal).finally(() => clearTimeout(timer))
}
