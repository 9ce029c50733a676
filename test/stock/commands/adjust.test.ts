// Corrections of the quantity and the description of stock. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { allocateRow } from '../../support/given-allocations.ts'
import { openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, products, locations, warehouseId, stored, row } = world
const { organisationId } = admin.actor

const post = (path: string, adjustments: object[]) =>
  admin.post(`/v1/inventory/${path}`, { adjustments, reason: 'Found' })
async function adjusted(path: string, ...adjustments: object[]) {
  const { status, body } = await post(path, adjustments)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
async function refused(path: string, ...adjustments: object[]): Promise<string[]> {
  const { status, body } = await post(path, adjustments)
  assert.equal(status, 400, JSON.stringify(body))
  return body.ErrorMessages
}
const apples = (more: object) => ({
  partnerProductId: products.APPLE,
  warehouseId,
  locationName: 'a-01',
  quantity: 4,
  ...more,
})

test('found goods come in with their reason and with the weight of the product', async () => {
  const { adjustments, movementId } = await adjusted(
    'adjust',
    apples({ batch: 'NEW', expiryDate: '2027-01-31', receivedDate: '2026-01-02' }),
    apples({
      batch: 'NEW',
      quantity: 1,
      logisticUnit: { isNew: true, referenceNumber: 'CAGE' },
      weightKG: 9,
    }),
  )
  const [loose, caged] = await Promise.all(
    adjustments.map(({ warehouseProductId }: { warehouseProductId: string }) => row(warehouseProductId)),
  )
  assert.deepEqual([loose.onHandQuantity, loose.onHandWeightKG, loose.onHandVolumeM3], [4, 1, 0.002])
  assert.deepEqual([caged.onHandQuantity, caged.onHandWeightKG], [1, 9])
  const lines = await database.db.rows(sql`select type, reason from inventory_transaction
    where movement_id = ${movementId}`)
  assert.deepEqual(lines, [
    { type: 1, reason: 'Found' },
    { type: 1, reason: 'Found' },
  ])
})

test('parts that weigh exactly what the row does are taken out, whatever their binary fractions', async () => {
  const id = await stored(3, { batch: 'LIGHT' }, { weightKG: 0.3 })
  const part = (weightKG: number) => ({ warehouseProductId: id, quantity: -1, weightKG })
  assert.deepEqual(await refused('adjust', part(0.1), part(0.2001)), [
    'adjustments[1]: all of the row weighs only 0.3 kg.',
  ])
  await adjusted('adjust', part(0.1), part(0.2))
  assert.deepEqual([(await row(id)).onHandQuantity, (await row(id)).onHandWeightKG], [1, 0])
})

test('stock is found again by the date and time that described it, with its offset, and by a batch with spaces', async () => {
  // In Auckland it is the next day already.
  const facts = { expiryDate: '2097-05-01T23:00:00-05:00', receivedDate: '2026-01-02T23:00:00-05:00' }
  const { adjustments } = await adjusted('adjust', apples({ ...facts, batch: ' OFFSET ' }))
  const { warehouseProductId } = adjustments[0]
  const found = await database.db.row(sql`
    select expiry_date::text, received_date::text, batch from warehouse_product
    where id = ${warehouseProductId}`)
  assert.deepEqual(found, { expiryDate: '2097-05-02', receivedDate: '2026-01-03', batch: 'OFFSET' })
  const stock = { partnerProductId: products.APPLE, ...facts, batch: ' OFFSET ' }
  assert.equal((await adjusted('adjust', { stock, quantity: -1 })).adjustments[0].quantity, -1)
  assert.equal((await row(warehouseProductId)).onHandQuantity, 3)
})

test('missing goods are taken from free stock, never from allocated stock', async () => {
  const id = await stored(10, { batch: 'MISSING' }, { weightKG: 10 })
  const { consignmentNumber } = await allocateRow(world, id, 6)
  assert.deepEqual(await refused('adjust', { warehouseProductId: id, quantity: -5 }), [
    `adjustments[0]: only 4 of 10 are free in A-01; 6 are allocated to ${consignmentNumber}.`,
  ])
  await adjusted(
    'adjust',
    { warehouseProductId: id, quantity: -4, weightKG: 3 },
    { warehouseProductId: id, quantity: 1 },
  )
  const left = await row(id)
  assert.deepEqual([left.onHandQuantity, left.onHandWeightKG], [7, 7.25])
  assert.deepEqual(await refused('adjust', { warehouseProductId: id, quantity: -1, weightKG: 8 }), [
    'adjustments[0]: all of the row weighs only 7.25 kg.',
  ])
})

test('nothing is added to an empty row if its unit has moved or it was on hold', async () => {
  const cage = { isNew: true, referenceNumber: 'GONE' }
  const { adjustments } = await adjusted('adjust', apples({ batch: 'GONE', logisticUnit: cage }))
  const [{ warehouseProductId }] = adjustments
  const { logisticUnitId } = await database.db.row<{ logisticUnitId: string }>(sql`
    select logistic_unit_id from warehouse_product where id = ${warehouseProductId}`)
  const transfers = [{ logisticUnitId, toLocationName: 'B-01' }]
  assert.equal((await admin.post('/v1/inventory/transfer', { transfers })).status, 200)
  const lot = await stored(3, { batch: 'HELD' })
  const stock = [{ warehouseProductId: lot }]
  const held = await admin.post('/v1/inventory/holds', { kind: 2, reason: 'Glass', stock })
  assert.equal(held.status, 201)
  await adjusted('adjust', { warehouseProductId: held.body.warehouseProductIds[0], quantity: -3 })
  const [gone, over] = await refused(
    'adjust',
    { warehouseProductId, quantity: 1 },
    { warehouseProductId: held.body.warehouseProductIds[0], quantity: 1 },
  )
  assert.match(gone ?? '', /^adjustments\[0\]: the logistic unit LU-\d+ does not stand in A-01 any more\.$/)
  assert.equal(over, 'adjustments[1]: nothing is left of what was held in A-01, so add it without the hold.')
  await adjusted('adjust', { warehouseProductId: lot, quantity: 1 })
})

test('a serial is in stock only once, and is taken out by name', async () => {
  const serials = ['A1', 'A2']
  const scale = apples({ partnerProductId: products.SCALE, quantity: 2, serials })
  const { adjustments } = await adjusted('adjust', scale)
  const id = adjustments[0].warehouseProductId
  assert.deepEqual(await refused('adjust', { ...scale, quantity: 1, serials: ['A2'] }), [
    'adjustments[0]: the serial A2 of SCALE is in stock already, in A-01.',
  ])
  assert.deepEqual(await refused('adjust', { warehouseProductId: id, quantity: 1 }), [
    'adjustments[0]: 1 SCALE need 1 serial; 0 were scanned.',
  ])
  await adjusted('adjust', { warehouseProductId: id, quantity: -1, serials: ['A1'] })
  await adjusted('adjust', { warehouseProductId: id, quantity: 1, serials: ['A1'] })
  assert.equal((await row(id)).onHandQuantity, 2)
})

test('every fault of every adjustment is reported', async () => {
  const cider = await world.product('CIDER', { batchUsage: 3 })
  assert.deepEqual(
    await refused(
      'adjust',
      apples({ partnerProductId: cider }),
      apples({ partnerProductId: organisationId }),
      apples({ locationName: 'NOWHERE' }),
      apples({ warehouseId: organisationId }),
      apples({ locationName: null }),
    ),
    [
      'adjustments[0]: the product CIDER needs a batch.',
      `adjustments[1]: there is no product ${organisationId}.`,
      'adjustments[2]: there is no location NOWHERE in that warehouse.',
      `adjustments[3]: there is no warehouse ${organisationId}.`,
      'adjustments[4]: say where it is, by warehouseLocationId, locationName or logisticUnit.',
    ],
  )
  assert.deepEqual(
    await refused('adjust', apples({ quantity: 0 }), apples({ quantity: -1 }), { quantity: 1 }),
    [
      'adjustments[0].quantity must not be 0.',
      'adjustments[1].quantity must be more than 0 of goods that are named by what they are.',
      'adjustments[2] must name its stock, either by warehouseProductId or by stock.',
    ],
  )
})

test('a row or a part of it gets a new description, and unchanged entries are marked', async () => {
  const id = await stored(10, { batch: 'OLD', expiryDate: '2027-01-31' })
  const { adjustments } = await adjusted(
    'adjust-attributes',
    { warehouseProductId: id, quantity: 3, batch: 'NEWER', expiryDate: null },
    { warehouseProductId: id, batch: 'OLD' },
  )
  assert.deepEqual(adjustments[1], { warehouseProductId: id, quantity: 0, isUnchanged: true })
  const [changed] =
    await database.db.rows(sql`select batch, expiry_date, on_hand_quantity from warehouse_product
    where id = ${adjustments[0].warehouseProductId}`)
  assert.deepEqual(changed, { batch: 'NEWER', expiryDate: null, onHandQuantity: 3 })
  await adjusted('adjust-attributes', {
    warehouseProductId: id,
    attributes: [{ name: 'Colour', description: 'red' }],
  })
  assert.equal((await row(id)).onHandQuantity, 0)
})

test('allocated stock keeps the description that its line requests', async () => {
  const id = await stored(5, { batch: 'B7' })
  const { consignmentNumber } = await allocateRow(world, id, 5, { line: { batch: 'b7' } })
  assert.deepEqual(await refused('adjust-attributes', { warehouseProductId: id, batch: 'B8' }), [
    `adjustments[0]: it is allocated to ${consignmentNumber}, which asks for its batch.`,
  ])
  const { adjustments } = await adjusted('adjust-attributes', {
    warehouseProductId: id,
    sellByDate: '2027-01-01',
  })
  assert.equal((await row(adjustments[0].warehouseProductId)).allocatedQuantity, 5)
})

test('one serial gets a new description', async () => {
  const newSerials = ['D1', 'D2'].map(serial => ({ serial }))
  const id = await stored(2, { productId: products.SCALE, warehouseLocationId: locations.B1 }, { newSerials })
  const [item] = await database.db.rows<{ id: string }>(
    sql`select id from warehouse_product_item where serial = 'D1'`,
  )
  const path = `/v1/inventory-items/${item?.id}/adjust-attributes`
  const { status, body } = await admin.post(path, { batch: 'D', reason: 'Label' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    [(await row(id)).onHandQuantity, (await row(body.warehouseProductId)).onHandQuantity],
    [1, 1],
  )
  assert.equal((await admin.post(path, { batch: 'D', reason: 'Label' })).body.isUnchanged, true)
  assert.equal((await admin.post(`/v1/inventory-items/${id}/adjust-attributes`, { reason: 'x' })).status, 404)
})
