import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../harness.ts'
import { askToken, clientCredentials, givenApp, openProcess } from './given-oauth.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database, { rateLimits: true })

test('an app may ask 600 times a minute; the next is 429 and other apps are not affected', async () => {
  const app = await givenApp(database)
  const other = await givenApp(database)
  const statuses: number[] = []
  for (let i = 0; i < 600; i += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => clientCredentials(url, n === 0 ? app : { ...app, clientSecret: 'wrong' })),
    )
    statuses.push(...answers.map(answer => answer.status))
  }
  assert.deepEqual(new Set(statuses), new Set([200, 401]))
  const { status, body, headers } = await clientCredentials(url, app)
  assert.equal(status, 429)
  const seconds = headers.get('retry-after') ?? ''
  assert.match(seconds, /^[1-9]\d?$/)
  assert.deepEqual(body, { ErrorType: 'RateLimitExceeded', ErrorMessages: [`The rate limit is exceeded. Retry after ${seconds} seconds.`] })
  const authorization = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`
  assert.equal((await askToken(url, { grant_type: 'client_credentials' }, { authorization })).status, 429)
  assert.equal((await clientCredentials(url, other)).status, 200)
})

test('made-up client ids share one limit', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 620; i += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => clientCredentials(url, { clientId: crypto.randomUUID(), clientSecret: 'x' })),
    )
    statuses.push(...answers.map(answer => answer.status))
  }
  assert.equal(statuses.filter(status => status === 401).length, 600)
  assert.equal(statuses.filter(status => status === 429).length, 20)
})
