// Rotating client secrets over the API, with tokens from the service's own OAuth server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appsChanged } from '../../src/oauth/registered-apps.ts'
import { sql } from '../../src/platform/database/db.ts'
import { hint } from '../../src/platform/work/hints.ts'
import { callApi, clientCredentials, givenApp, openProcess, until } from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database)
const admin = await givenApp(database, { scopes: ['organisation', 'consignment', 'partner.read'] })
const { organisationId } = admin

const tokenOf = async (app: typeof admin): Promise<string> =>
  (await clientCredentials(url, app)).body.access_token

/** The response, or the error. */
interface Rotated {
  clientSecret: string
  previousSecretExpiresUtc: string
  ErrorMessages: string[]
}

/** Rotates the secret of an app of this organisation. */
async function rotate({ customAppId }: { customAppId: string }, body: object, by = admin) {
  const response = await fetch(`${url}/v1/custom-apps/${customAppId}/rotate-secret`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(by)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Rotated }
}

/** For which of these secrets the app gets tokens. */
const validSecrets = async ({ clientId }: { clientId: string }, ...secrets: string[]) =>
  Promise.all(
    secrets.map(
      async clientSecret => (await clientCredentials(url, { clientId, clientSecret })).status === 200,
    ),
  )

test('a replaced secret stays valid for a day by default, and a second rotation ends the oldest', async () => {
  const app = await givenApp(database, { organisationId })
  const first = await rotate(app, {})
  assert.equal(first.status, 200)
  assert.deepEqual(Object.keys(first.body), ['clientSecret', 'previousSecretExpiresUtc'])
  assert.match(first.body.clientSecret, /^[\w-]{96}$/)
  const hours = (Date.parse(first.body.previousSecretExpiresUtc) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours < 24.1, `${hours} hours`)
  assert.deepEqual(await validSecrets(app, app.clientSecret, first.body.clientSecret), [true, true])

  const second = await rotate(app, { overlapHours: 168 })
  assert.deepEqual(
    await validSecrets(app, app.clientSecret, first.body.clientSecret, second.body.clientSecret),
    [false, true, true],
  )
  const third = await rotate(app, { overlapHours: 0 })
  assert.deepEqual(await validSecrets(app, second.body.clientSecret, third.body.clientSecret), [false, true])
})

test('the previous secret expires exactly, although apps are cached for ten seconds', async () => {
  const app = await givenApp(database, { organisationId })
  await rotate(app, { overlapHours: 1 })
  await database.atomically(tx =>
    tx.run(sql`
      update custom_app set previous_secret_expires_utc = clock_timestamp() + interval '2 seconds'
      where id = ${app.customAppId}`),
  )
  hint(appsChanged)
  assert.deepEqual(await validSecrets(app, app.clientSecret), [true])
  await until(async () => !(await validSecrets(app, app.clientSecret))[0])
})

test('a token that lacks a scope of the app is not given its secret', async () => {
  const app = await givenApp(database, { organisationId, scopes: ['consignment', 'financial', 'report'] })
  const { status, body } = await rotate(app, {})
  assert.equal(status, 403)
  assert.deepEqual(body.ErrorMessages, [
    'The secret of an app is not given to a token that lacks its scopes: financial, report.',
  ])
  assert.deepEqual(await validSecrets(app, app.clientSecret), [true])
})

test('an overlap of more than a week is refused, and so is the app of another organisation', async () => {
  const app = await givenApp(database, { organisationId })
  for (const overlapHours of [-1, 169, 1.5, '24'])
    assert.equal((await rotate(app, { overlapHours })).status, 400, String(overlapHours))
  assert.equal((await rotate(await givenApp(database), {})).status, 404)
})

test('without overlap, the tokens that were obtained with the old secret end; with it, they live on', async () => {
  const app = await givenApp(database, { organisationId })
  const token = await tokenOf(app)
  await rotate(app, { overlapHours: 1 })
  assert.equal((await callApi(url, token)).status, 200)
  const { clientSecret } = (await rotate(app, { overlapHours: 0 })).body
  await until(async () => (await callApi(url, token)).status === 401)
  const next = (await clientCredentials(url, { ...app, clientSecret })).body.access_token
  assert.equal((await callApi(url, next)).status, 200)
})
