import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScheduleStatus, SettableTransactionStatus } from '../../src/vocabulary/billing.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { connect } from '../support/database-contents.ts'
import { openCharges } from '../support/given-charges.ts'
import { rehearsedFirst } from '../support/rehearsed-first.ts'

const { world, consignment, consignments, charge, clientId, taxRateId } = await openCharges()
const { admin, as } = world
const doer = rehearsedFirst(admin, await connect(world.databaseUrl))
const { Closed } = ConsignmentStatus
const told = async (method: 'post' | 'put' | 'delete', path: string, body?: object): Promise<string[]> => {
  const asking = admin.with({ 'waybill-rehearse': 'true' })
  const answer = await (method === 'delete' ? asking.delete(path) : asking[method](path, body))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.effects.map(({ text }: { text: string }) => text)
}

test('closing names the amounts that it charges and owes, and reopening takes them back', async () => {
  const id = await consignment()
  await charge(id, 'client-activity')
  await charge(id, 'client-freight', { metricValue: 100 })
  await charge(id, 'carrier-freight')
  const path = `/v1/consignments/${id}`
  assert.deepEqual(await told('put', `${path}/status`, { status: Closed }), [
    'move from Complete to Closed',
    'freeze 3 charges',
    'charge Kauri Foods 1,071.00',
    'owe Swift 21.00',
  ])
  assert.equal((await doer.put(`${path}/status`, { status: Closed })).status, 200)
  assert.deepEqual(await told('put', `${path}/reopen`), [
    'move from Closed to Complete',
    'unfreeze the charges',
    'void 3 transactions of 1,092.00',
  ])
  assert.equal((await doer.put(`${path}/reopen`)).status, 200)
  assert.deepEqual(await told('put', `${path}/reopen`), [])
})

test('amounts are told only to a token that may read them', async () => {
  const id = await consignment()
  await charge(id, 'client-activity')
  const asking = as(admin, { scopes: ['consignment'] }).with({ 'waybill-rehearse': 'true' })
  const { body } = await asking.put(`/v1/consignments/${id}/status`, { status: Closed })
  assert.deepEqual(
    body.effects.map(({ text }: { text: string }) => text),
    ['move from Complete to Closed', 'freeze 1 charge'],
  )
})

test('closing many tells their sum, and what has no charge is told too', async () => {
  const ids = await consignments(3)
  assert.deepEqual(await told('post', '/v1/consignments/close', { consignmentIds: ids }), [
    'move 3 consignments from Complete to Closed',
    'freeze 0 charges',
    'charge nothing',
  ])
  for (const id of ids) await charge(id, 'client-activity')
  assert.equal((await doer.post('/v1/consignments/close', { consignmentIds: ids })).status, 200)
})

test('schedules and transactions are rehearsed with what they bundle', async () => {
  const entered = await admin.post('/v1/schedule-transactions', {
    ...{ partnerId: clientId, date: '2026-03-01', chargeApplication: 2, chargeRateExclTax: 40, taxRateId },
  })
  const transaction = `/v1/schedule-transactions/${entered.body.scheduleTransactionId}/status`
  const waive = { status: SettableTransactionStatus.Void, reason: 'A gift' }
  assert.deepEqual(await told('put', transaction, waive), ['void 1 transaction of 40.00'])
  assert.equal((await doer.put(transaction, waive)).status, 200)
  const restore = { status: SettableTransactionStatus.Pending }
  assert.deepEqual(await told('put', transaction, restore), [
    'move from Void to Pending',
    'raise 1 transaction of 40.00',
  ])
  await admin.put(transaction, restore)
  const bundle = { partnerId: clientId, date: '2026-03-31' }
  assert.deepEqual(await told('post', '/v1/schedules', bundle), [
    'create 1 schedule with 1 transaction of 40.00',
  ])
  const { partnerScheduleId } = (await admin.post('/v1/schedules', bundle)).body
  const path = `/v1/schedules/${partnerScheduleId}`
  const approve = { status: ScheduleStatus.Approved }
  assert.deepEqual(await told('put', `${path}/status`, approve), ['move from Draft to Approved'])
  assert.deepEqual(await told('delete', path), ['remove the schedule', 'make 1 transaction Pending again'])
})

test('a charge by hand is rehearsed, and so is what is put on a schedule and taken off it', async () => {
  const enter = {
    partnerId: clientId,
    date: '2026-04-01',
    chargeApplication: 2,
    chargeRateExclTax: 7,
    taxRateId,
  }
  assert.deepEqual(await told('post', '/v1/schedule-transactions', enter), ['raise 1 transaction of 7.00'])
  const entered = async () => (await doer.post('/v1/schedule-transactions', enter)).body.scheduleTransactionId
  const first = await entered()
  const credit = { creditOf: first, amountExclTax: 2 }
  assert.deepEqual(await told('post', '/v1/schedule-transactions', credit), ['raise 1 transaction of -2.00'])
  const { partnerScheduleId } = (
    await admin.post('/v1/schedules', { partnerId: clientId, date: '2026-04-30' })
  ).body
  const path = `/v1/schedules/${partnerScheduleId}/transactions`
  const second = { transactionIds: [await entered()] }
  assert.deepEqual(await told('post', `${path}/add`, second), ['put 1 transaction of 7.00 on the schedule'])
  assert.equal((await admin.post(`${path}/add`, second)).status, 200)
  assert.deepEqual(await told('post', `${path}/remove`, second), ['make 1 transaction Pending again'])
  assert.equal((await admin.post(`${path}/remove`, second)).status, 200)
})
