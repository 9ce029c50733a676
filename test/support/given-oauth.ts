// The service's OAuth server on a real socket, for the tests of tokens.

import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { accessRules } from '../../src/access/access-rules.ts'
import { perMinute } from '../../src/access/limits.ts'
import { apiDocument } from '../../src/api/document.ts'
import {
  type CustomAppCredentials,
  createCustomApp,
  type NewCustomApp,
} from '../../src/custom-apps/create-app.ts'
import { type OAuth, openOAuth } from '../../src/oauth/oauth.ts'
import { createOrganisation } from '../../src/organisations/organisation.ts'
import type { Database } from '../../src/platform/database/db.ts'
import { addApiReference } from '../../src/platform/http/api-reference.ts'
import { openServer } from '../../src/platform/http/server.ts'
import { createLimitsInMemory } from '../../src/platform/limits/limits.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { openOutgoingHttp } from '../../src/platform/outgoing/outgoing-http.ts'
import { createSecretBox, type SecretBox } from '../../src/platform/secret-box.ts'
import type { Config } from '../../src/process/config.ts'
import { formats } from '../../src/process/formats.ts'
import { tellEffects } from '../../src/rehearsal/tell-effects.ts'
import { endpointsOf } from '../../src/routes.ts'

export const issuer = 'https://auth.example.com'
export const secretBox: SecretBox = createSecretBox(randomBytes(32))

/** A process of the service: its API and everything below /connect. */
export interface Process {
  oauth: OAuth
  app: FastifyInstance
  url: string
}

/**
 * Opens a process. `authUrl` is its public address, which must be correct for browsers, client libraries and
 * the API reference; a fixed issuer by default.
 */
export async function openProcess(
  database: Database,
  options: {
    rateLimits?: boolean
    trustProxy?: Config['trustProxy']
    authUrl?: string
    /** adds more to the server before it listens */
    addTo?: (app: FastifyInstance) => Promise<void>
    /** receives the lines of the log */
    lines?: string[]
  } = {},
): Promise<Process> {
  const { lines } = options
  const log =
    lines === undefined
      ? pino({ level: process.env.LOG_LEVEL ?? 'silent' })
      : pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const limits = options.rateLimits ? createLimitsInMemory(perMinute) : undefined
  const oauth = await openOAuth({ database, secretBox, authUrl: options.authUrl ?? issuer, limits, log })
  const endpoints = endpointsOf({ secretBox, outgoing: openOutgoingHttp({ allowPrivate: false }) })
  const app = openServer({
    endpoints,
    database,
    metrics: createMetrics(),
    log,
    authenticate: oauth.authenticate,
    access: accessRules,
    tellEffects,
    limits,
    trustProxy: options.trustProxy ?? false,
    formats,
  })
  await oauth.mount(app)
  await options.addTo?.(app)
  const { authUrl } = options
  if (authUrl !== undefined)
    addApiReference(app, () => apiDocument(endpoints, { version: '0.0.0', baseUrl: authUrl, authUrl }))
  await app.listen({ port: Number(new URL(options.authUrl ?? 'http://localhost:0').port), host: '127.0.0.1' })
  after(async () => {
    oauth.close()
    // A client that has just given up a request may have left its connection open.
    app.server.closeAllConnections()
    await app.close()
  })
  return { oauth, app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

/** Creates an organisation with one app, as the commands do. */
export async function givenApp(
  database: Database,
  app: Partial<NewCustomApp> = {},
): Promise<CustomAppCredentials & { organisationId: string }> {
  return database.atomically(async tx => {
    const organisationId =
      app.organisationId ??
      (await createOrganisation(tx, { name: 'Northwind', prefix: 'nwl', timezone: 'Pacific/Auckland' }))
    const created = await createCustomApp(tx, secretBox, {
      name: 'Integration',
      grantType: 2,
      scopes: ['consignment', 'partner.read'],
      ...app,
      organisationId,
    })
    return { ...created, organisationId }
  })
}

/** A response of the token endpoint or the API. */
export interface HttpResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects
  body: any
  headers: Headers
}

async function answerOf(response: Response): Promise<HttpResponse> {
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  }
}

/** Gets a public document. */
export const read = async (url: string, path: string): Promise<HttpResponse> =>
  answerOf(await fetch(`${url}${path}`))

/** Posts a form to the token endpoint. */
export async function askToken(
  url: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return answerOf(
    await fetch(`${url}/connect/token`, { method: 'POST', body: new URLSearchParams(form), headers }),
  )
}

/** Requests a token with client credentials. */
export const clientCredentials = (
  url: string,
  app: { clientId: string; clientSecret: string },
  more: Record<string, string> = {},
) =>
  askToken(url, {
    grant_type: 'client_credentials',
    client_id: app.clientId,
    client_secret: app.clientSecret,
    ...more,
  })

/** Calls the API with a token. */
export async function callApi(url: string, token: string, path = '/v1/identity'): Promise<HttpResponse> {
  return answerOf(await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }))
}

/** Puts JSON with a token. */
export async function putApi(url: string, token: string, path: string, body: object): Promise<HttpResponse> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return answerOf(await fetch(`${url}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) }))
}

/** Waits until a condition is true. The limit is for what never comes, not for what comes late. */
export async function until(condition: () => boolean | Promise<boolean>, maxWaitMs = 120_000): Promise<void> {
  const end = Date.now() + maxWaitMs
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('The condition did not become true in time.')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
