// What of a product, client, warehouse or location cannot change while there is stock of it. Spec 2.12, 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { PartnerStatus, ProductStatus } from '../../src/vocabulary/partners.ts'
import { WarehouseStatus } from '../../src/vocabulary/warehouses.ts'
import { openAllocation } from '../support/given-allocation.ts'

const world = await openAllocation()
const { admin, database, clientId, warehouseId, locations, products, stored, fresh, ready } = world

const refusalOf = async (path: string, body: object) => {
  const answer = await admin.put(path, body)
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  return answer.body.ErrorMessages
}
const productPath = (id: string) => `/v1/partners/${clientId}/products/${id}`
const writeOff = (warehouseProductId: string, quantity: number) =>
  admin.post('/v1/inventory/adjust', {
    ...{ reason: 'Sold', adjustments: [{ warehouseProductId, quantity: -quantity }] },
  })

test('how serials are tracked cannot change while the product is in stock or on an open consignment', async () => {
  const { productId, productCode } = await fresh({ serialTrackingMode: 2 })
  const serials = { newSerials: [{ serial: 'T1' }, { serial: 'T2' }] }
  const stock = await stored(2, { productId }, serials)
  const id = await ready([{ productId, productCode, quantity: 1 }])
  const { consignmentNumber } = (await admin.get(`/v1/consignments/${id}`)).body
  assert.deepEqual(await refusalOf(productPath(productId), { serialTrackingMode: 1 }), [
    `serialTrackingMode must stay as it is: 2 of ${productCode} (AKL, A-01) are in stock.`,
    `serialTrackingMode must stay as it is: open consignments have it: ${consignmentNumber}.`,
  ])
  assert.equal((await admin.put(productPath(productId), { serialTrackingMode: 2 })).status, 304)
  await assert.rejects(
    database.inOneStatement(tx =>
      tx.run(sql`update product set serial_tracking_mode = 1 where id = ${productId}`),
    ),
    /kept with other serials/,
    'the database refuses it too',
  )
  const adjustments = [{ warehouseProductId: stock, quantity: -2 }]
  assert.equal((await admin.post('/v1/inventory/adjust', { reason: 'Sold', adjustments })).status, 200)
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status: -2 })).status, 200)
  assert.equal((await admin.put(productPath(productId), { serialTrackingMode: 1 })).status, 200)
})

test('a dispatch is not undone once serials of its goods are tracked in another way', async () => {
  const product = await fresh()
  await stored(3, product)
  const id = await ready([{ ...product, quantity: 3 }])
  await world.allocated(id)
  const move = (status: number) => admin.put(`/v1/consignments/${id}/status`, { status })
  assert.equal((await move(0)).status, 200)
  assert.equal((await admin.put(productPath(product.productId), { serialTrackingMode: 2 })).status, 200)
  assert.deepEqual((await move(2)).body.ErrorMessages, [
    `The dispatch cannot be undone: serials of ${product.productCode} are tracked in another way since it left.`,
  ])
})

test('a product, a client and a warehouse with stock do not become Inactive', async () => {
  const { productId, productCode } = await fresh()
  const one = await stored(5, { productId })
  const two = await stored(2.5, { productId, warehouseLocationId: locations.A2 })
  assert.deepEqual(await refusalOf(productPath(productId), { status: ProductStatus.Inactive }), [
    `status must not be Inactive: 7.5 of ${productCode} (AKL, A-01 and 1 more location) are in stock.`,
  ])
  const [ofClient = ''] = await refusalOf(`/v1/partners/${clientId}`, { status: PartnerStatus.Inactive })
  assert.match(ofClient, /^status must not be Inactive: .* are in stock\.$/)
  const [ofWarehouse = ''] = await refusalOf(`/v1/warehouses/${warehouseId}`, {
    status: WarehouseStatus.Inactive,
  })
  assert.match(ofWarehouse, /^status must not be Inactive: .* are in stock\.$/)
  for (const [id, quantity] of [
    [one, 5],
    [two, 2.5],
  ] as const)
    assert.equal((await writeOff(id, quantity)).status, 200)
  assert.equal((await admin.put(productPath(productId), { status: 2 })).status, 200)
})

test('a location with goods in it does not become the pickface of another product', async () => {
  const { productId, productCode } = await fresh()
  const place = await world.location('GIVEN-AWAY', 1, { isPickface: true, partnerProductId: productId })
  const stock = await stored(4, { productId, warehouseLocationId: place })
  const path = `/v1/warehouses/${warehouseId}/locations/${place}`
  assert.deepEqual(await refusalOf(path, { partnerProductId: products.PEAR }), [
    'partnerProductId cannot make it the pickface of a product while other goods are in it: ' +
      `4 of ${productCode}.`,
  ])
  assert.equal((await admin.put(path, { minQuantity: 2 })).status, 200)
  assert.equal((await writeOff(stock, 4)).status, 200)
  assert.equal((await admin.put(path, { partnerProductId: products.PEAR })).status, 200)
})
