// The scopes of a person's tokens, and when their tokens are refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import {
  askToken,
  callApi,
  clientCredentials,
  givenApp,
  openProcess,
  putApi,
  until,
} from '../support/given-oauth.ts'
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
import { assertQuick } from '../support/service-process.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url })
const { url: other } = await openProcess(database)
const app = await givenPeopleApp(database)
const { organisationId } = app
const manager = await givenApp(database, { organisationId, scopes: ['organisation'] })
const managing = (await clientCredentials(url, manager)).body.access_token as string
const secrets = { client_id: app.clientId, client_secret: app.clientSecret }
const everything = { scope: 'consignment partner.read organisation' }

async function tokensOf(email: string, change: Record<string, string> = everything) {
  const { code = '' } = await authorise(openBrowser(url), app, email, change)
  return (
    await askToken(url, { grant_type: 'authorization_code', ...secrets, code, redirect_uri: redirectUri })
  ).body
}
const refresh = async (refresh_token: string) =>
  askToken(url, { grant_type: 'refresh_token', ...secrets, refresh_token })

test('the role limits the scopes of tokens, and the page shows no more than those', async () => {
  const expected = {
    administrator: 'consignment organisation partner.read',
    member: 'consignment organisation.read partner.read',
    reader: 'consignment.read organisation.read partner.read',
  } as const
  for (const role of ['administrator', 'member', 'reader'] as const) {
    const { email } = await givenUser(database, { organisationId, role })
    const browser = openBrowser(url)
    const page = await browser.submit(
      await browser.open(`/connect/authorize?${authorizeQuery(app, everything)}`),
      'sign-in',
      {
        email,
        password,
      },
    )
    assert.equal(page.html.includes('Manage the organisation'), role === 'administrator')
    assert.equal(page.html.includes('See, import and change'), role !== 'reader')
    assert.equal(page.html.includes('asks for more than your role'), role !== 'administrator')
    await browser.submit(page, 'allow')
    const { scope, access_token } = await tokensOf(email)
    assert.equal(scope, expected[role])
    assert.equal(decodeJwt(access_token).scope, expected[role])
    const made = await putApi(url, access_token, '/v1/organisation', { name: 'Northwind' })
    assert.equal(made.status, role === 'administrator' ? 304 : 403)
    assert.equal((await callApi(url, access_token, '/v1/users')).status, 200)
  }
})

test('a new role applies from the next token, and scopes that were not shown need consent again', async () => {
  const { email, userId } = await givenUser(database, { organisationId, role: 'reader' })
  const { refresh_token } = await tokensOf(email)
  assert.equal((await putApi(url, managing, `/v1/users/${userId}`, { role: 'administrator' })).status, 200)
  const promoted = await refresh(refresh_token)
  assert.equal(
    promoted.body.scope,
    'consignment.read organisation.read partner.read',
    'the person has allowed no more than that',
  )
  const browser = openBrowser(url)
  const page = await browser.submit(
    await browser.open(`/connect/authorize?${authorizeQuery(app, everything)}`),
    'sign-in',
    {
      email,
      password,
    },
  )
  assert.match(page.html, /Manage the organisation/)
  await browser.submit(page, 'allow')
  assert.equal(
    (await refresh(promoted.body.refresh_token)).body.scope,
    'consignment organisation partner.read',
  )
})

test('a person whose role includes nothing that the app requests can only return to it', async () => {
  const printing = await givenPeopleApp(database, { organisationId, scopes: ['print'] })
  const { email } = await givenUser(database, { organisationId, role: 'reader' })
  const browser = openBrowser(url)
  const page = await browser.submit(
    await browser.open(`/connect/authorize?${authorizeQuery(printing, { scope: 'print' })}`),
    'sign-in',
    {
      email,
      password,
    },
  )
  assert.match(page.html, /Your role does not include anything that the app asks for/)
  assert.ok(!page.html.includes('value="allow"'))
  assert.equal(new URL((await browser.submit(page, 'deny')).url).searchParams.get('error'), 'access_denied')
})

test("a person of a partner has tokens that see the partner's records only and know what the partner is", async () => {
  const [partnerId, otherId, carrierId] = [uuidv7(), uuidv7(), uuidv7()]
  await database.atomically(async tx => {
    for (const [id, code, relationship] of [
      [partnerId, 'KAURI', 1],
      [otherId, 'RIMU', 1],
      [carrierId, 'SWF', 2],
    ] as const) {
      await tx.run(sql`
        insert into partner (organisation_id, id, name, code, relationship)
        values (${organisationId}, ${id}, ${code}, ${code}, ${relationship})`)
    }
  })
  const { email } = await givenUser(database, { organisationId, partnerId })
  const { access_token } = await tokensOf(email)
  const { body } = await callApi(url, access_token)
  assert.deepEqual([body.partnerId, body.partnerCode], [partnerId, 'KAURI'])
  const { partners } = (await callApi(url, access_token, '/v1/partners')).body
  assert.deepEqual(
    partners.map((partner: { id: string }) => partner.id),
    [partnerId],
  )
  assert.equal((await callApi(url, access_token, '/v1/users')).status, 403)

  const ofCarrier = await givenUser(database, { organisationId, partnerId: carrierId })
  const carrier = (await tokensOf(ofCarrier.email)).access_token
  assert.deepEqual(
    [decodeJwt(access_token).partner_kind, decodeJwt(carrier).partner_kind],
    ['client', 'carrier'],
  )
  const imports = '/v1/consignment-imports'
  assert.equal((await callApi(url, access_token, imports)).status, 200)
  assert.deepEqual((await callApi(url, carrier, imports)).body.ErrorMessages, [
    'A token that belongs to a carrier cannot list imports.',
  ])
})

test('a disabled user cannot sign in, loses every refresh token at once, and is refused everywhere', async () => {
  const { email, userId } = await givenUser(database, { organisationId })
  const browser = openBrowser(url)
  await authorise(browser, app, email, everything)
  const { access_token, refresh_token } = await tokensOf(email)
  const { code = '' } = await authorise(openBrowser(url), app, email, everything)
  assert.equal((await putApi(url, managing, `/v1/users/${userId}`, { isDisabled: true })).status, 200)
  assert.equal((await refresh(refresh_token)).body.error, 'invalid_grant')
  assert.equal(
    (await askToken(url, { grant_type: 'authorization_code', ...secrets, code, redirect_uri: redirectUri }))
      .body.error,
    'invalid_grant',
  )
  assert.match(
    (await browser.open(`/connect/authorize?${authorizeQuery(app, everything)}`)).html,
    /<h1>Sign in/,
  )
  // The other process has another issuer. This test is about its knowledge of disabled users.
  for (const each of [url, other]) await until(async () => (await callApi(each, access_token)).status === 401)

  assert.equal((await putApi(url, managing, `/v1/users/${userId}`, { isDisabled: false })).status, 200)
  assert.equal(
    (await refresh(refresh_token)).body.error,
    'invalid_grant',
    'an ended refresh token stays invalid',
  )
  assert.ok((await tokensOf(email)).access_token)
})

test('a user whom another process disables is refused within ten seconds', async () => {
  const disableElsewhere = async () => {
    const { email, userId } = await givenUser(database, { organisationId })
    const { access_token } = await tokensOf(email)
    assert.equal((await callApi(url, access_token)).status, 200)
    // This process receives no hint.
    await database.atomically(tx =>
      tx.run(sql`update app_user set disabled_utc = now() where id = ${userId}`),
    )
    return access_token
  }
  const untilRefused = (token: string) => until(async () => (await callApi(url, token)).status === 401)
  await assertQuick(10_000, untilRefused, disableElsewhere)
})

test('apps with client credentials belong to the organisation: they outlast the user who created them, whatever the role', async () => {
  const { userId } = await givenUser(database, { organisationId, role: 'reader' })
  const machine = await givenApp(database, { organisationId, userId, scopes: ['partner'] })
  const before = (await clientCredentials(url, machine)).body
  assert.equal(before.scope, 'partner')
  assert.equal((await putApi(url, managing, `/v1/users/${userId}`, { isDisabled: true })).status, 200)
  assert.equal((await clientCredentials(url, machine)).status, 200)
  assert.equal((await callApi(url, before.access_token, '/v1/partners')).status, 200)
})

test('a new password ends the browser sessions of the user; allowed apps keep their access', async () => {
  const { email, userId } = await givenUser(database, { organisationId })
  const browser = openBrowser(url)
  await authorise(browser, app, email, everything)
  const { refresh_token } = await tokensOf(email)
  const set = await putApi(url, managing, `/v1/users/${userId}/password`, { password: 'another password' })
  assert.equal(set.status, 200)
  const signIn = await browser.open(`/connect/authorize?${authorizeQuery(app, everything)}`)
  assert.equal((await browser.submit(signIn, 'sign-in', { email, password })).status, 400)
  assert.equal((await browser.submit(signIn, 'sign-in', { email, password: 'another password' })).status, 303)
  assert.equal((await refresh(refresh_token)).status, 200)
})
