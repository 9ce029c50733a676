// Routes as data. An endpoint says its method and path, who may call it, what it takes and returns, and how;
// the server, the OpenAPI document and the tests that walk every endpoint read the same list. Handlers never
// see request or reply.

import type { Static, TSchema } from 'typebox'
import type { Database, Db, Tx } from '../database/db.ts'
import type { Actor } from './actor.ts'
import type { EventStream, StreamRequest } from './event-stream.ts'
import type { Fault } from './fault.ts'
import type { RequiredScope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A file on its way out. */
export interface FileAnswer {
  fileName: string
  contentType: string
  bytes: Buffer
}

/** An answer on its way out in pieces, as they are made. Its loop ends when the client leaves. */
export interface StreamAnswer {
  /** absent: an answer like any other, and no file to save */
  fileName?: string
  contentType: string
  /** read no faster than the client takes it; an error in the middle breaks the connection */
  bytes: AsyncIterable<Uint8Array | string>
  /** nobody else has the pieces: the memory of each is given back when it is sent */
  mayReleaseChunks?: boolean
}

/** How a handler's value becomes a response. The type parameter is the value that the handler returns. */
export interface Answer<Value> {
  readonly kind: 'json' | 'empty' | 'changed' | 'created' | 'file' | 'stream' | 'events' | 'status'
  readonly status: number
  readonly schema?: TSchema
  /** kind json: the value is the JSON text of the body, as the database made it */
  readonly isText?: true
  /** kind status: what each status means */
  readonly meanings?: Record<number, string>
  /** kind created: the name of the id in the body and Location header */
  readonly idName?: string
  /** kind created: the path that the record is found under, where it is not the request's own */
  readonly under?: string
  readonly value?: Value
}

/** 200 with a JSON body. */
export const json = <S extends TSchema>(schema: S, status = 200): Answer<Static<S>> => ({
  kind: 'json',
  status,
  schema,
})
/**
 * 200 with a JSON body that the database has made whole: the handler returns its text, which is sent as it
 * is. For answers so large that reading and writing them again would be most of the work.
 */
export const jsonText = (schema: TSchema): Answer<string> => ({
  kind: 'json',
  status: 200,
  schema,
  isText: true,
})
/**
 * 200 with a JSON body, whose text the handler returns, or, for a caller that accepts text/event-stream, with
 * a stream of messages.
 */
export const jsonTextOrEvents = (schema: TSchema): Answer<string | EventStream> => ({
  kind: 'events',
  status: 200,
  schema,
  isText: true,
})
/** 202 with a JSON body: stored, and done later. */
export const accepted = <S extends TSchema>(schema: S): Answer<Static<S>> => json(schema, 202)
/** 200 without a body. */
export const done: Answer<void> = { kind: 'empty', status: 200 }
/** 200 without a body where the handler answers true, 304 where it answers false. */
export const changed: Answer<boolean> = { kind: 'changed', status: 200 }
/** 200 with a JSON body, or 304 where the handler answers null. */
export const changedTo = <S extends TSchema>(schema: S): Answer<Static<S> | null> => ({
  kind: 'changed',
  status: 200,
  schema,
})
/**
 * 201 with a Location header; the handler returns the body, whose `idName` is the last part of the location.
 * What comes before is the path of the request, or `under`.
 */
export const created = <S extends TSchema>(idName: string, schema: S, under?: string): Answer<Static<S>> => ({
  kind: 'created',
  status: 201,
  schema,
  idName,
  ...(under === undefined ? {} : { under }),
})
/** 200 with a file to download. */
export const file: Answer<FileAnswer> = { kind: 'file', status: 200 }
/** 200 with a file to download that is made while it is sent. */
export const stream: Answer<StreamAnswer> = { kind: 'stream', status: 200 }
/**
 * 200 with a JSON array that is made while it is sent or, for a caller that accepts text/csv, with a table.
 */
export const rows = (schema: TSchema): Answer<StreamAnswer> => ({ kind: 'stream', status: 200, schema })
/** The status is the answer; no body. */
export const statuses = <Status extends number>(meanings: Record<Status, string>): Answer<Status> => ({
  kind: 'status',
  status: 200,
  meanings,
})

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The ids in a path, all of them uuids. */
export type Params<Path extends string> = Record<ParamNames<Path>, string>

/** Which of the limits of section 8 counts a request. */
export type Limit = 'standard' | 'reports'

/** Whose people, of those that belong to a partner, may call an endpoint. Open-points 3. */
export type PartnerAccess = 'all' | 'clients' | 'carriers' | 'none'

interface Common<Path extends string, Query extends TSchema, Value> {
  /** what programs call it: the operationId of the API document, unique among all endpoints */
  name: string
  /** whose people may call it with the token of a partner; what they see is for the handler to narrow */
  partners: PartnerAccess
  /** who may call it; see scopes.ts */
  scope: RequiredScope
  /** one line for the API reference */
  summary: string
  /** a paragraph for the API reference, where one line is not enough */
  description?: string
  /** not in the specification: an endpoint around it */
  extension?: boolean
  query?: Query
  answer: Answer<Value>
  path?: Path
  /** the id in the path that a token of a partner cannot choose: it stands for its own partner. Spec 4.12 */
  partnerParam?: ParamNames<Path>
  /**
   * the statuses of refusals beyond 400, 401, 403, 429, 500 and 503, and 404 where the path names a record
   */
  refuses?: (404 | 409 | 422)[]
  /** which rate limit counts it; `standard` unless said */
  limit?: Limit
}

/** What every handler gets. */
interface RequestContext<Path extends string, Query> {
  actor: Actor
  params: Params<Path>
  query: Query
  /** fires when the client leaves before it has the whole answer */
  readonly signal: AbortSignal
  /** fires when the service begins to stop: whoever waits for something answers with what there is */
  readonly stopping: AbortSignal
  /** the caller accepts text/csv rather than JSON */
  readonly isCsvRequested: boolean
  /** there where the caller asks for a stream and the endpoint has one */
  readonly streamRequest: StreamRequest | undefined
}

/** What a GET's handler gets. */
export interface ReadContext<Path extends string, Query> extends RequestContext<Path, Query> {
  db: Db
}

/** What the handler of a GET with `ownTransactions` gets: the database. */
export interface OwnTransactionsReadContext<Path extends string, Query> extends RequestContext<Path, Query> {
  database: Database
}

/** What the handler of a GET with `writes` gets: an open transaction and the request's id. */
export interface TransactionContext<Path extends string, Query> extends RequestContext<Path, Query> {
  tx: Tx
  requestId: string
  /** puts a header on the answer, should there be one */
  setHeader(name: string, value: string): void
}

/** What every other handler gets: the same with the request's body. */
export interface WriteContext<Path extends string, Query, Body> extends TransactionContext<Path, Query> {
  body: Body
  /** the body as JSON that can be stored: mostly the text that came */
  readonly bodyText: string
}

/** What the handler of an endpoint with `ownTransactions` gets: the database in place of a transaction. */
export interface OwnTransactionsContext<Path extends string, Query, Body>
  extends Omit<WriteContext<Path, Query, Body>, 'tx'> {
  database: Database
  /** logs a defect that the answer tells of a part of the request only */
  logDefect(error: unknown): void
}

interface WritingCommon<Path extends string, Query extends TSchema, Body extends TSchema, Value>
  extends Common<Path, Query, Value> {
  body?: Body
  /** the body carries files: 40 MiB instead of 1 MiB */
  files?: boolean
  /**
   * Faults of the body that a schema cannot find in one go, told together with the schema's. The body may be
   * of any shape.
   */
  bodyFaults?(body: unknown): Promise<Fault[]>
  /** the body may be left out */
  bodyOptional?: boolean
  /** the handler sends one statement only, which then needs no begin and commit */
  oneStatement?: boolean
  /** the database keeps a history of what it changes, as of all that the scope `organisation` changes */
  isAdministration?: true
  /**
   * the path of the GET whose ETag `If-Match` is compared with, where it is not the nearest record of the
   * path; see conditional.ts
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
  readonly oneStatement: boolean
  readonly ownTransactions: boolean
  readonly writes: boolean
  readonly isAdministration?: boolean
  readonly limit: Limit
  readonly record?: string
  readonly answer: Answer<unknown>
  readonly refuses: number[]
  readonly handle: (context: never) => Promise<unknown>
}

type Spec = Partial<Record<'get' | 'post' | 'put' | 'delete', string>> &
  Omit<WritingCommon<string, TSchema, TSchema, unknown>, 'handle' | 'partnerParam'> & {
    partnerParam?: string
    ownTransactions?: boolean
    writes?: true
    handle: (context: never) => Promise<unknown>
  }

const methods = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const

/** Describes an endpoint: `endpoint({ get: '/v1/…/:id', scope, summary, answer: json(Schema), handle })`. */
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: { get: Path } & Common<Path, Query, Value> & {
      /** a GET that changes something, such as one that prints; it has no HEAD */
      writes: true
      ownTransactions?: never
      handle(context: TransactionContext<Path, Static<Query>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: { get: Path } & Common<Path, Query, Value> & {
      /** it waits for something, and what it reads is made by transactions of its own */
      ownTransactions: true
      /** it changes something too, as one that prints does */
      writes?: true
      handle(context: OwnTransactionsReadContext<Path, Static<Query>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Value>(
  spec: { get: Path } & Common<Path, Query, Value> & {
      ownTransactions?: never
      writes?: never
      handle(context: ReadContext<Path, Static<Query>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Body extends TSchema, Value>(
  spec: ({ post: Path } | { put: Path }) &
    Omit<WritingCommon<Path, Query, Body, Value>, 'handle' | 'oneStatement'> & {
      /** no transaction is open when the handler begins: it waits for the outside first */
      ownTransactions: true
      handle(context: OwnTransactionsContext<Path, Static<Query>, Static<Body>>): Promise<Value>
    },
): Endpoint
export function endpoint<const Path extends string, Query extends TSchema, Body extends TSchema, Value>(
  spec: ({ post: Path } | { put: Path } | { delete: Path }) & WritingCommon<Path, Query, Body, Value>,
): Endpoint
export function endpoint(spec: Spec): Endpoint {
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
    oneStatement: spec.oneStatement ?? false,
    ownTransactions: spec.ownTransactions ?? false,
    writes: verb !== 'get' || (spec.writes ?? false),
    isAdministration: spec.isAdministration ?? (verb !== 'get' && spec.scope === 'organisation'),
    limit: spec.limit ?? 'standard',
    ...(spec.record === undefined ? {} : { record: spec.record }),
    answer: spec.answer,
    refuses: spec.refuses ?? [],
    handle: spec.handle,
  }
}
