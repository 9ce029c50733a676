// Streams of events (text/event-stream) to callers that stay: with a sign of life while nothing happens, and
// with an end when the token or the service ends, or when nobody reads.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'
import type { Actor } from './actor.ts'
import { disconnectSignal } from './client-disconnect.ts'
import { tooManyStreams } from './refusal.ts'

/** A message of a stream. One without data only says how far the stream has come. */
export interface StreamMessage {
  id: number
  /** JSON */
  data?: string
}

/** What a handler returns where the caller asked for a stream. */
export class EventStream {
  /** Makes the messages, those that come at the same time together. They end when the signal fires. */
  readonly open: (signal: AbortSignal) => AsyncGenerator<StreamMessage[]>

  constructor(open: EventStream['open']) {
    this.open = open
  }
}

/** What a caller that accepts text/event-stream has asked. */
export interface StreamRequest {
  /** the header Last-Event-ID: the id of the last message that the caller has */
  readonly lastEventId: string | undefined
}

/** Times of streams, in milliseconds; tests compress them. */
export interface StreamTimes {
  /** between two signs of life */
  heartbeatMs: number
  /** how often tokens and readers are looked at */
  lookMs: number
  /** how long a stream waits for a reader that takes nothing */
  patienceMs: number
}

const defaultTimes: StreamTimes = { heartbeatMs: 15_000, lookMs: 1_000, patienceMs: 30_000 }

const maxOfPerson = 5
const maxInAll = 2_000

/** Whether a request asks for a stream where its endpoint has one. */
export function readStreamRequest(reply: FastifyReply): StreamRequest | undefined {
  const { method, headers } = reply.request
  if (method !== 'GET' || !/\btext\/event-stream\b/i.test(headers.accept ?? '')) return undefined
  const lastEventId = headers['last-event-id']
  return { lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined }
}

/** An open stream. */
interface Open {
  /** why it ends, once it does */
  readonly end: AbortController
  /** since when its reader has taken nothing, although there is something */
  waitsSinceMs: number | undefined
  isStillAllowed(): boolean | Promise<boolean>
  cut(): void
}

/** The open streams of a server. */
export interface EventStreams {
  /** Sends a stream; refuses (429) one more than a person or the process may have. */
  send(reply: FastifyReply, stream: EventStream): FastifyReply
  readonly count: number
}

/**
 * Opens the streams of a server. `isStillAllowed` says whether a header Authorization is valid yet;
 * `stopping` fires when the server begins to stop.
 */
export function openEventStreams(
  isStillAllowed: (authorization: string | undefined) => boolean | Promise<boolean>,
  stopping: AbortSignal,
  times: StreamTimes = defaultTimes,
): EventStreams {
  const open = new Set<Open>()
  const take = openPlaces()
  let looking: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const now = performance.now()
    for (const stream of open) {
      if (stream.waitsSinceMs !== undefined && now - stream.waitsSinceMs > times.patienceMs) stream.cut()
      else if (!(await stream.isStillAllowed())) stream.end.abort()
    }
  }

  return {
    send(reply, stream) {
      const giveBack = take(reply.request.actor as Actor)
      const { authorization } = reply.request.headers
      const end = new AbortController()
      const one: Open = {
        end,
        waitsSinceMs: undefined,
        isStillAllowed: () => isStillAllowed(authorization),
        cut: () => reply.raw.socket?.resetAndDestroy(),
      }
      open.add(one)
      looking ??= setInterval(look, times.lookMs).unref()
      const signal = AbortSignal.any([end.signal, stopping, disconnectSignal(reply.raw)])
      reply.raw.once('close', () => {
        open.delete(one)
        giveBack()
        if (open.size > 0) return
        clearInterval(looking)
        looking = undefined
      })
      const text = withHeartbeats(stream.open(signal), times.heartbeatMs, error => {
        if (!isDatabaseUnavailable(error)) reply.request.log.error({ err: error }, 'a stream failed')
      })
      // No proxy may keep messages back.
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(whileTaken(one, text), { objectMode: false }))
    },
    get count() {
      return open.size
    },
  }
}

/**
 * Counts streams. Returns a function that takes a place for one of a person, or refuses (429), and returns
 * what gives it back.
 */
function openPlaces(): (actor: Actor) => () => void {
  const ofPerson = new Map<string, number>()
  let all = 0
  return ({ organisationId, userId }) => {
    const person = `${organisationId} ${userId}`
    const count = ofPerson.get(person) ?? 0
    if (count >= maxOfPerson)
      throw tooManyStreams(`A person may have ${maxOfPerson} streams at a time. End one first.`)
    if (all >= maxInAll) throw tooManyStreams('The service has as many streams as it can serve.')
    all++
    ofPerson.set(person, count + 1)
    return () => {
      all--
      const left = (ofPerson.get(person) ?? 1) - 1
      if (left === 0) ofPerson.delete(person)
      else ofPerson.set(person, left)
    }
  }
}

/**
 * Passes a stream on and notes how long its reader makes it wait. It is asked for more only when the reader
 * has taken what came before, so that a slow one costs no memory.
 */
async function* whileTaken(open: Open, text: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const piece of text) {
    open.waitsSinceMs = performance.now()
    yield piece
    open.waitsSinceMs = undefined
  }
}

/** Messages as text, with a comment where there were none for a while, which also says how far they went. */
async function* withHeartbeats(
  messages: AsyncGenerator<StreamMessage[]>,
  everyMs: number,
  onError: (error: unknown) => void,
): AsyncGenerator<string> {
  let reached: number | undefined
  let next: Promise<IteratorResult<StreamMessage[]>> | undefined
  let due = performance.now() + everyMs
  // At once, so that the caller knows that the stream is there.
  yield ': events\n\n'
  try {
    for (;;) {
      if (next === undefined) {
        next = messages.next()
        // Whoever leaves does not wait for it.
        next.catch(() => {})
      }
      const got = await unless(next, due - performance.now())
      if (got?.done) return
      if (got !== undefined) next = undefined
      const together = got?.value ?? []
      reached = together.at(-1)?.id ?? reached
      const text = together.map(textOf).join('')
      if (text !== '') yield text
      else if (performance.now() >= due) yield `: alive\n${reached === undefined ? '' : `id: ${reached}\n`}\n`
      else continue
      due = performance.now() + everyMs
    }
  } catch (error) {
    // The caller comes back and is told why, if it still is so.
    onError(error)
  } finally {
    await messages.return(undefined)
  }
}

/** A message as it is sent; what only says how far the stream has come waits for the next sign of life. */
const textOf = ({ id, data }: StreamMessage): string =>
  data === undefined ? '' : `id: ${id}\ndata: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`

/** What a promise gives, or undefined when it has given nothing for so long. */
async function unless<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), Math.max(ms, 0))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
