import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkConsignments } from '../../src/bulk/bulk.ts'
import { newId } from '../../src/platform/new-id.ts'
import { ConsignmentPriority, ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { connect, contentsOf } from '../support/database-contents.ts'
import { openWaves } from '../support/given-waves.ts'
import { rehearsedFirst } from '../support/rehearsed-first.ts'

const world = await openWaves()
const { admin, as, database, databaseUrl, stored, readyAll, wave, clientId, carrierId } = world
const client = await connect(databaseUrl)
const doer = rehearsedFirst(admin, client)
const { Pending, ReadyToPick, Complete, Void } = ConsignmentStatus

const pending = (...quantities: number[]) =>
  readyAll(quantities.map(quantity => ({ lines: [{ quantity }], facts: { status: Pending } })))
const bulk = (consignmentIds: string[], action: string, values: object = {}, by = doer) =>
  by.post('/v1/consignments/bulk', { consignmentIds, action, values })
const read = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body
const resultsOf = (answer: { body: { results: { result: number }[] } }) =>
  answer.body.results.map(({ result }) => result)

test('each consignment is moved or refused in the given order, and the rehearsal tells the same', async () => {
  await stored(10)
  const [first = '', second = '', third = ''] = await pending(8, 8, 1)
  await admin.put(`/v1/consignments/${third}/void`)
  await bulk([first], 'priority', { priority: ConsignmentPriority.High })
  const stranger = newId()
  const asked = await bulk(
    [second, first, third, stranger],
    'status',
    { status: ReadyToPick },
    admin.with({ 'waybill-rehearse': 'true' }),
  )
  assert.deepEqual(
    asked.body.effects.map(({ text }: { text: string }) => text),
    [
      'move 2 consignments from Pending to Ready to pick',
      'reserve 10 items on 2 lines of 2 consignments, longest in store first',
    ],
  )
  const { number } = { number: (await read(first)).consignmentNumber }
  assert.deepEqual(
    asked.body.warnings.map(({ text }: { text: string }) => text),
    [`leave 6 items of APPLE short`],
    'the first in the request got its stock first, although the other is more urgent',
  )
  assert.equal(asked.body.warnings[0].data.consignmentNumber, number)
  const answer = await bulk([second, first, third, stranger], 'status', { status: ReadyToPick })
  assert.deepEqual(resultsOf(answer), [1, 1, 3, 3])
  const allocated = async (id: string) => (await read(id)).products[0].allocatedQuantity
  assert.deepEqual([await allocated(second), await allocated(first)], [8, 2], 'as rehearsed')
  const { results } = answer.body
  assert.deepEqual(
    results.map(({ consignmentId }: { consignmentId: string }) => consignmentId),
    [second, first, third, stranger],
  )
  assert.deepEqual(results[3], {
    ...{ consignmentId: stranger, consignmentNumber: null, result: 3, messages: ['Consignment not found.'] },
  })
  assert.match(results[2].messages[0], /Void/)
  assert.deepEqual(resultsOf(await bulk([first], 'status', { status: ReadyToPick })), [2])
  await bulk([first, second], 'void', { reason: 'Cancelled by the client' })
  assert.equal((await read(first)).status, Void)
})

test('priority, carrier and job are set for all that may have them', async () => {
  const ids = await pending(1, 1)
  assert.deepEqual(resultsOf(await bulk(ids, 'priority', { priority: ConsignmentPriority.High })), [1, 1])
  const carrier = { carrierId, carrierReferenceNumber: 'RUN-7' }
  assert.deepEqual(resultsOf(await bulk(ids, 'carrier', carrier)), [1, 1])
  assert.deepEqual(resultsOf(await bulk(ids, 'carrier', carrier)), [2, 2])
  assert.equal((await read(ids[0] as string)).priority, ConsignmentPriority.High)
  const { jobId } = await wave([[{ quantity: 1 }]])
  assert.deepEqual(resultsOf(await bulk(ids, 'job', { jobId })), [1, 1])
  assert.deepEqual(resultsOf(await bulk(ids, 'job', { jobId })), [3, 3])
  assert.equal((await admin.get(`/v1/jobs/${jobId}/wave-pick`)).body.jobConsignments.length, 3)
})

test('a request that lacks a value, or lists a consignment twice, changes nothing', async () => {
  const [id = ''] = await pending(1)
  const before = await contentsOf(client)
  const refused = async (ids: string[], action: string, values: object, path: string) => {
    const answer = await bulk(ids, action, values, admin)
    assert.equal(answer.status, 400)
    assert.equal(answer.details?.[0]?.path, path)
  }
  await refused([id, id], 'void', {}, 'consignmentIds[1]')
  await refused([id], 'status', {}, 'values.status')
  await refused([id], 'carrier', {}, 'values.carrierId')
  await refused([id], 'carrier', { carrierId: newId() }, 'values.carrierId')
  await refused([id], 'print', { document: 'picking-list' }, 'values.printerId')
  await refused([id], 'sell', {}, 'action')
  await refused([], 'void', {}, 'consignmentIds')
  assert.deepEqual((await contentsOf(client)).digests, before.digests)
})

test('the token needs the scope of the act, and no partner may act on many', async () => {
  const ids = await pending(1)
  const consignment = as(admin, { scopes: ['consignment'] })
  const { status } = await bulk(ids, 'print', { document: 'detail', printerId: newId() }, consignment)
  assert.equal(status, 403)
  assert.equal((await bulk(ids, 'void', {}, as(admin, { scopes: ['print'] }))).status, 403)
  assert.equal((await bulk(ids, 'void', {}, as(admin, { partnerId: clientId }))).status, 403)
  const { body } = await bulk(ids, 'print', { document: 'detail', printerId: newId() }, admin)
  assert.match(body.results[0].messages[0], /does not refer to a printer/)
})

test('what is in the way of one consignment does not stop the others', async () => {
  const ids = await pending(1, 2, 3)
  await admin.put(`/v1/consignments/${ids[1]}/status`, { status: Complete })
  await admin.put(`/v1/consignments/${ids[1]}/status`, { status: ConsignmentStatus.Closed })
  const answer = await bulk(ids, 'priority', { priority: ConsignmentPriority.Urgent })
  assert.deepEqual(resultsOf(answer), [1, 3, 1])
})

test('a rehearsal of many is given up before others wait for its locks in vain', async t => {
  const ids = await pending(1, 2, 3)
  const before = await contentsOf(client)
  let now = performance.now()
  t.mock.method(performance, 'now', () => (now += 1_500))
  const asking = admin.with({ 'waybill-rehearse': 'true' })
  const answer = await bulk(ids, 'priority', { priority: ConsignmentPriority.Urgent }, asking)
  t.mock.restoreAll()
  assert.deepEqual(
    [answer.status, answer.details?.[0]?.code, answer.body.ErrorMessages],
    [400, 'not_rehearsed', ['This takes too long to be rehearsed. Rehearse it with fewer records.']],
  )
  assert.deepEqual((await contentsOf(client)).digests, before.digests)
})

test('nothing more is done for a client that has left', async () => {
  const consignmentIds = await pending(1, 2)
  const body = { consignmentIds, action: 'void', values: null }
  const [endpoint] = bulkConsignments
  const handle = endpoint?.handle as unknown as (context: object) => Promise<{ results: object[] }>
  const answer = await handle({
    ...{ database, actor: admin.actor, body, requestId: newId(), signal: AbortSignal.abort() },
  })
  assert.deepEqual(answer.results, [])
  assert.equal((await read(consignmentIds[0] as string)).status, Pending)
})
