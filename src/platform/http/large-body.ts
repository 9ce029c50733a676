// Requests with large bodies: what is handed to the lane in which they are read and handled, and what comes
// back. The lane is a thread, so that nobody else waits while megabytes are parsed; see lane/lane.ts.

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from './actor.ts'
import { disconnectSignal } from './client-disconnect.ts'
import type { ErrorBody } from './refusal.ts'

/** A body that is left unread. Whoever hands its bytes to a thread loses them. */
export class LargeBody {
  readonly bytes: ArrayBuffer
  constructor(bytes: ArrayBuffer) {
    this.bytes = bytes
  }
}

const step = 1_048_576

/**
 * Bytes that are put together as they come. Unlike other memory of buffers, that of one which can be resized
 * is asked of the system and goes back to it, and nothing is copied when it grows.
 */
export class GrowingBytes {
  private readonly buffer: ArrayBuffer
  private readonly view: Uint8Array
  private length = 0

  constructor(limit: number) {
    this.buffer = new ArrayBuffer(0, { maxByteLength: limit })
    this.view = new Uint8Array(this.buffer)
  }

  /** Throws where there are more than the limit. */
  add(bytes: Uint8Array): void {
    const length = this.length + bytes.length
    const { byteLength, maxByteLength } = this.buffer
    if (length > byteLength) this.buffer.resize(Math.max(length, Math.min(byteLength + step, maxByteLength)))
    this.view.set(bytes, this.length)
    this.length = length
  }

  /** All of them; nothing may be added any more. */
  end(): ArrayBuffer {
    this.buffer.resize(this.length)
    return this.buffer
  }
}

/** A request that was let in, whose body is still to be read. */
export interface LargeRequest {
  readonly method: string
  /** path and query, as they were asked for */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly actor: Actor
  readonly body: ArrayBuffer
}

/** The whole answer to it, refusals included. */
export interface LargeResponse {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly bytes: Uint8Array
}

/** Where requests with large bodies are handled. */
export interface Lane {
  /** Resolves with the answer; rejects with 503 when it cannot be had. The signal: the client has left. */
  serve(request: LargeRequest, signal: AbortSignal): Promise<LargeResponse>
  /** Finishes what is under way. What still comes gets 503. */
  close(): Promise<void>
}

// Who asks was decided here, how the body came is over, and the id goes along.
const ownHeaders = ['authorization', 'content-length', 'transfer-encoding', 'connection', 'x-request-id']
// The server that sends the answer says these itself.
const ownAnswers = new Set(['content-length', 'transfer-encoding', 'connection', 'date', 'x-request-id'])

/** Answers a request with what the lane makes of it. */
export async function answerFromLane(
  lane: Lane,
  request: FastifyRequest,
  reply: FastifyReply,
  body: LargeBody,
): Promise<FastifyReply> {
  const headers: IncomingHttpHeaders = { ...request.headers }
  for (const name of ownHeaders) delete headers[name]
  headers['x-request-id'] = request.id
  const { method, url, actor } = request
  const asked = { method, url, headers, actor: actor as Actor, body: body.bytes }
  const { status, headers: answered, bytes } = await lane.serve(asked, disconnectSignal(reply.raw))
  if (status >= 400) request.refusalMessages = messagesOf(bytes)
  for (const [name, value] of Object.entries(answered))
    if (value !== undefined && !ownAnswers.has(name)) reply.header(name, value)
  return reply.code(status).send(bytes.length === 0 ? undefined : Buffer.from(bytes.buffer as ArrayBuffer))
}

/** The sentences of a refusal. */
const messagesOf = (bytes: Uint8Array): string[] =>
  (JSON.parse(Buffer.from(bytes).toString()) as ErrorBody).ErrorMessages
