// Routes as data. An endpoint declares its method and path, who may call it, its input and output, and its
// handler. The server, the OpenAPI document and the tests that visit every endpoint read the same list.
// Handlers never see Fastify's request or reply.

import type { Static, TSchema } from 'typebox'
import type { Actor } from '../../access/actor.ts'
import type { RequiredScope } from '../../access/scopes.ts'
import type { Database, Db, Tx } from '../database/db.ts'
import type { EventStream, StreamRequest } from './event-stream.ts'
import type { Fault } from './fault.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A file to send. */
export interface FileResponse {
  fileName: string
  contentType: string
  bytes: Buffer
}

/** A response that is sent in chunks while they are produced. Iteration stops when the client disconnects. */
export interface StreamResponse {
  /** absent: an ordinary response rather than a file to download */
  fileName?: string
  contentType: string
  /** read no faster than the client receives it; an error part-way resets the connection */
  bytes: AsyncIterable<Uint8Array | string>
  /** nothing else refers to the chunks, so the memory of each is released as soon as it is sent */
  mayReleaseChunks?: boolean
}

/** How a handler's value becomes a response. The type parameter is the value that the handler returns. */
export interface ResponseSpec<Value> {
  readonly kind: 'json' | 'empty' | 'changed' | 'created' | 'file' | 'stream' | 'events' | 'status'
  readonly status: number
  readonly schema?: TSchema
  /** kind json: the value is the JSON text of the body, as the database produced it */
  readonly isText?: true
  /** kind status: what each status means */
  readonly meanings?: Record<number, string>
  /** kind created: the name of the id in the body and Location header */
  readonly idName?: string
  /** kind created: the path that the record is found under, if it is not the path of the request */
  readonly under?: string
  /** kinds file and stream: the types that the file may have */
  readonly contentTypes?: readonly string[]
  readonly value?: Value
}

/** 200 with a JSON body. */
export const json = <S extends TSchema>(schema: S, status = 200): ResponseSpec<Static<S>> => ({
  kind: 'json',
  status,
  schema,
})
/**
 * 200 with a JSON body whose text the database produced. The handler returns that text and it is sent
 * unchanged. Meant for responses so large that parsing and serialising them would be most of the work.
 */
export const jsonText = (schema: TSchema): ResponseSpec<string> => ({
  kind: 'json',
  status: 200,
  schema,
  isText: true,
})
/**
 * 200 with a JSON body, whose text the handler returns, or with a stream of messages if the caller accepts
 * text/event-stream.
 */
export const jsonTextOrEvents = (schema: TSchema): ResponseSpec<string | EventStream> => ({
  kind: 'events',
  status: 200,
  schema,
  isText: true,
})
/** 202 with a JSON body: the request is stored and carried out later. */
export const accepted = <S extends TSchema>(schema: S): ResponseSpec<Static<S>> => json(schema, 202)
/** 200 without a body. */
export const done: ResponseSpec<void> = { kind: 'empty', status: 200 }
/** 200 without a body if the handler returns true, 304 if it returns false. */
export const changed: ResponseSpec<boolean> = { kind: 'changed', status: 200 }
/** 200 with a JSON body, or 304 if the handler returns null. */
export const changedTo = <S extends TSchema>(schema: S): ResponseSpec<Static<S> | null> => ({
  kind: 'changed',
  status: 200,
  schema,
})
/**
 * 201 with a Location header. The handler returns the body, whose field `idName` is the last segment of the
 * location. The part before it is the path of the request, or `under`.
 */
export const created = <S extends TSchema>(
  idName: string,
  schema: S,
  under?: string,
): ResponseSpec<Static<S>> => ({
  kind: 'created',
  status: 201,
  schema,
  idName,
  ...(under === undefined ? {} : { under }),
})
/** 200 with a file to download. */
export const file: ResponseSpec<FileResponse> = { kind: 'file', status: 200 }
/** 200 with a file of one of these types, or ranges of types such as `image/*`. */
export const fileOf = (...contentTypes: string[]): ResponseSpec<FileResponse> => ({ ...file, contentTypes })
/** 200 with a file to download that is produced while it is sent. */
export const stream: ResponseSpec<StreamResponse> = { kind: 'stream', status: 200 }
/** The same, of one of these types. */
export const streamOf = (...contentTypes: string[]): ResponseSpec<StreamResponse> => ({
  ...stream,
  contentTypes,
})
/**
 * 200 with a JSON array that is produced while it is sent, or with a table if the caller accepts text/csv.
 */
export const rows = (schema: TSchema): ResponseSpec<StreamResponse> => ({
  kind: 'stream',
  status: 200,
  schema,
})
/** Only a status, without a body. The handler returns the status. */
export const statuses = <Status extends number>(meanings: Record<Status, string>): ResponseSpec<Status> => ({
  kind: 'status',
  status: 200,
  meanings,
})

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The ids in a path; all are uuids. */
export type Params<Path extends string> = Record<ParamNames<Path>, string>

/** The rate limit that a request counts towards. Spec 8. */
export type Limit = 'standard' | 'reports'

/** Throws what makes the server pass a request on to the thread for large requests. */
export type PassOn = () => never

/** Which partners' users may call an endpoint. Decision 3. */
export type PartnerAccess = 'all' | 'clients' | 'carriers' | 'none'

interface EndpointBase<Path extends string, Query extends TSchema, Value> {
  /** the operationId in the API document, unique among all endpoints */
  name: string
  /** which partners' tokens may call it; the handler restricts what they see */
  partners: PartnerAccess
  /** the scope that the caller's token needs; see scopes.ts */
  scope: RequiredScope
  /** one line for the API reference */
  summary: string
  /** a paragraph for the API reference, if one line is not enough */
  description?: string
  /** not part of the specification */
  extension?: boolean
  query?: Query
  response: ResponseSpec<Value>
  path?: Path
  /** the id in the path that is replaced by the token's own partner, if it has one. Spec 4.12 */
  partnerParam?: ParamNames<Path>
  /**
   * the error statuses besides 400, 401, 403, 429, 500 and 503, and besides 404 if the path names a record
   */
  refuses?: (404 | 409 | 422)[]
  /** the rate limit that it counts towards; default `standard` */
  limit?: Limit
}

/** What every handler receives. */
interface RequestContext<Path extends string, Query> {
  actor: Actor
  params: Params<Path>
  query: Query
  /** fires when the client disconnects before it has the whole response */
  readonly signal: AbortSignal
  /** fires when the service begins to stop: a handler that is waiting should respond with what it has */
  readonly stopping: AbortSignal
  /** whether the caller accepts text/csv rather than JSON */
  readonly isCsvRequested: boolean
  /** set if the caller accepts text/event-stream */
  readonly streamRequest: StreamRequest | undefined
  /**
   * has the thread for large requests handle the request from its beginning, by throwing; undefined if there
   * is none or this is that thread
   */
  readonly passOn: PassOn | undefined
}

/** What the handler of a GET receives. */
export interface ReadContext<Path extends string, Query> extends RequestContext<Path, Query> {
  db: Db
}

/** What the handler of a GET with `ownTransactions` receives: the database. */
export interface OwnTransactionsReadContext<Path extends string, Query> extends RequestContext<Path, Query> {
  database: Database
}

/** What the handler of a GET with `writes` receives: an open transaction and the request's id. */
export interface TransactionContext<Path extends string, Query> extends RequestContext<Path, Query> {
  tx: Tx
  requestId: string
  /** sets a header of the response, if the handler does not throw */
  setHeader(name: string, value: string): void
}

/** What every other handler receives: the same, with the request's body. */
export interface WriteContext<Path extends string, Query, Body> extends TransactionContext<Path, Query> {
  body: Body
  /** the fields of the body that the endpoint does not know, by path, at most 20 */
  readonly ignoredFields: readonly string[]
  /** the body as JSON that can be stored: usually the text that was received */
  readonly bodyText: string
}

/** What a POST or PUT handler with `ownTransactions` receives: the database instead of a transaction. */
export interface OwnTransactionsContext<Path extends string, Query, Body>
  extends Omit<WriteContext<Path, Query, Body>, 'tx'> {
  database: Database
  /** logs a defect that makes only part of the request fail */
  logDefect(error: unknown): void
}

interface WritingEndpointBase<Path extends string, Query extends TSchema, Body extends TSchema, Value>
  extends EndpointBase<Path, Query, Value> {
  body?: Body
  /** the body carries files: 40 MiB instead of 1 MiB */
  files?: boolean
  /** a body above this many bytes is handled by the thread for large requests; default 1 MiB */
  largeBodyBytes?: number
  /**
   * Finds faults of the body that need asynchronous work. They are reported together with those that the
   * schema finds. The body may have any shape.
   */
  bodyFaults?(body: unknown): Promise<Fault[]>
  /** the body may be left out */
  bodyOptional?: boolean
  /** the handler sends only one statement, so no begin and commit are needed */
  oneStatement?: boolean
  /** the database keeps a history of its changes, as it does for every change of scope `organisation` */
  isAdministration?: true
  /**
   * the path of the GET whose ETag `If-Match` is compared with, if it is not the nearest record in the path;
   * see conditional.ts
   */
  record?: string
  handle(context: WriteContext<Path, Static<Query>, Static<Body>>): Promise<Value>
}

/** An endpoint as the server, the OpenAPI document and the tests see it. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly name: string
  readonly partners: PartnerAccess
  readonly partnerParam?: string
  readonly scope: RequiredScope
  readonly summary: string
  readonly description?: string
  readonly extension: boolean
  readonly query?: TSchema
  readonly body?: TSchema
  readonly bodyFaults?: (body: unknown) => Promise<Fault[]>
  readonly bodyOptional: boolean
  readonly files: boolean
  readonly largeBodyBytes?: number
  readonly oneStatement: boolean
  readonly ownTransactions: boolean
  readonly writes: boolean
  readonly isAdministration?: boolean
  readonly limit: Limit
  readonly record?: string
  readonly response: ResponseSpec<unknown>
  readonly refuses: number[]
  readonly handle: (context: never) => Promise<unknown>
}

type EndpointSpec = Partial<Record<'get' | 'post' | 'put' | 'delete', string>> &
  Omit<WritingEndpointBase<string, TSchema, TSchema, unknown>, 'handle' | 'partnerParam'> & {
    partnerParam?: string
    ownTransactions?: boolean
    writes?: true
    handle: (context: never) => Promise<unknown>
  }

const methods = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const

/** Describes an endpoint: `endpoint({ get: '/v1/…', scope, summary, response: json(Schema), handle })`. */
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: { get: Path } & EndpointBase<Path, Query, Value> & {
      /** the GET changes something, for example by printing; it has no HEAD */
      writes: true
      ownTransactions?: never
      handle(context: TransactionContext<Path, Static<Query>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: { get: Path } & EndpointBase<Path, Query, Value> & {
      /** the handler waits for something and opens its own transactions */
      ownTransactions: true
      /** the GET also changes something, for example by printing */
      writes?: true
      handle(context: OwnTransactionsReadContext<Path, Static<Query>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: { get: Path } & EndpointBase<Path, Query, Value> & {
      ownTransactions?: never
      writes?: never
      handle(context: ReadContext<Path, Static<Query>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Body extends TSchema, Value>(
  spec: ({ post: Path } | { put: Path }) &
    Omit<WritingEndpointBase<Path, Query, Body, Value>, 'handle' | 'oneStatement'> & {
      /** no transaction is open when the handler begins, because it waits for an external system first */
      ownTransactions: true
      handle(context: OwnTransactionsContext<Path, Static<Query>, Static<Body>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Body extends TSchema, Value>(
  spec: ({ post: Path } | { put: Path } | { delete: Path }) & WritingEndpointBase<Path, Query, Body, Value>,
): Endpoint
export function endpoint(spec: EndpointSpec): Endpoint {
  const verb = (['get', 'post', 'put', 'delete'] as const).find(name => spec[name] !== undefined)
  if (verb === undefined) throw new Error('An endpoint needs a method.')
  return {
    method: methods[verb],
    path: spec[verb] as string,
    name: spec.name,
    partners: spec.partners,
    ...(spec.partnerParam === undefined ? {} : { partnerParam: spec.partnerParam }),
    scope: spec.scope,
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    extension: spec.extension ?? false,
    ...(spec.query === undefined ? {} : { query: spec.query }),
    ...(spec.body === undefined ? {} : { body: spec.body }),
    ...(spec.bodyFaults === undefined ? {} : { bodyFaults: spec.bodyFaults }),
    bodyOptional: spec.bodyOptional ?? false,
    files: spec.files ?? false,
    ...(spec.largeBodyBytes === undefined ? {} : { largeBodyBytes: spec.largeBodyBytes }),
    oneStatement: spec.oneStatement ?? false,
    ownTransactions: spec.ownTransactions ?? false,
    writes: verb !== 'get' || (spec.writes ?? false),
    isAdministration: spec.isAdministration ?? (verb !== 'get' && spec.scope === 'organisation'),
    limit: spec.limit ?? 'standard',
    ...(spec.record === undefined ? {} : { record: spec.record }),
    response: spec.response,
    refuses: spec.refuses ?? [],
    handle: spec.handle,
  }
}
