// What waits for a person.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openWaves } from '../support/given-waves.ts'
import type { Caller } from '../support/harness.ts'

const world = await openWaves()
const { admin, as, database, organisationId, clientId } = world

interface Item {
  kind: string
  n: number
  text: string
  sample: string | null
  sinceUtc: string | null
  path: string
}

async function itemsFor(caller: Caller): Promise<Item[]> {
  const { status, body } = await caller.get('/v1/attention')
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}

test('nothing needs anybody in a new organisation', async () => {
  assert.deepEqual(await itemsFor(await world.stranger()), [])
})

test('what waits is told once a kind, with how many and the first of them', async () => {
  const [first] = (await world.readyAll([
    { lines: [{ quantity: 5 }, { quantity: 6 }], facts: { expectedDispatchDateTime: '2026-01-02T08:00:00' } },
    { lines: [{ quantity: 7 }] },
  ])) as [string]
  const { consignmentNumber } = await database.db.row<{ consignmentNumber: string }>(sql`
    select consignment_number from consignment where organisation_id = ${organisationId} and id = ${first}`)
  const subscription = await admin.post('/v1/webhook-subscriptions/create', {
    webhookUrl: 'https://example.com/hook',
    eventType: 101,
  })
  await database.atomically(tx =>
    tx.run(sql`update webhook_subscription set status = 2, last_failure_utc = '2026-02-01T00:00:00Z'
      where organisation_id = ${organisationId} and id = ${subscription.body.webhookSubscriptionId}`),
  )
  const found = new Map((await itemsFor(admin)).map(item => [item.kind, item]))
  assert.deepEqual([...found.keys()].toSorted(), ['late', 'linesShort', 'subscriptionsFailed'])
  assert.deepEqual(
    [found.get('late')?.text, found.get('late')?.sample],
    ['1 consignment is late', consignmentNumber],
  )
  assert.equal(found.get('linesShort')?.text, '3 lines lack stock')
  assert.deepEqual(
    [found.get('subscriptionsFailed')?.sample, found.get('subscriptionsFailed')?.sinceUtc],
    ['https://example.com/hook', '2026-02-01T00:00:00.000Z'],
  )
})

test('the number of late consignments and of short lines is that of their lists', async () => {
  const found = new Map((await itemsFor(admin)).map(item => [item.kind, item.n]))
  const late = await admin.get('/v1/consignments?Status=-1&IsLate=true&Sort=due')
  assert.equal(late.body.total, found.get('late'))
  assert.equal((await admin.get('/v1/inventory/shortages')).body.total, found.get('linesShort'))
})

test('an import that waits is told to its client, and not to another one or a carrier', async () => {
  const { body: client } = await admin.get(`/v1/partners/${clientId}`)
  const imported = await admin.post('/v1/consignment-imports', {
    consignmentType: 2,
    clientCode: client.code,
    warehouseCode: 'NOWHERE',
    products: [{ productCode: 'APPLE', items: [{ quantity: 1 }] }],
  })
  assert.equal(imported.status, 202, JSON.stringify(imported.body))
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set status = 2, due_utc = null, client_id = ${clientId}
      where organisation_id = ${organisationId}`),
  )
  const other = await admin.post('/v1/partners', { name: 'Rimu', code: 'RIMU2', relationship: 1 })
  const carrier = await admin.post('/v1/partners', { name: 'Swift', code: 'SWF2', relationship: 2 })
  assert.deepEqual([other.status, carrier.status], [201, 201], JSON.stringify(carrier.body))
  const kindsFor = async (partnerId: string) =>
    (await itemsFor(as(admin, { partnerId }))).map(({ kind }) => kind).toSorted()
  assert.ok((await kindsFor(clientId)).includes('importsWaiting'))
  assert.deepEqual(await kindsFor(other.body.partnerId), [])
  assert.deepEqual(await kindsFor(carrier.body.partnerId), [])
})

test('a token is told only of what its scopes let it read', async () => {
  assert.deepEqual(
    (await itemsFor(as(admin, { scopes: ['inventory.read'] }))).map(({ kind }) => kind),
    // An app sees its own subscriptions with any scope.
    ['subscriptionsFailed', 'linesShort'],
  )
})
