// A world for tests: a database of its own, the API on it, and callers. Every response is checked against its
// schema.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { accessRules } from '../../src/access/access-rules.ts'
import type { Actor, PartnerKind } from '../../src/access/actor.ts'
import type { Endpoint } from '../../src/access/endpoint.ts'
import { perMinute } from '../../src/access/limits.ts'
import { scopes } from '../../src/access/scopes.ts'
import { createOrganisation } from '../../src/organisations/organisation.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import type { ReadSlotTimes } from '../../src/platform/database/read-slots.ts'
import { errorCodes, type Fault } from '../../src/platform/http/fault.ts'
import { unauthorised } from '../../src/platform/http/refusal.ts'
import { openServer } from '../../src/platform/http/server.ts'
import { createLimitsInMemory } from '../../src/platform/limits/limits.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { openOutgoingHttp } from '../../src/platform/outgoing/outgoing-http.ts'
import { createSecretBox, type SecretBox } from '../../src/platform/secret-box.ts'
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts'
import { tellEffects } from '../../src/rehearsal/tell-effects.ts'
import { endpointsOf } from '../../src/routes.ts'
import { isValidSscc } from '../../src/stock/logistic-units/sscc.ts'
import { Relationship } from '../../src/vocabulary/partners.ts'
import { recordResponses } from './recorded-responses.ts'
import { atEnd, createTestDatabase, openTestPools } from './test-database.ts'

/**
 * A response of the API. `body` is parsed JSON, or undefined if there is none. The body of a refusal has only
 * the members of the specification; its other members are checked, and ErrorDetails is in `details`.
 */
export interface ApiResponse {
  status: number
  details?: Fault[]
  // The tests read bodies of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects
  body: any
  headers: Record<string, string | string[] | number | undefined>
  bytes: Buffer
}

/** A caller of the API. */
export interface Caller {
  readonly actor: Actor
  /** the Authorization header of this caller, for requests that the methods below cannot make */
  readonly authorization: string
  get(path: string): Promise<ApiResponse>
  post(path: string, body?: unknown): Promise<ApiResponse>
  put(path: string, body?: unknown): Promise<ApiResponse>
  delete(path: string): Promise<ApiResponse>
  /** The same caller, with these headers on its requests. */
  with(headers: Record<string, string>): Caller
}

export interface World {
  readonly app: FastifyInstance
  readonly database: Database
  /** the connection string of the world's database, for separate processes */
  readonly databaseUrl: string
  /** the secret box of this process */
  readonly secretBox: SecretBox
  /** an administrator of the world's first organisation, with every scope */
  readonly admin: Caller
  /** Creates another organisation and returns its administrator. */
  stranger(): Promise<Caller>
  /** The same user with other scopes, restricted to a partner, through another connection or app, or another user. */
  as(
    caller: Caller,
    change: {
      scopes?: string[]
      partnerId?: string | null
      connectionId?: string
      clientId?: string
      userId?: string
    },
  ): Caller
}

const tokens = new Map<string, Actor>()
const key = randomBytes(32)
/** The ENCRYPTION_KEY for processes on the database of a world. */
export const encryptionKey = key.toString('base64')
const secretBox = createSecretBox(key)
/** All endpoints of the API. */
export const endpoints = endpointsOf({ secretBox, outgoing: openOutgoingHttp({ allowPrivate: true }) })

/** Opens a migrated, empty database, which is dropped when the test file ends. */
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
const checkRehearsal = ajv.compile(Rehearsal)
const checks = new Map<Endpoint, ReturnType<Ajv['compile']>>()
// Paths without an id come before those that would match their last word as an id.
const patterns = endpoints
  .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
  .map(endpoint => ({ endpoint, pattern: new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`) }))

const found = new Map<string, Endpoint | undefined>()

/** Finds the endpoint of a request. */
export function endpointOf(method: string, path: string): Endpoint | undefined {
  const bare = (path.split('?')[0] ?? '').replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
  const key = `${method} ${bare}`
  if (!found.has(key)) {
    const fits = patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(bare))
    found.set(key, fits?.endpoint)
  }
  return found.get(key)
}

/** Fails if a response is not what the endpoint documents. */
function checkResponse(method: string, path: string, response: ApiResponse, isRehearsal: boolean): void {
  const endpoint = endpointOf(method, path)
  if (response.status >= 400 || endpoint === undefined) {
    assert.ok(
      response.status < 500 || response.status === 503,
      `${method} ${path} answered ${response.status}: ${response.bytes}`,
    )
    assert.equal(
      typeof response.body?.ErrorType,
      'string',
      `${method} ${path} answered ${response.status} without an error body`,
    )
    if (response.status >= 400) takeDetails(response)
    return
  }
  const { kind, schema, status } = endpoint.response
  if (isRehearsal) {
    assert.ok(checkRehearsal(response.body), ajv.errorsText(checkRehearsal.errors))
    // What it tells of the act's answer must be what the act answers.
    const { outcome, result } = response.body
    checkResponse(method, path, { ...response, status: outcome, body: result ?? undefined }, false)
    return
  }
  const isTable = kind === 'stream' && response.body === undefined
  if (schema === undefined || response.status !== status || isTable) return
  let check = checks.get(endpoint)
  if (check === undefined) {
    check = ajv.compile(schema)
    checks.set(endpoint, check)
  }
  assert.ok(
    check(response.body),
    `${method} ${path} answered what its schema does not allow: ${ajv.errorsText(check.errors)}`,
  )
}

/** `products[2].items[0].quantity` */
const fieldPath = /^\w+(?:\.\w+|\[\d+\])*$/

/** Checks the details of a refusal against its messages, and moves them out of the body. */
export function takeDetails(response: Pick<ApiResponse, 'body' | 'headers' | 'details'>): void {
  const { ErrorDetails: details, RequestId, ...body } = response.body
  assert.equal(RequestId, response.headers['x-request-id'])
  assert.equal(details.length, body.ErrorMessages.length)
  for (const [i, { path, message }] of details.entries()) {
    // A message about an entry has its path in ErrorMessages, which have no other place for it.
    const sentence = message.charAt(0).toLowerCase() + message.slice(1)
    const forms = [message, `${path}: ${message}`, `${path}: ${sentence}`]
    assert.ok(forms.includes(body.ErrorMessages[i]), `${message} is not ${body.ErrorMessages[i]}`)
  }
  for (const { path, code, message } of details) {
    assert.ok(code in errorCodes, `${code} is not a documented code.`)
    assert.ok(path === null || fieldPath.test(path), `${path}, which "${message}" is about, is not a path.`)
  }
  response.body = body
  response.details = details
}

// Of many requests for one record at once, some wait too long for its lock on a slow machine. They have done
// nothing, and are sent again as a patient client does.
const maxAttempts = 5
const isBusy = ({ statusCode, body }: { statusCode: number; body: string }): boolean =>
  statusCode === 503 && body.includes('The record is busy.')

/** Creates a caller with its own token, which calls the server in this process. */
function caller(app: FastifyInstance, actor: Actor, extraHeaders: Record<string, string> = {}): Caller {
  const token = uuidv7()
  tokens.set(token, actor)
  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<ApiResponse> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...extraHeaders,
      authorization: `Bearer ${token}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const send = () =>
      app.inject({ method, url: path, headers, ...(payload === undefined ? {} : { payload }) })
    let injected = await send()
    const isAct = !('waybill-rehearse' in extraHeaders)
    for (let n = 1; n < maxAttempts && isAct && isBusy(injected); n++) injected = await send()
    const isJson = String(injected.headers['content-type'] ?? '').startsWith('application/json')
    const response: ApiResponse = {
      status: injected.statusCode,
      body: isJson ? injected.json() : undefined,
      headers: injected.headers,
      bytes: injected.rawPayload,
    }
    checkResponse(method, path, response, 'waybill-rehearse' in extraHeaders)
    return response
  }
  return {
    actor,
    authorization: `Bearer ${token}`,
    get: path => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: path => call('DELETE', path),
    with: headers => caller(app, actor, { ...extraHeaders, ...headers }),
  }
}

let organisations = 0

/** Creates an organisation with a user, an app and their connection. Returns its administrator. */
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

/**
 * Finds the kind of an actor's partner, which a real token contains; `client` if there is no such partner.
 */
async function partnerKindOf(database: Database, { organisationId, partnerId }: Actor): Promise<PartnerKind> {
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
    metrics: createMetrics(),
    log: pino({ level: options.logLevel ?? process.env.LOG_LEVEL ?? 'silent' }),
    async authenticate(authorization) {
      const actor = tokens.get(authorization?.replace('Bearer ', '') ?? '')
      if (actor === undefined) throw unauthorised('The access token is missing or not valid.')
      return actor.partnerId === null
        ? actor
        : { ...actor, partnerKind: await partnerKindOf(database, actor) }
    },
    access: accessRules,
    tellEffects,
    limits: options.rateLimits ? createLimitsInMemory(perMinute) : undefined,
    formats: { sscc: isValidSscc },
  })
  recordResponses(app)
  await app.ready()
  atEnd(async () => {
    const closed = app.close()
    // A connection on which nothing was asked yet would be waited for.
    app.server.closeAllConnections()
    await closed
  })
  return {
    app,
    database,
    databaseUrl,
    secretBox,
    admin: caller(app, await organisationIn(database)),
    stranger: async () => caller(app, await organisationIn(database)),
    as: ({ actor }, change) => {
      const changedScopes = change.scopes === undefined ? actor.scopes : new Set(change.scopes)
      return caller(app, { ...actor, ...change, scopes: changedScopes })
    },
  }
}
