// Routes as data. An endpoint declares its method and path, who may call it, its input and output, and its
// handler. The server, the OpenAPI document and the tests that visit every endpoint read the same list.
// Handlers never see Fastify's request or reply. The application decides who may call an endpoint: a function
// of its own describes its endpoints and adds what that depends on (`Access`).

import type { Static, TSchema } from 'typebox'
import type { Database, Db, Tx } from '../database/db.ts'
import type { EventStream, StreamRequest } from './event-stream.ts'
import type { Fault } from './fault.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

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

/** The names of the ids in a path. */
export type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The ids in a path; all are uuids. */
export type Params<Path extends string> = Record<ParamNames<Path>, string>

/** Throws what makes the server pass a request on to the thread for large requests. */
export type PassOn = () => never

interface EndpointBase<Path extends string, Query extends TSchema, Value> {
  /** the operationId in the API document, unique among all endpoints */
  name: string
  /** one line for the API reference */
  summary: string
  /** a paragraph for the API reference, if one line is not enough */
  description?: string
  /** not part of the specification */
  extension?: boolean
  query?: Query
  response: ResponseSpec<Value>
  path?: Path
  /**
   * the error statuses besides 400, 401, 403, 429, 500 and 503, and besides 404 if the path names a record
   */
  refuses?: (404 | 409 | 422)[]
}

/** What every handler receives. */
interface RequestContext<Actor, Path extends string, Query> {
  /** the caller, as the application knows it */
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
export interface ReadContext<Actor, Path extends string, Query> extends RequestContext<Actor, Path, Query> {
  db: Db
}

/** What the handler of a GET with `ownTransactions` receives: the database. */
export interface OwnTransactionsReadContext<Actor, Path extends string, Query>
  extends RequestContext<Actor, Path, Query> {
  database: Database
}

/** What the handler of a GET with `writes` receives: an open transaction and the request's id. */
export interface TransactionContext<Actor, Path extends string, Query>
  extends RequestContext<Actor, Path, Query> {
  tx: Tx
  requestId: string
  /** sets a header of the response, if the handler does not throw */
  setHeader(name: string, value: string): void
}

/** What every other handler receives: the same, with the request's body. */
export interface WriteContext<Actor, Path extends string, Query, Body>
  extends TransactionContext<Actor, Path, Query> {
  body: Body
  /** the fields of the body that the endpoint does not know, by path, at most 20 */
  readonly ignoredFields: readonly string[]
  /** the body as JSON that can be stored: usually the text that was received */
  readonly bodyText: string
}

/** What a POST or PUT handler with `ownTransactions` receives: the database instead of a transaction. */
export interface OwnTransactionsContext<Actor, Path extends string, Query, Body>
  extends Omit<WriteContext<Actor, Path, Query, Body>, 'tx'> {
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
  /**
   * the path of the GET whose ETag `If-Match` is compared with, if it is not the nearest record in the path;
   * see if-match.ts
   */
  record?: string
  /** a request may ask what it would do; see rehearsal.ts */
  canBeRehearsed?: boolean
}

/** Describes a GET that only reads. */
export type ReadSpec<Actor, Path extends string, Query extends TSchema, Value> = { get: Path } & EndpointBase<
  Path,
  Query,
  Value
> & {
    ownTransactions?: never
    writes?: never
    handle(context: ReadContext<Actor, Path, Static<Query>>): Promise<Value>
  }

/** Describes a GET that changes something, for example by printing; it has no HEAD. */
export type WritingReadSpec<Actor, Path extends string, Query extends TSchema, Value> = {
  get: Path
} & EndpointBase<Path, Query, Value> & {
    writes: true
    ownTransactions?: never
    handle(context: TransactionContext<Actor, Path, Static<Query>>): Promise<Value>
  }

/** Describes a GET whose handler waits for something and opens its own transactions. */
export type OwnTransactionsReadSpec<Actor, Path extends string, Query extends TSchema, Value> = {
  get: Path
} & EndpointBase<Path, Query, Value> & {
    ownTransactions: true
    /** it also changes something, for example by printing */
    writes?: true
    handle(context: OwnTransactionsReadContext<Actor, Path, Static<Query>>): Promise<Value>
  }

/** Describes an endpoint that writes, in one transaction. */
export type WriteSpec<Actor, Path extends string, Query extends TSchema, Body extends TSchema, Value> = (
  | { post: Path }
  | { put: Path }
  | { delete: Path }
) &
  WritingEndpointBase<Path, Query, Body, Value> & {
    /** the handler sends only one statement, so no begin and commit are needed */
    oneStatement?: boolean
    handle(context: WriteContext<Actor, Path, Static<Query>, Static<Body>>): Promise<Value>
  }

/**
 * Describes an endpoint that writes, with no transaction open when its handler begins, because it waits for
 * an external system first.
 */
export type OwnTransactionsSpec<
  Actor,
  Path extends string,
  Query extends TSchema,
  Body extends TSchema,
  Value,
> = ({ post: Path } | { put: Path }) &
  WritingEndpointBase<Path, Query, Body, Value> & {
    ownTransactions: true
    handle(context: OwnTransactionsContext<Actor, Path, Static<Query>, Static<Body>>): Promise<Value>
  }

/** An endpoint as the server, the OpenAPI document and the tests see it. */
export interface Endpoint<Access = unknown> {
  readonly method: Method
  readonly path: string
  readonly name: string
  /** who may call it, in the terms of the application */
  readonly access: Access
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
  /** the name of the rate limit that its requests count towards */
  readonly limit: string
  readonly record?: string
  /** a request may ask what it would do; see rehearsal.ts */
  readonly canBeRehearsed?: boolean
  readonly response: ResponseSpec<unknown>
  readonly refuses: readonly number[]
  readonly handle: (context: never) => Promise<unknown>
}

/** Any of these descriptions, with what the application adds. */
export type EndpointSpec<Access> = Partial<Record<'get' | 'post' | 'put' | 'delete', string>> &
  Omit<WritingEndpointBase<string, TSchema, TSchema, unknown>, 'refuses'> &
  Pick<Endpoint<Access>, 'access' | 'limit' | 'refuses' | 'handle'> & {
    oneStatement?: boolean
    ownTransactions?: boolean
    writes?: true
  }

const methods = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const

/** Makes the endpoint that a description describes. */
export function makeEndpoint<Access>(spec: EndpointSpec<Access>): Endpoint<Access> {
  const verb = (['get', 'post', 'put', 'delete'] as const).find(name => spec[name] !== undefined)
  if (verb === undefined) throw new Error('An endpoint needs a method.')
  return {
    method: methods[verb],
    path: spec[verb] as string,
    name: spec.name,
    access: spec.access,
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
    limit: spec.limit,
    ...(spec.canBeRehearsed ? { canBeRehearsed: true } : {}),
    ...(spec.record === undefined ? {} : { record: spec.record }),
    response: spec.response,
    refuses: spec.refuses,
    handle: spec.handle,
  }
}
