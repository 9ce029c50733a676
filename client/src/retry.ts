// Sending a request again when the service says "later". Specification section 8.

/** Sends a request. */
export type Send = (request: Request) => Promise<Response>

const mostRetries = 4
const longestWait = 60_000

/**
 * Sends a request again after 429 (too many requests) and 503 (not available), at most four times, as long after as `Retry-After` says;
 * without it after half a second, doubled each time. When the service asks for more than a minute its answer is given back at once.
 *
 * A request that was too many was not looked at, so any may be sent again. After a 503 it may be unknown whether something happened:
 * only requests that `mayRepeat` lets through, by default all but POST, are sent again.
 */
export function patiently(send: Send, mayRepeat: (request: Request) => boolean = request => request.method !== 'POST'): Send {
  return async request => {
    for (let retries = 0; ; retries++) {
      const response = await send(request.clone())
      const isLater = response.status === 429 || (response.status === 503 && mayRepeat(request))
      const wait = waitOf(response, 500 * 2 ** retries)
      if (!isLater || retries === mostRetries || wait > longestWait) return response
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
