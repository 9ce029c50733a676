import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { sql } from '../../src/platform/database/db.ts'
import { askToken, callApi, openProcess } from '../support/given-oauth.ts'
import {
  authorise,
  authorizeQuery,
  freeAddress,
  givenPeopleApp,
  givenUser,
  openBrowser,
  password,
  redirectUri,
} from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })
const app = await givenPeopleApp(database)
const { organisationId } = app
const ada = await givenUser(database, { organisationId, fullName: '<Ada> & "Co"' })

const tokens = async (code: string | undefined, of = app, more: Record<string, string> = {}) =>
  askToken(url, {
    grant_type: 'authorization_code',
    client_id: of.clientId,
    client_secret: of.clientSecret,
    redirect_uri: redirectUri,
    code: code ?? '',
    ...more,
  })
const scopeOf = (answer: { body: { access_token: string } }) => decodeJwt(answer.body.access_token).scope

test('a person signs in, allows the app, and returns with code, state and issuer; the code becomes tokens', async () => {
  const browser = openBrowser(url)
  const signIn = await browser.open(`/connect/authorize?${authorizeQuery(app)}`)
  assert.equal(signIn.status, 200)
  assert.match(signIn.html, /to <strong>Northwind<\/strong>, to go on to <strong>Kauri Shop<\/strong>/)
  const leave = await browser.submit(signIn, 'sign-in', { email: ada.email.toUpperCase(), password })
  assert.equal(leave.status, 200)
  assert.match(leave.html, /Allow Kauri Shop\?/)
  assert.match(leave.html, /See, import and change consignments/)
  assert.match(leave.html, /See clients, carriers and their products/)
  assert.match(leave.html, /You will return to shop\.example\.com\./)
  assert.ok(leave.html.includes('&lt;Ada&gt; &amp; &quot;Co&quot;') && !leave.html.includes('<Ada>'))
  const back = await browser.submit(leave, 'allow')
  const at = new URL(back.url)
  assert.equal(at.origin + at.pathname, 'https://shop.example.com/back')
  const { code, ...rest } = Object.fromEntries(at.searchParams)
  assert.deepEqual(rest, { from: 'waybill', state: 's+/ä', iss: url })

  const answer = await tokens(code)
  assert.equal(answer.status, 200)
  const { access_token, refresh_token, ...about } = answer.body
  assert.deepEqual(about, { token_type: 'Bearer', expires_in: 3600, scope: 'consignment partner.read' })
  assert.ok(refresh_token)
  const identity = await callApi(url, access_token)
  assert.deepEqual([identity.body.userId, identity.body.organisationId], [ada.userId, organisationId])
  assert.equal(identity.body.identityConnectionId, decodeJwt(access_token).connection_id)
})

test('the longest allowed password fits into its field', async () => {
  const long = '🐎'.repeat(200)
  const { email } = await givenUser(database, { organisationId, password: long })
  const browser = openBrowser(url)
  const page = await browser.open(`/connect/authorize?${authorizeQuery(app)}`)
  const maxLength = Number(/<input id="password"[^>]* maxlength="(\d+)"/.exec(page.html)?.[1])
  const typed = long.slice(0, maxLength)
  const next = await browser.submit(page, 'sign-in', { email, password: typed })
  assert.match(next.html, /value="allow"/)
})

test('the pages run no scripts, load nothing, and cannot be framed or cached', async () => {
  const browser = openBrowser(url)
  const page = await browser.open(`/connect/authorize?${authorizeQuery(app)}`)
  const failed = await browser.open('/connect/authorize')
  for (const { headers, html } of [page, failed]) {
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:/,
    )
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.doesNotMatch(html, /<script|<link|<img|style="|\son\w+=/)
  }
})

test('consent is asked for once, even in another browser, and again for more scopes', async () => {
  const browser = openBrowser(url)
  const person = await givenUser(database, { organisationId })
  await authorise(browser, app, person.email)
  const again = await browser.open(`/connect/authorize?${authorizeQuery(app, { scope: 'consignment.read' })}`)
  assert.equal(again.status, 303)
  assert.equal(scopeOf(await tokens(new URL(again.url).searchParams.get('code') ?? '')), 'consignment.read')

  const elsewhere = openBrowser(url)
  const signIn = await elsewhere.open(`/connect/authorize?${authorizeQuery(app)}`)
  assert.equal((await elsewhere.submit(signIn, 'sign-in', { email: person.email, password })).status, 303)
  const more = await elsewhere.open(
    `/connect/authorize?${authorizeQuery(app, { scope: 'consignment partner' })}`,
  )
  assert.match(more.html, /See and change clients/)
  assert.equal((await elsewhere.submit(more, 'allow')).status, 303)
  assert.equal(
    (await elsewhere.open(`/connect/authorize?${authorizeQuery(app, { scope: 'consignment partner' })}`))
      .status,
    303,
  )
  assert.match(
    (await elsewhere.open(`/connect/authorize?${authorizeQuery(app, { prompt: 'consent' })}`)).html,
    /Allow Kauri Shop/,
  )
  assert.match(
    (await elsewhere.open(`/connect/authorize?${authorizeQuery(app, { prompt: 'login' })}`)).html,
    /Sign in/,
  )
})

test('a person who does not sign in or does not consent returns with access_denied, and nothing is stored', async () => {
  const browser = openBrowser(url)
  const person = await givenUser(database, { organisationId })
  const query = `/connect/authorize?${authorizeQuery(app)}`
  const cancelled = new URL((await browser.submit(await browser.open(query), 'cancel')).url).searchParams
  assert.deepEqual(
    [cancelled.get('error'), cancelled.get('state'), cancelled.get('iss')],
    ['access_denied', 's+/ä', url],
  )
  const leave = await browser.submit(await browser.open(query), 'sign-in', { email: person.email, password })
  const denied = new URL((await browser.submit(leave, 'deny')).url).searchParams
  assert.deepEqual(
    [denied.get('error'), denied.get('state'), denied.get('code')],
    ['access_denied', 's+/ä', null],
  )
  assert.match((await browser.open(query)).html, /Allow Kauri Shop/)
})

test('a wrong password, an unknown email, a user without password and a disabled one look alike', async () => {
  const without = await givenUser(database, { organisationId, password: null })
  const gone = await givenUser(database, { organisationId })
  await database.atomically(tx =>
    tx.run(sql`update app_user set disabled_utc = now() where id = ${gone.userId}`),
  )
  const tries = [
    { email: ada.email, password: 'wrong horse battery' },
    { email: 'nobody@example.com', password },
    { email: without.email, password },
    { email: gone.email, password },
    { email: 'not an address', password },
  ]
  const shown = new Set<string>()
  for (const each of tries) {
    const browser = openBrowser(url)
    const page = await browser.submit(
      await browser.open(`/connect/authorize?${authorizeQuery(app)}`),
      'sign-in',
      each,
    )
    assert.equal(page.status, 400)
    assert.match(page.html, /<title>Error: Sign in/)
    assert.match(page.html, /role="alert"/)
    assert.match(page.html, /<a href="#password">Incorrect email address or password\.<\/a>/)
    assert.ok(!page.html.includes(each.password))
    shown.add(page.html.replace(each.email, 'EMAIL').replace(/name="form_token" value="[^"]+"/, ''))
  }
  assert.equal(shown.size, 1)
})

test('missing fields are named, and what was typed stays', async () => {
  const browser = openBrowser(url)
  const signIn = await browser.open(`/connect/authorize?${authorizeQuery(app, { login_hint: '"><b>@x' })}`)
  assert.ok(signIn.html.includes('value="&quot;&gt;&lt;b&gt;@x"'))
  const page = await browser.submit(signIn, 'sign-in', { email: 'mere@example.com', password: '' })
  assert.match(page.html, /Enter your password\./)
  assert.match(page.html, /aria-invalid="true" aria-describedby="password-fault"/)
  assert.ok(page.html.includes('value="mere@example.com"'))
  assert.match(
    (await browser.submit(signIn, 'sign-in', { email: ' ', password: 'x' })).html,
    /Enter your email address\./,
  )
})

test('the same email in two organisations is two people: the app decides which', async () => {
  const other = await givenPeopleApp(database, { name: 'Other App' })
  const there = await givenUser(database, {
    organisationId: other.organisationId,
    email: ada.email,
    password: 'another password',
  })
  const browser = openBrowser(url)
  const first = await tokens((await authorise(browser, app, ada.email)).code)
  assert.equal(decodeJwt(first.body.access_token).user_id, ada.userId)

  // The session has no account at the other organisation, so it asks for one.
  const signIn = await browser.open(`/connect/authorize?${authorizeQuery(other)}`)
  assert.equal((await browser.submit(signIn, 'sign-in', { email: ada.email, password })).status, 400)
  const leave = await browser.submit(signIn, 'sign-in', { email: ada.email, password: 'another password' })
  const { code } = Object.fromEntries(new URL((await browser.submit(leave, 'allow')).url).searchParams)
  const claims = decodeJwt((await tokens(code, other)).body.access_token)
  assert.deepEqual([claims.user_id, claims.organisation_id], [there.userId, other.organisationId])
  // Afterwards the first organisation asks again.
  assert.match((await browser.open(`/connect/authorize?${authorizeQuery(app)}`)).html, /Sign in/)
})

test('another person can sign in instead, and is asked for their own consent', async () => {
  const [one, two] = [
    await givenUser(database, { organisationId }),
    await givenUser(database, { organisationId, fullName: 'Second Person' }),
  ]
  const browser = openBrowser(url)
  const leave = await browser.submit(
    await browser.open(`/connect/authorize?${authorizeQuery(app)}`),
    'sign-in',
    {
      email: one.email,
      password,
    },
  )
  const signIn = await browser.submit(leave, 'switch')
  assert.match(signIn.html, /<h1>Sign in<\/h1>/)
  const second = await browser.submit(signIn, 'sign-in', { email: two.email, password })
  assert.match(second.html, /signed in as Second Person/)
  const { code, state } = Object.fromEntries(
    new URL((await browser.submit(second, 'allow')).url).searchParams,
  )
  assert.equal(state, 's+/ä')
  assert.equal(decodeJwt((await tokens(code)).body.access_token).user_id, two.userId)
})

test('a session gets a new id at each sign-in, and its cookie ends with the browser', async () => {
  const browser = openBrowser(url)
  browser.cookies.set('waybill_session /', { value: 'fixed-by-a-stranger', path: '/' })
  await authorise(browser, app, ada.email)
  const session = browser.cookies.get('waybill_session /')?.value
  assert.notEqual(session, 'fixed-by-a-stranger')
  const planted = openBrowser(url)
  planted.cookies.set('waybill_session /', { value: session as string, path: '/' })
  // A cookie without its signature is not valid.
  assert.match((await planted.open(`/connect/authorize?${authorizeQuery(app)}`)).html, /Sign in/)
})

test('a form is valid only for its own interaction and step, and only in its own browser', async () => {
  const [victim, stranger] = [openBrowser(url), openBrowser(url)]
  const theirs = await stranger.open(`/connect/authorize?${authorizeQuery(app)}`)
  const mine = await victim.open(`/connect/authorize?${authorizeQuery(app)}`)
  // A stranger's page posts to the stranger's interaction from the victim's browser, and the other way round.
  for (const page of [
    { ...theirs },
    { ...mine, html: theirs.html },
    { ...mine, html: mine.html.replace(/name="form_token" value="[^"]+"/, 'name="form_token" value="x"') },
  ]) {
    const refused = await victim.submit(page, 'sign-in', { email: ada.email, password })
    assert.equal(refused.status, 400)
    assert.match(refused.html, /This sign-in is over/)
  }
  const leave = await victim.submit(mine, 'sign-in', { email: ada.email, password })
  if (leave.status === 200) await victim.submit(leave, 'allow')
  // The person goes back and submits the form again.
  assert.match(
    (await victim.submit(mine, 'sign-in', { email: ada.email, password })).html,
    /This sign-in is over/,
  )
  assert.match((await openBrowser(url).open('/connect/sign-in/made-up')).html, /cookies/)
  assert.match((await openBrowser(url).open('/connect/authorize/made-up')).html, /This sign-in is over/)
})

test('a redirect URI that is not exactly a registered one is an error page, never a redirect', async () => {
  const wrong = [
    'https://shop.example.com/back',
    `${redirectUri}/`,
    `${redirectUri}&more=1`,
    'https://shop.example.com/Back?from=waybill',
    'https://shop.example.com:443/back?from=waybill',
    'https://evil.example.com/back?from=waybill',
    'javascript:alert(1)',
    'nonsense',
    '',
    undefined,
  ]
  for (const redirect_uri of wrong) {
    for (const more of [
      {},
      { scope: 'nonsense' },
      { response_type: 'token' },
      { response_mode: 'form_post' },
    ]) {
      const page = await openBrowser(url).open(
        `/connect/authorize?${authorizeQuery(app, { redirect_uri, ...more })}`,
      )
      assert.equal(page.status, 400, String(redirect_uri))
      assert.match(page.html, /This does not work/)
    }
  }
  for (const client_id of [undefined, 'nobody', '\u0000', crypto.randomUUID()]) {
    const page = await openBrowser(url).open(`/connect/authorize?${authorizeQuery(app, { client_id })}`)
    assert.equal(page.status, 400, String(client_id))
  }
  const machine = await givenPeopleApp(database, { grantType: 2, redirectUris: [] })
  assert.equal((await openBrowser(url).open(`/connect/authorize?${authorizeQuery(machine)}`)).status, 400)
})

test('every other error returns to the app with the state', async () => {
  const cases: [Record<string, string | undefined>, string][] = [
    [{ scope: undefined }, 'invalid_scope'],
    [{ scope: '' }, 'invalid_scope'],
    [{ scope: 'offline_access' }, 'invalid_scope'],
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ scope: 'openid' }, 'invalid_scope'],
    [{ scope: 'financial' }, 'invalid_scope'],
    [{ scope: 'consignment financial.read' }, 'invalid_scope'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'none' }, 'unsupported_response_type'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_type: 'code token' }, 'unsupported_response_type'],
    [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
    [{ prompt: 'dance' }, 'invalid_request'],
    [{ resource: 'https://elsewhere.example.com' }, 'invalid_target'],
  ]
  for (const [change, error] of cases) {
    const back = await openBrowser(url).open(`/connect/authorize?${authorizeQuery(app, change)}`)
    assert.ok(back.url.startsWith('https://shop.example.com/back?'), `${JSON.stringify(change)} ${back.html}`)
    const query = new URL(back.url).searchParams
    assert.deepEqual(
      [query.get('error'), query.get('state'), query.get('iss')],
      [error, 's+/ä', url],
      JSON.stringify(change),
    )
  }
  const twice = await openBrowser(url).open(`/connect/authorize?${authorizeQuery(app)}&scope=partner`)
  assert.equal(new URL(twice.url).searchParams.get('error'), 'invalid_request')
  const signedIn = openBrowser(url)
  const person = await givenUser(database, { organisationId })
  const leave = await signedIn.submit(
    await signedIn.open(`/connect/authorize?${authorizeQuery(app)}`),
    'sign-in',
    {
      email: person.email,
      password,
    },
  )
  assert.equal(leave.status, 200)
  const silent = await signedIn.open(`/connect/authorize?${authorizeQuery(app, { prompt: 'none' })}`)
  assert.equal(new URL(silent.url).searchParams.get('error'), 'consent_required')
})

test('parameters of other protocols are ignored, and responses are always in the query', async () => {
  const browser = openBrowser(url)
  const more = {
    nonce: 'n',
    max_age: '0',
    response_mode: 'form_post',
    claims: '{',
    request: 'x',
    acr_values: 'gold',
    display: 'popup',
  }
  const back = await authorise(browser, app, ada.email, more)
  assert.ok(back.code)
})

test('offline_access is accepted and changes nothing', async () => {
  const browser = openBrowser(url)
  const person = await givenUser(database, { organisationId })
  const answer = await tokens(
    (await authorise(browser, app, person.email, { scope: 'offline_access partner.read' })).code,
  )
  assert.equal(answer.body.scope, 'partner.read')
  assert.ok(answer.body.refresh_token)
  assert.equal(
    (
      await browser.open(
        `/connect/authorize?${authorizeQuery(app, { scope: 'partner.read offline_access', prompt: 'none' })}`,
      )
    ).status,
    303,
  )
})

test('a code lasts 60 seconds', async () => {
  const { code = '' } = await authorise(openBrowser(url), app, ada.email)
  const { seconds } = await database.db.row<{ seconds: number }>(sql`
    select extract(epoch from max(expires_utc) - now()) as seconds from oauth_record
      where model = 'AuthorizationCode'`)
  assert.ok(seconds > 50 && seconds <= 60)
  await database.atomically(tx =>
    tx.run(sql`update oauth_record set expires_utc = now() where model = 'AuthorizationCode'`),
  )
  assert.deepEqual([(await tokens(code)).status, (await tokens(code)).body.error], [400, 'invalid_grant'])
})

test('a question mark in the query is part of a value', async () => {
  const query = authorizeQuery(app)
    .replace(/state=[^&]*/, '')
    .replace('&&', '&')
  for (const asked of [`${query}&state=a?b?c`, `state=a?b?c&${query}`]) {
    const browser = openBrowser(url)
    const signIn = await browser.open(`/connect/authorize?${asked}`)
    const back = await browser.submit(signIn, 'cancel')
    assert.equal(new URL(back.url).searchParams.get('state'), 'a?b?c')
  }
})

test('PKCE is enforced if the app uses it', async () => {
  const verifier = 'v'.repeat(43)
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString(
    'base64url',
  )
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const code = async () => (await authorise(openBrowser(url), app, ada.email, pkce)).code
  assert.equal((await tokens(await code())).body.error, 'invalid_grant')
  assert.equal(
    (await tokens(await code(), app, { code_verifier: 'w'.repeat(43) })).body.error,
    'invalid_grant',
  )
  assert.equal((await tokens(await code(), app, { code_verifier: verifier })).status, 200)
  const { code: plain } = await authorise(openBrowser(url), app, ada.email)
  assert.equal((await tokens(plain, app, { code_verifier: verifier })).body.error, 'invalid_grant')
})

test('all redirects stay at the address of the service, whatever address a proxy uses', async () => {
  const browser = openBrowser(url, { 'x-forwarded-host': 'inside.example.com:8080', host: 'waybill:8080' })
  const { code } = await authorise(browser, app, ada.email)
  assert.equal((await tokens(code)).status, 200)
})

test('over https the cookies are Secure, whatever a proxy reports', async () => {
  const { url: plain } = await openProcess(database)
  const response = await fetch(`${plain}/connect/authorize?${authorizeQuery(app)}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-proto': 'http' },
  })
  const cookies = response.headers.getSetCookie()
  assert.ok(cookies.length >= 2)
  for (const cookie of cookies) assert.match(cookie, /; secure/i)
  assert.match(response.headers.get('location') ?? '', /^\/connect\/sign-in\//)
})
