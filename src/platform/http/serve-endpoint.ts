// The life of a request to an endpoint: admission, reading, the handler with what it may do with the
// database, and the answer.

import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Db } from '../database/db.ts'
import type { Admission } from './admission.ts'
import { answer, type Serialise } from './answer.ts'
import { authored } from './authored.ts'
import { disconnectSignal } from './client-disconnect.ts'
import { whileUnchanged } from './conditional.ts'
import type { Endpoint } from './endpoint.ts'
import { namesTag, recordOf, tagOf } from './entity-tag.ts'
import { EventStream, type EventStreams, readStreamRequest, type StreamRequest } from './event-stream.ts'
import { answerFromLane, type Lane, LargeBody } from './large-body.ts'
import { type Input, type RequestReader, requestReader } from './read-request.ts'
import { preconditionFailed, validationFailed } from './refusal.ts'
import type { Validation } from './validation.ts'

const mebibyte = 1_048_576

export interface ServingParts {
  database: Database
  admit: Admission
  validation: Validation
  /** handles requests whose bodies were left unread */
  lane: Lane | undefined
  streams: EventStreams
  /** fires when the server begins to stop */
  stopping: AbortSignal
}

/** An endpoint with what is made for it once. */
interface Served {
  endpoint: Endpoint
  read: RequestReader
  /** there where the answer has a schema */
  serialise: Serialise | undefined
  /** the record that an update changes */
  record: Served | undefined
}

const asItIs: Serialise = text => text as string

/** Adds a route for every endpoint. */
export function serveEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  parts: ServingParts,
): void {
  const served = new Map<Endpoint, Served>()
  for (const endpoint of endpoints) {
    const { schema, isText } = endpoint.answer
    let serialise: Serialise | undefined
    served.set(endpoint, {
      endpoint,
      read: requestReader(endpoint, parts.validation),
      get serialise() {
        // Made when it is first needed, so that the start does not pay for it.
        if (schema !== undefined)
          serialise ??= isText ? asItIs : (fastJsonStringify(schema as object) as Serialise)
        return serialise
      },
      get record() {
        const record = recordOf(endpoint, endpoints)
        return record && served.get(record)
      },
    })
  }
  for (const one of served.values()) addRoute(app, one, parts)
}

function addRoute(app: FastifyInstance, served: Served, parts: ServingParts): void {
  const { endpoint } = served
  const { database, admit, lane, streams, stopping } = parts
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: endpoint.method === 'GET' && !endpoint.writes,
    ...(endpoint.files ? { bodyLimit: 40 * mebibyte } : {}),
    onRequest(request, reply, done) {
      const admitted = admit(endpoint, request, reply)
      if (admitted === undefined) done()
      else admitted.then(() => done(), done)
    },
    async handler(request, reply) {
      if (lane !== undefined && request.body instanceof LargeBody)
        return answerFromLane(lane, request, reply, request.body)
      const input = served.read(request)
      const { faults } = input
      if (endpoint.bodyFaults !== undefined) faults.push(...(await endpoint.bodyFaults(input.body)))
      if (faults.length > 0) throw validationFailed(...faults)
      const isConditional = request.headers['if-match'] !== undefined && endpoint.writes
      const own = endpoint.isAdministration ? authored(database, request) : database
      const guarded = isConditional ? guard(served, own, request, reply, input, stopping) : own
      const value = await handle(endpoint, guarded, contextMaker(reply, input, stopping))
      if (value instanceof EventStream) return streams.send(reply, value)
      return answer(reply, endpoint, value, served.serialise)
    },
  })
}

/** What a handler may do with the database. */
type Handles = Partial<Record<'db' | 'tx' | 'database', unknown>>

/**
 * What a handler is called with. A class, for V8 gives every object whose literal has a getter a shape of its
 * own, and keeps the request with it until the old space is collected.
 */
class Context {
  readonly actor: FastifyRequest['actor']
  readonly requestId: string
  readonly params: Input['params']
  readonly query: Input['query']
  readonly body: unknown
  readonly db: unknown
  readonly tx: unknown
  readonly database: unknown
  readonly stopping: AbortSignal
  readonly #reply: FastifyReply

  constructor(reply: FastifyReply, input: Input, stopping: AbortSignal, handles: Handles) {
    this.actor = reply.request.actor
    this.requestId = reply.request.id
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.db = handles.db
    this.tx = handles.tx
    this.database = handles.database
    this.stopping = stopping
    this.#reply = reply
  }

  get bodyText(): string {
    return this.#reply.request.bodyText ?? JSON.stringify(this.body)
  }

  get signal(): AbortSignal {
    return disconnectSignal(this.#reply.raw)
  }

  get isCsvRequested(): boolean {
    const { accept = '' } = this.#reply.request.headers
    return /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept)
  }

  get streamRequest(): StreamRequest | undefined {
    return readStreamRequest(this.#reply)
  }

  get logDefect(): (error: unknown) => void {
    return error => this.#reply.request.log.error({ err: error }, 'unexpected error')
  }

  get setHeader(): (name: string, value: string) => void {
    return (name, value) => void this.#reply.header(name, value)
  }
}

type ContextMaker = (handles: Handles) => Context

const contextMaker =
  (reply: FastifyReply, input: Input, stopping: AbortSignal): ContextMaker =>
  handles =>
    new Context(reply, input, stopping, handles)

/**
 * Calls the handler with what it may do with the database: read, write in a transaction, or begin
 * transactions itself.
 */
function handle(endpoint: Endpoint, database: Database, contextWith: ContextMaker): Promise<unknown> {
  const call = endpoint.handle as (context: object) => Promise<unknown>
  if (endpoint.ownTransactions) return call(contextWith({ database }))
  if (!endpoint.writes) return call(contextWith({ db: database.db }))
  const inTransaction = endpoint.oneStatement ? database.inOneStatement : database.atomically
  return inTransaction(tx => call(contextWith({ tx })))
}

/** The database for an update with If-Match: what it changes is undone unless the record is that one. */
function guard(
  served: Served,
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input,
  stopping: AbortSignal,
): Database {
  const { record } = served
  if (record === undefined)
    throw preconditionFailed('If-Match cannot be held against anything: this address has no single record.')
  const wanted = request.headers['if-match'] as string
  const { query } = record.read({
    params: {},
    query: {},
    body: undefined,
    actor: request.actor,
    storageFaults: undefined,
  })
  const contextWith = contextMaker(reply, { ...input, query, body: undefined }, stopping)
  const serialise = record.serialise as Serialise
  const get = record.endpoint.handle as (context: object) => Promise<unknown>
  async function check(db: Db): Promise<void> {
    const text = serialise(await get(contextWith({ db })))
    if (!namesTag(wanted, tagOf(text)))
      throw preconditionFailed('The record has changed since it was read with the ETag that If-Match gives.')
  }
  const name = `${request.actor?.organisationId} ${record.endpoint.path} ${JSON.stringify(input.params)}`
  return whileUnchanged(database, name, check)
}
