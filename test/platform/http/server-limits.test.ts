// Rate limits from the caller's side. They are checked before anything else. Spec 7, 8.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { accessRules } from '../../../src/access/access-rules.ts'
import { endpoint } from '../../../src/access/endpoint.ts'
import { perMinute } from '../../../src/access/limits.ts'
import { done } from '../../../src/platform/http/endpoint.ts'
import { unauthorised } from '../../../src/platform/http/refusal.ts'
import { Type } from '../../../src/platform/http/schema.ts'
import { openServer } from '../../../src/platform/http/server.ts'
import { createLimitsInMemory } from '../../../src/platform/limits/limits.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { noDatabase } from '../../support/no-database.ts'

let handled = 0
const open = (hasLimits: boolean) => {
  const handle = async () => void handled++
  const app = openServer({
    endpoints: [
      endpoint({
        get: '/v1/thing',
        name: 'operation16',
        partners: 'all',
        scope: 'any',
        summary: 'Read',
        response: done,
        handle,
      }),
      endpoint({
        post: '/v1/thing',
        name: 'operation17',
        partners: 'all',
        scope: 'any',
        summary: 'Write',
        body: Type.Object({}),
        response: done,
        handle,
      }),
      endpoint({
        get: '/v1/secret',
        name: 'operation18',
        partners: 'all',
        scope: 'financial',
        summary: 'Forbidden',
        response: done,
        handle,
      }),
      endpoint({
        get: '/v1/reports/secret',
        name: 'operation19',
        limit: 'reports',
        partners: 'all',
        scope: 'financial',
        summary: 'Forbidden',
        response: done,
        handle,
      }),
      endpoint({
        get: '/v1/reports/thing',
        name: 'operation20',
        limit: 'reports',
        partners: 'all',
        scope: 'any',
        summary: 'Report',
        response: done,
        handle,
      }),
    ],
    database: noDatabase,
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
    // The token names the organisation and the connection.
    authenticate(authorization = '') {
      const [, organisationId = '', connectionId = ''] = authorization.split(' ')
      if (organisationId === '') throw unauthorised('The access token is missing or not valid.')
      return {
        organisationId,
        connectionId,
        userId: 'u',
        clientId: connectionId,
        partnerId: null,
        partnerKind: null,
        scopes: new Set<string>(),
      }
    },
    access: accessRules,
    limits: hasLimits ? createLimitsInMemory(perMinute) : undefined,
    formats: {},
  })
  after(() => app.close())
  return app
}
const app = open(true)

const call = (organisation: string, url = '/v1/thing', method: 'GET' | 'POST' = 'GET') =>
  app.inject({ method, url, headers: { authorization: `Bearer ${organisation} c${handled % 7}` } })

async function assertPasses(organisation: string, count: number, url?: string): Promise<void> {
  for (let i = 0; i < count; i++)
    assert.equal((await call(organisation, url)).statusCode, 200, `request ${i + 1}`)
}

async function assertLimited(organisation: string, url?: string): Promise<void> {
  const { statusCode, headers, body } = await call(organisation, url)
  assert.equal(statusCode, 429)
  const seconds = Number(headers['retry-after'])
  assert.match(String(headers['retry-after']), /^\d+$/)
  assert.ok(seconds >= 1 && seconds <= 60)
  const message = `The rate limit is exceeded. Retry after ${seconds} seconds.`
  assert.deepEqual(JSON.parse(body), {
    ErrorType: 'RateLimitExceeded',
    ErrorMessages: [message],
    ErrorDetails: [{ path: null, code: 'rate_limited', message }],
    RequestId: headers['x-request-id'],
  })
}

test('an organisation may send 3,000 requests a minute over all its connections, and the next one gets Retry-After', async () => {
  const before = handled
  await assertPasses('a', 3_000)
  for (let i = 0; i < 20; i++) await assertLimited('a')
  assert.equal(handled - before, 3_000)
})

test('other organisations, and the reports of the same organisation, have their own windows', async () => {
  await assertLimited('a')
  await assertPasses('b', 5)
  await assertPasses('a', 150, '/v1/reports/thing')
  await assertLimited('a', '/v1/reports/thing')
  await assertPasses('b', 1, '/v1/reports/thing')
})

test('150 requests for reports pass in a minute, and the next one gets Retry-After', async () => {
  await assertPasses('r', 150, '/v1/reports/thing')
  await assertLimited('r', '/v1/reports/thing')
  await assertPasses('r', 1)
})

test('a request over the limit is refused before its body is sent and before its scope is checked', async () => {
  await assertLimited('a')
  assert.equal((await call('a', '/v1/secret')).statusCode, 429)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = createConnection((app.server.address() as AddressInfo).port, '127.0.0.1')
  const head =
    'POST /v1/thing HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a c\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n'
  socket.write(head)
  const [response] = await once(socket, 'data')
  assert.match(String(response), /^HTTP\/1\.1 429 /)
  socket.destroy()
})

test('a request without the required scope counts', async () => {
  for (let i = 0; i < 150; i++) assert.equal((await call('d', '/v1/reports/secret')).statusCode, 403)
  await assertLimited('d', '/v1/reports/thing')
})

test('responses state how many requests are left, even if they are refused for another reason', async () => {
  const standard = '"standard";q=3000;w=60'
  const limitHeaders = async (url?: string, method?: 'POST') => {
    const { statusCode, headers } = await call('e', url, method)
    return [statusCode, headers['ratelimit-policy'], headers.ratelimit]
  }
  assert.deepEqual(await limitHeaders(), [200, standard, '"standard";r=2999'])
  assert.deepEqual(await limitHeaders('/v1/secret'), [403, standard, '"standard";r=2998'])
  assert.deepEqual(await limitHeaders('/v1/thing', 'POST'), [400, standard, '"standard";r=2997'])
  const reports = '"reports";q=150;w=60'
  assert.deepEqual(await limitHeaders('/v1/reports/thing'), [200, reports, '"reports";r=149'])
  await assertPasses('e', 149, '/v1/reports/thing')
  const { headers } = await call('e', '/v1/reports/thing')
  assert.equal(headers.ratelimit, `"reports";r=0;t=${headers['retry-after']}`)
  const stranger = await app.inject({ url: '/v1/thing' })
  assert.deepEqual([stranger.statusCode, stranger.headers.ratelimit], [401, undefined])
})

test('limits that are switched off do not count requests', async () => {
  const free = open(false)
  const headers = { authorization: 'Bearer a c' }
  for (let i = 0; i < 151; i++)
    assert.equal((await free.inject({ method: 'GET', url: '/v1/reports/thing', headers })).statusCode, 200)
  const response = await free.inject({ method: 'GET', url: '/v1/thing', headers })
  assert.deepEqual([response.statusCode, response.headers.ratelimit], [200, undefined])
})
