// Putting stock on hold and releasing it. Spec 2.14, 6.1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { allocateRow } from '../../support/given-allocations.ts'
import { openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, products, locations, warehouseId, stored, row, clientId } = world
const { organisationId } = admin.actor

const hold = (more: object) => admin.post('/v1/inventory/holds', { kind: 2, reason: 'Glass', ...more })
const held = async (more: object) => {
  const { status, body } = await hold(more)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const refused = async (more: object): Promise<string[]> => {
  const { status, body } = await hold(more)
  assert.equal(status, 400, JSON.stringify(body))
  return body.ErrorMessages
}
const eventsOf = (id: string) =>
  database.db.rows<{ type: number; changes: object }>(
    sql`select type, changes from event where subject_id = ${id}`,
  )

test('a part of a row is held with its reason, and released back into its row', async () => {
  const id = await stored(10, { batch: 'PART' })
  const { inventoryHoldId, heldQuantity, allocatedQuantity, warehouseProductIds } = await held({
    reference: 'R-1',
    stock: [{ warehouseProductId: id, quantity: 4 }],
  })
  assert.deepEqual([heldQuantity, allocatedQuantity], [4, 0])
  assert.equal((await row(id)).onHandQuantity, 6)
  assert.equal((await row(warehouseProductIds[0])).availableQuantity, 0)
  const { body: detail } = await admin.get(`/v1/inventory/holds/${inventoryHoldId}`)
  assert.deepEqual([detail.reason, detail.reference, detail.heldQuantity], ['Glass', 'R-1', 4])
  assert.deepEqual(detail.products[0].warehouseProductId, warehouseProductIds[0])
  assert.deepEqual(await refused({ stock: [{ warehouseProductId: warehouseProductIds[0] }] }), [
    'stock[0]: APPLE in A-01 is already on hold.',
  ])
  const release = (body?: object) => admin.post(`/v1/inventory/holds/${inventoryHoldId}/release`, body)
  const some = await release({ stock: [{ warehouseProductId: warehouseProductIds[0], quantity: 1 }] })
  assert.deepEqual([some.status, some.body.releasedQuantity, some.body.releasedUtc], [200, 1, null])
  assert.deepEqual((await release({ stock: [{ warehouseProductId: id }] })).body.ErrorMessages, [
    'stock[0]: APPLE in A-01 is not in this hold.',
  ])
  const rest = await release()
  assert.equal(rest.body.releasedQuantity, 3)
  assert.notEqual(rest.body.releasedUtc, null)
  assert.deepEqual(rest.body.warehouseProductIds, [id])
  assert.equal((await row(id)).availableQuantity, 10)
  assert.deepEqual((await release()).body.ErrorMessages, [
    'The hold is already released: nothing is left in it.',
  ])
})

test('allocated stock is left out or released, with one event for each consignment', async () => {
  const id = await stored(10, { batch: 'PROMISED' })
  const first = await allocateRow(world, id, 3)
  const second = await allocateRow(world, id, 2)
  const kept = await held({ stock: [{ warehouseProductId: id }] })
  assert.deepEqual([kept.heldQuantity, kept.allocatedQuantity], [5, 5])
  assert.deepEqual(await refused({ stock: [{ warehouseProductId: id }] }), [
    `All of it is allocated to ${first.consignmentNumber}, ${second.consignmentNumber}: release it first, or set ` +
      'releaseAllocations.',
  ])
  const some = await held({ stock: [{ warehouseProductId: id, quantity: 3 }], releaseAllocations: true })
  assert.deepEqual([some.heldQuantity, some.allocatedQuantity], [3, 0])
  assert.deepEqual((await row(id)).allocatedQuantity, 2)
  assert.deepEqual(await eventsOf(second.consignmentId), [
    {
      type: 108,
      changes: [
        {
          field: 'products',
          from: { id: second.consignmentProductId, releasedQuantity: 0 },
          to: { id: second.consignmentProductId, releasedQuantity: 2 },
        },
      ],
    },
  ])
  assert.equal((await eventsOf(first.consignmentId)).length, 1)
  const all = await held({ stock: [{ warehouseProductId: id }], releaseAllocations: true })
  assert.deepEqual([all.heldQuantity, all.allocatedQuantity], [2, 0])
  assert.equal((await row(id)).onHandQuantity, 0)
})

test('all stock that meets criteria is held at once', async () => {
  await stored(1, { batch: 'WHERE', expiryDate: '2026-05-01' })
  await stored(2, { batch: 'where', expiryDate: '2026-06-01' })
  await stored(4, { batch: 'WHERE', expiryDate: '2026-07-01' })
  const where = { warehouseId, partnerProductId: products.APPLE, batch: 'WHERE', expiryTo: '2026-06-01' }
  const { inventoryHoldId, heldQuantity } = await held({ where, kind: 1 })
  assert.equal(heldQuantity, 3)
  assert.deepEqual(await refused({ where }), ['There is no such stock that is not on hold already.'])
  assert.deepEqual(await refused({ where, stock: [{ warehouseProductId: organisationId }] }), [
    'The body must name either stock or where.',
  ])
  const find = async (query: string) =>
    (await admin.get(`/v1/inventory/holds?${query}`)).body.holds.map(({ id }: { id: string }) => id)
  assert.deepEqual(await find('Kind=1'), [inventoryHoldId])
  assert.deepEqual(await find(`Kind=1&PartnerProductId=${products.PEAR}`), [])
  assert.deepEqual(await find(`Kind=1&IsOpen=true&WarehouseId=${warehouseId}&PartnerId=${clientId}`), [
    inventoryHoldId,
  ])
})

test('criteria that match too many rows are refused', async () => {
  await database.atomically(async tx => {
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`
      insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
        warehouse_location_id, received_date, is_quarantined, batch, on_hand_quantity)
      select ${organisationId}, gen_random_uuid(), ${warehouseId}, ${clientId}, ${products.APPLE},
        ${locations.A1}, '2026-01-01', false, 'MANY' || n, 1 from generate_series(1, 5001) n`)
  })
  assert.deepEqual(await refused({ where: { warehouseId } }), [
    'More than 5,000 rows of stock match: hold them by product, batch or date.',
  ])
  await database.atomically(async tx => {
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`delete from warehouse_product where batch like 'MANY%'`)
  })
})

test('any free serials are held if the request names none', async () => {
  const newSerials = ['S1', 'S2', 'S3'].map(serial => ({ serial }))
  const id = await stored(3, { productId: products.SCALE }, { newSerials })
  await allocateRow(world, id, 1)
  assert.equal((await held({ stock: [{ warehouseProductId: id }] })).heldQuantity, 2)
})

test('picked stock and a serial that is allocated by name are not held', async () => {
  const id = await stored(5, { batch: 'PICKED' })
  await allocateRow(world, id, 2, { isPicked: true })
  await allocateRow(world, id, 1)
  const some = await held({ stock: [{ warehouseProductId: id }], releaseAllocations: true })
  assert.deepEqual([some.heldQuantity, some.allocatedQuantity], [3, 2])
  const itemId = newId()
  const newSerials = [{ serial: 'N1', id: itemId }, { serial: 'N2' }]
  const scales = await stored(2, { productId: products.SCALE, batch: 'NAMED' }, { newSerials })
  await allocateRow(world, scales, 1, { itemId })
  assert.equal((await held({ stock: [{ warehouseProductId: scales }] })).heldQuantity, 1)
  const [left] = await database.db.rows<{ serial: string }>(
    sql`select serial from warehouse_product_item where warehouse_product_id = ${scales}`,
  )
  assert.equal(left?.serial, 'N1')
})

test('a whole unit is held except for what is on hold already', async () => {
  const { body: unit } = await admin.post('/v1/logistic-units', {
    ...{ partnerId: clientId, warehouseId, warehouseLocationId: world.locations.A1 },
  })
  const id = await stored(5, { batch: 'ON UNIT', logisticUnitId: unit.logisticUnitId })
  await held({ stock: [{ warehouseProductId: id, quantity: 2 }] })
  const rest = await held({ stock: [{ logisticUnitId: unit.logisticUnitId }] })
  assert.equal(rest.heldQuantity, 3)
})

test('the reason of a hold can be changed, and a client sees only its own holds', async () => {
  const id = await stored(1, { batch: 'REASON' })
  const { inventoryHoldId } = await held({ stock: [{ warehouseProductId: id }] })
  const path = `/v1/inventory/holds/${inventoryHoldId}`
  assert.equal((await admin.put(path, { reason: 'Broken glass' })).status, 200)
  assert.equal((await admin.put(path, { reason: 'Broken glass', reference: null })).status, 304)
  assert.equal((await world.as(admin, { partnerId: clientId }).get(path)).body.reason, 'Broken glass')
  const other = await world.made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  assert.equal((await world.as(admin, { partnerId: other }).get(path)).status, 404)
  assert.equal((await (await world.stranger()).get(path)).status, 404)
})

test('what takes the last of a hold closes it: a write-off as well as a release', async () => {
  const id = await stored(5, { batch: 'LOST' })
  const { inventoryHoldId, warehouseProductIds } = await held({ stock: [{ warehouseProductId: id }] })
  const [heldRow] = warehouseProductIds
  const isReleased = async () =>
    (await admin.get(`/v1/inventory/holds/${inventoryHoldId}`)).body.releasedUtc !== null
  const writeOff = (quantity: number) =>
    admin.post('/v1/inventory/adjust', {
      ...{ reason: 'Broken', adjustments: [{ warehouseProductId: heldRow, quantity }] },
    })
  assert.equal((await writeOff(-4)).status, 200)
  assert.equal(await isReleased(), false)
  assert.equal((await writeOff(-1)).status, 200)
  assert.equal(await isReleased(), true)
})

test('a hold of two pallets is open until the last one is released, though the first one was all of its row', async () => {
  const pallets = [await stored(5, { batch: 'ONE' }), await stored(5, { batch: 'TWO' })]
  const { inventoryHoldId, warehouseProductIds } = await held({
    stock: pallets.map(warehouseProductId => ({ warehouseProductId })),
  })
  const release = async (warehouseProductId: string) =>
    (
      await admin.post(`/v1/inventory/holds/${inventoryHoldId}/release`, {
        stock: [{ warehouseProductId }],
      })
    ).body
  assert.equal((await release(warehouseProductIds[0])).releasedUtc, null)
  assert.notEqual((await release(warehouseProductIds[1])).releasedUtc, null)
})
