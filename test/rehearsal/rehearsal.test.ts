import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { JobStatus } from '../../src/vocabulary/jobs.ts'
import { connect, contentsOf } from '../support/database-contents.ts'
import { openWaves } from '../support/given-waves.ts'
import { rehearsedFirst } from '../support/rehearsed-first.ts'

const world = await openWaves()
const { admin, as, database, databaseUrl, stored, ready, readyAll, locations, warehouseId, clientId } = world
const client = await connect(databaseUrl)
const asking = admin.with({ 'waybill-rehearse': 'true' })
const doer = rehearsedFirst(admin, client)
const { Pending, ReadyToPick, ReadyToDispatch, InTransit, Closed } = ConsignmentStatus

const status = (id: string) => `/v1/consignments/${id}/status`
const sentences = (told: { text: string }[]) => told.map(({ text }) => text)
/** The ids of the lines of a consignment. */
const linesOf = async (id: string) =>
  (
    await database.db.rows<{ id: string }>(sql`
      select id from consignment_product where consignment_id = ${id} order by ordinal`)
  ).map(line => line.id)
/** Does an act that was rehearsed, which must succeed. */
async function done(path: string, body?: object, method: 'post' | 'put' = 'post') {
  const answer = await doer[method](path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

test('a rehearsal says what would be reserved, what stays short and who is told, and stores nothing', async () => {
  await admin.post('/v1/webhook-subscriptions/create', {
    webhookUrl: 'https://example.com/hook',
    eventType: 112,
  })
  await stored(72, { warehouseLocationId: locations.A2 })
  const id = await ready([{ quantity: 80 }], { status: Pending })
  const before = await contentsOf(client)
  const answer = await asking.put(status(id), { status: ReadyToPick })
  assert.deepEqual((await contentsOf(client)).digests, before.digests)
  assert.equal(answer.status, 200)
  const { outcome, effects, warnings, result } = answer.body
  assert.deepEqual([outcome, result], [200, null])
  assert.deepEqual(sentences(effects), [
    'move from Pending to Ready to pick',
    'reserve 72 items on 1 line, longest in store first',
    'tell 1 webhook subscription',
  ])
  assert.deepEqual(sentences(warnings), ['leave 8 items of APPLE short'])
  assert.deepEqual(effects[0].data, { from: Pending, to: ReadyToPick, consignmentIds: [id] })
  await done(status(id), { status: ReadyToPick }, 'put')
  const picks = await asking.put(status(id), { status: InTransit })
  assert.deepEqual(sentences(picks.body.effects), [
    'move from Ready to pick to In transit',
    'take 72 items from A-02 to DISPATCH',
    'send out 72 items from DISPATCH',
    'tell 1 webhook subscription',
  ])
  await done(`/v1/consignments/${id}/void`, undefined, 'put')
})

test('an act that would change nothing is told as 304, without effects', async () => {
  const id = await ready([{ quantity: 1 }])
  const { body } = await asking.put(status(id), { status: ReadyToPick })
  assert.deepEqual(body, { outcome: 304, effects: [], warnings: [], result: null })
})

test('a rehearsal needs what the act needs, and is refused as the act is', async () => {
  const id = await ready([{ quantity: 1 }])
  const refused = async (by: typeof admin, body: object, expected: number) => {
    const answer = await by.with({ 'waybill-rehearse': 'true' }).put(status(id), body)
    assert.equal(answer.status, expected)
    assert.deepEqual(answer.body, (await by.put(status(id), body)).body)
  }
  await refused(admin, { status: Closed }, 400)
  await refused(admin, { status: 'x' }, 400)
  await refused(as(admin, { scopes: ['inventory'] }), { status: Pending }, 403)
  await refused(as(admin, { partnerId: clientId }), { status: Pending }, 403)
  await refused(admin.with({ 'if-match': '"old"' }), { status: Pending }, 412)
  const { etag } = (await admin.get(`/v1/consignments/${id}`)).headers
  const current = asking.with({ 'if-match': String(etag) })
  assert.equal((await current.put(status(id), { status: Pending })).body.outcome, 200)
})

test('what cannot be rehearsed is refused, and so is another value of the header', async () => {
  const id = await ready([{ quantity: 1 }])
  const notRehearsed = async (answer: Promise<{ status: number; details?: { code: string }[] }>) => {
    const { status, details } = await answer
    assert.deepEqual([status, details?.[0]?.code], [400, 'not_rehearsed'])
  }
  await notRehearsed(asking.put(`/v1/consignments/${id}/priority`, { priority: 4 }))
  await notRehearsed(asking.get(`/v1/consignments/${id}`))
  await notRehearsed(admin.with({ 'waybill-rehearse': 'false' }).put(status(id), { status: Pending }))
  assert.equal((await admin.get(`/v1/consignments/${id}`)).body.status, ReadyToPick)
})

test('a rehearsal uses no operationId, and waits no longer for others than an act does', async () => {
  const id = await ready([{ quantity: 1 }])
  const row = await stored(5)
  const operationId = newId()
  const adjustment = { adjustments: [{ warehouseProductId: row, quantity: -2 }], reason: 'Broken' }
  const told = await asking.post('/v1/inventory/adjust', { operationId, ...adjustment })
  assert.deepEqual(sentences(told.body.effects), ['write off 2 items in A-01'])
  assert.deepEqual(await database.db.rows(sql`select from inventory_operation`), [])
  await client.query('begin')
  await client.query('select from consignment where id = $1 for update', [id])
  assert.equal((await asking.put(status(id), { status: Pending })).status, 503)
  await client.query('rollback')
})

test('a client is told of its own subscriptions only', async () => {
  const id = await ready([{ quantity: 1 }], { status: Pending })
  const kim = as(admin, { partnerId: clientId })
  const told = async () =>
    sentences(
      (await kim.with({ 'waybill-rehearse': 'true' }).put(`/v1/consignments/${id}/void`)).body.effects,
    )
  assert.deepEqual(await told(), ['move from Pending to Void'])
  await kim.post('/v1/webhook-subscriptions/create', {
    ...{ webhookUrl: 'https://example.com/kim', eventType: 112 },
  })
  assert.deepEqual(await told(), ['move from Pending to Void', 'tell 1 webhook subscription'])
})

test('acts on consignments and stock do what their rehearsals told', async () => {
  const row = await stored(40, { expiryDate: '2047-01-31' })
  const [first = '', second = ''] = await readyAll([
    { lines: [{ quantity: 12 }] },
    { lines: [{ quantity: 5 }, { quantity: 6 }] },
  ])
  await done(`/v1/consignments/${first}/allocate`)
  await done('/v1/inventory/allocate', { consignmentIds: [second] })
  await done(`/v1/consignments/${second}/release`)
  const [line] = await linesOf(first)
  await done(`/v1/consignments/${first}/pick`, {
    picks: [{ consignmentProductId: line, warehouseProductId: row, quantity: 5 }],
  })
  await done(`/v1/consignments/${first}/unpick`, { unpicks: [{ consignmentProductId: line, quantity: 2 }] })
  await done(status(first), { status: ReadyToDispatch }, 'put')
  await done(status(first), { status: InTransit }, 'put')
  await done(status(first), { status: ReadyToPick }, 'put')
  await done('/v1/inventory/transfer', {
    transfers: [{ warehouseProductId: row, quantity: 4, toWarehouseLocationId: locations.B1 }],
  })
  await done('/v1/inventory/adjust', {
    adjustments: [{ warehouseProductId: row, quantity: -2 }],
    reason: 'Broken',
  })
  const { inventoryHoldId } = await done('/v1/inventory/holds', {
    ...{ kind: 2, reason: 'Glass', stock: [{ warehouseProductId: row, quantity: 1 }] },
  })
  await done(`/v1/inventory/holds/${inventoryHoldId}/release`)
})

test('waves are rehearsed with all that starting them does', async () => {
  await stored(30)
  const ids = await readyAll([
    { lines: [{ quantity: 3 }], facts: { status: Pending } },
    { lines: [{ quantity: 4 }], facts: { status: Pending } },
  ])
  const { jobId } = await done('/v1/jobs/wave-pick', { warehouseId, clientId })
  await done(`/v1/jobs/${jobId}/wave-pick/consignments/add`, { consignmentIds: ids })
  const start = { status: JobStatus.ReadyToStart }
  const { body } = await asking.put(`/v1/jobs/${jobId}/wave-pick/status`, start)
  const { jobNumber } = (await admin.get(`/v1/jobs/${jobId}/wave-pick`)).body
  assert.ok(jobNumber)
  assert.deepEqual(sentences(body.effects).slice(0, 3), [
    'move 2 consignments from Pending to Ready to pick',
    'move from Draft to Ready to start',
    'reserve 7 items on 2 lines of 2 consignments, longest in store first',
  ])
  await done(`/v1/jobs/${jobId}/wave-pick/status`, start, 'put')
  await done(`/v1/jobs/${jobId}/wave-pick/consignments/remove`, { consignmentIds: [ids[1]] })
  const { picks } = (await admin.get(`/v1/jobs/${jobId}/wave-pick/picks`)).body
  const entry = { inventoryAllocationId: picks[0].inventoryAllocationId, quantity: 2, isShort: true }
  await done(`/v1/jobs/${jobId}/wave-pick/picks/confirm`, { picks: [entry] })
})
