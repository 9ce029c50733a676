// Serials in picking, unpicking and dispatch. Spec 2.14, 3.

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
  newConsignment,
  run,
  refusalsOf,
  move,
  locationsOf,
  serialsIn,
} = world
const { ReadyToDispatch, InTransit, Complete } = ConsignmentStatus

test('serials that were not picked are missing', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  const stock = await stored(4, of, { newSerials: ['A', 'B', 'C', 'D'].map(serial => ({ serial })) })
  const { id, line } = await newConsignment({ ...of, quantity: 3 })
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1, serials: ['A'] }
  await run(id, 'pick', { picks: [{ ...pick, isShort: true, reallocate: false }] })
  const held = await database.db.rows<{ serial: string }>(sql`
    select i.serial from warehouse_product_item i join warehouse_product p on p.id = i.warehouse_product_id
    where p.product_id = ${of.productId} and p.inventory_hold_id is not null order by 1`)
  assert.deepEqual(
    held.map(({ serial }) => serial),
    ['B', 'C'],
  )
})

test('fully captured serials are picked by serial, and only those of the same line', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  const serials = ['A', 'B', 'C', 'D'].map(serial => ({ serial }))
  const stock = await stored(4, of, { newSerials: serials })
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  const pick = (names: string[]) => ({
    picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity: 2, serials: names }],
  })
  assert.deepEqual(await refusalsOf(id, 'pick', pick(['A'])), [
    `picks[0]: 2 ${of.productCode} need 2 serials; 1 was scanned.`,
  ])
  assert.deepEqual(await refusalsOf(id, 'pick', pick(['A', 'X'])), [
    `picks[0]: the serial X of ${of.productCode} is not in that stock.`,
  ])
  await run(id, 'pick', pick(['B', 'C']))
  assert.deepEqual(await serialsIn(of.productId), { A: 'A-01', B: 'DISPATCH', C: 'DISPATCH', D: 'A-01' })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 1, serials: ['B'] }] })
  assert.equal(await move(id, Complete), 200)
  assert.deepEqual(await serialsIn(of.productId), { A: 'A-01', B: 'A-01', C: null, D: 'A-01' })
  assert.equal(await move(id, ReadyToDispatch), 200)
  assert.deepEqual(await serialsIn(of.productId), { A: 'A-01', B: 'A-01', C: 'DISPATCH', D: 'A-01' })
})

test('a serial that is picked in place is not picked again with the remaining allocation of the line', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  const serials = ['A', 'B', 'C'].map(serial => ({ serial }))
  const stock = await stored(3, of, { newSerials: serials })
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1 }
  await run(id, 'pick', { picks: [{ ...pick, serials: ['A'], toLocationName: 'A-01' }] })
  const [refusal] = await refusalsOf(id, 'pick', { picks: [{ ...pick, serials: ['A'] }] })
  assert.match(refusal ?? '', /^picks\[0\]: the serial A is picked for \S+ already\.$/)
  await run(id, 'pick', { picks: [{ ...pick, serials: ['B'] }] })
})

test('a missing serial is put on hold, and the other serials stay allocated to the line', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  const serials = ['A', 'B', 'C', 'D'].map(serial => ({ serial }))
  const stock = await stored(4, of, { newSerials: serials })
  const { id, line } = await newConsignment({ ...of, quantity: 3, serials: ['A', 'B', 'C'] })
  const missing = (names: string[]) => ({
    ...{ consignmentProductId: line, warehouseProductId: stock, quantity: 0, isShort: true },
    ...{ serials: names, reallocate: false },
  })
  assert.deepEqual(await refusalsOf(id, 'pick', { picks: [missing(['D'])] }), [
    'picks[0]: the serial D is not allocated to the line there.',
  ])
  await run(id, 'pick', { picks: [missing(['B'])] })
  const open = async () => (await world.allocationsOf(id)).map(one => ('serial' in one ? one.serial : null))
  assert.deepEqual((await open()).toSorted(), ['A', 'C'])
  const held = await database.db.rows<{ serial: string }>(sql`
    select i.serial from warehouse_product_item i join warehouse_product p
      on p.organisation_id = i.organisation_id and p.id = i.warehouse_product_id
    where p.product_id = ${of.productId} and p.inventory_hold_id is not null`)
  assert.deepEqual(held, [{ serial: 'B' }])
})

test('serials captured on release are created by picking, and deleted by unpicking', async () => {
  const of = await fresh({ serialTrackingMode: 3 })
  const stock = await stored(4, of)
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 2, serials: ['R1', 'R2'] }
  await run(id, 'pick', { picks: [pick] })
  assert.deepEqual(await serialsIn(of.productId), { R1: 'DISPATCH', R2: 'DISPATCH' })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 1, serials: ['R1'] }] })
  assert.deepEqual(await serialsIn(of.productId), { R1: null, R2: 'DISPATCH' })
  await run(id, 'pick', { picks: [{ ...pick, quantity: 1, serials: ['R1'] }] })
  assert.equal(await move(id, InTransit), 200)
  assert.deepEqual(await serialsIn(of.productId), { R1: null, R2: null })
})

test('serials captured for a consignment are deleted when it becomes void, after an undone dispatch too', async () => {
  const of = await fresh({ serialTrackingMode: 3 })
  await stored(4, of)
  const void_ = async (id: string) =>
    assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 200)
  const picked = async () => {
    const { id, line } = await newConsignment({ ...of, quantity: 2 })
    const [from] = await world.allocationsOf(id)
    const pick = { consignmentProductId: line, warehouseProductId: from?.stock, serials: ['V1', 'V2'] }
    await run(id, 'pick', { picks: [pick] })
    assert.deepEqual(await serialsIn(of.productId), { V1: 'DISPATCH', V2: 'DISPATCH' })
    return id
  }
  await void_(await picked())
  assert.deepEqual(await serialsIn(of.productId), { V1: null, V2: null })
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 2, 0],
    ['DISPATCH', 2, 0],
  ])
  const sent = await picked()
  assert.equal(await move(sent, InTransit), 200)
  assert.equal(await move(sent, ReadyToDispatch), 200)
  assert.deepEqual(await serialsIn(of.productId), { V1: 'DISPATCH', V2: 'DISPATCH' })
  await void_(sent)
  assert.deepEqual(await serialsIn(of.productId), { V1: null, V2: null })
  await picked()
})

test('one request cannot pick the same new serial twice', async () => {
  const of = await fresh({ serialTrackingMode: 3 })
  const stock = await stored(4, of)
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1, serials: ['T'] }
  assert.deepEqual(await refusalsOf(id, 'pick', { picks: [pick, pick] }), [
    `picks[1]: the serial T of ${of.productCode} is listed twice.`,
  ])
})

test('goods with serials count as picked only if their serials are known', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  await stored(3, of, { newSerials: ['A', 'B', 'C'].map(serial => ({ serial })) })
  const unnamed = await newConsignment({ ...of, quantity: 2 })
  assert.deepEqual(await move(unnamed.id, ReadyToDispatch), [
    `Line 1 (${of.productCode}) lacks 2 of 2 serials: confirm its picks.`,
  ])
  await run(unnamed.id, 'release')
  const named = await newConsignment({ ...of, quantity: 2, serials: ['A', 'C'] })
  assert.equal(await move(named.id, InTransit), 200)
  assert.deepEqual(await serialsIn(of.productId), { A: null, B: 'A-01', C: null })
})

test('serials that were captured by picks return to where each of them was picked', async () => {
  const of = await fresh({ serialTrackingMode: 3 })
  const first = await stored(2, of)
  const second = await stored(2, { ...of, warehouseLocationId: locations.A2 })
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  const capture = (warehouseProductId: string, serials: string[]) =>
    run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId, quantity: 2, serials }] })
  await capture(first, ['K1', 'K2'])
  await capture(second, ['K3', 'K4'])
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 1, serials: ['K1'] }] })
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 1, 1],
    ['DISPATCH', 3, 3],
  ])
})

test('serials return to where each of them was picked', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  const serials = (...names: string[]) => ({ newSerials: names.map(serial => ({ serial })) })
  const one = await stored(2, of, serials('U1', 'U2'))
  const two = await stored(1, { ...of, warehouseLocationId: locations.A2 }, serials('U3'))
  const { id, line } = await newConsignment({ ...of, quantity: 3 })
  await run(id, 'pick', {
    picks: [
      { consignmentProductId: line, warehouseProductId: two, serials: ['U3'] },
      { consignmentProductId: line, warehouseProductId: one, serials: ['U1', 'U2'] },
    ],
  })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 2, serials: ['U1', 'U3'] }] })
  assert.deepEqual(await serialsIn(of.productId), { U1: 'A-01', U2: 'DISPATCH', U3: 'A-02' })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line }] })
})
