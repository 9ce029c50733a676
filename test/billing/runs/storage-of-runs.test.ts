// Storage that billing runs bill, and its corrections by late ledger rows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveMoney } from '../../../src/billing/proofs/check-money.ts'
import { addDays } from '../../../src/billing/runs/billing-period.ts'
import { planRuns } from '../../../src/billing/runs/plan-runs.ts'
import { runNext } from '../../../src/billing/runs/run-billing.ts'
import { contextIn } from '../../support/given-imports.ts'
import { openStorage } from '../../support/given-storage.ts'
import { textOf } from '../../support/pdf.ts'
import { withinOneDay } from '../../support/today.ts'

const given = await openStorage()
const {
  database,
  admin,
  client,
  charge,
  rate,
  approveRates,
  postChanges,
  transactionsOf,
  warehouseId,
  made,
} = given
const context = contextIn(given)

/** Bills a client by a run that a user asks for. */
async function runUpTo(partnerId: string, periodTo: string): Promise<void> {
  assert.equal((await admin.post('/v1/billing-runs', { partnerId, periodTo })).status, 201)
  while (await runNext(context)) {}
}

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
  await runUpTo(partnerId, '2025-10-31')
  await postChanges(database, [{ at: '2025-10-10T10:00', quantity: 10, from: {} }], goods)
  await runUpTo(partnerId, '2025-11-30')
  const [billed, credited, ...others] = await transactionsOf(partnerId)
  assert.deepEqual([credited?.adjusts, others], [billed?.id, []])
  assert.ok((credited?.quantity ?? 0) < 0)
})

test('the check of money asks of a run what it did, not what rules say by now', async () => {
  const { partnerId, productId } = await client('SILENT')
  await approveRates(partnerId, '2020-01-01', rate(charge({})))
  const goods = { partnerId, productId, receivedDate: '2025-10-01' }
  await postChanges(database, [{ at: '2025-10-01T10:00', quantity: 10, to: {} }], goods)
  const setRule = async (raisesStorage: boolean) => {
    const rule = { period: 4, raisesStorage }
    assert.equal((await admin.put(`/v1/partners/${partnerId}/billing-rule`, rule)).status, 200)
  }
  await runUpTo(partnerId, '2025-10-31')
  await postChanges(database, [{ at: '2025-10-10T10:00', quantity: 4, from: {} }], goods)
  await setRule(false)
  await runUpTo(partnerId, '2025-11-30')
  const differences = async () =>
    (await proveMoney(database.db, { organisationId: admin.actor.organisationId })).differences
  assert.deepEqual(await differences(), [])
  await setRule(true)
  assert.deepEqual(await differences(), [])
})

test('a line of storage names the warehouse as it was called when it was billed', async () => {
  const { partnerId, productId } = await client('MOVED')
  await approveRates(partnerId, '2020-01-01', rate(charge({})))
  await postChanges(database, [{ at: '2025-10-01T10:00', quantity: 1, to: {} }], {
    ...{ partnerId, productId, receivedDate: '2025-10-01' },
  })
  await runUpTo(partnerId, '2025-10-31')
  const named = async () =>
    (await admin.get(`/v1/schedule-transactions?PartnerId=${partnerId}`)).body.scheduleTransactions.map(
      ({ warehouseName }: { warehouseName: string }) => warehouseName,
    )
  const { name } = (await admin.get(`/v1/warehouses/${warehouseId}`)).body
  const renamed = await admin.put(`/v1/warehouses/${warehouseId}`, { name: 'Another name' })
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body))
  assert.deepEqual(await named(), [name])
})

/** Another warehouse, as the identity of what is stored there. */
async function warehouse(name: string, timezoneId: string) {
  const id = await made('/v1/warehouses', { name, code: name.slice(0, 3).toUpperCase(), timezoneId })
  const warehouseLocationId = await made(`/v1/warehouses/${id}/locations`, { name: 'A-01', type: 1 })
  return { warehouseId: id, warehouseLocationId }
}

test('a period is refused with whose last day is not over: of the organisation, or of a warehouse', async () => {
  const { partnerId, productId } = await client('WEST')
  const goods = { partnerId, productId, receivedDate: '2025-10-01' }
  const west = await warehouse('West', 'Pacific/Pago_Pago')
  await postChanges(database, [{ at: '2025-10-01T10:00', quantity: 1, to: {} }], { ...goods, ...west })
  const { timezoneId } = (await admin.get('/v1/organisation')).body
  // It is a later day there than in Pago Pago at every hour.
  const zone = (name: string) => admin.put('/v1/organisation', { timezoneId: name })
  assert.equal((await zone('Pacific/Kiritimati')).status, 200)
  const ask = async (periodTo: string): Promise<string> =>
    (await admin.post('/v1/billing-runs', { partnerId, periodTo })).body.ErrorMessages?.[0]
  const isNotOver = (day: string, whose: string) =>
    `The period ends on ${day}, a day that is not over ${whose}.`
  await withinOneDay(async day => {
    assert.equal(await ask(day), isNotOver(day, 'in the warehouse West (Pacific/Pago_Pago)'))
    const later = addDays(day, 2)
    assert.equal(await ask(later), isNotOver(later, 'for the organisation (Pacific/Kiritimati)'))
  }, 'Pacific/Pago_Pago')
  assert.equal((await zone(timezoneId)).status, 200)
})

test('the statement names the warehouses of storage where there are several', async () => {
  const { partnerId, productId } = await client('TWOS')
  await approveRates(partnerId, '2020-01-01', rate(charge({})))
  const store = (at: string, more: object) =>
    postChanges(database, [{ at: `${at}T10:00`, quantity: 1, to: {} }], {
      ...{ partnerId, productId, receivedDate: at, ...more },
    })
  const bill = async (periodTo: string): Promise<string[]> => {
    assert.equal((await admin.post('/v1/billing-runs', { partnerId, periodTo })).status, 201)
    while (await runNext(context)) {}
    const { schedules } = (await admin.get(`/v1/schedules?PartnerId=${partnerId}`)).body
    const { bytes } = await admin.get(`/v1/schedules/${schedules[0].id}/statement-pdf`)
    return (await textOf(bytes)).split('\n')
  }
  const { name } = (await admin.get(`/v1/warehouses/${warehouseId}`)).body
  const named = (lines: string[]) => lines.filter(line => [name, 'Far Shed'].includes(line)).toSorted()
  await store('2025-10-01', {})
  assert.deepEqual(named(await bill('2025-10-31')), [], 'one warehouse reads like no other')
  await store('2025-11-01', await warehouse('Far Shed', 'Pacific/Auckland'))
  assert.deepEqual(named(await bill('2025-11-20')), [name, 'Far Shed'].toSorted())
})
