// Tokens and retries of the client against a fake server with prepared responses, and tokens against the
// service itself.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { askToken, clientCredentials, givenApp, openProcess } from '../../test/support/given-oauth.ts'
import {
  authorise,
  freeAddress,
  givenPeopleApp,
  givenUser,
  openBrowser,
  redirectUri,
} from '../../test/support/given-people.ts'
import { openTestDatabase } from '../../test/support/harness.ts'
import { createWaybill, orThrow, WaybillError } from '../src/waybill.ts'

/** A response of the fake server. */
interface FakeResponse {
  status: number
  body?: unknown
  retryAfter?: string
  headers?: Record<string, string>
  /** never responds or, with a body, never completes the response */
  hangs?: true
}

/**
 * Starts a server that issues tokens `token-1`, `token-2`, … and sends the given responses to other requests
 * in order, and then 200.
 */
async function openFake(
  responses: FakeResponse[] = [],
  options: { timeoutMs?: number; warn?: (message: string) => void } = {},
) {
  const requests: { line: string; token: string | undefined; body: string; at: number }[] = []
  const tokenResponses: FakeResponse[] = []
  let tokens = 0
  const responseTo = ({ url }: IncomingMessage): FakeResponse => {
    if (url !== '/connect/token') return responses.shift() ?? { status: 200, body: {} }
    return (
      tokenResponses.shift() ?? { status: 200, body: { access_token: `token-${++tokens}`, expires_in: 3600 } }
    )
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { status, body, retryAfter, headers = {}, hangs } = responseTo(request)
    const line = `${request.method} ${request.url}`
    requests.push({
      line,
      token: request.headers.authorization,
      body: Buffer.concat(chunks).toString(),
      at: performance.now(),
    })
    if (hangs && body === undefined) return
    if (hangs) return response.write(JSON.stringify(body))
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const scopes = ['partner.read', 'consignment']
  const waybill = createWaybill({ baseUrl, clientId: 'shop', clientSecret: 'secret', scopes, ...options })
  return { waybill, requests, tokenResponses, linesOf: () => requests.map(({ line }) => line) }
}

const tooMany = {
  status: 429,
  body: { ErrorType: 'RateLimitExceeded', ErrorMessages: ['Try again.'] },
  retryAfter: '0',
}
const unavailable = {
  status: 503,
  body: { ErrorType: 'Unavailable', ErrorMessages: ['Try again.'] },
  retryAfter: '0',
}
const unauthorised = {
  status: 401,
  body: { ErrorType: 'Unauthorised', ErrorMessages: ['The token has expired.'] },
}
const newWarehouse = { body: { name: 'Auckland', code: 'AKL', timezoneId: 'Pacific/Auckland' } }

test('parallel calls share one token request, which names the scopes', async () => {
  const { waybill, requests, linesOf } = await openFake()
  await Promise.all(Array.from({ length: 20 }, () => waybill.GET('/v1/identity')))
  assert.deepEqual(linesOf().filter(line => line === 'POST /connect/token').length, 1)
  assert.equal(
    requests[0]?.body,
    'grant_type=client_credentials&client_id=shop&client_secret=secret&scope=partner.read+consignment',
  )
  assert.ok(requests.slice(1).every(({ token }) => token === 'Bearer token-1'))
})

test('a token is used until a minute before it expires', async t => {
  const { waybill, requests } = await openFake()
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  await waybill.GET('/v1/identity')
  t.mock.timers.tick(3_539_000)
  await waybill.GET('/v1/identity')
  assert.equal(requests.at(-1)?.token, 'Bearer token-1')
  t.mock.timers.tick(1_000)
  await waybill.GET('/v1/identity')
  assert.equal(requests.at(-1)?.token, 'Bearer token-2')
})

test('a refused token is replaced once, and the request with its body sent again', async () => {
  const { waybill, requests, linesOf } = await openFake([unauthorised])
  const { response } = await waybill.POST('/v1/warehouses', newWarehouse)
  assert.equal(response.status, 200)
  assert.deepEqual(linesOf(), [
    'POST /connect/token',
    'POST /v1/warehouses',
    'POST /connect/token',
    'POST /v1/warehouses',
  ])
  assert.deepEqual([requests[1]?.token, requests[3]?.token], ['Bearer token-1', 'Bearer token-2'])
  assert.equal(requests[3]?.body, JSON.stringify(newWarehouse.body))
})

test('if the new token is refused too, the refusal is returned', async () => {
  const { waybill, linesOf } = await openFake([unauthorised, unauthorised])
  const { response, error } = await waybill.GET('/v1/identity')
  assert.equal(response.status, 401)
  assert.deepEqual(error, unauthorised.body)
  assert.equal(linesOf().length, 4)
})

test('a refused token request is an error with its reason', async () => {
  const { waybill, tokenResponses } = await openFake()
  tokenResponses.push({
    status: 401,
    body: { error: 'invalid_client', error_description: 'client authentication failed' },
  })
  await assert.rejects(waybill.GET('/v1/identity'), (error: WaybillError) => {
    assert.ok(error instanceof WaybillError)
    assert.deepEqual(
      [error.status, error.errorType, error.errorMessages],
      [401, 'invalid_client', ['client authentication failed']],
    )
    return true
  })
  assert.equal(
    (await waybill.GET('/v1/identity')).response.status,
    200,
    'the next call requests a token again',
  )
})

test('after 429, every kind of request is retried when Retry-After says', async () => {
  const { waybill, requests, linesOf } = await openFake([{ ...tooMany, retryAfter: '1' }])
  const { response } = await waybill.POST('/v1/warehouses', newWarehouse)
  assert.equal(response.status, 200)
  assert.deepEqual(linesOf(), ['POST /connect/token', 'POST /v1/warehouses', 'POST /v1/warehouses'])
  const [, first, second] = requests
  assert.equal(second?.body, first?.body)
  assert.ok((second?.at as number) - (first?.at as number) >= 990)
})

test('after the fifth refusal, or if the wait exceeds a minute, the refusal is returned', async () => {
  const { waybill, linesOf } = await openFake([
    ...Array<FakeResponse>(5).fill(tooMany),
    { ...tooMany, retryAfter: '61' },
  ])
  assert.equal((await waybill.GET('/v1/identity')).response.status, 429)
  assert.equal(linesOf().length, 6)
  assert.equal((await waybill.GET('/v1/identity')).response.status, 429)
  assert.equal(linesOf().length, 7)
})

test('while the service is unavailable, reads, changes and token requests are retried, and creations are not', async () => {
  const responses = [unavailable, unavailable]
  const { waybill, tokenResponses, linesOf } = await openFake(responses)
  tokenResponses.push(unavailable)
  assert.equal((await waybill.GET('/v1/identity')).response.status, 200)
  assert.deepEqual(linesOf(), [
    'POST /connect/token',
    'POST /connect/token',
    ...Array(3).fill('GET /v1/identity'),
  ])
  responses.push(unavailable)
  assert.equal((await waybill.POST('/v1/warehouses', newWarehouse)).response.status, 503)
})

const anId = '0197e1c6-5a5e-7c1e-9d3a-2f4b6c8d0e1f'
const anImport = {
  body: {
    consignmentType: 2 as const,
    clientCode: 'RIMU',
    idempotencyKey: 'shop-order-1',
    products: [{ productCode: 'HONEY', items: [{ quantity: 6 }] }],
  },
}
const keyTaken: FakeResponse = {
  status: 409,
  body: {
    ErrorType: 'Conflict',
    ErrorMessages: [`The idempotencyKey was used before, by the import ${anId}.`],
  },
  headers: { location: `/v1/consignment-imports/${anId}` },
}

test('an import that may have been stored is sent again, and counts as accepted if it was', async () => {
  const unknown: FakeResponse = { ...unavailable, headers: { outcome: 'unknown' } }
  const { waybill, linesOf } = await openFake([unknown, unavailable, keyTaken])
  const result = await waybill.POST('/v1/consignment-imports', anImport)
  assert.equal(result.response.status, 202)
  assert.deepEqual(orThrow(result), { consignmentId: anId })
  assert.equal(linesOf().filter(line => line === 'POST /v1/consignment-imports').length, 3)
})

test('a key that another import has is refused, if no attempt can have been stored', async () => {
  const { waybill } = await openFake([tooMany, unavailable, keyTaken])
  const { response, error } = await waybill.POST('/v1/consignment-imports', anImport)
  assert.equal(response.status, 409)
  assert.deepEqual(error, keyTaken.body)
})

test('a stock command with an operationId is sent again, an import without a key is not', async () => {
  const unknown: FakeResponse = { ...unavailable, headers: { outcome: 'unknown' } }
  const { waybill, linesOf } = await openFake([unknown, { status: 200, body: {} }, unknown])
  const transfers = { operationId: anId, transfers: [{ warehouseProductId: anId, quantity: 1 }] }
  assert.equal((await waybill.POST('/v1/inventory/transfer', { body: transfers })).response.status, 200)
  const { idempotencyKey: _, ...withoutKey } = anImport.body
  const { response } = await waybill.POST('/v1/consignment-imports', { body: withoutKey })
  assert.equal(response.status, 503)
  assert.equal(linesOf().filter(line => line === 'POST /v1/consignment-imports').length, 1)
})

test('fields that the service ignored are reported once for an endpoint', async () => {
  const warnings: string[] = []
  const ignored = (names: string): FakeResponse => ({
    status: 200,
    body: {},
    headers: { 'ignored-fields': names },
  })
  const responses = [ignored('refNumber'), ignored('refNumber'), ignored('refNumber, password')]
  const { waybill } = await openFake(responses, { warn: message => warnings.push(message) })
  for (const warehouseId of [anId, anId.replace('1f', '2f'), anId])
    await waybill.PUT('/v1/warehouses/{warehouseId}', { params: { path: { warehouseId } }, body: {} })
  const start = 'Waybill does not know these fields of PUT /v1/warehouses/{id} and ignored them:'
  assert.deepEqual(warnings, [`${start} refNumber`, `${start} refNumber, password`])
})

test('a signal ends the wait, also the wait for a token', async () => {
  const { waybill } = await openFake([{ ...tooMany, retryAfter: '60' }])
  await assert.rejects(waybill.GET('/v1/identity', { signal: AbortSignal.timeout(100) }), {
    name: 'TimeoutError',
  })
  const { waybill: another, tokenResponses: moreResponses } = await openFake()
  moreResponses.push({ ...tooMany, retryAfter: '1' })
  await assert.rejects(another.GET('/v1/identity', { signal: AbortSignal.timeout(100) }), {
    name: 'TimeoutError',
  })
})

test('throttled token requests are retried, even for longer than the timeout of a request', async () => {
  const { waybill, tokenResponses, linesOf } = await openFake([], { timeoutMs: 1_500 })
  tokenResponses.push({ ...tooMany, retryAfter: '2' })
  assert.equal((await waybill.GET('/v1/identity')).response.status, 200)
  assert.deepEqual(linesOf(), ['POST /connect/token', 'POST /connect/token', 'GET /v1/identity'])
})

test('a server that does not respond, or not completely, causes a timeout at every step', async () => {
  const silent: FakeResponse = { status: 200, hangs: true }
  const { waybill, tokenResponses } = await openFake([silent, { ...silent, body: {} }], { timeoutMs: 1_000 })
  tokenResponses.push(silent)
  for (const step of ['the token', 'the response', 'its body'])
    await assert.rejects(waybill.GET('/v1/identity'), { name: 'TimeoutError' }, step)
  assert.equal((await waybill.GET('/v1/identity')).response.status, 200)
})

test('orThrow returns the data, or nothing if nothing changed, and throws refusals', async () => {
  const refusal = {
    ErrorType: 'Validation Failed',
    ErrorMessages: ['name is required.', 'code is required.'],
  }
  const { waybill } = await openFake([
    { status: 201, body: { warehouseId: 'id' } },
    { status: 304 },
    { status: 400, body: refusal },
  ])
  assert.deepEqual(orThrow(await waybill.POST('/v1/warehouses', newWarehouse)), { warehouseId: 'id' })
  const params = { path: { warehouseId: 'id' } }
  assert.ok(!orThrow(await waybill.PUT('/v1/warehouses/{warehouseId}', { params, body: {} })))
  const faulty = await waybill.POST('/v1/warehouses', newWarehouse)
  assert.throws(() => orThrow(faulty), {
    message: '400 Validation Failed: name is required. code is required.',
  })
})

test('the service accepts its tokens, and a client gets a new token if the service no longer knows the old one', async () => {
  const { database } = await openTestDatabase()
  const { url } = await openProcess(database)
  const { clientId, clientSecret, organisationId } = await givenApp(database)
  const sent: string[] = []
  const waybill = createWaybill({
    baseUrl: url,
    clientId,
    clientSecret,
    fetch: request => {
      const { pathname } = new URL(request.url)
      // The first token is invalidated on its way, as if its signing key had been deleted.
      if (pathname === '/v1/identity' && !sent.includes(pathname))
        request.headers.set('authorization', 'Bearer invalid')
      sent.push(pathname)
      return fetch(request)
    },
  })
  const identity = orThrow(await waybill.GET('/v1/identity'))
  assert.equal(identity.organisationId, organisationId)
  assert.deepEqual(sent, ['/connect/token', '/v1/identity', '/connect/token', '/v1/identity'])
})

test('a signed-in person stays signed in through refresh tokens, each of which is stored', async () => {
  const { database } = await openTestDatabase()
  const url = await freeAddress()
  await openProcess(database, { authUrl: url })
  const { organisationId, clientId, clientSecret, ...app } = await givenPeopleApp(database)
  const { email, userId } = await givenUser(database, { organisationId })
  const { code = '' } = await authorise(openBrowser(url), { clientId, ...app }, email)
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: redirectUri,
  }
  const stored: string[] = [(await askToken(url, form)).body.refresh_token]
  const sent: (string | null)[] = []
  const open = () =>
    createWaybill({
      baseUrl: url,
      clientId,
      clientSecret,
      refreshToken: stored.at(-1) as string,
      onRefresh: token => stored.push(token),
      fetch: request => {
        if (request.url.endsWith('/v1/identity')) {
          // The first access token is invalidated on its way.
          if (sent.length === 0) request.headers.set('authorization', 'Bearer invalid')
          sent.push(request.headers.get('authorization'))
        }
        return fetch(request)
      },
    })
  assert.equal(orThrow(await open().GET('/v1/identity')).userId, userId)
  assert.deepEqual([stored.length, new Set(stored).size], [3, 3])
  assert.equal(
    orThrow(await open().GET('/v1/identity')).userId,
    userId,
    'a program that starts again uses the last one',
  )
  assert.equal(stored.length, 4)
})

test('access tokens may come from elsewhere, and are requested once more if one is refused', async () => {
  const { database } = await openTestDatabase()
  const { url } = await openProcess(database)
  const app = await givenApp(database)
  const { access_token } = (await clientCredentials(url, app)).body
  const tokens = ['invalid', access_token]
  const waybill = createWaybill({ baseUrl: url, token: async () => tokens.shift() ?? 'invalid' })
  assert.equal(orThrow(await waybill.GET('/v1/identity')).organisationId, app.organisationId)
  assert.equal((await waybill.GET('/v1/identity')).response.status, 401)
})
