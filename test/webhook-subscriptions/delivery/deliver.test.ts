import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { clientSecret, openDeliveries } from '../../support/given-deliveries.ts'
import { answering, openReceiver } from '../../support/receiver.ts'
import { until } from '../../support/service-process.ts'

const { world, subscribe, raise, work, settled, deliveries, read, path } = await openDeliveries()
const { admin, database } = world

/** A subscription with its own receiver, so that the tests do not interfere. */
async function given(more: Record<string, unknown> = {}) {
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url, more)
  const test = async () => assert.equal((await admin.put(`${path(id)}/test`)).status, 200)
  return { receiver, id, test }
}

const worker = work()

test('an event arrives with the fields of a delivery, and the receipt is recorded', async () => {
  const { receiver, id } = await given({ eventType: 102 })
  receiver.behave(() => answering(200, 'thank you'))
  await raise(1, { type: 102, data: { consignmentNumber: 'WB-000001-OUT', clientId: null } })
  const [delivery] = await settled(id, 2)
  const [arrival] = receiver.arrived
  assert.ok(arrival && delivery)
  assert.deepEqual(Object.keys(arrival.body), ['id', 'type', 'created', 'data', 'operationId'])
  assert.deepEqual(arrival.body, {
    id: delivery.eventId,
    type: 'consignment.general.updated',
    created: arrival.body.created,
    data: { organisationId: admin.actor.organisationId, consignmentNumber: 'WB-000001-OUT', clientId: null },
    operationId: delivery.id,
  })
  assert.match(arrival.body.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(arrival.headers['content-type'], 'application/json')
  assert.equal(arrival.headers['user-agent'], 'Waybill')
  assert.equal(delivery.dueUtc, null)
  const [attempt] = delivery.attempts
  assert.deepEqual([attempt?.statusCode, attempt?.error, attempt?.answer], [200, null, 'thank you'])
})

test('openssl finds the same signature over the raw bytes with the client secret', async () => {
  const { receiver, test } = await given()
  await test()
  await until(async () => receiver.arrived.length > 0, 'Nothing arrived.')
  const { raw, headers } = receiver.arrived[0] as (typeof receiver.arrived)[0]
  const openssl = execFileSync('openssl', ['dgst', '-sha256', '-hmac', clientSecret], {
    input: raw,
  }).toString()
  assert.equal(headers['x-service-signature'], `sha256=${openssl.trim().split(' ').at(-1)}`)
  assert.equal(headers['x-service-signature-1'], undefined)
  assert.equal(headers['webhook-signature'], undefined)
})

test('signing keys add their signatures and the headers of Standard Webhooks', async () => {
  const standard = Buffer.from('twenty-four bytes of key')
  const { receiver, test } = await given({
    signingKey1: 'my own key',
    signingKey2: `whsec_${standard.toString('base64')}`,
  })
  await test()
  await until(async () => receiver.arrived.length > 0, 'Nothing arrived.')
  const { raw, headers, body } = receiver.arrived[0] as (typeof receiver.arrived)[0]
  const hex = (key: string) => `sha256=${createHmac('sha256', key).update(raw).digest('hex')}`
  assert.equal(headers['x-service-signature'], hex(clientSecret))
  assert.equal(headers['x-service-signature-1'], hex('my own key'))
  assert.equal(headers['x-service-signature-2'], hex(`whsec_${standard.toString('base64')}`))
  assert.equal(headers['webhook-id'], body.id)
  const signed = (key: string | Buffer) =>
    `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`).digest('base64')}`
  assert.equal(headers['webhook-signature'], `${signed('my own key')} ${signed(standard)}`)
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 60)
})

test('a failed attempt is repeated with the same bytes until the receiver accepts it', async () => {
  const { receiver, id, test } = await given()
  receiver.behave(() => (receiver.arrived.length < 4 ? answering(503, 'not now') : 204))
  await test()
  const [delivery] = await settled(id, 2)
  assert.equal(receiver.arrived.length, 4)
  assert.equal(new Set(receiver.arrived.map(({ raw }) => raw.toString())).size, 1)
  assert.equal(new Set(receiver.arrived.map(({ headers }) => headers['x-service-signature'])).size, 1)
  assert.deepEqual(
    delivery?.attempts.map(({ statusCode, error, answer }) => [statusCode, error, answer]),
    [...Array(3).fill([503, 'The receiver answered 503.', 'not now']), [204, null, null]],
  )
  assert.equal((await read(id)).status, 1)
})

test('the fifth failed attempt fails the subscription, and nothing more is sent until it is reactivated', async () => {
  const { receiver, id } = await given({ eventType: 103 })
  const raiseOne = () => raise(1, { type: 103 })
  receiver.behave(() => 500)
  await raiseOne()
  const failed = await until(
    async () => (await read(id)).status === 2 && read(id),
    'The subscription did not fail.',
  )
  assert.equal(receiver.arrived.length, 5)
  assert.match(
    failed.lastFailure,
    /^Delivery [0-9a-f-]{36} failed 5 times, at last with: The receiver answered 500\.$/,
  )
  assert.ok(failed.lastFailureUtc)
  const [first] = await deliveries(id)
  assert.equal(first?.status, 3)
  assert.equal((await admin.put(`${path(id)}/test`)).status, 400)
  await raiseOne()
  await database.atomically(tx =>
    tx.run(sql`insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id)
      select organisation_id, uuid_at(now()), webhook_subscription_id, event_id from webhook_delivery
        where id = ${first?.id}`),
  )
  worker.wake()
  const held = await deliveries(id)
  assert.deepEqual(
    held.map(({ status, dueUtc }) => [status, dueUtc]),
    [
      [4, null],
      [3, null],
    ],
    'events while it is failed make no deliveries, and waiting deliveries are held',
  )
  assert.equal((await admin.get(`${path(id)}/deliveries?Status=4`)).body.total, 1)

  receiver.behave(() => 204)
  const before = receiver.arrived.length
  assert.equal((await admin.put(`${path(id)}/reactivate`)).status, 200)
  assert.equal((await admin.put(`${path(id)}/reactivate`)).status, 304)
  await until(async () => receiver.arrived.length > before, 'The held delivery did not go on.')
  await until(async () => (await deliveries(id))[0]?.status === 2, 'The held delivery was not delivered.')
  assert.equal(before, 5)
  assert.equal(receiver.arrived.length, 6)

  const range = {
    fromUtc: new Date(Date.now() - 60_000).toISOString(),
    toUtc: new Date(Date.now() + 60_000).toISOString(),
  }
  const replayed = await admin.post(`${path(id)}/replay`, range)
  assert.deepEqual(
    [replayed.status, replayed.body],
    [202, { deliveries: 2 }],
    'including the event in the meantime',
  )
  await until(async () => receiver.arrived.length === 8, 'The replay did not arrive.')
  assert.equal(new Set(receiver.arrived.map(({ body }) => body.id)).size, 2)
  assert.equal(new Set(receiver.arrived.slice(5).map(({ body }) => body.operationId)).size, 3)
})

test('one delivery is replayed as a new one with the same event', async () => {
  const { receiver, id, test } = await given()
  await test()
  const [first] = await settled(id, 2)
  const replayed = await admin.post(`${path(id)}/deliveries/${first?.id}/replay`)
  assert.equal(replayed.status, 202)
  await until(async () => receiver.arrived.length === 2, 'The replay did not arrive.')
  const [before, again] = receiver.arrived.map(({ body }) => body)
  assert.equal(again?.id, before?.id)
  assert.equal(again?.operationId, replayed.body.deliveryId)
  assert.notEqual(again?.operationId, before?.operationId)
})

test('a response that is not text is stored as text', async () => {
  const { receiver, id, test } = await given()
  receiver.behave(() =>
    answering(200, Buffer.concat([Buffer.from('a\0b\xff', 'latin1'), Buffer.from('é'.repeat(600))])),
  )
  await test()
  const [delivery] = await settled(id, 2)
  assert.equal(delivery?.attempts[0]?.answer, `a\uFFFDb\uFFFD${'é'.repeat(510)}`)
})

test('nothing is sent to a deleted subscription or a disabled app; deliveries to the app are held until it is enabled again', async () => {
  const { receiver, id, test } = await given({ eventType: 104 })
  await worker.stop()
  await test()
  assert.equal((await admin.delete(`${path(id)}/delete`)).status, 200)
  const other = await given({ eventType: 104 })
  await other.test()
  const disable = (at: string | null) =>
    database.atomically(tx => tx.run(sql`update custom_app set disabled_utc = ${at}`))
  await disable('2026-01-01')
  await raise(1, { type: 104 })
  const next = work()
  const held = await until(async () => {
    const all = await deliveries(other.id)
    return all.length === 2 && all.every(({ status }) => status === 4) && all
  }, 'Not held, or not that of the event in the meantime.')
  assert.deepEqual([receiver.arrived.length, other.receiver.arrived.length], [0, 0])
  assert.deepEqual(
    held.map(({ dueUtc }) => dueUtc),
    [null, null],
  )
  assert.equal((await admin.get(`${path(other.id)}/deliveries?Status=1`)).body.total, 0)
  await disable(null)
  next.wake()
  await settled(other.id, 2)
  assert.deepEqual([receiver.arrived.length, other.receiver.arrived.length], [0, 2])
})
