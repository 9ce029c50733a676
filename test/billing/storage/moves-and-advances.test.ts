// Goods that move inside the house are received once, and an opening balance is charged in advance once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/platform/new-id.ts'
import { openStorage } from '../../support/given-storage.ts'

const { charge, rate, chargedClient, client, approveRates, postChanges, database, made, ...given } =
  await openStorage()
const { admin, content, run, transactionsOf, proveAll, locations } = given
const receivedDate = '2025-10-01'
const [october, november] = [
  ['2025-10-01', '2025-10-31'],
  ['2025-11-01', '2025-11-30'],
] as const
/** Ten items received into one location on the 1st, and moved to another on the 10th. */
const moved = [
  { at: '2025-10-01T10:00', quantity: 10, to: { receivedDate, warehouseLocationId: locations.A1 } },
  {
    ...{ at: '2025-10-10T10:00', quantity: 10 },
    from: { receivedDate, warehouseLocationId: locations.A1 },
    to: { receivedDate, warehouseLocationId: locations.B1 },
  },
]
const quantityOf = (bills: unknown[][]) => bills.reduce((sum, [, quantity]) => sum + Number(quantity), 0)

test('a move between locations that are charged separately is no receipt', async () => {
  for (const [storage, wanted] of [
    [{ count: 4, method: 1, groupBy: ['location'] }, 310],
    [{ count: 1, method: 4, receiptsCharged: 1, groupBy: ['location'] }, 10],
    [{ count: 1, method: 5, groupBy: ['location'] }, 10],
  ] as const) {
    const { partnerId, changeStock, bill, bills } = await chargedClient(charge(storage))
    await changeStock(...moved)
    await bill(...october)
    assert.equal(quantityOf(await bills()), wanted, JSON.stringify(storage))
    await proveAll(partnerId)
  }
})

test('a move to a location that another charge of the rate prices is no receipt', async () => {
  const { partnerId, productId } = await client('MOVES')
  const receipts = { count: 1, method: 4, receiptsCharged: 1 }
  await approveRates(
    partnerId,
    '2020-01-01',
    rate(charge(receipts, { when: { locationIds: [locations.A1] } }), charge(receipts)),
  )
  await postChanges(database, moved, { partnerId, productId })
  await run(partnerId, ...october)
  assert.deepEqual(
    (await transactionsOf(partnerId)).map(({ quantity }) => quantity),
    [10],
  )
  await proveAll(partnerId)
})

test('goods that leave a place that is free are received where they are charged', async () => {
  const { A1, B1, DOCK } = locations
  const receipts = { count: 1, method: 4, receiptsCharged: 1, groupBy: ['location'] }
  const { partnerId, changeStock, bill, bills } = await chargedClient(
    charge(receipts, { when: { locationIds: [B1, DOCK] } }),
  )
  // One movement brings ten items from where nothing is charged, and five from where they were.
  const at = '2025-10-10T10:00'
  const movementId = newId()
  const into = (warehouseLocationId: string, from: string, quantity: number) => ({
    ...{ at, movementId, quantity, to: { receivedDate, warehouseLocationId } },
    from: { receivedDate, warehouseLocationId: from },
  })
  const arrived = (warehouseLocationId: string, quantity: number) => ({
    ...{ at: '2025-10-01T10:00', quantity, to: { receivedDate, warehouseLocationId } },
  })
  await changeStock(arrived(A1, 10), arrived(DOCK, 5), into(B1, A1, 10), into(B1, DOCK, 5))
  await bill(...october)
  assert.equal(quantityOf(await bills()), 15)
  await proveAll(partnerId)
})

test('part of the goods of a location that are moved to another are no receipt there', async () => {
  const { partnerId, changeStock, bill, bills } = await chargedClient(
    charge({ count: 1, method: 4, receiptsCharged: 1 }, { metric: 13 }),
  )
  await changeStock(moved[0] as (typeof moved)[0], { ...(moved[1] as (typeof moved)[1]), quantity: 4 })
  await bill(...october)
  assert.equal(quantityOf(await bills()), 1)
  await proveAll(partnerId)
})

const advance = { count: 1, method: 4, isInAdvance: true, receiptsCharged: 0 }
const goodsOf = (productId: string, partnerId: string) => ({ productId, partnerId, receivedDate })
const arrivals = [{ at: '2025-10-05T10:00', quantity: 22, to: { warehouseLocationId: locations.A1 } }]

test('what was charged in advance is not charged again by a version with new ids', async () => {
  const { partnerId, productId } = await client('RENEWED')
  await approveRates(partnerId, '2020-01-01', rate(charge(advance)))
  await approveRates(partnerId, '2025-11-01', rate(charge(advance, { rateExclTax: 2 })))
  await postChanges(database, arrivals, goodsOf(productId, partnerId))
  await run(partnerId, ...october)
  await run(partnerId, ...november)
  assert.deepEqual(
    (await transactionsOf(partnerId)).map(({ periodFrom, amountExclTax }) => [periodFrom, amountExclTax]),
    [
      // November's opening balance, and December's.
      ['2025-10-01', 22],
      ['2025-11-01', 44],
    ],
  )
  await proveAll(partnerId)
})

test('what the fall-back card charged in advance is not charged again by the own card of a client', async () => {
  const { partnerId, productId } = await client('OWNCARD')
  const cardId = await made('/v1/rate-cards', { name: 'For all', relationship: 1 })
  const versionId = await made(`/v1/rate-cards/${cardId}/versions`, {
    effectiveFrom: '2020-01-01',
    content: content(rate(charge(advance))),
  })
  await admin.put(`/v1/rate-cards/${cardId}/versions/${versionId}/status`, { status: 2 })
  await approveRates(partnerId, '2025-11-01', rate(charge(advance)))
  await postChanges(database, arrivals, goodsOf(productId, partnerId))
  await run(partnerId, ...october)
  await run(partnerId, ...november)
  assert.deepEqual(
    (await transactionsOf(partnerId)).map(({ amountExclTax }) => amountExclTax),
    [22, 22],
  )
  await proveAll(partnerId)
  await admin.put(`/v1/rate-cards/${cardId}`, { status: 2 })
})

test('goods that nothing charged in advance are charged for the period that begins', async () => {
  const { partnerId, productId } = await client('HALF')
  const only = (location: string, more: object = {}) =>
    charge({ ...advance, ...more }, { when: { locationIds: [location] } })
  await approveRates(
    partnerId,
    '2020-01-01',
    rate(only(locations.A1), only(locations.B1, { isInAdvance: false })),
  )
  await approveRates(partnerId, '2025-11-01', rate(charge({ ...advance, isInAdvance: false })))
  await postChanges(
    database,
    [...arrivals, { at: '2025-10-05T11:00', quantity: 5, to: { warehouseLocationId: locations.B1 } }],
    goodsOf(productId, partnerId),
  )
  await run(partnerId, ...october)
  await run(partnerId, ...november)
  assert.deepEqual(
    (await transactionsOf(partnerId)).map(({ quantity }) => quantity),
    [22, 5],
  )
  await proveAll(partnerId)
})
