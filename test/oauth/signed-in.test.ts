// People list and withdraw their consents and sign out, and nobody can do so for them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { askToken, callApi, openProcess, until } from '../support/given-oauth.ts'
import {
  authorise,
  authorizeQuery,
  freeAddress,
  givenPeopleApp,
  givenUser,
  openBrowser,
  redirectUri,
} from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
const { url: other } = await openProcess(database)
await openProcess(database, { authUrl: url })
const app = await givenPeopleApp(database)
const { organisationId } = app

const tokensOf = async (code: string | undefined, of = app) =>
  (
    await askToken(url, {
      grant_type: 'authorization_code',
      client_id: of.clientId,
      client_secret: of.clientSecret,
      code: code ?? '',
      redirect_uri: redirectUri,
    })
  ).body
const refresh = (refresh_token: string, of = app) =>
  askToken(url, {
    grant_type: 'refresh_token',
    client_id: of.clientId,
    client_secret: of.clientSecret,
    refresh_token,
  })

/** A person who has allowed the app, in a browser that is signed in. */
async function givenSignedIn() {
  const { email, userId } = await givenUser(database, { organisationId })
  const browser = openBrowser(url)
  const tokens = await tokensOf((await authorise(browser, app, email)).code)
  return { email, userId, browser, tokens }
}

test('withdrawing consent ends every token and code of the app at once, and the app has to ask again', async () => {
  const { browser, tokens, email } = await givenSignedIn()
  const elsewhere = await tokensOf((await authorise(openBrowser(url), app, email)).code)
  const unused = (await authorise(browser, app, email)).code
  assert.equal((await callApi(url, tokens.access_token)).status, 200)
  const page = await browser.open('/connect/apps')
  assert.match(page.html, /<h2[^>]*>Kauri Shop<\/h2>/)
  assert.match(page.html, /See, import and change consignments/)
  const after = await browser.submit(page, 'withdraw')
  assert.equal(after.status, 200)
  assert.match(after.html, /Kauri Shop can no longer act for you/)
  assert.match(after.html, /No app is allowed to act for you/)

  for (const { refresh_token } of [tokens, elsewhere])
    assert.equal((await refresh(refresh_token)).body.error, 'invalid_grant')
  assert.equal((await tokensOf(unused)).error, 'invalid_grant')
  for (const { access_token } of [tokens, elsewhere])
    await until(async () => (await callApi(url, access_token)).status === 401)
  assert.match((await browser.open(`/connect/authorize?${authorizeQuery(app)}`)).html, /Allow Kauri Shop/)

  // Consent that is given afterwards is valid.
  const again = await tokensOf((await authorise(browser, app, email)).code)
  assert.equal((await callApi(url, again.access_token)).status, 200)
  assert.equal((await callApi(url, tokens.access_token)).status, 401)
})

test('withdrawing consent for one app does not affect other apps or other people', async () => {
  const ada = await givenSignedIn()
  const ben = await givenSignedIn()
  const second = await givenPeopleApp(database, { name: 'Zoo', organisationId })
  const kept = await tokensOf((await authorise(ada.browser, second, ada.email)).code, second)
  // Apps are sorted by name, so the first form is that of Kauri Shop.
  await ada.browser.submit(await ada.browser.open('/connect/apps'), 'withdraw', { app: app.customAppId })
  await until(async () => (await callApi(url, ada.tokens.access_token)).status === 401)
  assert.equal((await callApi(url, kept.access_token)).status, 200)
  assert.equal((await refresh(kept.refresh_token, second)).status, 200)
  assert.equal((await callApi(url, ben.tokens.access_token)).status, 200)
  assert.equal((await refresh(ben.tokens.refresh_token)).status, 200)
  // Nobody can withdraw the consent of another person.
  const page = await ada.browser.open('/connect/apps')
  assert.match(page.html, /Zoo/)
  assert.doesNotMatch(page.html, /Kauri Shop/)
})

test('a process that missed the hint refuses the tokens within seconds', async () => {
  const { browser, tokens } = await givenSignedIn()
  await browser.submit(await browser.open('/connect/apps'), 'withdraw')
  await until(async () => (await callApi(other, tokens.access_token)).status === 401)
})

test('signing out ends the session of this browser, and apps keep their access', async () => {
  const { browser, tokens, email, userId } = await givenSignedIn()
  const second = openBrowser(url)
  await authorise(second, app, email)
  const page = await browser.open('/connect/sign-out')
  assert.match(page.html, /Sign out\?/)
  assert.ok(page.html.includes(email))
  const kept = new Map(browser.cookies)
  const out = await browser.submit(page, 'sign-out')
  assert.match(out.html, /You are signed out/)
  assert.ok(![...browser.cookies.keys()].some(key => key.startsWith('waybill_session')))
  // The previous cookie of the browser is not valid, either.
  for (const [key, cookie] of kept) browser.cookies.set(key, cookie)
  assert.match((await browser.open('/connect/apps')).html, /Nobody is signed in/)
  assert.match((await browser.open(`/connect/authorize?${authorizeQuery(app)}`)).html, /<h1>Sign in/)
  assert.equal((await callApi(url, tokens.access_token)).body.userId, userId)
  assert.equal((await refresh(tokens.refresh_token)).status, 200)
  assert.match((await second.open('/connect/apps')).html, /Kauri Shop/)
})

test('after signing out, nothing can be allowed on a page that is still open', async () => {
  const { browser, email } = await givenSignedIn()
  const page = await browser.open(`/connect/authorize?${authorizeQuery(app, { scope: 'organisation' })}`)
  assert.match(page.html, /Allow Kauri Shop/)
  await browser.submit(await browser.open('/connect/sign-out'), 'sign-out')
  const late = await browser.submit(page, 'allow')
  assert.equal(late.status, 400)
  const { allowedScopes } = await database.db.row<{ allowedScopes: string[] }>(sql`
    select c.allowed_scopes from identity_connection c join app_user u on u.id = c.user_id
    where u.email = ${email} and c.allowed_scopes <> '{}'`)
  assert.ok(!allowedScopes.includes('organisation'))
})

test('a form of another page or another browser has no effect', async () => {
  const { browser, tokens, email } = await givenSignedIn()
  const stranger = await givenSignedIn()
  const [theirs] = /(?<=name="form_token" value=")[^"]+/.exec(
    (await stranger.browser.open('/connect/apps')).html,
  ) as RegExpExecArray
  for (const form_token of [theirs, '', 'x'.repeat(43)]) {
    const apps = await browser.open('/connect/apps')
    assert.match((await browser.submit(apps, 'withdraw', { form_token })).html, /Withdraw consent for Kauri/)
    const out = await browser.open('/connect/sign-out')
    assert.match((await browser.submit(out, 'sign-out', { form_token })).html, /Sign out\?/)
  }
  // A form of another site has no cookie, and must not delete those of the browser.
  const response = await fetch(`${url}/connect/sign-out`, { method: 'POST', body: new URLSearchParams() })
  assert.deepEqual(response.headers.getSetCookie(), [])
  assert.equal((await callApi(url, tokens.access_token)).status, 200)
  assert.ok((await browser.open('/connect/sign-out')).html.includes(email))
})

test('after a person is disabled or gets a new password nobody is signed in; pages cannot be framed or cached', async () => {
  const { browser, userId } = await givenSignedIn()
  for (const path of ['/connect/apps', '/connect/sign-out']) {
    const { headers } = await browser.open(path)
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'self'; .*frame-ancestors 'none'/)
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  await database.atomically(tx =>
    tx.run(sql`update app_user set session_number = session_number + 1 where id = ${userId}`),
  )
  for (const path of ['/connect/apps', '/connect/sign-out'])
    assert.match((await browser.open(path)).html, /Nobody is signed in/)
})
