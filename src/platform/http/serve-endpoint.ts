// Serves the requests to an endpoint: admits them, reads them, calls the handler with its access to the
// database, and sends the response.

import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Db } from '../database/db.ts'
import type { AnyAccessRules } from './access-rules.ts'
import type { Admission } from './admission.ts'
import type { Caller } from './caller.ts'
import { disconnectSignal } from './client-disconnect.ts'
import type { Endpoint, PassOn } from './endpoint.ts'
import { entityTagOf, matchesTag, recordOf } from './entity-tag.ts'
import { EventStream, type EventStreams, readStreamRequest, type StreamRequest } from './event-stream.ts'
import { ifStillUnchanged } from './if-match.ts'
import { formatIgnoredFields } from './known-fields.ts'
import { type Lane, LargeBody, passOn, respondFromLane, respondIfPassedOn } from './large-body.ts'
import { type Input, type RequestReader, requestReader } from './read-request.ts'
import { preconditionFailed, validationFailed } from './refusal.ts'
import { isRehearsal, rehearse, sendRehearsal, type TellEffects } from './rehearsal.ts'
import { type Serialise, sendResponse } from './send-response.ts'
import type { Validation } from './validation.ts'

const mebibyte = 1_048_576

export interface ServingParts {
  database: Database
  admit: Admission
  access: AnyAccessRules
  validation: Validation
  /** handles requests whose large bodies were not parsed */
  lane: Lane | undefined
  streams: EventStreams
  /** tells what rehearsed acts do */
  tell: TellEffects
  /** fires when the server begins to stop */
  stopping: AbortSignal
}

/** An endpoint with everything that is prepared for it once. */
interface ServedEndpoint {
  endpoint: Endpoint
  read: RequestReader
  /** set if the response has a schema */
  serialise: Serialise | undefined
  /** the GET of the record that an update changes */
  record: ServedEndpoint | undefined
}

const passThrough: Serialise = text => text as string

/** Adds a route for every endpoint. */
export function serveEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  parts: ServingParts,
): void {
  const servedEndpoints = new Map<Endpoint, ServedEndpoint>()
  for (const endpoint of endpoints) {
    const { schema, isText } = endpoint.response
    let serialise: Serialise | undefined
    servedEndpoints.set(endpoint, {
      endpoint,
      read: requestReader(endpoint, parts.validation, parts.access),
      get serialise() {
        // Made when it is first needed, to keep the start fast.
        if (schema !== undefined)
          serialise ??= isText ? passThrough : (fastJsonStringify(schema as object) as Serialise)
        return serialise
      },
      get record() {
        const record = recordOf(endpoint, endpoints)
        return record && servedEndpoints.get(record)
      },
    })
  }
  for (const servedEndpoint of servedEndpoints.values()) addRoute(app, servedEndpoint, parts)
}

function addRoute(app: FastifyInstance, servedEndpoints: ServedEndpoint, parts: ServingParts): void {
  const { endpoint } = servedEndpoints
  const { database, admit, access, lane, streams, stopping, tell } = parts
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: endpoint.method === 'GET' && !endpoint.writes,
    ...(endpoint.files ? { bodyLimit: 40 * mebibyte } : {}),
    ...(endpoint.largeBodyBytes === undefined ? {} : { config: { largeBodyBytes: endpoint.largeBodyBytes } }),
    onRequest(request, reply, done) {
      const admitted = admit(endpoint, request, reply)
      if (admitted === undefined) done()
      else admitted.then(() => done(), done)
    },
    async handler(request, reply) {
      if (lane !== undefined && request.body instanceof LargeBody)
        return respondFromLane(lane, request, reply, request.body)
      const input = servedEndpoints.read(request)
      const { faults, ignoredFields, ignoredNames } = input
      if (ignoredFields.length + ignoredNames.length > 0)
        reply.header('ignored-fields', formatIgnoredFields([...ignoredFields, ...ignoredNames]))
      if (endpoint.bodyFaults !== undefined) faults.push(...(await endpoint.bodyFaults(input.body)))
      if (faults.length > 0) throw validationFailed(...faults)
      const isConditional = request.headers['if-match'] !== undefined && endpoint.writes
      const attributed = access.databaseFor(endpoint, database, request)
      const contextWith = contextMaker(reply, input, stopping, lane === undefined ? undefined : passOn)
      const guarded = isConditional
        ? guard(servedEndpoints, attributed, request, reply, input, stopping)
        : attributed
      let value: unknown
      try {
        if (isRehearsal(request)) {
          const act = (rehearsed: Database) => callHandler(endpoint, rehearsed, contextWith)
          const facts = { actor: request.actor as Caller, params: input.params, tell }
          return sendRehearsal(
            reply,
            endpoint,
            await rehearse(guarded, act, facts),
            servedEndpoints.serialise,
          )
        }
        value = await callHandler(endpoint, guarded, contextWith)
      } catch (error) {
        return respondIfPassedOn(lane, request, reply, error)
      }
      if (value instanceof EventStream) return streams.send(reply, value)
      return sendResponse(reply, endpoint, value, servedEndpoints.serialise)
    },
  })
}

/** The access to the database that a handler gets: one of these. */
type DatabaseAccess = Partial<Record<'db' | 'tx' | 'database', unknown>>

/**
 * The argument of a handler. It is a class because V8 gives every object literal with a getter a shape of its
 * own, which keeps the request in memory until the old space is collected.
 */
class Context {
  readonly actor: FastifyRequest['actor']
  readonly requestId: string
  readonly params: Input['params']
  readonly query: Input['query']
  readonly body: unknown
  readonly ignoredFields: readonly string[]
  readonly db: unknown
  readonly tx: unknown
  readonly database: unknown
  readonly stopping: AbortSignal
  readonly passOn: PassOn | undefined
  readonly #reply: FastifyReply

  constructor(
    reply: FastifyReply,
    input: Input,
    stopping: AbortSignal,
    passOn: PassOn | undefined,
    access: DatabaseAccess,
  ) {
    this.actor = reply.request.actor
    this.requestId = reply.request.id
    this.params = input.params
    this.query = input.query
    this.body = input.body
    this.ignoredFields = input.ignoredFields
    this.db = access.db
    this.tx = access.tx
    this.database = access.database
    this.stopping = stopping
    this.passOn = passOn
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

type ContextMaker = (access: DatabaseAccess) => Context

const contextMaker =
  (reply: FastifyReply, input: Input, stopping: AbortSignal, passOn?: PassOn): ContextMaker =>
  access =>
    new Context(reply, input, stopping, passOn, access)

/**
 * Calls the handler with its access to the database: for reading, in a transaction, or for transactions of
 * its own.
 */
function callHandler(endpoint: Endpoint, database: Database, contextWith: ContextMaker): Promise<unknown> {
  const call = endpoint.handle as (context: object) => Promise<unknown>
  if (endpoint.ownTransactions) return call(contextWith({ database }))
  if (!endpoint.writes) return call(contextWith({ db: database.db }))
  const inTransaction = endpoint.oneStatement ? database.inOneStatement : database.atomically
  return inTransaction(tx => call(contextWith({ tx })))
}

/**
 * Returns the database for an update with If-Match: its changes are rolled back unless the record still has
 * the given ETag.
 */
function guard(
  servedEndpoints: ServedEndpoint,
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input,
  stopping: AbortSignal,
): Database {
  const { record } = servedEndpoints
  if (record === undefined)
    throw preconditionFailed('If-Match cannot be checked, because this path has no single record.')
  const requestedTag = request.headers['if-match'] as string
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
    if (!matchesTag(requestedTag, entityTagOf(text)))
      throw preconditionFailed('The record has changed since it was read with the ETag that If-Match gives.')
  }
  const name = `${request.actor?.organisationId} ${record.endpoint.path} ${JSON.stringify(input.params)}`
  return ifStillUnchanged(database, name, check)
}
