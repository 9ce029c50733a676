// Streams of server-sent events (text/event-stream). A stream sends heartbeats while nothing happens. It ends
// when its token expires, when the service stops, or when the client no longer reads.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'
import { SharedSlots } from '../work/shared-slots.ts'
import type { Caller } from './caller.ts'
import { disconnectSignal } from './client-disconnect.ts'
import { tooManyAtOnce } from './refusal.ts'

/** A message of a stream. Without data it only moves the position of the stream. */
export interface StreamMessage {
  id: number
  /** JSON */
  data?: string
}

/** What a handler returns if the caller asked for a stream. */
export class EventStream {
  /** Yields the messages, batching those that are ready together. Ends when the signal fires. */
  readonly open: (signal: AbortSignal) => AsyncGenerator<StreamMessage[]>

  constructor(open: EventStream['open']) {
    this.open = open
  }
}

/** The request of a caller that accepts text/event-stream. */
export interface StreamRequest {
  /** the header Last-Event-ID: the id of the last message that the caller received */
  readonly lastEventId: string | undefined
}

/** The timing of streams, in milliseconds; tests use shorter times. */
export interface StreamTimes {
  /** the longest silence before a heartbeat is sent */
  heartbeatMs: number
  /** how often tokens and clients are checked */
  checkMs: number
  /** how long a client may read nothing before it is disconnected */
  maxStallMs: number
}

const defaultTimes: StreamTimes = { heartbeatMs: 15_000, checkMs: 1_000, maxStallMs: 30_000 }

const maxPerUser = 5
// One organisation leaves streams for the others.
const maxPerOrganisation = 200
const maxTotal = 2_000

/** Returns what a request asks of a stream, or undefined if it does not accept text/event-stream. */
export function readStreamRequest(reply: FastifyReply): StreamRequest | undefined {
  const { method, headers } = reply.request
  if (method !== 'GET' || !/\btext\/event-stream\b/i.test(headers.accept ?? '')) return undefined
  const lastEventId = headers['last-event-id']
  return { lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined }
}

interface OpenStream {
  /** ends the stream */
  readonly end: AbortController
  /** since when the client has left data unread */
  stalledSinceMs: number | undefined
  isStillAllowed(): boolean | Promise<boolean>
  disconnect(): void
}

/** The open streams of a server. */
export interface EventStreams {
  /** Sends a stream. Throws 429 if the user or the process has too many. */
  send(reply: FastifyReply, stream: EventStream): FastifyReply
  readonly count: number
}

/**
 * Opens the streams of a server. `isStillAllowed` returns whether an Authorization header is still valid;
 * `stopping` fires when the server begins to stop.
 */
export function createEventStreams(
  isStillAllowed: (authorization: string | undefined) => boolean | Promise<boolean>,
  stopping: AbortSignal,
  times: StreamTimes = defaultTimes,
): EventStreams {
  const open = new Set<OpenStream>()
  const reserve = openSlots()
  let checking: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const now = performance.now()
    for (const stream of open) {
      if (stream.stalledSinceMs !== undefined && now - stream.stalledSinceMs > times.maxStallMs)
        stream.disconnect()
      else if (!(await stream.isStillAllowed())) stream.end.abort()
    }
  }

  return {
    send(reply, stream) {
      const release = reserve(reply.request.actor as Caller)
      const { authorization } = reply.request.headers
      const end = new AbortController()
      const openStream: OpenStream = {
        end,
        stalledSinceMs: undefined,
        isStillAllowed: () => isStillAllowed(authorization),
        disconnect: () => reply.raw.socket?.resetAndDestroy(),
      }
      open.add(openStream)
      checking ??= setInterval(check, times.checkMs).unref()
      const signal = AbortSignal.any([end.signal, stopping, disconnectSignal(reply.raw)])
      reply.raw.once('close', () => {
        open.delete(openStream)
        release()
        if (open.size > 0) return
        clearInterval(checking)
        checking = undefined
      })
      const text = withHeartbeats(stream.open(signal), times.heartbeatMs, error => {
        if (!isDatabaseUnavailable(error)) reply.request.log.error({ err: error }, 'a stream failed')
      })
      // The second header keeps proxies from buffering messages.
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(trackStalls(openStream, text), { objectMode: false }))
    },
    get count() {
      return open.size
    },
  }
}

/**
 * Limits the number of streams. Returns a function that reserves a slot for a user, or throws 429, and
 * returns the function that releases the slot.
 */
function openSlots(): (caller: Caller) => () => void {
  const ofUsers = new SharedSlots(maxTotal)
  const ofOrganisations = new SharedSlots(maxTotal)
  return ({ organisationId, userId }) => {
    const user = `${organisationId} ${userId}`
    if (ofUsers.heldBy(user) >= maxPerUser)
      throw tooManyAtOnce(`At most ${maxPerUser} streams per user; close one first.`)
    if (ofOrganisations.heldBy(organisationId) >= maxPerOrganisation)
      throw tooManyAtOnce(`At most ${maxPerOrganisation} streams per organisation; close one first.`)
    if (ofUsers.free === 0) throw tooManyAtOnce('The service has as many streams as it can serve.')
    ofUsers.take(user)
    ofOrganisations.take(organisationId)
    return () => {
      ofUsers.release(user)
      ofOrganisations.release(organisationId)
    }
  }
}

/**
 * Passes the text of a stream on and records since when the client has been stalling. The next chunk is
 * requested only when the client has read the one before, so a slow client uses no memory.
 */
async function* trackStalls(stream: OpenStream, text: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const chunk of text) {
    stream.stalledSinceMs = performance.now()
    yield chunk
    stream.stalledSinceMs = undefined
  }
}

/** Converts messages to text. After a silence it adds a heartbeat, a comment with the current position. */
async function* withHeartbeats(
  messages: AsyncGenerator<StreamMessage[]>,
  everyMs: number,
  onError: (error: unknown) => void,
): AsyncGenerator<string> {
  let position: number | undefined
  let next: Promise<IteratorResult<StreamMessage[]>> | undefined
  let due = performance.now() + everyMs
  // Sent at once, so that the caller knows that the stream is open.
  yield ': events\n\n'
  try {
    for (;;) {
      if (next === undefined) {
        next = messages.next()
        // If the caller disconnects, nothing awaits this promise any more.
        next.catch(() => {})
      }
      const result = await withTimeout(next, due - performance.now())
      if (result?.done) return
      if (result !== undefined) next = undefined
      const batch = result?.value ?? []
      position = batch.at(-1)?.id ?? position
      const text = batch.map(textOf).join('')
      if (text !== '') yield text
      else if (performance.now() >= due)
        yield `: alive\n${position === undefined ? '' : `id: ${position}\n`}\n`
      else continue
      due = performance.now() + everyMs
    }
  } catch (error) {
    // The caller reconnects, and then gets the error as a response if it persists.
    onError(error)
  } finally {
    await messages.return(undefined)
  }
}

/** Formats a message. A message without data adds nothing: its position goes out with the next heartbeat. */
const textOf = ({ id, data }: StreamMessage): string =>
  data === undefined ? '' : `id: ${id}\ndata: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`

/** Awaits a promise for at most `ms` milliseconds. Returns undefined if it takes longer. */
async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), Math.max(ms, 0))
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
