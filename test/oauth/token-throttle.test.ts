import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  askToken,
  clientCredentials,
  givenApp,
  type HttpResponse,
  openProcess,
} from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database, { rateLimits: true, trustProxy: 1 })

/** Sends this many requests, many at once, and returns how often each status came. */
async function flood(times: number, ask: () => Promise<HttpResponse>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let asked = 0; asked < times; asked += 62) {
    for (const { status } of await Promise.all(Array.from({ length: 62 }, ask)))
      statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
})

test('an app may send 600 requests a minute; the next is 429 and other apps are not affected', async () => {
  const app = await givenApp(database)
  const other = await givenApp(database)
  const first = await clientCredentials(url, app)
  assert.equal(first.headers.get('ratelimit-policy'), '"tokens";q=600;w=60')
  assert.equal(first.headers.get('ratelimit'), '"tokens";r=599')
  assert.deepEqual(await flood(620, () => clientCredentials(url, app)), { 200: 599, 429: 21 })
  const { status, body, headers } = await clientCredentials(url, app)
  assert.equal(status, 429)
  const seconds = headers.get('retry-after') ?? ''
  assert.match(seconds, /^[1-9]\d?$/)
  assert.equal(headers.get('ratelimit'), '"tokens";r=0')
  assert.deepEqual(body, {
    ErrorType: 'RateLimitExceeded',
    ErrorMessages: [`The rate limit is exceeded. Retry after ${seconds} seconds.`],
  })
  assert.equal((await askToken(url, { grant_type: 'client_credentials' }, basic(app))).status, 429)
  assert.equal((await clientCredentials(url, other)).status, 200)
})

test('refreshing and revoking count, too, whether they succeed or not', async () => {
  const app = await givenApp(database, { grantType: 1, redirectUris: ['https://shop.example.com/back'] })
  const secret = { client_id: app.clientId, client_secret: app.clientSecret }
  assert.deepEqual(
    await flood(620, () => askToken(url, { ...secret, grant_type: 'refresh_token', refresh_token: 'x' })),
    {
      400: 600,
      429: 20,
    },
  )
  const revoked = await fetch(`${url}/connect/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ ...secret, token: 'x' }),
  })
  assert.equal(revoked.status, 429)
})

test('who does not know the secret uses up nothing of the app, and is refused by itself after 600 a minute', async () => {
  const app = await givenApp(database)
  const wrong = { ...app, clientSecret: 'wrong' }
  assert.deepEqual(await flood(620, () => clientCredentials(url, wrong)), { 401: 600, 429: 20 })
  const { status, headers } = await askToken(url, { grant_type: 'client_credentials' }, basic(wrong))
  assert.equal(status, 429)
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  const elsewhere = { ...basic(wrong), 'x-forwarded-for': '203.0.113.7' }
  assert.equal((await askToken(url, { grant_type: 'client_credentials' }, elsewhere)).status, 401)
  assert.deepEqual(await flood(62, () => clientCredentials(url, app)), { 200: 62 })
})

test('made-up client ids share one limit', async () => {
  const madeUp = () => clientCredentials(url, { clientId: crypto.randomUUID(), clientSecret: 'x' })
  assert.deepEqual(await flood(620, madeUp), { 401: 600, 429: 20 })
})
