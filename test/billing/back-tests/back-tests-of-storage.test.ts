// Back-tests of storage, which is computed from the same days of the ledger as its bills, and of fees.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRuns } from '../../../src/billing/runs/plan-runs.ts'
import { runNext } from '../../../src/billing/runs/run-billing.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { backTestsOf } from '../../support/given-back-tests.ts'
import { contextIn } from '../../support/given-imports.ts'
import { openStorage } from '../../support/given-storage.ts'

const given = await openStorage()
const {
  database,
  admin,
  client,
  charge,
  rate,
  content,
  approveRates,
  postChanges,
  run,
  transactionsOf,
  locations,
} = given
const { runBackTest } = backTestsOf(database, admin)

const spring = { dateFrom: '2025-03-01', dateTo: '2025-05-31' }
const months = [
  ['2025-03-01', '2025-03-31'],
  ['2025-04-01', '2025-04-30'],
  ['2025-05-01', '2025-05-31'],
] as const

let clients = 0
/** Creates a client with rates that have been in force for years, and helpers for its storage. */
async function stored(...rates: object[]) {
  const { partnerId, productId } = await client(`S${++clients}`)
  const version = await approveRates(partnerId, '2020-01-01', ...rates)
  const goods = { partnerId, productId, receivedDate: '2025-03-30' }
  return {
    partnerId,
    version,
    happen: (...all: Parameters<typeof postChanges>[1]) => postChanges(database, all, goods),
    bill: (from: string, to: string) => run(partnerId, from, to),
    billSpring: async () => {
      for (const [from, to] of months) await run(partnerId, from, to)
    },
    spent: async () => (await transactionsOf(partnerId)).reduce((sum, one) => sum + one.amountExclTax, 0),
  }
}

test('the version in force gives the billed storage again, for every count and with late movements', async () => {
  const [inWeeks, byReceipt] = [{ method: 2, period: 1 }, { method: 5 }]
  const { version, happen, bill, billSpring, spent } = await stored(
    ...[{ count: 3, freeHours: 30 }, { count: 5, freeHours: 100, groupBy: ['location'] }, inWeeks].map(one =>
      rate(charge(one)),
    ),
    ...[{ method: 3, groupBy: ['product'] }, byReceipt].map(one => rate(charge(one, { rateExclTax: 0.37 }))),
    rate(charge({ method: 4, isInAdvance: true, receiptsCharged: 2 }, { metric: 5, rounding: 1 })),
  )
  await happen(
    { at: '2025-03-30T22:00', quantity: 50, to: {} },
    { at: '2025-03-31T06:00', quantity: 8, from: {}, to: { warehouseLocationId: locations.A2 } },
    { at: '2025-04-02T10:00', quantity: 5, from: {} },
    { at: '2025-04-20T10:00', quantity: 90, to: { receivedDate: '2025-04-20' } },
    { at: '2025-05-01T08:00', quantity: 45, from: { receivedDate: '2025-04-20' } },
  )
  await billSpring()
  await happen({ at: '2025-04-11T10:00', quantity: 7, from: { warehouseLocationId: locations.A2 } })
  await bill('2025-06-01', '2025-06-30')
  const found = await runBackTest({ ...spring, rateCardVersionId: version })
  assert.deepEqual(found.control, { checked: 3, differing: 0 })
  assert.equal(found.totals.difference, 0)
  assert.deepEqual([found.periodCount, found.ledgerRowCount > 6], [3, true])
  const june = await runBackTest({ dateFrom: '2025-06-01', dateTo: '2025-06-30', rateCardVersionId: version })
  assert.deepEqual([june.control, june.totals.difference], [{ checked: 1, differing: 0 }, 0])
  assert.equal(
    Math.round((found.totals.before + june.totals.before) * 100),
    Math.round((await spent()) * 100),
  )
})

test('each period counts its opening balance and its movements, from its first instant on', async () => {
  const { version, happen, billSpring } = await stored(
    ...[{ count: 2 }, { count: 3, groupBy: ['location'] }].map(one => rate(charge(one))),
  )
  await happen(
    { at: '2025-03-30T22:00', quantity: 50, to: {} },
    { at: '2025-03-31T06:00', quantity: 50, from: {} },
    { at: '2025-04-01T00:00', quantity: 9, to: { warehouseLocationId: locations.A2 } },
    { at: '2025-05-01T00:00', quantity: 4, from: { warehouseLocationId: locations.A2 } },
  )
  await billSpring()
  const { control, totals } = await runBackTest({ ...spring, rateCardVersionId: version })
  assert.deepEqual(control, { checked: 3, differing: 0 })
  // The highest balance of each day: 50 on 31 March, 9 on 29 days of April and 1 May, 5 on 30 days of May.
  assert.equal(totals.before, 50 + 29 * 9 + 9 + 30 * 5 + (2 * 50 + 30 * 9 + 9 + 30 * 5))
})

test('a tested content shows the storage it would have charged, by client, month and activity', async () => {
  const { partnerId, happen, billSpring } = await stored(rate(charge({})))
  await happen(
    { at: '2025-03-30T22:00', quantity: 8, to: {} },
    { at: '2025-04-02T10:00', quantity: 3, from: {} },
  )
  await billSpring()
  const tried = (...charges: object[]) =>
    runBackTest({ ...spring, partnerIds: [partnerId], content: content(...charges) })
  const { rows, totals, control } = await tried(rate(charge({ count: 2 }, { rateExclTax: 0.5 })))
  assert.deepEqual(control, { checked: 3, differing: 0 })
  // Closing balances: 8 + 8, 8 + 29 × 5 and 31 × 5. Opening balances: 8, 2 × 8 + 28 × 5 and 31 × 5.
  assert.deepEqual(totals, { before: 16 + 153 + 155, after: 4 + 78 + 77.5, difference: -164.5 })
  const sums = new Map<string, number[]>()
  for (const { month, kind, activityCode, amountBefore, amountAfter } of rows) {
    assert.deepEqual([kind, activityCode], [4, 'STORAGE'])
    const [before = 0, after = 0] = sums.get(month) ?? []
    sums.set(month, [before + amountBefore, after + amountAfter])
  }
  assert.deepEqual(
    [...sums],
    [
      ['2025-03-01', [16, 4]],
      ['2025-04-01', [153, 78]],
      ['2025-05-01', [155, 77.5]],
    ],
  )
  // Goods that left within their free hours cost nothing. The free hours of goods received before the first
  // tested day are counted from their receipt.
  assert.equal((await tried(rate(charge({ freeHours: 24 * 50 })))).totals.after, 12 * 5 + 5)
  const may = { dateFrom: '2025-05-01', dateTo: '2025-05-31', partnerIds: [partnerId] }
  const free = await runBackTest({ ...may, content: content(rate(charge({ freeHours: 24 * 50 }))) })
  assert.equal(free.totals.after, 12 * 5 + 5)
})

test('a card that differs in prices alone counts the same days of storage', async () => {
  const byZone = { count: 2, groupBy: ['location'] }
  const { partnerId, happen, bill, billSpring } = await stored(
    rate(charge({}), charge({})),
    rate(charge(byZone, { metric: 3, rateExclTax: 0.01 })),
  )
  await happen(
    { at: '2025-03-30T22:00', quantity: 8, weightKG: 16, to: {} },
    { at: '2025-06-11T10:00', quantity: 3, weightKG: 6, from: {} },
  )
  await billSpring()
  await bill('2025-06-01', '2025-06-30')
  const tried = (...rates: object[]) =>
    runBackTest({ ...spring, dateTo: '2025-06-30', partnerIds: [partnerId], content: content(...rates) })
  const dearer = [
    rate(charge({}, { rateExclTax: 3 }), charge({}, { rateExclTax: 9 })),
    rate(charge(byZone, { metric: 3, rateExclTax: 0.2, minExclTax: 10 })),
  ]
  const [alike, other] = [await tried(...dearer), await tried(...dearer, rate(charge({ freeHours: 9999 })))]
  // 8 items on 73 days and 5 on 20, at 3; 16 kg on 30 and 31 mornings and then 11, and 10 kg on 19, at 0.20:
  // 96, 99.20 and 73.20. Of March, only one morning counts, and costs the minimum of 10.
  assert.equal(alike.totals.after, (8 * 73 + 5 * 20) * 3 + 278.4)
  assert.deepEqual([alike.totals, alike.control], [other.totals, other.control])
  assert.equal(alike.control.differing, 0)
})

test('the tested card is in force from the first tested period, and the cards of the time before that', async () => {
  const { partnerId, happen, bill } = await stored(rate(charge({})))
  await happen({ at: '2025-03-30T22:00', quantity: 4, to: {} })
  const dearer = await approveRates(partnerId, '2025-04-16', rate(charge({}, { rateExclTax: 2 })))
  const advance = { method: 4, isInAdvance: true }
  for (const [from, to] of months) await bill(from, to)
  const april = { dateFrom: '2025-04-01', dateTo: '2025-05-31' }
  const found = await runBackTest({ ...april, rateCardVersionId: dearer })
  // 15 days at 1, 15 and 31 at 2.
  assert.deepEqual(found.totals, { before: 60 + 120 + 248, after: 240 + 248, difference: 60 })
  assert.deepEqual(found.control, { checked: 2, differing: 0 })
  const inAdvance = content(rate(charge(advance)))
  const tried = await runBackTest({ ...april, partnerIds: [partnerId], content: inAdvance })
  // The opening and closing balance of April, and the closing balance of May: April was not charged in
  // advance.
  assert.equal(tried.totals.after, 4 + 4 + 4)
})

test('storage that cannot be derived is reported and counts as billed, and so does waived storage', async () => {
  const { partnerId, version, happen, bill } = await stored(rate(charge({})))
  await happen({ at: '2025-03-30T22:00', quantity: 4, to: {} })
  await bill('2025-03-01', '2025-03-31')
  const [one] = await transactionsOf(partnerId)
  const march = { dateFrom: '2025-03-01', dateTo: '2025-03-31', rateCardVersionId: version }
  const waived = await admin.put(`/v1/schedule-transactions/${one?.id}/status`, { status: 3, reason: 'Ours' })
  assert.equal(waived.status, 200, JSON.stringify(waived.body))
  assert.deepEqual((await runBackTest(march)).totals, { before: 8, after: 8, difference: 0 })
  const change = (amount: number) =>
    database.atomically(tx =>
      tx.run(sql`
        update schedule_transaction set amount_excl_tax = amount_excl_tax + ${amount} where id = ${one?.id}`),
    )
  await change(2)
  const { control, totals } = await runBackTest(march)
  assert.deepEqual(control, { checked: 1, differing: 1 })
  assert.deepEqual(totals, { before: 10, after: 8, difference: -2 })
  await change(-2)
})

test('fees of billing periods are compared with those of the tested card, for the requested kinds only', async () => {
  const { activityTypeId } = given
  const fee = (rateExclTax: number) => ({
    ...{ name: 'Account', kind: 5, basis: 1, activityTypeId },
    charges: [{ metric: 1, application: 2, rateExclTax }],
  })
  const { partnerId, version, happen } = await stored(fee(45), rate(charge({})))
  await happen({ at: '2025-03-30T22:00', quantity: 3, to: {} })
  const taxRateId = given.taxRateId
  const owed = { partnerId, date: '2025-03-30', chargeApplication: 2, chargeRateExclTax: 10, taxRateId }
  assert.equal((await admin.post('/v1/schedule-transactions', owed)).status, 201)
  const rule = { period: 4 }
  assert.equal((await admin.put(`/v1/partners/${partnerId}/billing-rule`, rule)).status, 200)
  await planRuns(database, new Date('2025-05-02T00:00:00Z'))
  while (await runNext(contextIn(given))) {}
  const billed = { ...spring, partnerIds: [partnerId] }
  const same = await runBackTest({ ...spring, rateCardVersionId: version })
  // Two periods with three units, of 2 and 30 days, and a fee for each; the charge entered by hand is left
  // out.
  assert.deepEqual(same.totals, { before: 6 + 90 + 90, after: 186, difference: 0 })
  assert.deepEqual([same.control, same.periodCount], [{ checked: 4, differing: 0 }, 4])
  const dearer = content(fee(50), rate(charge({}, { rateExclTax: 2 })))
  const totalsOf = async (more: object) => (await runBackTest({ ...billed, content: dearer, ...more })).totals
  assert.deepEqual(await totalsOf({ kinds: [5] }), { before: 90, after: 100, difference: 10 })
  assert.deepEqual(await totalsOf({ kinds: [4] }), { before: 96, after: 192, difference: 96 })
  assert.deepEqual(await totalsOf({ kinds: [1] }), { before: 0, after: 0, difference: 0 })
})
