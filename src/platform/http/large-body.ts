// Requests with large bodies: what is passed to the lane that parses and handles them, and what it returns.
// The lane is a thread, so that other requests do not wait while megabytes are parsed; see lane/lane.ts.

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from './caller.ts'
import { disconnectSignal } from './client-disconnect.ts'
import type { PassOn } from './endpoint.ts'
import { type ErrorBody, validationFailed } from './refusal.ts'

/** A body that was not parsed. Passing its bytes to a thread transfers them. */
export class LargeBody {
  readonly bytes: ArrayBuffer
  constructor(bytes: ArrayBuffer) {
    this.bytes = bytes
  }
}

/** How many bytes a growing buffer adds at a time. */
const growthBytes = 1_048_576

/**
 * A buffer that collects bytes as they arrive. It is resizable: the memory of a resizable buffer comes
 * directly from the system and is returned to it, and nothing is copied when it grows.
 */
export class GrowingBuffer {
  readonly #buffer: ArrayBuffer
  readonly #view: Uint8Array
  #length = 0

  constructor(limit: number) {
    this.#buffer = new ArrayBuffer(0, { maxByteLength: limit })
    this.#view = new Uint8Array(this.#buffer)
  }

  /** Throws if the total exceeds the limit. */
  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    const { byteLength, maxByteLength } = this.#buffer
    if (length > byteLength)
      this.#buffer.resize(Math.max(length, Math.min(byteLength + growthBytes, maxByteLength)))
    this.#view.set(bytes, this.#length)
    this.#length = length
  }

  /** Returns all bytes; nothing may be added afterwards. */
  end(): ArrayBuffer {
    this.#buffer.resize(this.#length)
    return this.#buffer
  }
}

/** An authorised request whose body has not been parsed yet. */
export interface LargeRequest {
  readonly method: string
  /** the path and query, as received */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly actor: Caller
  readonly body: ArrayBuffer
}

/** The whole response to a large request; it may be an error. */
export interface LargeResponse {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly bytes: Uint8Array
}

/** Handles requests with large bodies. */
export interface Lane {
  /** Resolves with the response, or rejects with 503. The signal fires if the client disconnects. */
  serve(request: LargeRequest, signal: AbortSignal): Promise<LargeResponse>
  /** Finishes the running requests. Waiting and later ones get 503. */
  close(): Promise<void>
}

// Request headers that are not passed on: the caller is already authenticated, the body already received, and
// the request id is set separately.
const droppedRequestHeaders = [
  'authorization',
  'content-length',
  'transfer-encoding',
  'connection',
  'x-request-id',
]
// Response headers that the server that sends the response sets itself.
const droppedResponseHeaders = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'date',
  'x-request-id',
])

/** A request is too large for this thread, though its body is not: the lane is to handle it. */
class PassedOnError extends Error {}

/** Makes the server pass a request on to the lane. */
export const passOn: PassOn = () => {
  throw new PassedOnError('The request is passed on to the thread for large requests.')
}

/**
 * Has the lane handle a request that a handler passed on, when its organisation has a turn. Throws the error
 * again if it is another one.
 */
export async function respondIfPassedOn(
  lane: Lane | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const { actor, body, bodyText } = request
  if (lane === undefined || actor === undefined || !(error instanceof PassedOnError)) throw error
  let share = request.bodyShare
  if (share === undefined) {
    share = request.server.bodyShareFor(actor.organisationId)
    reply.raw.on('close', share.release)
  }
  if (!(await share.turn())) throw validationFailed('The client disconnected.')
  const text = body === undefined || body === null ? '' : (bodyText ?? JSON.stringify(body))
  return respondFromLane(lane, request, reply, new LargeBody(Uint8Array.from(Buffer.from(text)).buffer))
}

/** Has the lane handle a request, and sends its response. */
export async function respondFromLane(
  lane: Lane,
  request: FastifyRequest,
  reply: FastifyReply,
  body: LargeBody,
): Promise<FastifyReply> {
  const headers: IncomingHttpHeaders = { ...request.headers }
  for (const name of droppedRequestHeaders) delete headers[name]
  headers['x-request-id'] = request.id
  const { method, url, actor } = request
  const largeRequest = { method, url, headers, actor: actor as Caller, body: body.bytes }
  const {
    status,
    headers: responseHeaders,
    bytes,
  } = await lane.serve(largeRequest, disconnectSignal(reply.raw))
  if (status >= 400) request.refusalMessages = messagesOf(bytes)
  for (const [name, value] of Object.entries(responseHeaders))
    if (value !== undefined && !droppedResponseHeaders.has(name)) reply.header(name, value)
  return reply.code(status).send(bytes.length === 0 ? undefined : Buffer.from(bytes.buffer as ArrayBuffer))
}

/** The messages of an error body. */
const messagesOf = (bytes: Uint8Array): string[] =>
  (JSON.parse(Buffer.from(bytes).toString()) as ErrorBody).ErrorMessages
