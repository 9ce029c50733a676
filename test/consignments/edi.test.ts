import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { openImports } from '../support/given-imports.ts'
import type { Caller } from '../support/harness.ts'

const { world, imported } = await openImports()
const { admin, as, stranger, database } = world
const { organisationId, connectionId } = admin.actor

const setDetail = (id: string, body: object) => admin.post(`/v1/consignments/${id}/edi-detail`, body)
const setResult = (id: string, body: object) => admin.put(`/v1/consignments/${id}/connection-result`, body)
const ediStatus = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body.ediStatus
const listIds = async (query: string) =>
  (await admin.get(`/v1/consignments?${query}`)).body.consignments.map(
    (consignment: { id: string }) => consignment.id,
  )

/** Stores a delivery about a consignment to a subscription of a connection. */
async function storeDelivery(consignmentId: string, to = connectionId): Promise<string> {
  const [eventId, subscriptionId, deliveryId] = [uuidv7(), uuidv7(), uuidv7()]
  await database.atomically(async tx => {
    await tx.run(
      sql`insert into event (organisation_id, id, type, subject_id, data) values (${organisationId},
        ${eventId}, 115, ${consignmentId}, '{}')`,
    )
    await tx.run(sql`insert into webhook_subscription (organisation_id, id, identity_connection_id,
      webhook_url, event_type)
      values (${organisationId}, ${subscriptionId}, ${to}, 'https://example.com', 115)`)
    await tx.run(sql`insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id,
      status)
      values (${organisationId}, ${deliveryId}, ${subscriptionId}, ${eventId}, 2)`)
  })
  return deliveryId
}

/** Stores another connection of the organisation. */
async function storeConnection(): Promise<string> {
  const id = uuidv7()
  await database.atomically(async tx => {
    const app = await tx.row<{ id: string }>(sql`
      insert into custom_app select (jsonb_populate_record(a, jsonb_build_object('id', ${uuidv7()}::text,
        'client_id', ${id}::text))).*
      from custom_app a where organisation_id = ${organisationId} limit 1 returning id`)
    await tx.run(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id)
      values (${organisationId}, ${id}, ${app.id}, ${admin.actor.userId})`)
  })
  return id
}

test('a connection can set, read, filter by and unset its own ediStatus', async () => {
  const id = await imported()
  assert.equal((await setDetail(id, { ediStatus: null })).status, 304)
  assert.equal((await setDetail(id, { ediStatus: 10, message: 'Sent' })).status, 200)
  assert.equal((await setDetail(id, { ediStatus: 10, message: 'Sent' })).status, 304)
  assert.equal(await ediStatus(id), 10)
  assert.deepEqual(await listIds('EdiStatus=10'), [id])
  assert.ok(!(await listIds('EdiStatus=null')).includes(id))
  assert.ok((await listIds('EdiStatus=null&EdiStatus=10')).includes(id))
  assert.equal((await setDetail(id, { ediStatus: null })).status, 200)
  assert.equal(await ediStatus(id), null)
  assert.deepEqual(await listIds('EdiStatus=10'), [])
})

test('an app acknowledges deliveries that it signs, whoever subscribed it', async () => {
  const id = await imported()
  const operationId = await storeDelivery(id, await storeConnection())
  assert.equal((await setResult(id, { operationId, result: 1 })).status, 404)
  await database.atomically(tx =>
    tx.run(sql`update webhook_subscription s
      set custom_app_id = (select custom_app_id from identity_connection where id = ${connectionId})
      from webhook_delivery d where d.id = ${operationId} and s.id = d.webhook_subscription_id`),
  )
  assert.equal((await setResult(id, { operationId, result: 1 })).status, 200)
  assert.equal(await ediStatus(id), 1)
})

test('the values 1 and 2 are reserved for results, and ediStatus is required', async () => {
  const id = await imported()
  for (const ediStatus of [0, 1, 2, 9, -1])
    assert.equal((await setDetail(id, { ediStatus })).status, 400, String(ediStatus))
  assert.deepEqual((await setDetail(id, {})).body.ErrorMessages, ['ediStatus is required.'])
})

test('a result is accepted only for an operation of this connection and this consignment', async () => {
  const [id, other] = [await imported(), await imported()]
  const operationId = await storeDelivery(id)
  const ok = await setResult(id, { operationId, result: 2, errorMessage: 'Rejected' })
  assert.equal(ok.status, 200)
  assert.equal(ok.bytes.length, 0)
  assert.equal(await ediStatus(id), 2)
  assert.equal((await setResult(id, { operationId: operationId.toUpperCase(), result: 1 })).status, 200)
  assert.equal(await ediStatus(id), 1)
  const foreign = await storeDelivery(id, await storeConnection())
  for (const [about, operation] of [
    [other, operationId],
    [id, foreign],
    [id, uuidv7()],
    [id, 'no operation'],
  ] as const) {
    const { status, body } = await setResult(about, { operationId: operation, result: 1 })
    assert.deepEqual([status, body.ErrorMessages], [404, ['Operation not found.']])
  }
  assert.equal((await setResult(id, { operationId, result: 3 })).status, 400)
})

test('a connection can set its ediStatus on a Closed consignment too, and that raises no event', async () => {
  const id = await imported()
  for (const status of [0, 6]) await admin.put(`/v1/consignments/${id}/status`, { status })
  const events = async () => (await admin.get(`/v1/consignments/${id}/history`)).body.total
  const before = await events()
  assert.equal((await setDetail(id, { ediStatus: 11 })).status, 200)
  assert.equal(await events(), before)
})

test('an export requested by hand reaches its subscribers in every status, and is acknowledged by its operation', async () => {
  const id = await imported()
  for (const status of [0, 6]) await admin.put(`/v1/consignments/${id}/status`, { status })
  const subscription = { webhookUrl: 'http://127.0.0.1:1/hook', eventType: 115 }
  const { webhookSubscriptionId } = (await admin.post('/v1/webhook-subscriptions/create', subscription)).body
  for (let time = 0; time < 2; time++)
    assert.equal((await admin.post(`/v1/consignments/${id}/trigger-action`)).status, 200)
  const told = await database.db.rows<{ id: string; type: number; data: Record<string, unknown> }>(sql`
    select d.id, e.type, e.data from webhook_delivery d join event e on e.organisation_id = d.organisation_id
      and e.id = d.event_id
    where d.organisation_id = ${organisationId} and d.webhook_subscription_id = ${webhookSubscriptionId}`)
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.consignmentId, data.status]),
    [
      [115, id, 6],
      [115, id, 6],
    ],
  )
  assert.equal((await setResult(id, { operationId: told[0]?.id, result: 1 })).status, 200)
  assert.equal(await ediStatus(id), 1)
  assert.equal((await (await stranger()).post(`/v1/consignments/${id}/trigger-action`)).status, 404)
})

test('people read what every connection says of a consignment; partners do not', async () => {
  const id = await imported()
  const statusesOf = (by: Caller = admin) => by.get(`/v1/consignments/${id}/edi-statuses`)
  assert.deepEqual((await statusesOf()).body, [])
  const other = await storeConnection()
  const shop = as(admin, { connectionId: other })
  assert.equal((await setDetail(id, { ediStatus: 11 })).status, 200)
  const failed = { operationId: await storeDelivery(id, other), result: 2, errorMessage: 'No such customer' }
  assert.equal((await shop.put(`/v1/consignments/${id}/connection-result`, failed)).status, 200)
  const { status, body } = await statusesOf()
  assert.equal(status, 200)
  assert.deepEqual(
    body.map((one: Record<string, unknown>) => [one.identityConnectionId, one.ediStatus, one.message]),
    [
      [other, 2, 'No such customer'],
      [connectionId, 11, null],
    ],
  )
  for (const { appName, userFullName, updatedUtc } of body)
    for (const text of [appName, userFullName, updatedUtc]) assert.ok(text.length > 0)
  const { clientId } = (await admin.get(`/v1/consignments/${id}`)).body
  assert.equal((await statusesOf(as(admin, { partnerId: clientId }))).status, 403)
  assert.equal((await statusesOf(await stranger())).status, 404)
})
