// Storage that billing runs bill, and its corrections by late ledger rows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRuns } from '../../../src/billing/runs/plan-runs.ts'
import { runNext } from '../../../src/billing/runs/run-billing.ts'
import { contextIn } from '../../support/given-imports.ts'
import { openStorage } from '../../support/given-storage.ts'

const given = await openStorage()
const { database, admin, client, charge, rate, approveRates, postChanges, transactionsOf, warehouseId } =
  given
const context = contextIn(given)

test('a run bills the storage of its period, corrects earlier ones, and approves what it can prove', async () => {
  const { partnerId, productId } = await client('STORED')
  await approveRates(partnerId, '2020-01-01', rate(charge({})))
  const goods = { partnerId, productId, receivedDate: '2025-03-30' }
  await postChanges(database, [{ at: '2025-03-30T22:00', quantity: 3, to: {} }], goods)
  const taxRateId = (await admin.get('/v1/tax-rates')).body.taxRates[0].id
  const owed = { partnerId, date: '2025-03-30', chargeApplication: 2, chargeRateExclTax: 10, taxRateId }
  assert.equal((await admin.post('/v1/schedule-transactions', owed)).status, 201)
  const rule = { period: 4, autoApprove: true }
  assert.equal((await admin.put(`/v1/partners/${partnerId}/billing-rule`, rule)).status, 200)
  const bill = async (now: string) => {
    await planRuns(database, new Date(now))
    while (await runNext(context)) {}
  }
  await bill('2025-05-02T00:00:00Z')
  await postChanges(database, [{ at: '2025-03-31T06:00', quantity: 1, from: {} }], goods)
  await bill('2025-06-02T00:00:00Z')
  const { billingRuns } = (await admin.get('/v1/billing-runs')).body
  assert.deepEqual(
    billingRuns.map(({ status, failure }: { status: number; failure: unknown }) => [status, failure]),
    [
      [3, null],
      [3, null],
      [3, null],
    ],
  )
  const { schedules } = (await admin.get('/v1/schedules')).body
  assert.deepEqual(
    schedules.map((one: { date: string; amountExclTax: number; status: number }) => [
      ...[one.date, one.amountExclTax, one.status],
    ]),
    [
      // Two a day in May; one a day less from 31 March to the end of April.
      ['2025-05-31', 62 - 31, 2],
      ['2025-04-30', 90, 2],
      ['2025-03-31', 10 + 6, 2],
    ],
  )
})

test('a run credits the storage of goods of which all are found to have left', async () => {
  const { partnerId, productId } = await client('GONE')
  await approveRates(partnerId, '2020-01-01', rate(charge({})))
  const goods = { partnerId, productId, receivedDate: '2025-10-01' }
  await postChanges(database, [{ at: '2025-10-01T10:00', quantity: 10, to: {} }], goods)
  const run = async (periodTo: string) => {
    assert.equal((await admin.post('/v1/billing-runs', { partnerId, periodTo })).status, 201)
    while (await runNext(context)) {}
  }
  await run('2025-10-31')
  await postChanges(database, [{ at: '2025-10-10T10:00', quantity: 10, from: {} }], goods)
  await run('2025-11-30')
  const [billed, credited, ...others] = await transactionsOf(partnerId)
  assert.deepEqual([credited?.adjusts, others], [billed?.id, []])
  assert.ok((credited?.quantity ?? 0) < 0)
})

test('a line of storage names the warehouse as it was called when it was billed', async () => {
  const { partnerId, productId } = await client('MOVED')
  await approveRates(partnerId, '2020-01-01', rate(charge({})))
  await postChanges(database, [{ at: '2025-10-01T10:00', quantity: 1, to: {} }], {
    ...{ partnerId, productId, receivedDate: '2025-10-01' },
  })
  assert.equal((await admin.post('/v1/billing-runs', { partnerId, periodTo: '2025-10-31' })).status, 201)
  while (await runNext(context)) {}
  const named = async () =>
    (await admin.get(`/v1/schedule-transactions?PartnerId=${partnerId}`)).body.scheduleTransactions.map(
      ({ warehouseName }: { warehouseName: string }) => warehouseName,
    )
  const { name } = (await admin.get(`/v1/warehouses/${warehouseId}`)).body
  const renamed = await admin.put(`/v1/warehouses/${warehouseId}`, { name: 'Another name' })
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body))
  assert.deepEqual(await named(), [name])
})
