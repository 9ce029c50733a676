// Dispatch, what counts as picked without being confirmed, and moving back. Spec 3; decision 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { openPicking } from '../support/given-picking.ts'

const world = await openPicking()
const {
  admin,
  database,
  stored,
  fresh,
  locations,
  ready,
  events,
  unit,
  newConsignment,
  run,
  move,
  locationsOf,
  figures,
} = world
const { Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete } = ConsignmentStatus

test('if no pick is confirmed, the allocated stock counts as picked', async () => {
  const of = await fresh()
  await stored(4, of)
  const id = await ready([{ ...of, quantity: 6 }], { status: Pending })
  assert.equal(await move(id, Complete), 200)
  const [line] = await database.db.rows<{ id: string }>(
    sql`select id from consignment_product where consignment_id = ${id}`,
  )
  assert.equal((await figures(line?.id as string)).dispatched, 4)
  assert.deepEqual(await locationsOf(of.productId), [])
  assert.deepEqual(await events(id), [108, 105, 112])
  const statuses = await database.db.rows<{ status: number }>(sql`
    select (data ->> 'status')::int as status from event where subject_id = ${id} order by id desc limit 3`)
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [Complete, Complete, Complete],
    'what happens at once has one status',
  )
})

test('what is allocated after goods counted as picked counts, too, as long as nobody confirms a pick', async () => {
  const of = await fresh()
  await stored(4, of)
  const { id, line } = await newConsignment({ ...of, quantity: 6 })
  assert.equal(await move(id, ReadyToDispatch), 200)
  assert.deepEqual([(await figures(line)).picked, (await figures(line)).allocated], [4, 0])
  await stored(3, of)
  assert.equal(await move(id, ReadyToPick), 200)
  assert.deepEqual([(await figures(line)).picked, (await figures(line)).allocated], [4, 2])
  assert.equal(await move(id, ReadyToDispatch), 200)
  assert.deepEqual([(await figures(line)).picked, (await figures(line)).allocated], [6, 0])
})

test('once a pick is confirmed, unconfirmed goods stay behind', async () => {
  const of = await fresh()
  const stock = await stored(6, of)
  const { id, line } = await newConsignment({ ...of, quantity: 6 })
  await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity: 4 }] })
  assert.equal(await move(id, ReadyToDispatch), 200)
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 2, 0],
    ['DISPATCH', 4, 4],
  ])
})

test('a confirmed pick of nothing, and one that was taken back, leave only confirmed quantities to count', async () => {
  const of = await fresh()
  const stock = await stored(4, of)
  const other = await stored(6, { ...of, warehouseLocationId: locations.A2 })
  const short = await newConsignment({ ...of, quantity: 4 })
  await run(short.id, 'pick', {
    picks: [{ consignmentProductId: short.line, warehouseProductId: stock, quantity: 0, isShort: true }],
  })
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 4, 0],
    ['A-02', 6, 4],
  ])
  assert.equal(await move(short.id, InTransit), 200)
  assert.deepEqual(await figures(short.line), { allocated: 0, picked: 0, dispatched: 0, weight: 0 })

  const undone = await newConsignment({ ...of, quantity: 3 })
  await run(undone.id, 'pick', {
    picks: [{ consignmentProductId: undone.line, warehouseProductId: other, quantity: 3 }],
  })
  await run(undone.id, 'unpick', { unpicks: [{ consignmentProductId: undone.line }] })
  assert.equal(await move(undone.id, ReadyToDispatch), 200)
  assert.deepEqual(await figures(undone.line), { allocated: 0, picked: 0, dispatched: 0, weight: 0 })
})

test('moving back undoes the dispatch, and picked goods must be unpicked first', async () => {
  const of = await fresh()
  await stored(6, of, { weightKG: 3, volumeM3: 0.6 })
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  assert.equal(await move(id, Complete), 200)
  assert.deepEqual(await move(id, Pending), [`Line 1 (${of.productCode}) has 4 picked: unpick them first.`])
  assert.equal(await move(id, ReadyToDispatch), 200)
  assert.deepEqual(await figures(line), { allocated: 0, picked: 4, dispatched: 0, weight: 0 })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line }] })
  assert.equal(await move(id, Pending), 200)
  assert.deepEqual(await locationsOf(of.productId), [['A-01', 6, 0]])
  assert.equal(await move(id, ReadyToPick), 200)
  assert.equal((await figures(line)).allocated, 4)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 200)
  assert.deepEqual(await locationsOf(of.productId), [['A-01', 6, 0]])
})

test('an undone dispatch is not undone again, even if the unit of the goods has left and come back', async () => {
  const pears = await fresh()
  const pallet = await unit('PALLET-TWICE')
  const stock = await stored(4, { productId: pears.productId, logisticUnitId: pallet })
  const { id, line } = await newConsignment({ ...pears, quantity: 4 })
  await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: stock }] })
  assert.equal(await move(id, InTransit), 200)
  const go = (toLocationName: string) =>
    admin.post('/v1/inventory/transfer', { transfers: [{ logisticUnitId: pallet, toLocationName }] })
  assert.equal((await go('B-01')).status, 200)
  assert.equal(await move(id, ReadyToPick), 200)
  assert.deepEqual(
    await locationsOf(pears.productId),
    [['DISPATCH', 4, 4]],
    'loose, because the unit has left',
  )
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, toLocationName: 'A-01' }] })
  assert.equal((await go('DISPATCH')).status, 200)
  assert.equal(await move(id, Pending), 200)
  assert.deepEqual(await locationsOf(pears.productId), [['A-01', 4, 0]])
})

test('voiding a consignment frees its picked goods in their location', async () => {
  const of = await fresh()
  await stored(6, of)
  const { id } = await newConsignment({ ...of, quantity: 4 })
  await move(id, ReadyToDispatch)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 200)
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 2, 0],
    ['DISPATCH', 4, 0],
  ])
})
