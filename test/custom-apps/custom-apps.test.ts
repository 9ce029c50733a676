import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { createCustomApp, disableCustomApp } from '../../src/custom-apps/create-app.ts'
import { openWorld } from '../support/harness.ts'

const { admin, stranger, as, database, secretBox } = await openWorld()
const machine = { name: 'ERP', grantType: 2, scopes: ['partner.read', 'consignment'] }
const people = {
  name: 'Portal',
  grantType: 1,
  scopes: ['consignment.read'],
  redirectUris: ['https://portal.example.com/back'],
}

test('an app is created with a secret that is shown only once', async () => {
  const created = await admin.post('/v1/custom-apps', { ...machine, description: 'Nightly orders' })
  assert.equal(created.status, 201)
  assert.match(created.body.clientSecret, /^[\w-]{96}$/)
  const read = await admin.get(created.headers.location as string)
  const { createdUtc, ...rest } = read.body
  assert.ok(createdUtc)
  assert.deepEqual(rest, {
    id: created.body.customAppId,
    name: 'ERP',
    description: 'Nightly orders',
    grantType: 2,
    clientId: created.body.clientId,
    scopes: ['consignment', 'partner.read'],
    redirectUris: [],
    isDisabled: false,
    builtIn: null,
    createdByUserId: admin.actor.userId,
  })
  assert.ok(!(await admin.get('/v1/custom-apps')).bytes.toString().includes(created.body.clientSecret))
})

test('an app cannot be given scopes that the token does not hold', async () => {
  const clerk = as(admin, { scopes: ['organisation', 'consignment', 'partner.read'] })
  const { customAppId } = (
    await clerk.post('/v1/custom-apps', { ...machine, scopes: ['consignment.read', 'partner.read'] })
  ).body
  const refused = await clerk.post('/v1/custom-apps', {
    ...machine,
    scopes: ['partner', 'financial.read', 'consignment'],
  })
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body.ErrorMessages, [
    'An app cannot be given scopes that the token does not hold: partner, financial.read.',
  ])
  assert.equal(
    (await clerk.put(`/v1/custom-apps/${customAppId}`, { scopes: ['partner.read', 'print'] })).status,
    403,
  )
  assert.equal(
    (await clerk.put(`/v1/custom-apps/${customAppId}`, { scopes: ['partner.read', 'consignment'] })).status,
    200,
  )
  const wide = (await admin.post('/v1/custom-apps', { ...machine, scopes: ['print', 'report'] })).body
    .customAppId
  assert.equal((await clerk.put(`/v1/custom-apps/${wide}`, { scopes: ['print'] })).status, 200)
})

test('a token that lacks a scope of an app can disable it, but not enable or change it', async () => {
  const clerk = as(admin, { scopes: ['organisation', 'consignment.read'] })
  const { customAppId } = (
    await admin.post('/v1/custom-apps', { ...people, scopes: ['consignment', 'print'] })
  ).body
  const path = `/v1/custom-apps/${customAppId}`
  const redirectUris = ['https://elsewhere.example.com/back']
  for (const body of [{ redirectUris }, { name: 'Shop' }, { redirectUris, isDisabled: true }]) {
    const refused = await clerk.put(path, body)
    assert.deepEqual(
      [refused.status, refused.body.ErrorMessages],
      [403, ['An app is not changed by a token that lacks its scopes: consignment, print.']],
    )
  }
  assert.equal((await clerk.put(path, { isDisabled: true })).status, 200)
  assert.equal((await clerk.put(path, { isDisabled: false })).status, 403)
  assert.equal((await clerk.put(path, { scopes: ['print'], isDisabled: false })).status, 403)
  assert.equal((await admin.put(path, { redirectUris, isDisabled: false })).status, 200)
})

test('redirect URIs are required for the authorisation code grant and refused for the other', async () => {
  const bodies = [
    { ...people, redirectUris: [] },
    { ...people, redirectUris: null },
    { ...machine, redirectUris: people.redirectUris },
  ]
  for (const body of bodies) assert.equal((await admin.post('/v1/custom-apps', body)).status, 400)
  const { customAppId } = (await admin.post('/v1/custom-apps', people)).body
  assert.equal((await admin.put(`/v1/custom-apps/${customAppId}`, { redirectUris: [] })).status, 400)
  assert.equal(
    (await admin.put(`/v1/custom-apps/${customAppId}`, { redirectUris: ['http://localhost:9000/back?a=1'] }))
      .status,
    200,
  )
})

test('a redirect URI is absolute, https but for localhost, and has no fragment', async () => {
  const good = [
    'https://a.nz',
    'https://a.nz:8443/x?y=z',
    'http://localhost/x',
    'http://127.0.0.1:1',
    'http://[::1]/',
  ]
  assert.equal((await admin.post('/v1/custom-apps', { ...people, redirectUris: good })).status, 201)
  const bad = [
    '/back',
    'http://a.nz',
    'ftp://a.nz',
    'javascript:alert(1)',
    'https://a.nz/#x',
    'https://a.nz/#',
    'https://me:pw@a.nz',
    'https://a.nz/ ',
    'https://ä.nz',
    '',
  ]
  const { status, body } = await admin.post('/v1/custom-apps', { ...people, redirectUris: bad })
  assert.equal(status, 400)
  assert.equal(body.ErrorMessages.length, bad.length)
  assert.ok(
    body.ErrorMessages.includes('redirectUris[1] must begin with https:// (http:// for localhost only).'),
  )
})

test('every fault of an app is reported', async () => {
  const { status, body } = await admin.post('/v1/custom-apps', {
    name: '',
    grantType: 3,
    scopes: ['everything'],
    redirectUris: 'x',
  })
  assert.equal(status, 400)
  const fields = body.ErrorMessages.map((message: string) => message.split(' ')[0])
  assert.deepEqual(new Set(fields), new Set(['name', 'grantType', 'scopes[0]', 'redirectUris']))
})

test('a change answers 200, the same change again 304; disabling and enabling too', async () => {
  const { customAppId } = (await admin.post('/v1/custom-apps', machine)).body
  const path = `/v1/custom-apps/${customAppId}`
  assert.equal(
    (await admin.put(path, { name: 'ERP 2', scopes: ['consignment', 'partner.read'] })).status,
    200,
  )
  assert.equal(
    (await admin.put(path, { name: 'ERP 2', scopes: ['partner.read', 'consignment'], isDisabled: false }))
      .status,
    304,
  )
  assert.equal((await admin.put(path, { isDisabled: true })).status, 200)
  assert.equal((await admin.put(path, { isDisabled: true })).status, 304)
  assert.equal((await admin.get(path)).body.isDisabled, true)
  assert.equal((await admin.put(path, { isDisabled: false })).status, 200)
  assert.equal((await admin.get(path)).body.isDisabled, false)
  assert.equal((await admin.put(path, {})).status, 304)
})

test("another organisation's app is unknown, and a partner's token reaches none", async () => {
  const { customAppId } = (await (await stranger()).post('/v1/custom-apps', machine)).body
  assert.equal((await admin.get(`/v1/custom-apps/${customAppId}`)).status, 404)
  assert.equal((await admin.put(`/v1/custom-apps/${customAppId}`, { isDisabled: true })).status, 404)
  const partner = as(admin, { partnerId: uuidv7() })
  assert.equal((await partner.get('/v1/custom-apps')).status, 403)
  assert.equal((await partner.post('/v1/custom-apps', machine)).status, 403)
})

test("the command line's apps act for the operator, one for the organisation", async () => {
  const { organisationId } = admin.actor
  const create = (change: object = {}) =>
    database.atomically(tx =>
      createCustomApp(tx, secretBox, {
        organisationId,
        name: 'Cli',
        grantType: 2,
        scopes: ['print'],
        ...change,
      }),
    )
  const apps = [await create(), await create()]
  const operators = await Promise.all(
    apps.map(async app => (await admin.get(`/v1/custom-apps/${app.customAppId}`)).body.createdByUserId),
  )
  assert.equal(new Set(operators).size, 1)
  assert.equal((await admin.get(`/v1/users/${operators[0]}`)).body.fullName, 'Operator')

  await assert.rejects(create({ scopes: ['everything'] }), { status: 400 })
  await assert.rejects(create({ organisationId: uuidv7() }), { status: 404 })
  const { customAppId, clientId } = apps[0] as (typeof apps)[0]
  assert.equal(await database.atomically(tx => disableCustomApp(tx, clientId)), customAppId)
  assert.equal(await database.atomically(tx => disableCustomApp(tx, clientId)), customAppId)
  await assert.rejects(
    database.atomically(tx => disableCustomApp(tx, 'nobody')),
    { status: 404 },
  )
})

test('a secret is rotated within the organisation, with the given overlap, and shown only once', async () => {
  const { customAppId, clientSecret } = (await admin.post('/v1/custom-apps', machine)).body
  const path = `/v1/custom-apps/${customAppId}/rotate-secret`
  const { status, body } = await admin.post(path, { overlapHours: 48 })
  assert.equal(status, 200)
  assert.notEqual(body.clientSecret, clientSecret)
  assert.ok(Date.parse(body.previousSecretExpiresUtc) > Date.now() + 47 * 3_600_000)
  assert.ok(!(await admin.get('/v1/custom-apps')).bytes.toString().includes(body.clientSecret))
  assert.equal((await (await stranger()).post(path, {})).status, 404)
  assert.equal((await admin.post(path, { overlapHours: 200 })).status, 400)
})
