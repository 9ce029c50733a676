// Goods that left, serials that left with them, and dispatches that are undone. Spec 2.14, 3.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { WarehouseStatus } from '../../src/vocabulary/warehouses.ts'
import { openAllocation } from '../support/given-allocation.ts'

const world = await openAllocation()
const { admin, database, stored, fresh, ready, allocated, warehouseId } = world
const { ReadyToPick, ReadyToDispatch, InTransit } = ConsignmentStatus

const move = (id: string, status: number) => admin.put(`/v1/consignments/${id}/status`, { status })
const pick = (id: string, entry: object) => admin.post(`/v1/consignments/${id}/pick`, { picks: [entry] })
const numberOf = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body.consignmentNumber

test('a serial that left with one consignment is not scanned again for another, unless by override', async () => {
  const product = await fresh({ serialTrackingMode: 3 })
  const stock = await stored(4, product)
  const consignment = async () => {
    const id = await ready([{ ...product, quantity: 1 }])
    const [line] = await allocated(id)
    return { id, entry: { consignmentProductId: line?.consignmentProductId, warehouseProductId: stock } }
  }
  const [first, second] = [await consignment(), await consignment()]
  assert.equal((await pick(first.id, { ...first.entry, quantity: 1, serials: ['R1'] })).status, 200)
  assert.equal((await move(first.id, InTransit)).status, 200)
  const again = { ...second.entry, quantity: 1, serials: ['R1'] }
  assert.deepEqual((await pick(second.id, again)).body.ErrorMessages, [
    `picks[0]: R1 left with ${await numberOf(first.id)}; isOverride picks it all the same.`,
  ])
  assert.equal((await pick(second.id, { ...again, isOverride: true })).status, 200)
})

test('an undone dispatch remembers what was chosen against the rules', async () => {
  const product = await fresh()
  const stock = await stored(5, product)
  const id = await ready([{ ...product, quantity: 2 }])
  const [line] = await allocated(id)
  const { consignmentProductId } = line as { consignmentProductId: string }
  const entry = { consignmentProductId, warehouseProductId: stock }
  assert.equal((await pick(id, { ...entry, quantity: 5, isOverride: true })).status, 200)
  const overrides = () =>
    database.db.rows(sql`
      select quantity, is_override from inventory_allocation where consignment_id = ${id} and is_picked`)
  const before = await overrides()
  assert.equal((await move(id, InTransit)).status, 200)
  assert.equal((await move(id, ReadyToDispatch)).status, 200)
  assert.deepEqual(await overrides(), before)
  assert.deepEqual(before, [{ quantity: 5, isOverride: true }])
})

test('goods that come back loose, as their pallet stands elsewhere, did not leave on it', async () => {
  const product = await fresh()
  const pallet = await world.unit('TAKEN-OVER')
  const stock = await stored(2, { ...product, logisticUnitId: pallet })
  const id = await ready([{ ...product, quantity: 2 }])
  const [line] = await allocated(id)
  const { consignmentProductId } = line as { consignmentProductId: string }
  assert.equal((await pick(id, { consignmentProductId, warehouseProductId: stock })).status, 200)
  assert.equal((await move(id, InTransit)).status, 200)
  const reportOf = async (name: string) => {
    const { status, body } = await admin.post(`/v1/reports/${name}`, {})
    assert.equal(status, 200, JSON.stringify(body))
    return body.filter((row: { consignmentId: string }) => row.consignmentId === id)
  }
  const dispatched = async () =>
    (await reportOf('consignment-product-dispatched')).map((row: Record<string, unknown>) => [
      row.dispatchedQuantity,
      row.logisticUnitReferenceNumber,
    ])
  assert.deepEqual(await dispatched(), [[2, 'TAKEN-OVER']])
  const other = await fresh()
  await stored(1, { ...other, logisticUnitId: pallet, warehouseLocationId: world.locations.A2 })
  await database.atomically(tx =>
    tx.run(sql`update logistic_unit set warehouse_location_id = ${world.locations.A2} where id = ${pallet}`),
  )
  assert.equal((await move(id, ReadyToDispatch)).status, 200)
  assert.deepEqual(await dispatched(), [])
  assert.equal((await move(id, InTransit)).status, 200)
  assert.deepEqual(await dispatched(), [[2, null]])
  const [metrics] = await reportOf('consignment-metrics')
  assert.equal(metrics.logisticUnitCount, 0)
  assert.deepEqual(
    (await findStockDifferences(database.db)).filter(one => one.rule.includes('caused')),
    [],
  )
})

test('a dispatch is undone though a serial of an earlier one, which was undone too, was put back', async () => {
  const product = await fresh({ serialTrackingMode: 3 })
  const stock = await stored(3, product)
  const id = await ready([{ ...product, quantity: 2 }])
  const [line] = await allocated(id)
  const entry = { consignmentProductId: line?.consignmentProductId, warehouseProductId: stock }
  assert.equal((await pick(id, { ...entry, quantity: 2, serials: ['K1', 'K2'] })).status, 200)
  assert.equal((await move(id, InTransit)).status, 200)
  assert.equal((await move(id, ReadyToPick)).status, 200)
  const putBack = {
    consignmentProductId: line?.consignmentProductId,
    quantity: 1,
    serials: ['K2'],
    release: true,
  }
  const unpicked = await admin.post(`/v1/consignments/${id}/unpick`, { unpicks: [putBack] })
  assert.equal(unpicked.status, 200, JSON.stringify(unpicked.body))
  assert.equal((await move(id, InTransit)).status, 200)
  const undone = await move(id, ReadyToDispatch)
  assert.equal(undone.status, 200, JSON.stringify(undone.body))
  const serials = await database.db.rows<{ serial: string }>(sql`
    select i.serial from inventory_allocation a join warehouse_product_item i
      on i.id = a.warehouse_product_item_id
    where a.consignment_id = ${id} and a.is_picked`)
  assert.deepEqual(serials, [{ serial: 'K1' }])
})

test('a dispatch is not undone into a location that is Inactive since', async () => {
  const product = await fresh()
  const stock = await stored(2, product)
  const dock = await world.location('OLD-DOCK', 4)
  const id = await ready([{ ...product, quantity: 2 }])
  const [line] = await allocated(id)
  const entry = { consignmentProductId: line?.consignmentProductId, warehouseProductId: stock }
  assert.equal((await pick(id, { ...entry, toWarehouseLocationId: dock })).status, 200)
  assert.equal((await move(id, InTransit)).status, 200)
  const path = `/v1/warehouses/${warehouseId}/locations/${dock}`
  assert.equal((await admin.put(path, { status: WarehouseStatus.Inactive })).status, 200)
  assert.deepEqual((await move(id, ReadyToPick)).body.ErrorMessages, [
    'The dispatch cannot be undone: OLD-DOCK, which the goods left from, is Inactive.',
  ])
})

test('allocating chosen stock tells when it counts as happened', async () => {
  const product = await fresh()
  const stock = await stored(3, product)
  const id = await ready([{ ...product, quantity: 3 }])
  const lines = (await admin.get(`/v1/consignments/${id}`)).body.products
  const { body } = await admin.post(`/v1/consignments/${id}/allocate`, {
    lines: [{ consignmentProductId: lines[0].id, stock: [{ warehouseProductId: stock }] }],
  })
  assert.ok(body.movementId)
  assert.match(body.effectiveUtc, /Z$/)
})

test('allocated goods keep the attribute that their line asks for, and a batch is named in any case', async () => {
  const product = await fresh()
  const stock = await stored(2, { ...product, batch: 'B7' })
  const described = await admin.post('/v1/inventory/adjust-attributes', {
    reason: 'Seen',
    adjustments: [
      {
        stock: { partnerProductId: product.productId, batch: 'b7' },
        attributes: [{ name: 'Colour', description: 'red' }],
      },
    ],
  })
  assert.equal(described.status, 200, JSON.stringify(described.body))
  const [{ warehouseProductId }] = described.body.adjustments
  const id = await ready([{ ...product, quantity: 2, attributes: [{ name: 'Colour', description: 'red' }] }])
  assert.equal((await allocated(id))[0]?.allocated, 2)
  const { body } = await admin.post('/v1/inventory/adjust-attributes', {
    ...{ reason: 'Wrong', adjustments: [{ warehouseProductId, attributes: [] }] },
  })
  assert.deepEqual(body.ErrorMessages, [
    `adjustments[0]: it is allocated to ${await numberOf(id)}, which asks for its attribute Colour.`,
  ])
  assert.ok(stock)
})
