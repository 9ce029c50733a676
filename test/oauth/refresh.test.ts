import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { sql } from '../../src/platform/database/db.ts'
import {
  askToken,
  callApi,
  clientCredentials,
  givenApp,
  type HttpResponse,
  openProcess,
  read,
} from '../support/given-oauth.ts'
import {
  authorise,
  freeAddress,
  givenPeopleApp,
  givenUser,
  openBrowser,
  redirectUri,
} from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'
import { untilServed } from '../support/until-served.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })
// A second process of the same service.
const { url: other } = await openProcess(database)
const app = await givenPeopleApp(database)
const secrets = { client_id: app.clientId, client_secret: app.clientSecret }
const { email, userId } = await givenUser(database, { organisationId: app.organisationId })

const refresh = (refresh_token: string, at = url, more: Record<string, string> = {}) =>
  askToken(at, { grant_type: 'refresh_token', ...secrets, refresh_token, ...more })

/** The first refresh token of a new sign-in. */
async function signedIn(change: Record<string, string> = {}): Promise<string> {
  const { code = '' } = await authorise(openBrowser(url), app, email, change)
  return (
    await askToken(url, { grant_type: 'authorization_code', ...secrets, code, redirect_uri: redirectUri })
  ).body.refresh_token
}

/** Moves every use of a refresh token into the past by this time. */
const usedAgo = (seconds: number) =>
  database.atomically(tx =>
    tx.run(sql`update oauth_record set consumed_utc = consumed_utc - make_interval(secs => ${seconds})`),
  )

function isRefused({ status, body }: HttpResponse): void {
  assert.deepEqual([status, body.error], [400, 'invalid_grant'])
}

test('a refresh returns a new token, which lasts 90 days, and an access token of the same person', async () => {
  const first = await signedIn()
  const { status, body } = await refresh(first)
  assert.equal(status, 200)
  assert.deepEqual(
    [body.token_type, body.expires_in, body.scope],
    ['Bearer', 3600, 'consignment partner.read'],
  )
  assert.notEqual(body.refresh_token, first)
  assert.match(body.refresh_token, /^[\w-]{43}$/)
  assert.equal((await callApi(url, body.access_token)).body.userId, userId)
  const { days } = await database.db.row<{ days: number }>(sql`
    select extract(epoch from max(expires_utc) - now()) / 86400 as days from oauth_record
      where model = 'RefreshToken'`)
  assert.ok(days > 89.99 && days <= 90)
})

test('a refresh may request fewer scopes, but not more', async () => {
  const first = await signedIn()
  const fewer = await refresh(first, url, { scope: 'partner.read' })
  assert.equal(fewer.body.scope, 'partner.read')
  const more = await refresh(fewer.body.refresh_token, url, { scope: 'partner' })
  assert.deepEqual([more.status, more.body.error], [400, 'invalid_scope'])
  assert.equal((await refresh(fewer.body.refresh_token)).body.scope, 'consignment partner.read')
})

test('50 parallel uses at two processes all get the same next token, and the token family stays valid', async () => {
  const first = await signedIn()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => untilServed(() => refresh(first, i % 2 === 0 ? url : other))),
  )
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
  const next = new Set<string>(answers.map(answer => answer.body.refresh_token))
  assert.equal(next.size, 1)
  const [second = ''] = next
  assert.equal((await refresh(second, other)).status, 200)
})

test('a lost response can be requested again within 30 seconds; later the token counts as stolen and its family ends', async () => {
  const [first, bystander] = [await signedIn(), await signedIn()]
  const second = (await refresh(first)).body.refresh_token
  await usedAgo(25)
  assert.equal((await refresh(first, other)).body.refresh_token, second)
  const third = (await refresh(second)).body.refresh_token
  await usedAgo(10)
  isRefused(await refresh(first))
  isRefused(await refresh(third))
  isRefused(await refresh(second, other))
  assert.equal((await refresh(bystander)).status, 200, 'another sign-in of the same person is another family')
})

test('a refresh token is valid only for its own app, and only until it expires', async () => {
  const stranger = await givenPeopleApp(database, { organisationId: app.organisationId })
  const first = await signedIn()
  isRefused(
    await askToken(url, {
      grant_type: 'refresh_token',
      client_id: stranger.clientId,
      client_secret: stranger.clientSecret,
      refresh_token: first,
    }),
  )
  assert.equal((await refresh(first)).status, 200)
  for (const made of ['', 'made-up', 'x'.repeat(10_000), '\u0000']) {
    const { status, body } = await refresh(made)
    assert.deepEqual([status, ['invalid_grant', 'invalid_request'].includes(body.error)], [400, true])
  }
  const last = await signedIn()
  await database.atomically(tx =>
    tx.run(sql`update oauth_record set expires_utc = now() where model = 'RefreshToken'`),
  )
  isRefused(await refresh(last))
})

const revoke = async (form: Record<string, string>, at = url) => {
  const response = await fetch(`${at}/connect/revoke`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test('an app revokes a refresh token with its family; revoking a foreign or unknown token has no effect', async () => {
  const [first, bystander] = [await signedIn(), await signedIn()]
  const second = (await refresh(first)).body.refresh_token
  const stranger = await givenPeopleApp(database, { organisationId: app.organisationId })
  const asStranger = { client_id: stranger.clientId, client_secret: stranger.clientSecret }
  for (const form of [
    { ...asStranger, token: second },
    { ...secrets, token: 'made-up' },
    { ...secrets, token: second, token_type_hint: 'nonsense' },
  ]) {
    const { status, text } = await revoke(form)
    assert.deepEqual([status, text], [200, ''])
    if (form.token === second && !('token_type_hint' in form))
      assert.equal((await refresh(first)).status, 200)
  }
  isRefused(await refresh(second))
  isRefused(await refresh(first))
  assert.equal((await refresh(bystander)).status, 200)
})

test('revoking needs the secret of the app, a form and a token, and an access token cannot be revoked', async () => {
  const token = await signedIn()
  const { access_token } = (await clientCredentials(url, await givenApp(database))).body
  const cases: [Record<string, string>, number, string][] = [
    [{ ...secrets, client_secret: 'wrong', token }, 401, 'invalid_client'],
    [{ client_id: 'nobody', client_secret: 'x', token }, 401, 'invalid_client'],
    [{ token }, 401, 'invalid_client'],
    [secrets, 400, 'invalid_request'],
    [{ ...secrets, token: access_token }, 400, 'unsupported_token_type'],
  ]
  for (const [form, status, error] of cases) {
    const answer = await revoke(form)
    assert.deepEqual([answer.status, JSON.parse(answer.text).error], [status, error])
  }
  const json = await fetch(`${url}/connect/revoke`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(json.status, 400)
  assert.equal((await refresh(token)).status, 200)
})

test('scopes that an app has lost are missing from its next token', async () => {
  const own = await givenPeopleApp(database, { organisationId: app.organisationId })
  const { code = '' } = await authorise(openBrowser(url), own, email, { scope: 'consignment partner' })
  const ownSecrets = { client_id: own.clientId, client_secret: own.clientSecret }
  const first = await askToken(url, {
    grant_type: 'authorization_code',
    ...ownSecrets,
    code,
    redirect_uri: redirectUri,
  })
  await database.atomically(tx =>
    tx.run(sql`update custom_app set scopes = '{consignment.read,job}' where id = ${own.customAppId}`),
  )
  const third = await freeAddress()
  await openProcess(database, { authUrl: third })
  const { body } = await askToken(third, {
    grant_type: 'refresh_token',
    ...ownSecrets,
    refresh_token: first.body.refresh_token,
  })
  assert.deepEqual([body.scope, decodeJwt(body.access_token).scope], ['consignment.read', 'consignment.read'])
  assert.equal((await read(third, '/.well-known/oauth-authorization-server')).body.issuer, third)
})
