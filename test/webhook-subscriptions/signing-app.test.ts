// Which app signs a subscription that a person makes in the portal, changing it, and reading what was sent.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { HeldReason } from '../../src/vocabulary/webhooks.ts'
import { openDeliveries } from '../support/given-deliveries.ts'
import type { Caller } from '../support/harness.ts'
import { openReceiver } from '../support/receiver.ts'

const { world, subscribe, work, settled, read, raise, path } = await openDeliveries()
const { admin, as, database, stranger } = world
const { organisationId, userId } = admin.actor
const worker = work()

/** Creates an app with these scopes, and returns its id and its secret. */
async function newApp(scopes: readonly string[] = ['consignment'], caller: Caller = admin) {
  const { status, body } = await caller.post('/v1/custom-apps', { name: 'Shop', grantType: 2, scopes })
  assert.equal(status, 201, JSON.stringify(body))
  return { customAppId: body.customAppId as string, secret: body.clientSecret as string }
}
const shop = await newApp()

/** The portal, whose secret nobody has, and an administrator in it. */
const [portalId, connectionId] = [uuidv7(), uuidv7()]
await database.atomically(async tx => {
  await tx.run(sql`insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash,
      scopes, built_in, created_by)
    select organisation_id, ${portalId}, 'Portal', 1, ${portalId}, secret_hash, '{consignment,organisation}',
      'portal', ${userId} from custom_app where id = ${shop.customAppId}`)
  await tx.run(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id,
      allowed_scopes)
    values (${organisationId}, ${connectionId}, ${portalId}, ${userId}, '{consignment,organisation}')`)
})
const inPortal = (change: Parameters<typeof as>[1] = {}) =>
  as({ ...admin, actor: { ...admin.actor, connectionId, app: 'portal' } }, change)
const portal = inPortal()

const create = (body: object, caller: Caller = portal) =>
  caller.post('/v1/webhook-subscriptions/create', {
    ...{ webhookUrl: 'https://hooks.example.com/', eventType: 101 },
    ...body,
  })
const refusal = async (answer: ReturnType<typeof create>) => {
  const { status, body } = await answer
  return [status, body.ErrorMessages]
}
const signed = (secret: string, raw: Buffer) =>
  `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`

test('the app that a subscription of the portal names signs what is sent', async () => {
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url, { customAppId: shop.customAppId }, portal)
  assert.deepEqual(
    [(await read(id)).customAppId, (await read(id)).appName, (await read(id)).isServed],
    [shop.customAppId, 'Shop', true],
  )
  assert.equal((await portal.put(`${path(id)}/test`)).status, 200)
  await settled(id, 2)
  const [arrival] = receiver.arrived
  assert.equal(arrival?.headers['x-service-signature'], signed(shop.secret, arrival?.raw as Buffer))
})

test('with a signing key alone nothing is signed by an app whose secret nobody has', async () => {
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url, { signingKey1: 'mine' }, portal)
  await portal.put(`${path(id)}/test`)
  await settled(id, 2)
  const [arrival] = receiver.arrived
  assert.equal(arrival?.headers['x-service-signature'], undefined)
  assert.equal(arrival?.headers['x-service-signature-1'], signed('mine', arrival?.raw as Buffer))
})

test('in the portal an app or a key is needed; elsewhere the app of the token signs', async () => {
  const nothing = [
    'customAppId is required unless signingKey1 is given: nobody has the secret of a built-in app.',
    'signingKey1 is required unless customAppId is given.',
  ]
  assert.deepEqual(await refusal(create({})), [400, nothing])
  assert.deepEqual(await refusal(create({ signingKey2: 'second' })), [400, nothing])
  assert.equal((await create({}, admin)).status, 202)
})

test('the app that signs is one of the organisation, enabled, not built in, and has the scope of the events', async () => {
  const other = await stranger()
  const [foreign, disabled, jobs] = [
    await newApp(['consignment'], other),
    await newApp(),
    await newApp(['job']),
  ]
  await admin.put(`/v1/custom-apps/${disabled.customAppId}`, { isDisabled: true })
  const noApp = ['customAppId does not refer to an app that is enabled and not built in.']
  for (const customAppId of [uuidv7(), foreign.customAppId, disabled.customAppId, portalId])
    assert.deepEqual(await refusal(create({ customAppId })), [400, noApp], customAppId)
  assert.deepEqual(await refusal(create({ customAppId: jobs.customAppId })), [
    400,
    ['customAppId refers to an app without the scope consignment.read.'],
  ])
  const { customAppId } = shop
  assert.deepEqual(await refusal(create({ customAppId }, inPortal({ scopes: ['consignment'] }))), [
    403,
    ['The token needs the scope organisation.'],
  ])
  const { partnerId } = (await admin.post('/v1/partners', { name: 'K', code: 'KAU', relationship: 1 })).body
  assert.equal((await create({ customAppId }, inPortal({ partnerId }))).status, 403)
  assert.equal((await create({ signingKey1: 'mine' }, inPortal({ partnerId }))).status, 202)
})

test('disabling the app that signs, or taking a scope from it, holds its deliveries', async () => {
  const receiver = await openReceiver()
  const { customAppId } = await newApp()
  const id = await subscribe(receiver.url, { customAppId }, portal)
  const changeApp = async (change: object) =>
    assert.equal((await admin.put(`/v1/custom-apps/${customAppId}`, change)).status, 200)
  await changeApp({ isDisabled: true })
  assert.equal((await read(id)).heldReason, HeldReason.AppDisabled)
  await portal.put(`${path(id)}/test`)
  const [held] = await settled(id, 4)
  assert.equal(held?.attempts.length, 0)
  await changeApp({ isDisabled: false, scopes: ['job'] })
  assert.equal((await read(id)).heldReason, HeldReason.ScopeLost)
  await changeApp({ scopes: ['consignment.read'] })
  worker.wake()
  await settled(id, 2)
})

test('an app that signs gets the actions that are triggered for it', async () => {
  const { customAppId } = await newApp(['consignment', 'organisation'])
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url, { customAppId, eventType: 2 }, portal)
  const triggered = await admin.post(`/v1/custom-apps/${customAppId}/trigger-action`, { action: 'sync' })
  assert.ok(triggered.status < 300, JSON.stringify(triggered.body))
  await settled(id, 2)
  assert.equal(receiver.arrived[0]?.body.type, 'system.connection-action-execution')
})

test('URL and keys are changed, and what waits goes to the new URL', async () => {
  const [before, after] = [await openReceiver(), await openReceiver()]
  const app = await newApp()
  const id = await subscribe(before.url, { customAppId: app.customAppId, signingKey1: 'first' }, portal)
  const change = (body: object, caller: Caller = portal) => caller.put(path(id), body)
  assert.equal((await change({ webhookUrl: after.url, signingKey1: 'first' })).status, 200)
  assert.equal((await change({ webhookUrl: after.url, signingKey1: 'first', signingKey2: null })).status, 304)
  assert.equal((await change({})).status, 304)
  assert.equal((await change({ signingKey1: null, signingKey2: 'second' })).status, 200)
  await portal.put(`${path(id)}/test`)
  await settled(id, 2)
  const [arrival] = after.arrived
  assert.equal(before.arrived.length, 0)
  assert.equal(arrival?.headers['x-service-signature-1'], undefined)
  assert.equal(arrival?.headers['x-service-signature-2'], signed('second', arrival?.raw as Buffer))
  for (const webhookUrl of [
    'javascript:alert(1)',
    'https://a:b@example.com/',
    `https://x.com/${'x'.repeat(2000)}`,
  ])
    assert.equal((await change({ webhookUrl })).status, 400, webhookUrl)
  assert.equal((await change({ webhookUrl: null })).status, 400)
  assert.equal((await change({ webhookUrl: before.url }, await stranger())).status, 404)
  assert.equal((await change({ signingKey2: null })).status, 200, 'the app still signs')
})

test('the last key of a subscription that no app signs cannot be taken away, but replaced', async () => {
  const { body } = await create({ signingKey1: 'only' })
  const change = (keys: object) => portal.put(path(body.webhookSubscriptionId), keys)
  assert.deepEqual(await refusal(change({ signingKey1: null })), [
    400,
    ['signingKey1 cannot be taken away: no app signs the deliveries, and no other key does.'],
  ])
  assert.equal((await change({ signingKey1: null, signingKey2: 'other' })).status, 200)
  for (const none of [null, '']) assert.equal((await change({ signingKey2: none })).status, 400)
  assert.equal((await change({ signingKey2: null, signingKey1: 'new' })).status, 200)
})

test('a delivery shows the very request that arrived', async () => {
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url, { customAppId: shop.customAppId, signingKey1: 'mine' }, portal)
  await portal.put(`${path(id)}/test`)
  const [delivery] = await settled(id, 2)
  const { status, body } = await portal.get(`${path(id)}/deliveries/${delivery?.id}`)
  assert.equal(status, 200)
  const { request, ...row } = body
  assert.deepEqual(row, delivery)
  const [arrival] = receiver.arrived
  assert.equal(request.body, arrival?.raw.toString())
  for (const [name, value] of Object.entries(request.headers))
    assert.equal(arrival?.headers[name], value, name)
  assert.ok(Object.hasOwn(request.headers, 'webhook-signature'))
  const other = (await create({ signingKey1: 'x' })).body.webhookSubscriptionId
  for (const url of [`${path(other)}/deliveries/${delivery?.id}`, `${path(id)}/deliveries/${uuidv7()}`])
    assert.equal((await portal.get(url)).status, 404)
  assert.equal((await (await stranger()).get(`${path(id)}/deliveries/${delivery?.id}`)).status, 404)
})

test('whoever may not read the events of a subscription neither reads what was sent nor sends it elsewhere', async () => {
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url, { customAppId: shop.customAppId }, portal)
  await raise()
  const [delivery] = await settled(id, 2)
  const url = `${path(id)}/deliveries/${delivery?.id}`
  assert.equal((await portal.get(url)).status, 200)
  const narrow = as(portal, { scopes: ['organisation'] })
  const needsScope = [403, ['The token needs the scope consignment.read.']]
  assert.deepEqual(await refusal(narrow.get(url)), needsScope)
  assert.deepEqual(await refusal(narrow.put(path(id), { webhookUrl: 'https://example.com/' })), needsScope)
  assert.equal((await narrow.get(`${path(id)}/deliveries`)).body.total, 1, 'without what was sent')
})

test('deliveries are found by type, event and time', async () => {
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url, { customAppId: shop.customAppId }, portal)
  for (const _ of [1, 2]) await portal.put(`${path(id)}/test`)
  const [second, first] = await settled(id, 2)
  const found = async (query: string) => {
    const { status, body } = await portal.get(`${path(id)}/deliveries?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.deliveries.map((delivery: { id: string }) => delivery.id)
  }
  const { createdUtc } = (await portal.get(`${path(id)}/deliveries/${second?.id}`)).body
  assert.deepEqual(await found(`EventId=${first?.eventId}`), [first?.id])
  assert.deepEqual(await found('Type=webhook.test'), [second?.id, first?.id])
  assert.deepEqual(await found('Type=consignment.created'), [])
  assert.equal((await found('From=2020-01-01T00:00:00Z&To=2020-01-02T00:00:00Z')).length, 0)
  assert.deepEqual((await found(`From=${createdUtc}`)).includes(second?.id), true)
  assert.deepEqual((await found(`To=${createdUtc}`)).includes(second?.id), false)
  assert.equal((await portal.get(`${path(id)}/deliveries?Type=cat`)).status, 400)
})
