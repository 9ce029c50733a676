// The codes of refusals on the floor, by which a scanner tells a person what to do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goods, openInwards } from '../support/given-inwards.ts'

const world = await openInwards()
const { admin, announce, linesOf, move, products, stored } = world

/** The details of a refused command: path, code and message. */
async function detailsOf(path: string, body: object) {
  const { status, details } = await admin.post(path, body)
  assert.equal(status, 400)
  return details?.map(({ path: field, code, message }) => [field, code, message])
}
const transfer = (warehouseProductId: string, more: object) => ({
  transfers: [{ warehouseProductId, toLocationName: 'A-02', ...more }],
})

test('a refusal tells the entry as its path, a code to act on, and a sentence without the path', async () => {
  const row = await stored(4)
  assert.deepEqual(await detailsOf('/v1/inventory/transfer', transfer(row, { quantity: 5 })), [
    ['transfers[0]', 'insufficient_stock', 'Only 4 are in A-01, not 5.'],
  ])
  const id = await announce([goods('APPLE', 3)], { consignmentType: 2 }, null)
  assert.equal((await move(id, 2)).status, 200)
  const { consignmentNumber } = await world.read(id)
  assert.deepEqual(await detailsOf('/v1/inventory/transfer', transfer(row, { quantity: 2 })), [
    ['transfers[0]', 'allocated', `Only 1 of 4 are free in A-01; 3 are allocated to ${consignmentNumber}.`],
  ])
  const [line] = await linesOf(id)
  const pick = { consignmentProductId: line, warehouseProductId: row, quantity: 4 }
  assert.deepEqual(await detailsOf(`/v1/consignments/${id}/pick`, { picks: [pick] }), [
    [
      'picks[0]',
      'insufficient_stock',
      'Only 3 of 4 are to be picked in A-01 for this line; with an override (isOverride) more or other ' +
        'stock can be picked.',
    ],
  ])
})

test('serials that lack, are not there or are scanned for nothing have codes of their own', async () => {
  const scales = { productId: products.SCALE }
  const row = await stored(3, scales, { newSerials: ['C1', 'C2', 'C3'].map(serial => ({ serial })) })
  const apples = await stored(2, { batch: 'CODES' })
  const partOf = (warehouseProductId: string, quantity: number, serials: string[]) => ({
    ...{ warehouseProductId, quantity, serials, toLocationName: 'A-02' },
  })
  const body = { transfers: [partOf(row, 2, ['C1']), partOf(row, 1, ['X9']), partOf(apples, 1, ['A'])] }
  assert.deepEqual(await detailsOf('/v1/inventory/transfer', body), [
    ['transfers[0]', 'serial_required', '2 SCALE need 2 serials; 1 was scanned.'],
    ['transfers[1]', 'serial_unknown', 'The serial X9 of SCALE is not in that stock.'],
    ['transfers[2]', 'serial_not_taken', 'APPLE has no serials.'],
    ['transfers[2]', 'serial_unknown', 'The serial A of APPLE is not in that stock.'],
  ])
})

test('goods that are there already, and a pallet that stands elsewhere, have one code and one sentence', async () => {
  const [row, other] = [await stored(3, { batch: 'ELSEWHERE' }), await stored(2, { batch: 'PALLET' })]
  const pallet = { isNew: true, referenceNumber: 'ELSEWHERE' }
  const made = await admin.post(
    '/v1/inventory/transfer',
    transfer(other, { quantity: 1, toLogisticUnit: pallet }),
  )
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const toLogisticUnit = { referenceNumber: 'ELSEWHERE' }
  const [moved] =
    (await detailsOf('/v1/inventory/transfer', transfer(row, { toLocationName: 'A-01', toLogisticUnit }))) ??
    []
  assert.match(String(moved?.[2]), /^The logistic unit LU-\d+ stands elsewhere with goods on it\.$/)
  assert.deepEqual(moved?.slice(0, 2), ['transfers[0]', 'wrong_place'])
  const id = await announce([goods('APPLE', 1)], { consignmentType: 2 }, null)
  assert.equal((await move(id, 2)).status, 200)
  const [consignmentProductId] = await linesOf(id)
  const pick = {
    consignmentProductId,
    warehouseProductId: row,
    quantity: 1,
    isOverride: true,
    toLogisticUnit,
  }
  const picked = await detailsOf(`/v1/consignments/${id}/pick`, { picks: [pick] })
  assert.deepEqual(picked, [['picks[0]', ...(moved ?? []).slice(1)]])
  assert.deepEqual(await detailsOf('/v1/inventory/transfer', transfer(row, { toLocationName: 'A-01' })), [
    ['transfers[0]', 'wrong_place', 'APPLE is in A-01 like that already.'],
  ])
})

test('a consignment in another status, and a place that takes no goods, are told apart', async () => {
  const id = await announce([goods('APPLE', 1)])
  const [line] = await linesOf(id)
  const receipts = [{ consignmentProductId: line, quantity: 1, locationName: 'OLD' }]
  const old = await world.location('OLD', 1)
  const { status } = await admin.put(`/v1/warehouses/${world.warehouseId}/locations/${old}`, { status: 2 })
  assert.equal(status, 200)
  assert.deepEqual(await detailsOf(`/v1/consignments/${id}/receive`, { receipts }), [
    ['receipts[0]', 'wrong_place', 'OLD is Inactive.'],
  ])
  assert.equal((await move(id, 1)).status, 200)
  const refused = await detailsOf(`/v1/consignments/${id}/receive`, { all: true })
  assert.deepEqual(
    refused?.map(([path, code]) => [path, code]),
    [[null, 'wrong_status']],
  )
})
