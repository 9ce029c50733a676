// A world for tests: a database of its own, the API on it, and somebody to call it. Every answer is held
// against its schema.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { createOrganisation } from '../../src/organisations/organisation.ts'
import { Relationship } from '../../src/partners/enumerations.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import type { ReadSlotTimes } from '../../src/platform/database/read-slots.ts'
import type { Actor, PartnerKind } from '../../src/platform/http/actor.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { errorCodes, type Fault } from '../../src/platform/http/fault.ts'
import { unauthorised } from '../../src/platform/http/refusal.ts'
import { scopes } from '../../src/platform/http/scopes.ts'
import { openServer } from '../../src/platform/http/server.ts'
import { openMetrics } from '../../src/platform/metrics.ts'
import { openSecretBox, type SecretBox } from '../../src/platform/secret-box.ts'
import { endpointsOf } from '../../src/routes.ts'
import { isValidSscc } from '../../src/stock/logistic-units/sscc.ts'
import { recordAnswers } from './recorded-answers.ts'
import { atEnd, createTestDatabase, openTestPools } from './test-database.ts'

/**
 * An answer of the API. `body` is parsed JSON, or undefined where there is none. The body of a refusal is what
 * the specification says of it; what stands beside is held against it, and is in `details`.
 */
export interface Answered {
  status: number
  details?: Fault[]
  // The tests look into bodies of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects
  body: any
  headers: Record<string, string | string[] | number | undefined>
  bytes: Buffer
}

/** Somebody who calls the API. */
export interface Caller {
  readonly actor: Actor
  /** the Authorization header of this caller, for requests that the methods below cannot make */
  readonly authorization: string
  get(path: string): Promise<Answered>
  post(path: string, body?: unknown): Promise<Answered>
  put(path: string, body?: unknown): Promise<Answered>
  delete(path: string): Promise<Answered>
  /** the same caller, whose requests have these headers */
  with(headers: Record<string, string>): Caller
}

export interface World {
  readonly app: FastifyInstance
  readonly database: Database
  /** a connection string of the world's database, for processes of their own */
  readonly databaseUrl: string
  /** what seals the secrets of this process */
  readonly secretBox: SecretBox
  /** an administrator of the world's first organisation, with every scope */
  readonly admin: Caller
  /** another organisation's administrator */
  stranger(): Promise<Caller>
  /** the same person with other scopes, belonging to a partner, or through another connection or app */
  as(
    caller: Caller,
    change: { scopes?: string[]; partnerId?: string | null; connectionId?: string; clientId?: string },
  ): Caller
}

const tokens = new Map<string, Actor>()
const key = randomBytes(32)
/** ENCRYPTION_KEY of a process on the database of a world. */
export const encryptionKey = key.toString('base64')
const secretBox = openSecretBox(key)
/** Every endpoint of the API. */
export const endpoints = endpointsOf({ secretBox, webhookAllowPrivate: true })

/** A database with every migration and nothing in it, dropped when the test file ends. */
export async function openTestDatabase(
  readSlotTimes?: Partial<ReadSlotTimes>,
): Promise<{ database: Database; databaseUrl: string }> {
  const databaseUrl = await createTestDatabase()
  return { database: openTestPools(databaseUrl, 10, readSlotTimes), databaseUrl }
}

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const keyword of ['decimals', 'rule']) ajv.addKeyword(keyword)
for (const format of ['local-date-time', 'time-zone', 'sscc']) ajv.addFormat(format, true)
const checks = new Map<Endpoint, ReturnType<Ajv['compile']>>()
// A path without an id goes before one that would take its last word for an id.
const patterns = endpoints
  .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
  .map(endpoint => ({ endpoint, pattern: new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`) }))

/** Fails when an answer is not what the endpoint documents. */
function checkAnswer(method: string, path: string, answered: Answered): void {
  const bare = path.split('?')[0] ?? ''
  const endpoint = patterns.find(one => one.endpoint.method === method && one.pattern.test(bare))?.endpoint
  if (answered.status >= 400 || endpoint === undefined) {
    assert.ok(
      answered.status < 500 || answered.status === 503,
      `${method} ${path} answered ${answered.status}: ${answered.bytes}`,
    )
    assert.equal(
      typeof answered.body?.ErrorType,
      'string',
      `${method} ${path} answered ${answered.status} without an error body`,
    )
    if (answered.status >= 400) takeDetails(answered)
    return
  }
  const { kind, schema, status } = endpoint.answer
  const isTable = kind === 'stream' && answered.body === undefined
  if (schema === undefined || answered.status !== status || isTable) return
  let check = checks.get(endpoint)
  if (check === undefined) {
    check = ajv.compile(schema)
    checks.set(endpoint, check)
  }
  assert.ok(
    check(answered.body),
    `${method} ${path} answered what its schema does not allow: ${ajv.errorsText(check.errors)}`,
  )
}

/** `products[2].items[0].quantity` */
const fieldPath = /^\w+(?:\.\w+|\[\d+\])*$/

/** Holds the details of a refusal against its messages, and takes them out of the body. */
export function takeDetails(answered: Pick<Answered, 'body' | 'headers' | 'details'>): void {
  const { ErrorDetails: details, RequestId, ...body } = answered.body
  assert.equal(RequestId, answered.headers['x-request-id'])
  assert.deepEqual(
    details.map(({ message }: Fault) => message),
    body.ErrorMessages,
  )
  for (const { path, code, message } of details) {
    assert.ok(code in errorCodes, `${code} is no documented code.`)
    assert.ok(path === null || fieldPath.test(path), `${path}, which "${message}" is about, is no path.`)
  }
  answered.body = body
  answered.details = details
}

/** Somebody who calls with this token, over the server in this process. */
function caller(app: FastifyInstance, actor: Actor, further: Record<string, string> = {}): Caller {
  const token = uuidv7()
  tokens.set(token, actor)
  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answered> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...further,
      authorization: `Bearer ${token}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const response = await app.inject({
      method,
      url: path,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
    const answered: Answered = {
      status: response.statusCode,
      body: isJson ? response.json() : undefined,
      headers: response.headers,
      bytes: response.rawPayload,
    }
    checkAnswer(method, path, answered)
    return answered
  }
  return {
    actor,
    authorization: `Bearer ${token}`,
    get: path => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: path => call('DELETE', path),
    with: headers => caller(app, actor, { ...further, ...headers }),
  }
}

let organisations = 0

/** An organisation with a user, an app and their connection. */
export async function organisationIn(database: Database, timezone = 'Pacific/Auckland'): Promise<Actor> {
  const prefix = `T${String.fromCharCode(65 + (organisations % 26))}${String.fromCharCode(65 + (Math.floor(organisations / 26) % 26))}`
  organisations++
  return database.atomically(async tx => {
    const organisationId = await createOrganisation(tx, { name: `Organisation ${prefix}`, prefix, timezone })
    const [userId, appId, connectionId, clientId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
    await tx.run(sql`insert into app_user (organisation_id, id, email, full_name)
      values (${organisationId}, ${userId}, ${`${userId}@example.com`}, 'Ada Storekeeper')`)
    await tx.run(sql`insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash,
      scopes, created_by)
      values (${organisationId}, ${appId}, 'Test app', 2, ${clientId}, '\\x00',
        ${scopes as readonly string[]}, ${userId})`)
    await tx.run(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id)
      values (${organisationId}, ${connectionId}, ${appId}, ${userId})`)
    return {
      organisationId,
      connectionId,
      userId,
      clientId,
      partnerId: null,
      partnerKind: null,
      scopes: new Set<string>(scopes),
    }
  })
}

/** What the partner of an actor made by hand is, as a token would say; a client where there is no such partner. */
async function kindOf(database: Database, { organisationId, partnerId }: Actor): Promise<PartnerKind> {
  const partner = await database.db.maybe<{ relationship: number }>(sql`
    select relationship from partner where organisation_id = ${organisationId} and id = ${partnerId}`)
  return partner?.relationship === Relationship.Carrier ? 'carrier' : 'client'
}

/** Opens a world: one database, one API, one organisation. */
export async function openWorld(
  options: { rateLimits?: boolean; logLevel?: string; readSlotTimes?: Partial<ReadSlotTimes> } = {},
): Promise<World> {
  const { database, databaseUrl } = await openTestDatabase(options.readSlotTimes)
  const app = openServer({
    endpoints,
    database,
    metrics: openMetrics(),
    log: pino({ level: options.logLevel ?? process.env.LOG_LEVEL ?? 'silent' }),
    async authenticate(authorization) {
      const actor = tokens.get(authorization?.replace('Bearer ', '') ?? '')
      if (actor === undefined) throw unauthorised('The access token is missing or not valid.')
      return actor.partnerId === null ? actor : { ...actor, partnerKind: await kindOf(database, actor) }
    },
    rateLimits: options.rateLimits ?? false,
    formats: { sscc: isValidSscc },
  })
  recordAnswers(app)
  await app.ready()
  atEnd(() => app.close())
  return {
    app,
    database,
    databaseUrl,
    secretBox,
    admin: caller(app, await organisationIn(database)),
    stranger: async () => caller(app, await organisationIn(database)),
    as: (other, change) => {
      const scopesOf = change.scopes === undefined ? other.actor.scopes : new Set(change.scopes)
      return caller(app, { ...other.actor, ...change, scopes: scopesOf })
    },
  }
}
