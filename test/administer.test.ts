// Commands while the service is running: their changes take effect at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { scopes } from '../src/access/scopes.ts'
import { callApi, clientCredentials } from './support/given-oauth.ts'
import { allScopes, apiCaller, newApp, openReceiver, temporaryDataDir } from './support/processes.ts'
import { json, run, startServiceProcess, until } from './support/service-process.ts'
import { atEnd, createTestDatabase, directUrl } from './support/test-database.ts'

const DATABASE_URL = await createTestDatabase()
const settings = {
  DATABASE_URL,
  // Changes of keys and secrets are noticed at once only over a connection that bypasses any pooler.
  DATABASE_DIRECT_URL: directUrl(DATABASE_URL).href,
  DATA_DIR: await temporaryDataDir(),
  WEBHOOK_ALLOW_PRIVATE: 'on',
}
const app = await newApp(settings)
const service = await startServiceProcess(settings)
atEnd(() => service.stop())

const api = apiCaller(() => service.baseUrl, app)
const token = async () => (await clientCredentials(service.baseUrl, app)).body.access_token as string
const isAccepted = async (jwt: string) => (await callApi(service.baseUrl, jwt)).status === 200
/** Well before the service would notice a change at its next poll. */
const atOnceMs = 3_000

test('a running service signs with a new key at once, and refuses the old one after a leak', async () => {
  const rotateKeys = async (...options: string[]) => {
    const { kid } = await json<{ kid: string }>(['keys', 'rotate', ...options], settings)
    return until(
      async () => {
        const jwt = await token()
        return decodeProtectedHeader(jwt).kid === kid && jwt
      },
      'The new key does not sign.',
      atOnceMs,
    )
  }
  const first = await token()
  const second = await rotateKeys()
  assert.deepEqual([await isAccepted(first), await isAccepted(second)], [true, true])
  const third = await rotateKeys('--retire-others')
  assert.deepEqual(
    [await isAccepted(first), await isAccepted(second), await isAccepted(third)],
    [false, false, true],
  )
})

test('a user created on the command line is a member by default, and can be an administrator or belong to a partner', async () => {
  const { partnerId } = await api.must('POST', '/v1/partners', {
    name: 'Kauri Foods',
    code: 'KAURI',
    relationship: 1,
  })
  const createUser = async (name: string, ...options: string[]) => {
    const person = [
      '--organisation',
      app.organisationId,
      '--email',
      `${name}@example.com`,
      '--full-name',
      name,
    ]
    const { userId } = await json<{ userId: string }>(['user', 'create', ...person, ...options], settings)
    const user = await api.must('GET', `/v1/users/${userId}`)
    return [user.role, user.partnerId]
  }
  assert.deepEqual(await createUser('ada'), ['member', null])
  assert.deepEqual(await createUser('bea', '--role', 'administrator'), ['administrator', null])
  assert.deepEqual(await createUser('cleo', '--partner', partnerId as string), ['member', partnerId])
})

test('the help lists the scopes, and faults name the options as they were typed', async () => {
  const { output: help } = await run(['app', 'create', '--help'], settings).ended
  for (const scope of scopes) assert.match(help, new RegExp(`\\b${scope.replace('.', '\\.')}\\s`))

  const refusal = async (...args: string[]) => {
    const { code, output } = await run(args, settings).ended
    assert.equal(code, 1)
    return output.trim().split('\n')
  }
  const signInApp = ['--name', 'X', '--grant', 'authorization_code']
  assert.deepEqual(
    await refusal(
      'app',
      'create',
      '--organisation',
      'x',
      ...signInApp,
      '--scopes',
      'job nonsense',
      '--redirect-uri',
      'http://example.com',
    ),
    [
      '--organisation must be a uuid.',
      `--scopes (number 2) must be one of ${scopes.join(', ')}.`,
      '--redirect-uri (number 1) must begin with https:// (http:// for localhost only).',
    ],
  )
  assert.deepEqual(
    await refusal('app', 'create', '--organisation', app.organisationId, ...signInApp, '--scopes', 'job'),
    ['--redirect-uri is required for the authorisation code grant.'],
  )
  const person = ['--organisation', app.organisationId, '--full-name', ' ']
  assert.deepEqual(await refusal('user', 'create', ...person, '--email', 'x', '--partner', 'y'), [
    '--email must be an email address.',
    '--full-name must not be blank.',
    '--partner must be a uuid.',
  ])
  assert.deepEqual(
    await refusal(
      'user',
      'create',
      ...person.slice(0, 3),
      'Dot',
      '--email',
      'dot@example.com',
      '--partner',
      app.organisationId,
    ),
    ['--partner does not refer to a partner.'],
  )
})

test('organisations, apps and users are listed, in columns for people and as JSON for programs', async () => {
  const [otherApp, email] = [await newApp(settings, 'ELS'), 'eve@example.com']
  const person = ['--organisation', otherApp.organisationId, '--email', email, '--full-name', 'Eve']
  const { userId } = await json<{ userId: string }>(['user', 'create', ...person], settings)
  const { organisations } = await json<{ organisations: { id: string; consignmentPrefix: string }[] }>(
    ['organisation', 'list'],
    settings,
  )
  assert.deepEqual(
    organisations.map(({ id, consignmentPrefix }) => [id, consignmentPrefix]),
    [
      [app.organisationId, 'JRN'],
      [otherApp.organisationId, 'ELS'],
    ],
  )
  const only = ['--organisation', otherApp.organisationId]
  const { apps } = await json<{ apps: Record<string, unknown>[] }>(['app', 'list', ...only], settings)
  const { id: _, createdUtc: __, ...listed } = apps[0] ?? {}
  assert.deepEqual(
    [listed, apps.length],
    [
      {
        organisationId: otherApp.organisationId,
        name: 'Shop',
        clientId: otherApp.clientId,
        grantType: 2,
        scopes: allScopes.split(' '),
        isDisabled: false,
      },
      1,
    ],
  )
  const { users } = await json<{ users: { id: string; email: string; hasPassword: boolean }[] }>(
    ['user', 'list', ...only],
    settings,
  )
  assert.deepEqual(
    users.filter(user => user.email === email).map(user => [user.id, user.hasPassword]),
    [[userId, false]],
  )
  const all = await json<{ apps: object[] }>(['app', 'list'], settings)
  assert.equal(all.apps.length, 2)
  const { output } = await run(['user', 'list', ...only], settings).ended
  assert.match(
    output,
    new RegExp(`^ID +ORGANISATION +ROLE +STATE +EMAIL +NAME\\n(.*\\n)*${userId} .*without`),
  )
  const wrong = await run(['app', 'list', '--organisation', 'x'], settings).ended
  assert.deepEqual([wrong.code, wrong.output], [1, '--organisation must be a uuid.\n'])
})

test('a disabled app can sign in again once it is enabled', async () => {
  const other = await newApp(settings, 'ENA')
  const status = async () => (await clientCredentials(service.baseUrl, other)).status
  assert.equal(await status(), 200)
  await json(['app', 'disable', '--client-id', other.clientId], settings)
  await until(async () => (await status()) === 401, 'A disabled app gets tokens.', atOnceMs)
  await json(['app', 'enable', '--client-id', other.clientId], settings)
  await until(async () => (await status()) === 200, 'An enabled app gets no tokens.', atOnceMs)
  const unknown = await run(['app', 'enable', '--client-id', 'nobody'], settings).ended
  assert.deepEqual([unknown.code, unknown.output], [1, 'Custom app not found.\n'])
})

test('a new secret gets tokens and signs webhooks at once, and the previous one gets tokens for a while', async () => {
  const { clientId, clientSecret: first, organisationId } = await newApp(settings, 'ROT')
  let secret = first
  const caller = apiCaller(() => service.baseUrl, { clientId, clientSecret: first, organisationId })
  const receiver = await openReceiver(() => secret)
  const { webhookSubscriptionId } = await caller.must('POST', '/v1/webhook-subscriptions/create', {
    webhookUrl: receiver.url,
    eventType: 101,
  })
  const rotate = ['app', 'rotate-secret', '--client-id', clientId]
  const rotated = await json<{ clientSecret: string; previousSecretExpiresUtc: string }>(
    [...rotate, '--overlap-hours', '1'],
    settings,
  )
  secret = rotated.clientSecret
  await caller.must('PUT', `/v1/webhook-subscriptions/${webhookSubscriptionId}/test`)
  await until(async () => receiver.arrived.length > 0, 'The test event does not arrive.')
  assert.deepEqual(receiver.forged, [])
  const minutes = (Date.parse(rotated.previousSecretExpiresUtc) - Date.now()) / 60_000
  assert.ok(minutes > 55 && minutes < 61, `${minutes} minutes`)
  const status = async (clientSecret: string) =>
    (await clientCredentials(service.baseUrl, { clientId, clientSecret })).status
  await until(async () => (await status(secret)) === 200, 'The new secret gets no tokens.', atOnceMs)
  assert.equal(await status(first), 200)

  const { output } = await run([...rotate, '--overlap-hours', '0'], settings).ended
  assert.match(output, /^client id {6}\S+\nclient secret {2}[\w-]{96}\nThe secret is not shown again\.\n/)
  await until(async () => (await status(first)) === 401, 'The oldest secret gets tokens.', atOnceMs)
  const wrong = await run([...rotate, '--overlap-hours', '169'], settings).ended
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /must be a whole number from 0 to 168\./)
})
