// Reports tell what came, left and was done, which is not always what was ordered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goods, openInwards } from '../support/given-inwards.ts'
import type { Row } from '../support/given-reports.ts'

const world = await openInwards()
const { admin, clientId, products, stored, announce, move, linesOf, received } = world

const rowsOf = async (name: string, body: object = {}): Promise<Row[]> => {
  const answer = await admin.post(`/v1/reports/${name}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

test('a substitute that left for another product is told by its own code and weight', async () => {
  await admin.put(`/v1/partners/${clientId}`, { productSubstitution: 1 })
  const pears = await stored(5, { productId: products.PEAR }, { weightKG: 20 })
  const id = await announce([goods('APPLE', 2)], { consignmentType: 2 }, 2)
  const [consignmentProductId] = await linesOf(id)
  const lines = [
    { consignmentProductId, stock: [{ warehouseProductId: pears, quantity: 2 }], isOverride: true },
  ]
  assert.equal((await admin.post(`/v1/consignments/${id}/allocate`, { lines })).status, 200)
  for (const status of [3, 7]) assert.equal((await move(id, status)).status, 200)
  const told = async (body: object) =>
    (await rowsOf('consignment-product-dispatched', body)).map(row => [
      row.partnerProductCode,
      row.partnerProductId,
      row.dispatchedQuantity,
      row.dispatchedWeightKG,
      row.expectedQuantity,
    ])
  assert.deepEqual(await told({}), [['PEAR', products.PEAR, 2, 8, 2]])
  assert.deepEqual(await told({ partnerProductId: products.PEAR }), await told({}))
  assert.deepEqual(await told({ partnerProductId: products.APPLE }), [])
})

/** The freight of a consignment: what it is charged for, and how much. */
async function freightOf(id: string) {
  const number = (await world.read(id)).consignmentNumber
  return (await rowsOf('freight-margin'))
    .filter(row => row.consignmentNumber === number)
    .map(row => [row.quantity, row.weightKG, row.volumeM3, row.chargedExclTax])
}

async function chargeFreight(id: string) {
  const { body } = await admin.get('/v1/tax-rates')
  const taxRateId =
    body.taxRates[0]?.id ??
    Object.values((await admin.post('/v1/tax-rates', { name: 'GST', percent: 15 })).body)[0]
  const charge = await admin.post(`/v1/consignments/${id}/charges/client-freight/adhoc`, {
    ...{ particulars: 'Van', chargeApplication: 1, metricValue: 1, chargeRateExclTax: 20, taxRateId },
  })
  assert.equal(charge.status, 200, JSON.stringify(charge.body))
}

test('freight is told with the weight of what left, and with none where nobody knows it, open and closed', async () => {
  await admin.put(`/v1/partners/${clientId}`, { productSubstitution: 1 })
  const pears = await stored(3, { productId: products.PEAR, batch: 'NOT WEIGHED' })
  const id = await announce([goods('APPLE', 3)], { consignmentType: 2 }, 2)
  const [consignmentProductId] = await linesOf(id)
  const lines = [
    { consignmentProductId, stock: [{ warehouseProductId: pears, quantity: 3 }], isOverride: true },
  ]
  assert.equal((await admin.post(`/v1/consignments/${id}/allocate`, { lines })).status, 200)
  await chargeFreight(id)
  assert.deepEqual(await freightOf(id), [[3, 0.75, 0.0015, 20]], 'what was ordered, before it leaves')
  for (const status of [3, 7]) assert.equal((await move(id, status)).status, 200)
  assert.deepEqual(await freightOf(id), [[3, null, null, 20]])
  for (const status of [0, 6]) assert.equal((await move(id, status)).status, 200)
  assert.deepEqual(await freightOf(id), [[3, null, null, 20]])

  // They come back, and are weighed no more than they were.
  const back = await admin.post(`/v1/consignments/${id}/returns`, {
    lines: [{ consignmentProductId, quantity: 2 }],
  })
  assert.equal(back.status, 201, JSON.stringify(back.body))
  const { consignmentId } = back.body
  const [line] = (await world.read(consignmentId)).products
  assert.deepEqual([line.expectedQuantity, line.expectedWeightKG, line.expectedVolumeM3], [2, null, null])
  await chargeFreight(consignmentId)
  assert.deepEqual(await freightOf(consignmentId), [[2, null, null, 20]], 'of a return that is open')
  for (const status of [4, 0, 6]) assert.equal((await move(consignmentId, status)).status, 200)
  assert.deepEqual(await freightOf(consignmentId), [[2, null, null, 20]], 'of a return that is closed')
})

test('goods that arrived on two days are told with the time of the last of those that the period has', async () => {
  const id = await announce([goods('APPLE', 10)], { referenceNumber: 'TWO DAYS' })
  const [consignmentProductId] = await linesOf(id)
  const [first, second] = ['2026-11-16T01:00:00.000Z', '2026-11-17T02:30:00.000Z']
  for (const [occurredUtc, quantity] of [
    [first, 4],
    [second, 6],
  ] as const)
    await received(id, { receipts: [{ consignmentProductId, quantity }], occurredUtc })
  const told = async (body: object) =>
    (await rowsOf('consignment-product-received', body))
      .filter(row => row.referenceNumber === 'TWO DAYS')
      .map(row => [row.actualReceiveDateTime, row.receivedQuantity])
  assert.deepEqual(await told({}), [['2026-11-17T15:30:00Z', 10]])
  assert.deepEqual(await told({ dateTo: '2026-11-16' }), [['2026-11-16T14:00:00Z', 4]])
  assert.deepEqual(await told({ dateFrom: '2026-11-17' }), [['2026-11-17T15:30:00Z', 6]])
})

test('what is due on a day without a time is on time until the end of that day', async () => {
  const onTime = async (expected: string, occurredUtc: string) => {
    const id = await announce([goods('APPLE', 1)], { expectedArrivalDateTime: expected })
    const [consignmentProductId] = await linesOf(id)
    await received(id, { receipts: [{ consignmentProductId, quantity: 1 }], occurredUtc })
    return (await rowsOf('consignment-metrics')).find(row => row.consignmentId === id)?.isOnTime
  }
  // 15:30 in Auckland.
  const afternoon = '2026-11-17T02:30:00.000Z'
  assert.equal(await onTime('2026-11-17T00:00:00Z', afternoon), true)
  assert.equal(await onTime('2026-11-16T00:00:00Z', afternoon), false)
  assert.equal(await onTime('2026-11-17T15:00:00Z', afternoon), false)
  assert.equal(await onTime('2026-11-17T16:00:00Z', afternoon), true)
})

test('nothing is due for a void consignment, whichever status the report is asked for', async () => {
  const id = await announce([goods('APPLE', 3)], {}, null)
  const isDue = async (body: object) =>
    (await rowsOf('consignment-product-due', body)).some(row => row.consignmentId === id)
  assert.equal(await isDue({}), true)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 200)
  for (const body of [{}, { status: -2 }]) assert.equal(await isDue(body), false)
})
