// Follows the event feed from outside, over the API, and delivers each event to one address, signed like a
// webhook. For developers whose machine the service cannot reach. Spec 6.

import { setTimeout as pause } from 'node:timers/promises'
import { hashSecret } from '../oauth/client-secrets.ts'
import { newId } from '../platform/new-id.ts'
import { signatureHeaders } from '../webhook-subscriptions/delivery/signature.ts'

/** What happened to an event, or what holds up the listening. */
export type ListenLine =
  | { notice: string }
  | { sequence: number; type: string; status: number | null; durationMs: number; error: string | null }

export interface ListenRequest {
  /** where to deliver */
  url: string
  /** the address of the service */
  service: string
  clientId: string
  clientSecret: string
  /** event types, separated by commas; absent: all */
  types?: string
  /** the event to begin after; absent: only events that are still to come */
  after?: number
  signingKey?: string
  /** ends it */
  signal: AbortSignal
  log(line: ListenLine): void
}

/** An event of the feed. */
interface FeedEvent {
  sequence: number
  id: string
  type: string
  created: string
  data: object
}

interface FeedPage {
  events: FeedEvent[]
  next: number
}

// A receiver has as long as with a webhook.
const deliveryTimeoutMs = 30_000
const waitSeconds = 20
const retryMs = 2_000
// Longer than the service lets a reader wait.
const requestTimeoutMs = (waitSeconds + 15) * 1_000

/** The service refuses to go on: a wrong secret, a missing scope, an unknown position. */
class ListenRefused extends Error {}

/** Delivers events until the signal fires. Throws if the service refuses the app or the position. */
export async function listen(request: ListenRequest): Promise<void> {
  const { signal, log } = request
  const read = openFeed(request)
  let position = request.after ?? (await findEnd(read, signal))
  if (position === undefined) return
  log({ notice: `Listening after event ${position}; deliveries go to ${request.url}. Stop with Ctrl-C.` })
  while (!signal.aborted) {
    const page = await untilAnswered(() => read(position as number, waitSeconds), request)
    if (page === undefined) return
    for (const event of page.events) {
      if (signal.aborted) return
      log(await deliver(request, event))
    }
    position = page.next
  }
}

type ReadFeed = (after: number, wait: number) => Promise<FeedPage>

/** Reads to the end of the feed, and returns its position. */
async function findEnd(read: ReadFeed, signal: AbortSignal): Promise<number | undefined> {
  for (let position = 0; !signal.aborted; ) {
    const { next } = await read(position, 0)
    if (next === position) return position
    position = next
  }
  return undefined
}

/** Repeats a read while the service cannot be reached, and says so once. Undefined once the signal fires. */
async function untilAnswered<T>(
  read: () => Promise<T>,
  { signal, log }: ListenRequest,
): Promise<T | undefined> {
  for (let isReported = false; ; ) {
    try {
      return await read()
    } catch (error) {
      if (signal.aborted) return undefined
      if (error instanceof ListenRefused) throw error
      if (!isReported) log({ notice: `The service cannot be reached: ${reasonOf(error)} Trying again.` })
      isReported = true
      await pause(retryMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** Makes a function that reads a page of the feed, with a token that is renewed when it is refused. */
function openFeed({ service, types, signal, ...app }: ListenRequest): ReadFeed {
  let token: string | undefined
  const send = (path: string, init: RequestInit) =>
    fetch(`${service}${path}`, {
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
    })

  async function requestToken(): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
    })
    const response = await send('/connect/token', { method: 'POST', body })
    return ((await answerOf(response)) as { access_token: string }).access_token
  }

  return async (after, wait) => {
    const query = new URLSearchParams({ After: String(after), WaitSeconds: String(wait) })
    if (types !== undefined) query.set('Types', types)
    const request = async () => {
      token ??= await requestToken()
      return send(`/v1/events?${query}`, { headers: { authorization: `Bearer ${token}` } })
    }
    let response = await request()
    if (response.status === 401) {
      token = undefined
      response = await request()
    }
    return (await answerOf(response)) as FeedPage
  }
}

/** The body of a response. Throws if it is a refusal that will be the same next time, or a temporary one. */
async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  const sentence = `${response.status} ${text.slice(0, 500)}`
  throw response.status >= 500 || response.status === 429 ? new Error(sentence) : new ListenRefused(sentence)
}

/** Delivers one event, once, and says how that ended. */
async function deliver(request: ListenRequest, event: FeedEvent): Promise<ListenLine> {
  const { sequence, id, type, created, data } = event
  const body = Buffer.from(JSON.stringify({ id, type, created, data, operationId: newId() }))
  const keys = {
    app: hashSecret(request.clientSecret),
    signingKey1: request.signingKey === undefined ? null : Buffer.from(request.signingKey),
    signingKey2: null,
  }
  const start = performance.now()
  const outcome = await fetch(request.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Waybill',
      ...signatureHeaders(keys, id, new Date(), body),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(deliveryTimeoutMs)]),
  }).then(
    async response => {
      await response.body?.cancel()
      return { status: response.status, error: null }
    },
    error => ({ status: null, error: reasonOf(error) }),
  )
  return { sequence, type, durationMs: Math.round(performance.now() - start), ...outcome }
}

/** Why a request failed: the cause that fetch hides, or the message itself. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } }
  return cause?.message || cause?.code || message
}
