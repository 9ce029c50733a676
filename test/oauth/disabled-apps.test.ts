import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disableCustomApp } from '../../src/custom-apps/create-app.ts'
import { sql } from '../../src/platform/database/db.ts'
import { callApi, clientCredentials, givenApp, openProcess, putApi, until } from '../support/given-oauth.ts'
import { givenUser } from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'
import { assertQuick } from '../support/service-process.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database)

test('an app that this process disables gets no more tokens, and its tokens are refused at once', async () => {
  const app = await givenApp(database)
  const { access_token } = (await clientCredentials(url, app)).body
  assert.equal((await callApi(url, access_token)).status, 200)
  const id = await database.atomically(tx => disableCustomApp(tx, app.clientId))
  assert.equal(id, app.customAppId)
  const { status, body } = await clientCredentials(url, app)
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
  await until(async () => (await callApi(url, access_token)).status === 401)
})

test('a change to an app over the API applies to its next token', async () => {
  const manager = await givenApp(database, { scopes: ['organisation', 'consignment'] })
  const app = await givenApp(database, { organisationId: manager.organisationId })
  const { access_token } = (await clientCredentials(url, manager)).body
  assert.equal((await clientCredentials(url, app)).body.scope, 'consignment partner.read')
  const change = (body: object) => putApi(url, access_token, `/v1/custom-apps/${app.customAppId}`, body)
  assert.equal((await change({ scopes: ['consignment'] })).status, 200)
  assert.equal((await clientCredentials(url, app)).body.scope, 'consignment')
  assert.equal((await change({ isDisabled: true })).status, 200)
  assert.equal((await clientCredentials(url, app)).body.error, 'invalid_client')
  assert.equal((await change({ isDisabled: false })).status, 200)
  await until(async () => (await clientCredentials(url, app)).status === 200)
})

test('an app that another process disables is refused everywhere within ten seconds', async () => {
  const disableElsewhere = async () => {
    const app = await givenApp(database)
    const { access_token } = (await clientCredentials(url, app)).body
    assert.equal((await callApi(url, access_token)).status, 200)
    // This process receives no hint.
    await database.atomically(tx =>
      tx.run(sql`update custom_app set disabled_utc = now() where client_id = ${app.clientId}`),
    )
    return { app, access_token }
  }
  await assertQuick(
    10_000,
    ({ app, access_token }) =>
      until(
        async () =>
          (await callApi(url, access_token)).status === 401 &&
          (await clientCredentials(url, app)).status === 401,
      ),
    disableElsewhere,
  )
})

test('when a person is given to a partner, tokens that were issued before end, those of their apps too', async () => {
  const manager = await givenApp(database, { scopes: ['organisation', 'consignment', 'partner'] })
  const { access_token: token } = (await clientCredentials(url, manager)).body
  const call = (path: string, method: string, body: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const client = { name: 'Rimu', code: 'RIMU', relationship: 1 }
  const { partnerId } = (await (await call('/v1/partners', 'POST', client)).json()) as { partnerId: string }
  const { userId } = await givenUser(database, manager)
  const app = await givenApp(database, { organisationId: manager.organisationId, userId })
  const before = (await clientCredentials(url, app)).body.access_token
  assert.equal((await callApi(url, before)).body.partnerId, null)
  assert.equal((await call(`/v1/users/${userId}`, 'PUT', { partnerId })).status, 200)
  await until(async () => (await callApi(url, before)).status === 401)
  const after = (await clientCredentials(url, app)).body.access_token
  assert.equal((await callApi(url, after)).body.partnerId, partnerId)
  assert.equal((await call(`/v1/users/${userId}`, 'PUT', { fullName: 'Renamed' })).status, 200)
  assert.equal((await callApi(url, after)).status, 200, 'another name ends nothing')
})
