// Picking, staging, unpicking and dispatch. Spec 2.14, 3; decision 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { MovementCause, TransactionType } from '../../src/vocabulary/stock.ts'
import { type Line, openAllocation } from '../support/given-allocation.ts'

const world = await openAllocation()
const { admin, database, stored, row, product, locations, ready, allocated, events } = world
const { organisationId } = admin.actor
const { Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete } = ConsignmentStatus

let nextNumber = 0
/** Stores a new product, so that tests do not take each other's stock. */
const newProduct = async (more: object = {}) => {
  const code = `P${nextNumber++}`
  return { productId: await product(code, more), productCode: code }
}
/** A consignment with the available stock allocated to its lines. */
async function newConsignment(...lines: Line[]) {
  const id = await ready(lines)
  const ids = (await allocated(id)).map(({ consignmentProductId }) => consignmentProductId)
  return { id, lines: ids, line: ids[0] as string }
}
const command = (id: string, name: string, body?: object) =>
  admin.post(`/v1/consignments/${id}/${name}`, body)
async function run(id: string, name: string, body?: object) {
  const { status, body: answer } = await command(id, name, body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer
}
async function refusalsOf(id: string, name: string, body: object): Promise<string[]> {
  const { status, body: answer } = await command(id, name, body)
  assert.equal(status, 400, JSON.stringify(answer))
  return answer.ErrorMessages
}
const move = async (id: string, status: number, more: object = {}) => {
  const answer = await admin.put(`/v1/consignments/${id}/status`, { status, ...more })
  return answer.status === 200 ? 200 : answer.body.ErrorMessages
}
/** The stock of a product by location: quantity, allocated quantity, unit and whether it is on hold. */
const stockOf = (productId: string) =>
  database.db.rows<{
    place: string
    onHand: number
    allocated: number
    unit: string | null
    isHeld: boolean
  }>(sql`
    select l.name as place, p.on_hand_quantity as on_hand, p.allocated_quantity as allocated,
      u.reference_number as unit, p.inventory_hold_id is not null as is_held
    from warehouse_product p
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where p.organisation_id = ${organisationId} and p.product_id = ${productId} and not p.is_depleted
    order by l.name, p.inventory_hold_id nulls first, u.reference_number`)
const locationsOf = async (productId: string) =>
  (await stockOf(productId)).map(({ place, onHand, allocated: allocationsOf }) => [
    place,
    onHand,
    allocationsOf,
  ])
/** The quantities of a line, as the ledger has them. */
const figures = (lineId: string) =>
  database.db.row<Record<string, number>>(sql`
    select allocated_quantity as allocated, picked_quantity as picked, dispatched_quantity as dispatched,
      dispatched_weight_kg as weight from consignment_product where id = ${lineId}`)
const unit = async (referenceNumber: string, locationId: string = locations.A1) => {
  const id = crypto.randomUUID()
  await database.inOneStatement(tx =>
    tx.run(sql`
      insert into logistic_unit (organisation_id, id, number, logistic_unit_number, partner_id,
        reference_number, warehouse_id, warehouse_location_id)
      values (${organisationId}, ${id}, ${1_000_000 + nextNumber++}, ${referenceNumber}, ${world.clientId},
        ${referenceNumber}, ${world.warehouseId}, ${locationId})`),
  )
  return id
}
const serialsIn = async (productId: string) =>
  Object.fromEntries(
    (
      await database.db.rows<{ serial: string; place: string | null }>(sql`
        select i.serial, l.name as place from warehouse_product_item i
        left join warehouse_product p on p.organisation_id = i.organisation_id and p.id = i.warehouse_product_id
        left join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
        where i.organisation_id = ${organisationId} and i.product_id = ${productId}`)
    ).map(({ serial, place }) => [serial, place]),
  )

test('picked goods go to the dock, stay allocated to their line, and leave with the consignment', async () => {
  const of = await newProduct()
  const stock = await stored(10, of, { weightKG: 20, volumeM3: 1 })
  const { id, line } = await newConsignment({ ...of, quantity: 6 })
  const answer = await run(id, 'pick', {
    picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity: 4 }],
  })
  assert.deepEqual(answer.consignmentProducts, [
    { consignmentProductId: line, expected: 6, allocated: 2, picked: 4, short: 0 },
  ])
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 6, 2],
    ['DISPATCH', 4, 4],
  ])
  assert.equal((await row(answer.picks[0].warehouseProductId)).onHandWeightKG, 8)
  await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: stock }] })
  assert.deepEqual(await events(id), [108, 108, 108])
  assert.equal(await move(id, InTransit), 200)
  assert.deepEqual(await locationsOf(of.productId), [['A-01', 4, 0]])
  assert.deepEqual(await figures(line), { allocated: 0, picked: 0, dispatched: 6, weight: 12 })
})

test('no more is picked than is allocated to the line, without an override', async () => {
  const of = await newProduct()
  const stock = await stored(10, of)
  const other = await newConsignment({ ...of, quantity: 5 })
  const { id, line } = await newConsignment({ ...of, quantity: 3 })
  const pick = (quantity: number, more: object = {}) => ({
    picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity, ...more }],
  })
  assert.deepEqual(await refusalsOf(id, 'pick', pick(4)), [
    'picks[0]: only 3 of 4 are to be picked in A-01 for this line; with an override (isOverride) more or other stock can be picked.',
  ])
  const [message = ''] = await refusalsOf(id, 'pick', pick(6, { isOverride: true }))
  assert.match(message, /^picks\[0\]: only 2 more are free in A-01; the rest is allocated to \S+\.$/)
  await run(id, 'pick', pick(5, { isOverride: true }))
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 5, 5],
    ['DISPATCH', 5, 5],
  ])
  assert.equal((await figures(other.line)).allocated, 5)
})

test('goods taken from another place stand in for those that were allocated', async () => {
  const of = await newProduct()
  const here = await stored(5, of)
  const there = await stored(5, { ...of, warehouseLocationId: locations.A2 })
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const pick = (warehouseProductId: string, quantity: number, more: object = {}) => ({
    ...{ consignmentProductId: line, warehouseProductId, quantity, ...more },
  })
  const [listed] = await world.allocationsOf(id)
  const [from, other] = listed?.stock === here ? [here, there] : [there, here]
  const instead = { isOverride: true, insteadOfWarehouseProductId: from }
  // Without an override, and with nothing allocated where it says, nothing happens.
  const { isOverride: _, ...plain } = instead
  assert.match((await refusalsOf(id, 'pick', { picks: [pick(other, 2, plain)] }))[0] ?? '', /isOverride/)
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [pick(other, 2, { ...instead, insteadOfWarehouseProductId: other })],
    }),
    ['picks[0]: nothing is allocated to the line in the stock that it stands in for.'],
  )
  await run(id, 'pick', { picks: [pick(other, 2, instead), pick(from, 3)] })
  assert.deepEqual(await figures(line), { allocated: 0, picked: 5, dispatched: 0, weight: 0 })
  assert.equal((await row(from)).availableQuantity, 2)
})

test('other stock is picked with an override only, and never stock on hold, in quarantine or of another product', async () => {
  const [of, another] = [await newProduct(), await newProduct()]
  const held = await stored(5, { ...of, warehouseLocationId: locations.Q1 })
  const foreign = await stored(5, another)
  const { id, line } = await newConsignment({ ...of, quantity: 3 })
  const messages = await refusalsOf(id, 'pick', {
    picks: [held, foreign].map(warehouseProductId => ({
      ...{ consignmentProductId: line, warehouseProductId, quantity: 1, isOverride: true },
    })),
  })
  assert.deepEqual(messages, [
    'picks[0]: the stock in Q-01 is in quarantine.',
    `picks[1]: ${another.productCode} cannot stand in for ${of.productCode}: the client does not allow it.`,
  ])
})

test('goods that one entry of a request picks are not available to the next', async () => {
  const [of, scales] = [await newProduct(), await newProduct({ serialTrackingMode: 2 })]
  const stock = await stored(6, of)
  const shelf = await stored(2, scales, { newSerials: ['A', 'B'].map(serial => ({ serial })) })
  const { id, lines } = await newConsignment({ ...of, quantity: 4 }, { ...scales, quantity: 2 })
  const pick = (line: number, warehouseProductId: string, quantity: number, more: object) => ({
    ...{ consignmentProductId: lines[line], warehouseProductId, quantity, ...more },
  })
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [pick(0, stock, 5, { isOverride: true }), pick(0, stock, 2, { isOverride: true })],
    }),
    ['picks[1]: only 1 more are free in A-01.'],
  )
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [pick(1, shelf, 1, { serials: ['A'] }), pick(1, shelf, 1, { serials: ['A'] })],
    }),
    [`picks[1]: the serial A of ${scales.productCode} is not in that stock.`],
  )
})

test('stock of another client or a serial that is allocated to another line can never be picked instead', async () => {
  const of = await newProduct({ serialTrackingMode: 2 })
  await stored(2, of, { newSerials: ['A', 'B'].map(serial => ({ serial })) })
  const named = await newConsignment({ ...of, quantity: 1, serials: ['A'] })
  const { consignmentNumber } = (await admin.get(`/v1/consignments/${named.id}`)).body
  const { id, line } = await newConsignment({ ...of, quantity: 1 })
  const [stock] = (await world.allocationsOf(id)).map(one => one.stock)
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1 }
  assert.deepEqual(await refusalsOf(id, 'pick', { picks: [{ ...pick, serials: ['A'] }] }), [
    `picks[0]: the serial A is allocated to ${consignmentNumber}.`,
  ])
  const partnerId = await world.made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  const productId = await world.made(`/v1/partners/${partnerId}/products`, { code: 'RIMU-1', name: 'Rimu' })
  const foreign = await stored(3, { partnerId, productId })
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [{ ...pick, warehouseProductId: foreign, quantity: 1, isOverride: true }],
    }),
    ['picks[0]: the stock is another client’s.'],
  )
})

test('goods that are picked in place are not picked again, nor released with the rest of the stock', async () => {
  const of = await newProduct()
  const stock = await stored(5, of)
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const pick = { consignmentProductId: line, warehouseProductId: stock }
  await run(id, 'pick', { picks: [{ ...pick, quantity: 2, toLocationName: 'A-01' }] })
  await run(id, 'pick', { picks: [{ ...pick, quantity: 1 }] })
  assert.deepEqual(await refusalsOf(id, 'pick', { picks: [{ ...pick, quantity: 3 }] }), [
    'picks[0]: only 2 of 3 are to be picked in A-01 for this line; with an override (isOverride) more or other stock can be picked.',
  ])
  const { lines } = await run(id, 'release')
  assert.deepEqual([lines[0].allocated, lines[0].picked, lines[0].short], [0, 3, 2])
})

test('serials that were not picked are missing', async () => {
  const of = await newProduct({ serialTrackingMode: 2 })
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

test('missing goods are put on hold, and the line is allocated elsewhere', async () => {
  const of = await newProduct()
  const first = await stored(5, { ...of, receivedDate: '2025-01-01' })
  await stored(5, { ...of, warehouseLocationId: locations.A2 })
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const pick = { consignmentProductId: line, warehouseProductId: first, quantity: 3, isShort: true }
  const { picks, consignmentProducts } = await run(id, 'pick', {
    picks: [{ ...pick, reason: 'Shelf is empty' }],
  })
  assert.notEqual(picks[0].inventoryHoldId, null)
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, allocated: allocationsOf, isHeld }) => [
      place,
      onHand,
      allocationsOf,
      isHeld,
    ]),
    [
      ['A-01', 2, 0, true],
      ['A-02', 5, 2, false],
      ['DISPATCH', 3, 3, false],
    ],
  )
  assert.deepEqual(consignmentProducts[0], {
    consignmentProductId: line,
    expected: 5,
    allocated: 2,
    picked: 3,
    short: 0,
  })
})

test('a unit that is picked whole stays together; a part of it is put down loose or onto another unit', async () => {
  const of = await newProduct()
  const whole = await stored(5, { ...of, logisticUnitId: await unit('WHOLE') })
  const part = await stored(5, { ...of, logisticUnitId: await unit('PART'), receivedDate: '2026-02-02' })
  const { id, line } = await newConsignment({ ...of, quantity: 9 })
  await run(id, 'pick', {
    picks: [
      { consignmentProductId: line, warehouseProductId: whole, quantity: 5 },
      { consignmentProductId: line, warehouseProductId: part, quantity: 2 },
      {
        ...{ consignmentProductId: line, warehouseProductId: part, quantity: 2 },
        toLogisticUnit: { isNew: true, referenceNumber: 'CARTON' },
      },
    ],
  })
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, unit: on }) => [place, onHand, on]),
    [
      ['A-01', 1, 'PART'],
      ['DISPATCH', 2, 'CARTON'],
      ['DISPATCH', 5, 'WHOLE'],
      ['DISPATCH', 2, null],
    ],
  )
})

test('what is picked onto one unit is put down in one place', async () => {
  const of = await newProduct()
  const stock = await stored(4, of)
  const empty = await unit('TWICE', locations.B1)
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  for (const [toLogisticUnit, name] of [
    [{ logisticUnitId: empty }, 'TWICE'],
    [{ isNew: true, referenceNumber: 'TWO PLACES' }, 'that is new'],
  ] as const) {
    const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1, toLogisticUnit }
    const places = ['DISPATCH', 'dock'].map(toLocationName => ({ ...pick, toLocationName }))
    assert.deepEqual(await refusalsOf(id, 'pick', { picks: places }), [
      `picks[1]: the logistic unit ${name} cannot be put into two locations.`,
    ])
  }
  const once = { consignmentProductId: line, warehouseProductId: stock, quantity: 1 }
  const ontoOne = { ...once, toLogisticUnit: { logisticUnitId: empty }, toLocationName: 'dock' }
  await run(id, 'pick', { picks: [ontoOne, ontoOne] })
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, unit: on }) => [place, onHand, on]),
    [
      ['A-01', 2, null],
      ['DOCK', 2, 'TWICE'],
    ],
  )
})

test('an empty unit stays where it is if nothing is picked onto it', async () => {
  const of = await newProduct()
  const stock = await stored(2, of)
  const empty = await unit('EMPTY', locations.B1)
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 0, isShort: true }
  await run(id, 'pick', { picks: [{ ...pick, toLogisticUnit: { logisticUnitId: empty } }] })
  const { body } = await admin.get(`/v1/logistic-units/${empty}`)
  assert.equal(body.warehouseLocationId, locations.B1)
})

test('fully captured serials are picked by serial, and only those of the same line', async () => {
  const of = await newProduct({ serialTrackingMode: 2 })
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
  const of = await newProduct({ serialTrackingMode: 2 })
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
  const of = await newProduct({ serialTrackingMode: 2 })
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
  const of = await newProduct({ serialTrackingMode: 3 })
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
  const of = await newProduct({ serialTrackingMode: 3 })
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
  const of = await newProduct({ serialTrackingMode: 3 })
  const stock = await stored(4, of)
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1, serials: ['T'] }
  assert.deepEqual(await refusalsOf(id, 'pick', { picks: [pick, pick] }), [
    `picks[1]: the serial T of ${of.productCode} is listed twice.`,
  ])
})

test('picked goods can be staged on another dock and onto a unit, and leave from there', async () => {
  const of = await newProduct()
  await stored(6, of)
  const { id } = await newConsignment({ ...of, quantity: 6 })
  assert.equal(await move(id, ReadyToDispatch), 200)
  await run(id, 'stage', {
    toLocationName: 'dock',
    toLogisticUnit: { isNew: true, referenceNumber: 'PALLET-1' },
  })
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, allocated: allocationsOf, unit: on }) => [
      place,
      onHand,
      allocationsOf,
      on,
    ]),
    [['DOCK', 6, 6, 'PALLET-1']],
  )
  assert.deepEqual(await refusalsOf(id, 'stage', { toLocationName: 'Q-01' }), [
    'lines[0]: Q-01 is in quarantine, where nothing can be promised.',
  ])
  assert.equal(await move(id, Complete), 200)
  assert.deepEqual(await locationsOf(of.productId), [])
})

test('unpicked goods return to where they came from, allocated again or free', async () => {
  const of = await newProduct()
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
  const of = await newProduct()
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

test('ids in upper case pick, unpick and release as those in lower case do', async () => {
  const of = await newProduct()
  const stock = await stored(5, of)
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const entry = { consignmentProductId: line.toUpperCase(), quantity: 2 }
  const warehouseProductId = stock.toUpperCase()
  const { picks } = await run(id, 'pick', { picks: [{ ...entry, warehouseProductId }] })
  const picked = picks[0].warehouseProductId.toUpperCase()
  await run(id, 'unpick', { unpicks: [{ ...entry, warehouseProductId: picked }] })
  await run(id, 'release', { lines: [{ ...entry, warehouseProductId }] })
  assert.equal((await row(stock)).allocatedQuantity, 3)
})

test('picked goods can be staged and unpicked by their description', async () => {
  const of = await newProduct()
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

test('if no pick is confirmed, the allocated stock counts as picked', async () => {
  const of = await newProduct()
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
  const of = await newProduct()
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
  const of = await newProduct()
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
  const of = await newProduct()
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

test('goods with serials count as picked only if their serials are known', async () => {
  const of = await newProduct({ serialTrackingMode: 2 })
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

test('moving back undoes the dispatch, and picked goods must be unpicked first', async () => {
  const of = await newProduct()
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
  const pears = await newProduct()
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
  const of = await newProduct()
  await stored(6, of)
  const { id } = await newConsignment({ ...of, quantity: 4 })
  await move(id, ReadyToDispatch)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 200)
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 2, 0],
    ['DISPATCH', 4, 0],
  ])
})

test('a consignment can be picked while it is ReadyToPick, and all faults are reported at once', async () => {
  const of = await newProduct()
  const stock = await stored(6, of)
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  const nobody = crypto.randomUUID()
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [
        { consignmentProductId: nobody, warehouseProductId: stock },
        { consignmentProductId: line, warehouseProductId: nobody },
        { consignmentProductId: line, warehouseProductId: stock, toLocationName: 'nowhere' },
      ],
    }),
    [
      'picks[0]: consignmentProductId does not refer to a line of the consignment.',
      `picks[1]: warehouseProductId ${nobody} does not refer to stock.`,
      'picks[2]: the warehouse has no location of that id or name.',
    ],
  )
  await move(id, ReadyToDispatch)
  const [message = ''] = await refusalsOf(id, 'pick', {
    picks: [{ consignmentProductId: line, warehouseProductId: stock }],
  })
  assert.match(message, /is Ready to dispatch, not Ready to pick\.$/)
})

test('a pick that is repeated with its operationId takes effect once', async () => {
  const of = await newProduct()
  const stock = await stored(6, of)
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  const body = {
    operationId: crypto.randomUUID(),
    picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity: 1 }],
  }
  const answers = await Promise.all([1, 2, 3].map(() => command(id, 'pick', body)))
  assert.deepEqual(new Set(answers.map(({ body: answer }) => answer.movementId)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 2)
  assert.equal((await figures(line)).picked, 1)
  assert.equal(
    (await command(id, 'pick', { ...body, picks: [{ ...body.picks[0], quantity: 2 }] })).status,
    409,
  )
})

test('goods that were picked in several places return each to its own', async () => {
  const of = await newProduct({ serialTrackingMode: 1 })
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
  const of = await newProduct({ serialTrackingMode: 1 })
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

test('what was put back is of the latest pick, and the rest returns to where it was picked before', async () => {
  const of = await newProduct()
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

test('serials that were captured by picks return to where each of them was picked', async () => {
  const of = await newProduct({ serialTrackingMode: 3 })
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

test('serials return to where each of them was picked, and goods of unknown origin to a place that is named', async () => {
  const of = await newProduct({ serialTrackingMode: 2 })
  const serials = (...names: string[]) => ({ newSerials: names.map(serial => ({ serial })) })
  const one = await stored(2, of, serials('U1', 'U2'))
  const two = await stored(1, { ...of, warehouseLocationId: locations.A2 }, serials('U3'))
  const { id, line } = await newConsignment({ ...of, quantity: 3 })
  const picked = await run(id, 'pick', {
    picks: [
      { consignmentProductId: line, warehouseProductId: two, serials: ['U3'] },
      { consignmentProductId: line, warehouseProductId: one, serials: ['U1', 'U2'] },
    ],
  })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line, quantity: 2, serials: ['U1', 'U3'] }] })
  assert.deepEqual(await serialsIn(of.productId), { U1: 'A-01', U2: 'DISPATCH', U3: 'A-02' })
  await run(id, 'unpick', { unpicks: [{ consignmentProductId: line }] })

  const plain = await newProduct()
  const stock = await stored(4, { ...plain, batch: 'OLD' })
  const other = await newConsignment({ ...plain, quantity: 4 })
  const answer = await run(other.id, 'pick', {
    picks: [{ consignmentProductId: other.line, warehouseProductId: stock }],
  })
  const redescribed = await admin.post('/v1/inventory/adjust-attributes', {
    reason: 'Read again',
    adjustments: [{ warehouseProductId: answer.picks[0].warehouseProductId, batch: 'NEW' }],
  })
  assert.equal(redescribed.status, 200, JSON.stringify(redescribed.body))
  const unpicks = [{ consignmentProductId: other.line }]
  assert.deepEqual(await refusalsOf(other.id, 'unpick', { unpicks }), [
    `unpicks[0]: 4 of ${plain.productCode} do not tell where they were picked from: say where to put them.`,
  ])
  await run(other.id, 'unpick', { unpicks: [{ ...unpicks[0], toLocationName: 'A-02' }] })
  assert.deepEqual(await locationsOf(plain.productId), [['A-02', 4, 4]])
  assert.ok(picked.movementId)
})

test('goods that were unpicked before their consignment leaves stay behind, free for others', async () => {
  const of = await newProduct()
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

test('a quantity in cartons is that of the product that stands there, not of the one that was ordered', async () => {
  const carton = await world.made('/v1/unit-types', { name: 'Carton of many' })
  const inCartons = (conversionRate: number) => ({
    unitConversions: [
      {
        ...{ inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate },
      },
    ],
  })
  const [ordered, sent] = [await newProduct(inCartons(6)), await newProduct(inCartons(12))]
  const substitutes = async (productSubstitution: number) =>
    admin.put(`/v1/partners/${world.clientId}`, { productSubstitution })
  assert.equal((await substitutes(1)).status, 200)
  const stock = await stored(36, sent)
  const id = await ready([{ ...ordered, quantity: 24 }])
  const consignmentProductId = (await allocated(id))[0]?.consignmentProductId as string
  const part = { warehouseProductId: stock, quantity: 1, unitTypeId: carton }
  const [line] = await allocated(id, {
    lines: [{ consignmentProductId, stock: [part], isOverride: true }],
  })
  assert.equal(line?.allocated, 12)
  const entry = { consignmentProductId, ...part }
  const picked = await run(id, 'pick', { picks: [entry, { ...entry, isOverride: true }] })
  assert.deepEqual(
    picked.picks.map(({ quantity }: { quantity: number }) => quantity),
    [12, 12],
  )
  const row = picked.picks[0].warehouseProductId
  const back = await run(id, 'unpick', { unpicks: [{ ...entry, warehouseProductId: row }] })
  assert.deepEqual(back.consignmentProducts, [
    { consignmentProductId, expected: 24, allocated: 12, picked: 12, short: 0 },
  ])
  const released = await run(id, 'release', { lines: [entry] })
  assert.equal(released.lines[0].allocated, 0)
  await substitutes(2)
})
