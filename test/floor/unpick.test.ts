// Unpicking: where goods go that were picked before. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { MovementCause, TransactionType } from '../../src/vocabulary/stock.ts'
import { openPicking } from '../support/given-picking.ts'

const world = await openPicking()
const {
  admin,
  database,
  organisationId,
  stored,
  fresh,
  locations,
  newConsignment,
  run,
  refusalsOf,
  move,
  locationsOf,
  figures,
} = world
const { ReadyToDispatch, InTransit } = ConsignmentStatus

test('unpicked goods return to where they came from, allocated again or free', async () => {
  const of = await fresh()
  const stock = await stored(6, { ...of, warehouseLocationId: locations.A2 })
  const { id, line } = await newConsignment({ ...of, quantity: 6 })
  await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: stock }] })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 1 }] })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 2, release: true }] })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 1, toLocationName: 'B-01' }] })
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-02', 3, 1],
    ['B-01', 1, 1],
    ['DISPATCH', 2, 2],
  ])
  assert.deepEqual(
    await refusalsOf(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 3 }] }),
    ['unpicks[0]: only 2 of 3 are picked there.'],
  )
})

test('the ledger says as data that goods were put back, and as a text for people', async () => {
  const of = await fresh()
  const stock = await stored(2, of)
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: stock }] })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 1 }] })
  const lines = await database.db.rows(sql`
    select quantity, cause, particulars from inventory_transaction
    where organisation_id = ${organisationId} and warehouse_product_id = ${stock}
      and type = ${TransactionType.Pick}
    order by version`)
  assert.deepEqual(lines, [
    { quantity: -2, cause: MovementCause.None, particulars: null },
    { quantity: 1, cause: MovementCause.Unpicked, particulars: 'Unpicked' },
  ])
})

test('picked goods can be staged and unpicked by their description', async () => {
  const of = await fresh()
  const stock = await stored(6, { ...of, batch: 'B1' })
  await stored(2, { ...of, batch: 'B2', receivedDate: '2026-02-02' })
  const { id, line } = await newConsignment({ ...of, quantity: 8 })
  const picks = (await world.allocationsOf(id)).map(one => ({
    ...{ consignmentProductId: line, warehouseProductId: one.stock },
  }))
  await run(id, 'pick', { picks })
  const what = { partnerProductId: of.productId, locationName: 'DISPATCH' }
  const entry = { consignmentProductId: line, stock: { ...what, batch: 'B2' } }
  await run(id, 'stage', { toLocationName: 'DOCK', lines: [entry] })
  assert.deepEqual(await refusalsOf(id, 'unpick', { unpicks: [entry] }), [
    'unpicks[0]: nothing on hand is like the stock that is described.',
  ])
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, stock: what, quantity: 4 }] })
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 4, 4],
    ['DISPATCH', 2, 2],
    ['DOCK', 2, 2],
  ])
  assert.deepEqual(
    await refusalsOf(id, 'stage', {
      ...{ toLocationName: 'DOCK', lines: [{ ...entry, warehouseProductId: stock }] },
    }),
    ['lines[0] must name its stock in one way, by warehouseProductId or by stock.'],
  )
})

test('goods that were picked in several places return each to its own', async () => {
  const of = await fresh({ serialTrackingMode: 1 })
  const b7 = await stored(5, { ...of, batch: 'B7' })
  const b9 = await stored(5, { ...of, batch: 'B9', warehouseLocationId: locations.A2 })
  const { id, line } = await newConsignment({ ...of, quantity: 10 })
  await run(id, 'pick', {
    picks: [b9, b7].map(warehouseProductId => ({ consignmentProductId: line, warehouseProductId })),
  })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line }] })
  const batches = await database.db.rows(sql`
    select batch, l.name as place, on_hand_quantity as quantity from warehouse_product p
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    where p.product_id = ${of.productId} and not p.is_depleted order by 1`)
  assert.deepEqual(batches, [
    { batch: 'B7', place: 'A-01', quantity: 5 },
    { batch: 'B9', place: 'A-02', quantity: 5 },
  ])
})

test('goods that were put back elsewhere and picked there return there, not to where they lay first', async () => {
  const of = await fresh({ serialTrackingMode: 1 })
  const first = await stored(5, of)
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const pickFrom = (warehouseProductId: string, quantity: number) =>
    run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId, quantity }] })
  await pickFrom(first, 5)
  const { warehouseProductIds } = await run(id, 'unpick', {
    unpicks: [{ consignmentProductId: line, toLocationName: 'A-02' }],
  })
  await pickFrom(warehouseProductIds[0], 3)
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, release: true }] })
  assert.deepEqual(await locationsOf(of.productId), [['A-02', 5, 2]])
})

test('a part returns to where the last of one request was picked', async () => {
  // Both ways round, as the ids of the stock tell no order.
  for (const places of [
    [locations.A1, locations.A2],
    [locations.A2, locations.A1],
  ]) {
    const of = await fresh()
    const rows: string[] = []
    for (const warehouseLocationId of [locations.A1, locations.A2])
      rows.push(await stored(3, { ...of, warehouseLocationId }))
    const { id, line } = await newConsignment({ ...of, quantity: 6 })
    const order = places.map(place => rows[place === locations.A1 ? 0 : 1])
    await run(id, 'pick', {
      picks: order.map(warehouseProductId => ({ consignmentProductId: line, warehouseProductId })),
    })
    await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 4, release: true }] })
    const [first, last] = places[0] === locations.A1 ? ['A-01', 'A-02'] : ['A-02', 'A-01']
    const back = (await locationsOf(of.productId)).filter(([name]) => name !== 'DISPATCH')
    assert.deepEqual(
      back.map(([name, quantity]) => [name, quantity]).toSorted(),
      [
        [first, 1],
        [last, 3],
      ].toSorted(),
    )
  }
})

test('what was put back is of the latest pick, and the rest returns to where it was picked before', async () => {
  const of = await fresh()
  const places = [await stored(2, of), await stored(2, { ...of, warehouseLocationId: locations.A2 })]
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  for (const warehouseProductId of places)
    await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId, quantity: 2 }] })
  await run(id, 'unpick', {
    unpicks: [{ consignmentProductId: line, quantity: 2, toLocationName: 'B-01', release: true }],
  })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, release: true }] })
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 2, 0],
    ['B-01', 2, 0],
  ])
})

test('goods that were unpicked before their consignment leaves stay behind, free for others', async () => {
  const of = await fresh()
  const stock = await stored(6, of)
  const { id, line } = await newConsignment({ ...of, quantity: 6 })
  await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: stock }] })
  assert.equal(await move(id, ReadyToDispatch), 200)
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 2 }] })
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 2, 2],
    ['DISPATCH', 4, 4],
  ])
  assert.equal(await move(id, InTransit), 200)
  assert.deepEqual(await locationsOf(of.productId), [['A-01', 2, 0]])
  assert.deepEqual(await figures(line), { allocated: 0, picked: 0, dispatched: 4, weight: 0 })
})

test('goods that do not tell where they were picked from are put back where it is said', async () => {
  const of = await fresh()
  const stock = await stored(4, { ...of, batch: 'OLD' })
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  const answer = await run(id, 'pick', {
    picks: [{ consignmentProductId: line, warehouseProductId: stock }],
  })
  const redescribed = await admin.post('/v1/inventory/adjust-attributes', {
    reason: 'Read again',
    adjustments: [{ warehouseProductId: answer.picks[0].warehouseProductId, batch: 'NEW' }],
  })
  assert.equal(redescribed.status, 200, JSON.stringify(redescribed.body))
  const unpicks = [{ consignmentProductId: line }]
  assert.deepEqual(await refusalsOf(id, 'unpick', { unpicks }), [
    `unpicks[0]: 4 of ${of.productCode} do not tell where they were picked from: say where to put them.`,
  ])
  await run(id, 'unpick', { unpicks: [{ ...unpicks[0], toLocationName: 'A-02' }] })
  assert.deepEqual(await locationsOf(of.productId), [['A-02', 4, 4]])
})
