// Special cases of storage: late movements, charges in advance, unknown weights, and when a day begins.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf } from '../../../src/billing/storage/local-days.ts'
import { readCalendar } from '../../../src/billing/storage/read-calendar.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openStorage } from '../../support/given-storage.ts'

const { database, locations, admin, client, charge, rate, content, approveRates, ...given } =
  await openStorage()
const { chargedClient, postChanges, run, transactionsOf, proveAll } = given

test('a day begins with the first instant of its date, even if midnight is skipped or occurs twice', async () => {
  const startsOf = async (from: string, to: string) =>
    (await readCalendar(database.db, 'America/Havana', { from: dayOf(from), to: dayOf(to) })).starts.map(at =>
      new Date(at / 1_000).toISOString(),
    )
  assert.deepEqual(await startsOf('2025-03-08', '2025-03-09'), [
    '2025-03-08T05:00:00.000Z',
    '2025-03-09T05:00:00.000Z',
    '2025-03-10T04:00:00.000Z',
  ])
  assert.deepEqual(await startsOf('2025-11-01', '2025-11-02'), [
    '2025-11-01T04:00:00.000Z',
    '2025-11-02T04:00:00.000Z',
    '2025-11-03T05:00:00.000Z',
  ])
})

test('goods that leave at the very end of their free time are never charged', async () => {
  for (const count of [1, 2, 3, 4]) {
    const { changeStock, bill } = await chargedClient(charge({ count, freeHours: 12 }))
    await changeStock(
      { at: '2025-03-30T22:00', quantity: 3, to: {} },
      { at: '2025-03-31T10:00', quantity: 3, from: {} },
    )
    assert.deepEqual(await bill('2025-03-01', '2025-03-31'), { transactionIds: [] })
  }
})

test('goods that come and go at one instant count, and goods moved at an instant never count twice', async () => {
  for (const [count, quantity] of [
    [3, 5],
    [4, 5],
  ]) {
    const { changeStock, bill, listTransactions: all } = await chargedClient(charge({ count }))
    const at = '2025-03-31T10:00'
    await changeStock(
      { at, quantity: 5, to: {} },
      { at, quantity: 5, from: {}, to: { warehouseLocationId: locations.A2 } },
      { at, quantity: 5, from: { warehouseLocationId: locations.A2 } },
    )
    await bill('2025-03-01', '2025-03-31')
    assert.deepEqual(
      (await all()).map(({ quantity }) => quantity),
      [quantity],
    )
  }
})

test('free hours are at most ten years, for clients, products and charges', async () => {
  const { partnerId, productId } = await client('FREE', { freeStorageHours: 87_600 })
  const product = `/v1/partners/${partnerId}/products/${productId}`
  const tooLong = { freeStorageHours: 87_600.5 }
  for (const path of [`/v1/partners/${partnerId}`, product]) {
    const { status, body } = await admin.put(path, tooLong)
    assert.deepEqual(
      [status, body.ErrorMessages[0].split(' ')[0], path],
      [400, 'freeStorageHours', path],
      'a bill reads the ledger from that long before',
    )
  }
  const preview = await admin.post('/v1/storage-charges/preview', {
    ...{ partnerId, dateFrom: '2025-04-01', dateTo: '2025-04-30' },
    content: content(rate(charge({ freeHours: 87_601 }))),
  })
  assert.equal(preview.status, 400)
})

test('a late dispatch is credited', async () => {
  const { partnerId, changeStock, bill, listTransactions: all } = await chargedClient(charge({}))
  await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
  await bill('2025-03-01', '2025-03-31')
  await changeStock({ at: '2025-03-30T12:00', quantity: 10, from: {} })
  await bill('2025-03-01', '2025-03-31')
  const [billed, credit, ...others] = await all()
  assert.deepEqual([billed?.quantity, credit?.quantity, credit?.amountExclTax], [20, -20, -20])
  assert.deepEqual([credit?.adjusts, others], [billed?.id, []])
  await proveAll(partnerId)
})

test('late movements correct every billed period that they affect, even from long before the first bill', async () => {
  const { partnerId, changeStock, bill, bills } = await chargedClient(charge({}))
  await changeStock({ at: '2025-03-30T10:00', quantity: 10, to: {} })
  await bill('2025-03-01', '2025-03-31')
  await bill('2025-04-01', '2025-04-30')
  await changeStock({ at: '2025-01-02T10:00', quantity: 5, to: { receivedDate: '2025-01-02' } })
  await bill('2025-04-01', '2025-04-30')
  assert.deepEqual(await bills(), [
    ['2025-03-01', 20, 20],
    ['2025-04-01', 300, 300],
    ['2025-03-01', 155, 155],
    ['2025-04-01', 150, 150],
  ])
  await proveAll(partnerId)
})

const months = ['03-31', '04-30', '05-31', '06-30', '07-31'].map(
  end => [`2025-${end.slice(0, 2)}-01`, `2025-${end}`] as const,
)

test('an opening balance is charged once, even if a new version starts or stops charging it in advance', async () => {
  const { partnerId, productId } = await client('ADVANCE')
  const [rateId, chargeId] = [newId(), newId()]
  const version = (effectiveFrom: string, isInAdvance: boolean) =>
    approveRates(partnerId, effectiveFrom, {
      ...rate({ ...charge({ method: 4, isInAdvance }), id: chargeId }),
      id: rateId,
    })
  // Each version applies from the first period that begins after it: March is in arrears, May in advance.
  await version('2020-01-01', false)
  await version('2025-03-15', true)
  await version('2025-05-20', false)
  const goods = { partnerId, productId, receivedDate: '2025-02-10' }
  await postChanges(database, [{ at: '2025-02-10T10:00', quantity: 10, to: {} }], goods)
  for (const [from, to] of months) await run(partnerId, from, to)
  assert.deepEqual(
    (await transactionsOf(partnerId)).map(({ periodFrom, quantity }) => [periodFrom, quantity]),
    [
      ['2025-03-01', 10],
      // April and May.
      ['2025-04-01', 20],
      // June.
      ['2025-05-01', 10],
      ['2025-07-01', 10],
    ],
  )
  await proveAll(partnerId)
})

test('if one bill covers several weeks, the opening balance of each week is charged once', async () => {
  const { partnerId, changeStock, bill, bills } = await chargedClient(
    charge({ method: 4, isInAdvance: true, period: 1 }),
  )
  await changeStock({ at: '2025-02-10T10:00', quantity: 10, to: { receivedDate: '2025-02-10' } })
  for (const [from, to] of months.slice(0, 2)) await bill(from, to)
  assert.deepEqual(
    (await bills()).map(([from, quantity]) => [from, quantity]),
    [
      ['2025-02-24', 20],
      ...['2025-03-03', '2025-03-10', '2025-03-17', '2025-03-24'].map(from => [from, 10]),
      ...['2025-03-31', '2025-04-07', '2025-04-14', '2025-04-21'].map(from => [from, 10]),
    ],
  )
  await proveAll(partnerId)
})

test('goods of unknown weight or volume are reported, and never charged as 0', async () => {
  const [weight, volume] = [3, 4]
  for (const [metric, perDay] of [
    [weight, 5],
    [volume, 0.5],
  ] as const) {
    const { partnerId, changeStock, bill } = await chargedClient(charge({}, { metric }))
    await changeStock(
      { at: '2025-03-30T22:00', quantity: 8, to: {} },
      {
        ...{ at: '2025-03-30T23:00', quantity: 2, weightKG: 5, volumeM3: 0.5 },
        to: { warehouseLocationId: locations.A2 },
      },
    )
    const preview = async (dateFrom: string, dateTo: string, more: object = {}) => {
      const { body } = await admin.post('/v1/storage-charges/preview', {
        ...{ partnerId, dateFrom, dateTo, ...more },
      })
      return [
        body.charges.map((charge: { quantity: number }) => charge.quantity),
        body.unrated.map(({ unitDays, reason }: { unitDays: number; reason: number }) => [unitDays, reason]),
      ]
    }
    assert.deepEqual(await preview('2025-03-30', '2025-03-31'), [[2 * perDay], [[16, 4]]])
    assert.deepEqual(
      await preview('2025-04-02', '2025-04-03'),
      [[2 * perDay], [[16, 4]]],
      'nothing moves on these days',
    )
    const byQuantity = content(rate(charge({}, { metric }), charge({})))
    assert.deepEqual(await preview('2025-03-30', '2025-03-31', { content: byQuantity }), [
      ...[[2 * perDay, 16], []],
    ])
    await bill('2025-03-01', '2025-03-31')
    await proveAll(partnerId)
  }
})
