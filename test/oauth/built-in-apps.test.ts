// The browser apps that every organisation has: they sign people in without a secret, and no script ever sees
// their refresh token.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { scopes } from '../../src/access/scopes.ts'
import { setPassword } from '../../src/users/set-password.ts'
import {
  askToken,
  callApi,
  clientCredentials,
  givenApp,
  openProcess,
  putApi,
} from '../support/given-oauth.ts'
import { freeAddress, givenUser, openBrowser, password } from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })
const manager = await givenApp(database, { scopes: [...scopes] })
const { organisationId } = manager
const managing = (await clientCredentials(url, manager)).body.access_token as string
const own = { origin: url }

interface PortalApp {
  organisationId: string
  clientId: string
  authorizeUrl: string
  baseUrl: string
}

/** Asks for the portal of an organisation. */
async function askPortal(query = ''): Promise<{ status: number; body: PortalApp }> {
  const response = await fetch(`${url}/connect/portal${query}`)
  return { status: response.status, body: (await response.json()) as PortalApp }
}

const { body: portal } = await askPortal()

/** Begins a sign-in as the page does. */
function beginning(from = portal) {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const path = `${from.authorizeUrl.slice(url.length)}&code_challenge=${challenge}&code_challenge_method=S256`
  return { verifier, path: `${path}&state=abc` }
}

/** The cookie that a response sets, and how it sets it. */
function cookieOf(headers: Headers): { cookie: string; line: string } {
  const line = headers.getSetCookie().find(text => text.startsWith('waybill-portal=')) ?? ''
  return { cookie: line.split(';')[0] ?? '', line }
}

/** Signs a person in, and returns the browser, the answer of the token endpoint and the cookie. */
async function signedIn(email: string) {
  const browser = openBrowser(url)
  const { verifier, path } = beginning()
  const page = await browser.submit(await browser.open(path), 'sign-in', { email, password })
  const back = new URL(page.url)
  assert.equal(back.pathname, '/signed-in', 'nobody is asked for consent')
  assert.equal(back.searchParams.get('state'), 'abc')
  const form = {
    grant_type: 'authorization_code',
    client_id: portal.clientId,
    code: back.searchParams.get('code') ?? '',
    redirect_uri: `${url}/signed-in`,
    code_verifier: verifier,
  }
  const answer = await askToken(url, form, own)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return { browser, answer, form, ...cookieOf(answer.headers) }
}

const refresh = (cookie: string, headers: Record<string, string> = own) =>
  askToken(url, { grant_type: 'refresh_token', client_id: portal.clientId }, { ...headers, cookie })

test('with one organisation nobody is asked for it; with several it is named by id or prefix', async () => {
  assert.equal(portal.organisationId, organisationId)
  assert.equal(portal.baseUrl, url)
  const again = await askPortal()
  assert.deepEqual(again.body, portal)
  const { database: another } = await openTestDatabase()
  const there = await freeAddress()
  await openProcess(another, { authUrl: there })
  const ask = async (query: string) => {
    const response = await fetch(`${there}/connect/portal${query}`)
    return { status: response.status, body: (await response.json()) as PortalApp }
  }
  const nobody = await ask('')
  assert.equal(nobody.status, 404)
  const first = await givenApp(another)
  const { createOrganisation } = await import('../../src/organisations/organisation.ts')
  const second = await another.atomically(tx =>
    createOrganisation(tx, { name: 'Southwind', prefix: 'swl', timezone: 'UTC' }),
  )
  for (const [query, expected] of [
    [`?Organisation=${first.organisationId}`, first.organisationId],
    ['?Organisation=swl', second],
    ['?Organisation=SWL', second],
  ] as const)
    assert.equal((await ask(query)).body.organisationId, expected, query)
  for (const query of ['', '?Organisation=XXX', `?Organisation=${crypto.randomUUID()}`, '?Organisation=%'])
    assert.deepEqual(await ask(query), nobody, query)
})

test('a person gets every scope that their role holds, the claim of the app, and no refresh token to read', async () => {
  const { email } = await givenUser(database, { organisationId, role: 'member' })
  const { answer, line } = await signedIn(email)
  assert.deepEqual(Object.keys(answer.body).toSorted(), ['access_token', 'expires_in', 'scope', 'token_type'])
  assert.match(
    line,
    /^waybill-portal=[\w-]+; Path=\/; Max-Age=43\d{3}; HttpOnly; SameSite=Strict$/,
    'twelve hours, and no Secure on plain http',
  )
  const claims = decodeJwt(answer.body.access_token)
  assert.equal(claims.app, 'portal')
  assert.ok(String(claims.scope).includes('organisation.read') && String(claims.scope).includes('financial'))
  const me = await callApi(url, answer.body.access_token, '/v1/me')
  assert.deepEqual([me.status, me.body.email, me.body.app], [200, email, 'portal'])
})

test('what a role gains counts with the next token', async () => {
  const { email, userId } = await givenUser(database, { organisationId, role: 'reader' })
  const { answer, cookie } = await signedIn(email)
  assert.doesNotMatch(answer.body.scope, /(^| )consignment( |$)/)
  assert.equal((await putApi(url, managing, `/v1/users/${userId}`, { role: 'member' })).status, 200)
  const next = await refresh(cookie)
  assert.match(next.body.scope, /(^| )consignment( |$)/)
})

test('without PKCE nobody gets a code', async () => {
  const browser = openBrowser(url)
  const page = await browser.open(`${portal.authorizeUrl.slice(url.length)}&state=abc`)
  const back = new URL(page.url)
  assert.deepEqual([back.pathname, back.searchParams.get('error')], ['/signed-in', 'invalid_request'])
})

test('another verifier, and another address to return to, are refused', async () => {
  const { email } = await givenUser(database, { organisationId })
  const { form } = await signedIn(email)
  for (const change of [{ code_verifier: 'x'.repeat(43) }, { redirect_uri: `${url}/elsewhere` }])
    assert.equal((await askToken(url, { ...form, ...change }, own)).body.error, 'invalid_grant')
  const { path } = beginning()
  const moved = path.replace(encodeURIComponent('/signed-in'), encodeURIComponent('/elsewhere'))
  assert.equal((await openBrowser(url).open(moved)).status, 400)
})

test('only the pages of this service may use the cookie', async () => {
  const { email } = await givenUser(database, { organisationId })
  const { cookie } = await signedIn(email)
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    {},
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ]
  for (const headers of foreign) {
    const { status, body } = await refresh(cookie, headers)
    assert.deepEqual([status, body.error], [403, 'access_denied'], JSON.stringify(headers))
    const revoked = await fetch(`${url}/connect/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: portal.clientId }),
      headers: { ...headers, cookie },
    })
    assert.equal(revoked.status, 403)
  }
  assert.equal((await refresh(cookie, { 'sec-fetch-site': 'same-origin' })).status, 200)
})

test('a refresh token in the body, and no cookie, are refused', async () => {
  const { email } = await givenUser(database, { organisationId })
  const { cookie } = await signedIn(email)
  const form = { grant_type: 'refresh_token', client_id: portal.clientId }
  const inBody = await askToken(url, { ...form, refresh_token: cookie.split('=')[1] ?? '' }, own)
  assert.deepEqual([inBody.status, inBody.body.error], [400, 'invalid_request'])
  const without = await askToken(url, form, own)
  assert.deepEqual([without.status, without.body.error], [400, 'invalid_grant'])
  const unknown = await refresh('waybill-portal=abc')
  assert.deepEqual([unknown.status, unknown.body.error], [400, 'invalid_grant'])
})

test('two tabs that refresh at once both stay signed in', async () => {
  const { email } = await givenUser(database, { organisationId })
  const { cookie } = await signedIn(email)
  const [one, two] = await Promise.all([refresh(cookie), refresh(cookie)])
  assert.deepEqual([one.status, two.status], [200, 200])
  assert.equal(cookieOf(one.headers).cookie, cookieOf(two.headers).cookie)
})

test('signing out ends the tokens of the browser and its session, and removes the cookie', async () => {
  const { email } = await givenUser(database, { organisationId })
  const { browser, cookie } = await signedIn(email)
  const session = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  const response = await fetch(`${url}/connect/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: portal.clientId }),
    headers: { ...own, cookie: `${cookie}; ${session}` },
  })
  assert.equal(response.status, 200)
  assert.match(cookieOf(response.headers).line, /^waybill-portal=; Path=\/; Max-Age=0;/)
  assert.equal((await refresh(cookie)).body.error, 'invalid_grant')
  assert.match((await browser.open(beginning().path)).html, /<h1>Sign in<\/h1>/, 'the session is over')
})

test('signing out everywhere and a new password end every token at once', async () => {
  const { email, userId } = await givenUser(database, { organisationId })
  const ends = [
    (token: string) =>
      fetch(`${url}/v1/me/end-sessions`, { method: 'POST', headers: { authorization: `Bearer ${token}` } }),
    () => setPassword(database, { organisationId, userId }, password),
  ]
  for (const end of ends) {
    const { answer, cookie } = await signedIn(email)
    const token = answer.body.access_token as string
    assert.equal((await callApi(url, token)).status, 200)
    await end(token)
    assert.equal((await refresh(cookie)).body.error, 'invalid_grant')
    for (;;) {
      const { status } = await callApi(url, token)
      if (status === 401) break
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
})

test('a portal that is switched off signs nobody in; it is listed, and can only be switched', async () => {
  const apps = (await callApi(url, managing, '/v1/custom-apps?SearchText=portal')).body.customApps
  const [app] = apps as { id: string; builtIn: string; isDisabled: boolean }[]
  assert.deepEqual([app?.builtIn, app?.isDisabled], ['portal', false])
  const path = `/v1/custom-apps/${app?.id}`
  for (const body of [{ name: 'Ours' }, { scopes: ['consignment'] }, { redirectUris: ['https://a.example'] }])
    assert.equal((await putApi(url, managing, path, body)).status, 400)
  const rotated = await fetch(`${url}${path}/rotate-secret`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: `Bearer ${managing}`, 'content-type': 'application/json' },
  })
  assert.equal(rotated.status, 400)
  assert.equal((await putApi(url, managing, path, { isDisabled: true })).status, 200)
  assert.equal((await askPortal()).status, 403)
  assert.equal((await putApi(url, managing, path, { isDisabled: false })).status, 200)
  assert.deepEqual((await askPortal()).body, portal)
})

test('thirty questions a minute from a network are answered', async () => {
  const { url: limited } = await openProcess(database, { rateLimits: true })
  const statuses = []
  for (let i = 0; i < 31; i++) statuses.push((await fetch(`${limited}/connect/portal`)).status)
  assert.deepEqual(statuses.slice(-2), [200, 429])
})

test('people have a limit of their own, which the organisation does not share', async () => {
  const limitedUrl = await freeAddress()
  await openProcess(database, { authUrl: limitedUrl, rateLimits: true })
  const { email } = await givenUser(database, { organisationId })
  const browser = openBrowser(limitedUrl)
  const response = (await (await fetch(`${limitedUrl}/connect/portal`)).json()) as PortalApp
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const path = `${response.authorizeUrl.slice(limitedUrl.length)}&code_challenge=${challenge}`
  const page = await browser.open(`${path}&code_challenge_method=S256`)
  const back = new URL((await browser.submit(page, 'sign-in', { email, password })).url)
  const granted = await askToken(
    limitedUrl,
    {
      grant_type: 'authorization_code',
      client_id: response.clientId,
      code: back.searchParams.get('code') ?? '',
      redirect_uri: `${limitedUrl}/signed-in`,
      code_verifier: verifier,
    },
    { origin: limitedUrl },
  )
  const { headers } = await callApi(limitedUrl, granted.body.access_token)
  assert.equal(headers.get('ratelimit-policy'), '"people";q=600;w=60')
  assert.equal(headers.get('ratelimit'), '"people";r=599')
})
