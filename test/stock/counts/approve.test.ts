// Counting stock while work goes on, and approving the counts. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { MovementCause } from '../../../src/vocabulary/stock.ts'
import { allocateRow } from '../../support/given-allocations.ts'
import { openCounts } from '../../support/given-counts.ts'

const world = await openCounts()
const { admin, database, stored, row, product, locations, clientId } = world
const { createCount, createCountEarlier, count, approve, command, lineOf, lines, move, done, refused } = world
const { organisationId } = admin.actor

/** A new product for each test, so that each test only counts its own goods. */
let products = 0
async function newProduct(more: object = {}): Promise<string> {
  const id = await product(`P${++products}`, more)
  Object.assign(world.products, { [`P${products}`]: id })
  return id
}
const onHand = async (id: string) => (await row(id)).onHandQuantity
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
/** Stock that came in an hour ago, so that late operations do not precede it. */
const storedBefore = (quantity: number, more: object) =>
  stored(quantity, more, { occurredUtc: minutesAgo(60) })

test('missing goods leave, surplus goods come in, and correct stock stays', async () => {
  const productId = await newProduct({ weightKG: 2 })
  const short = await stored(10, { productId, batch: 'SHORT' }, { weightKG: 20 })
  const over = await stored(5, { productId, batch: 'OVER' }, { weightKG: 10 })
  const right = await stored(7, { productId, batch: 'RIGHT' })
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, short, 8)
  await count(path, over, 6)
  await count(path, right, 7)
  const { movementId, status, stockCountLines } = await approve(path, { reason: 'Yearly' })
  assert.equal(status, 4)
  assert.deepEqual(
    stockCountLines.map((line: { varianceQuantity: number }) => line.varianceQuantity).sort(),
    [-2, 0, 1],
  )
  assert.deepEqual([await onHand(short), await onHand(over), await onHand(right)], [8, 6, 7])
  assert.deepEqual([(await row(short)).onHandWeightKG, (await row(over)).onHandWeightKG], [16, 12])
  const ledger = await database.db.rows(sql`
    select t.type, t.quantity, t.reason, t.stock_count_line_id = l.id as is_of_line
    from inventory_transaction t join stock_count_line l on l.organisation_id = t.organisation_id
      and l.warehouse_product_id = t.warehouse_product_id
    where t.movement_id = ${movementId} order by t.quantity`)
  assert.deepEqual(ledger, [
    { type: 1, quantity: -2, reason: 'Yearly', isOfLine: true },
    { type: 1, quantity: 1, reason: 'Yearly', isOfLine: true },
  ])
  assert.equal((await admin.get(path)).body.status, 4)
  assert.equal((await lineOf(path, right)).status, 4)
})

test('moves between the count and its approval do not affect the adjustment', async () => {
  const productId = await newProduct()
  const id = await stored(10, { productId })
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, 9)
  await command('transfer', {
    transfers: [{ warehouseProductId: id, quantity: 4, toWarehouseLocationId: locations.A2 }],
  })
  await command('adjust', { adjustments: [{ warehouseProductId: id, quantity: 3 }], reason: 'Found' })
  const { stockCountLines } = await approve(path)
  assert.deepEqual([stockCountLines[0].bookQuantity, stockCountLines[0].varianceQuantity], [10, -1])
  assert.equal(await onHand(id), 8)
})

test('operations before the count that are recorded after it are part of the book quantity', async () => {
  const productId = await newProduct()
  const id = await storedBefore(10, { productId })
  const path = await createCount({ partnerProductIds: [productId], isBlind: false })
  await count(path, id, 6)
  assert.equal((await lineOf(path, id)).varianceQuantity, -4)
  await command('transfer', {
    transfers: [{ warehouseProductId: id, quantity: 4, toWarehouseLocationId: locations.A2 }],
    occurredUtc: minutesAgo(5),
  })
  assert.equal((await lineOf(path, id)).varianceQuantity, 0)
  assert.equal((await approve(path)).movementId, null)
  assert.equal(await onHand(id), 6)
})

test('a count that is recorded late is compared with the stock at its own time', async () => {
  const productId = await newProduct()
  const id = await storedBefore(10, { productId })
  const path = await createCountEarlier({ partnerProductIds: [productId] })
  await command('transfer', {
    transfers: [{ warehouseProductId: id, quantity: 4, toWarehouseLocationId: locations.A2 }],
    occurredUtc: minutesAgo(10),
  })
  await count(path, id, 10, { occurredUtc: minutesAgo(20) })
  assert.equal((await approve(path)).stockCountLines[0].varianceQuantity, 0)
  assert.equal(await onHand(id), 6)
})

test('a second count made before the first was approved does not adjust stock twice', async () => {
  const productId = await newProduct()
  const id = await storedBefore(10, { productId })
  const first = await createCountEarlier({ partnerProductIds: [productId] })
  await count(first, id, 9, { occurredUtc: minutesAgo(30) })
  await approve(first)
  const second = await createCountEarlier({ partnerProductIds: [productId] })
  await count(second, id, 9, { occurredUtc: minutesAgo(20) })
  assert.equal((await approve(second)).stockCountLines[0].varianceQuantity, 0)
  assert.equal(await onHand(id), 9)
})

test('goods that are put on hold during a count are still counted with their line', async () => {
  const productId = await newProduct()
  const id = await stored(10, { productId })
  const path = await createCount({ partnerProductIds: [productId] })
  const { warehouseProductIds } = await command('holds', {
    kind: 1,
    reason: 'Wet',
    stock: [{ warehouseProductId: id, quantity: 4 }],
  })
  await count(path, id, 10)
  assert.equal((await approve(path)).stockCountLines[0].varianceQuantity, 0)
  const next = await createCount({ partnerProductIds: [productId] })
  await command('transfer', { transfers: [{ warehouseProductId: id, toWarehouseLocationId: locations.A2 }] })
  await count(next, id, 0)
  await count(next, warehouseProductIds[0], 3)
  await approve(next)
  assert.deepEqual([await onHand(id), await onHand(warehouseProductIds[0])], [0, 3])
})

/** Changes the description of goods, and returns the row that they are in now. */
async function redescribe(id: string, more: object): Promise<string> {
  const { adjustments } = await command('adjust-attributes', {
    adjustments: [{ warehouseProductId: id, ...more }],
    reason: 'Wrong label',
  })
  return adjustments[0].warehouseProductId
}

test('goods whose description changes during a count are the same goods', async () => {
  const productId = await newProduct()
  const [before, after, more] = await Promise.all(
    ['BEFORE', 'AFTER', 'MORE'].map(batch => stored(10, { productId, batch })),
  )
  const path = await createCount({ partnerProductIds: [productId] })
  const first = await redescribe(before as string, { batch: 'B1', expiryDate: '2031-01-01' })
  await count(path, before as string, 10)
  await count(path, after as string, 8)
  await count(path, more as string, 12)
  const second = await redescribe(after as string, { batch: 'B2' })
  const third = await redescribe(more as string, { batch: 'B3' })
  const { stockCountLines } = await approve(path)
  assert.deepEqual(
    stockCountLines.map((line: { varianceQuantity: number }) => line.varianceQuantity).sort(),
    [-2, 0, 2],
  )
  assert.deepEqual(
    await Promise.all([before, after, more, first, second, third].map(id => onHand(id as string))),
    [0, 0, 0, 10, 8, 12],
  )
})

test('goods that got a line of their own after a change of description are counted there', async () => {
  const productId = await newProduct()
  const id = await stored(10, { productId, batch: 'OLD' })
  const path = await createCount({ partnerProductIds: [productId] })
  await redescribe(id, { batch: 'NEW' })
  await count(path, id, 0)
  const found = { partnerProductId: productId, locationName: 'A-01', batch: 'NEW' }
  await done(`${path}/lines/count`, { counts: [{ found, countedQuantity: 9 }] })
  const { stockCountLines } = await approve(path)
  assert.deepEqual(
    stockCountLines.map((line: { varianceQuantity: number }) => line.varianceQuantity).sort(),
    [-1, 0],
  )
})

test('stock is not adjusted below what is allocated, unless allocations are released', async () => {
  const productId = await newProduct()
  const id = await stored(10, { productId })
  const { consignmentId, consignmentNumber } = await allocateRow(world, id, 8)
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, 5)
  await move(path, 3)
  assert.deepEqual(await refused(`${path}/approve`, {}), [
    `P${products} in A-01: only 2 of 10 are free in A-01; 8 are allocated to ${consignmentNumber}.`,
  ])
  assert.equal(await onHand(id), 10)
  await done(`${path}/approve`, { releaseAllocations: true })
  const left = await row(id)
  assert.deepEqual([left.onHandQuantity, left.allocatedQuantity], [5, 5])
  const events = await database.db.rows(sql`select type from event
    where organisation_id = ${organisationId} and subject_id = ${consignmentId}`)
  assert.deepEqual(events, [{ type: 108 }])
})

test('the person who counted cannot approve if the organisation requires another one', async () => {
  const productId = await newProduct()
  const id = await stored(10, { productId })
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, 9)
  await move(path, 3)
  await admin.put('/v1/organisation', { countApprovalBySecondUser: true })
  const [fault] = await refused(`${path}/approve`, {})
  assert.match(fault ?? '', /^P\d+ in A-01: whoever counted it cannot approve it: ask somebody else to\.$/)
  await database.atomically(tx =>
    tx.run(sql`update organisation set count_approval_by_second_user = false where id = ${organisationId}`),
  )
  await done(`${path}/approve`, {})
})

test('missing serials leave, found ones come in, and one that is in stock elsewhere is reported', async () => {
  const productId = await newProduct({ serialTrackingMode: 2 })
  const created = (
    await command('adjust', {
      adjustments: [
        {
          partnerProductId: productId,
          warehouseId: world.warehouseId,
          locationName: 'A-01',
          quantity: 3,
          serials: ['S1', 'S2', 'S3'],
        },
        {
          partnerProductId: productId,
          warehouseId: world.warehouseId,
          locationName: 'A-02',
          quantity: 2,
          serials: ['S4', 'S5'],
        },
      ],
      reason: 'Opening',
    })
  ).adjustments
  const [first, second] = created.map((x: { warehouseProductId: string }) => x.warehouseProductId)
  const path = await createCount({ partnerProductIds: [productId] })
  assert.deepEqual(
    await refused(`${path}/lines/count`, {
      counts: [{ stockCountLineId: (await lineOf(path, first)).stockCountLineId, countedQuantity: 3 }],
    }),
    [`counts[0]: 3 P${products} need 3 serials; 0 were scanned.`],
  )
  await count(path, first, ['S1', 'S4', 'NEW'])
  await count(path, second, ['S4', 'S5'])
  await move(path, 3)
  assert.deepEqual(await refused(`${path}/approve`, {}), [
    `P${products} in A-01: the serial S4 of P${products} is in stock already, in A-02.`,
  ])
  const lineIds = [(await lineOf(path, second)).stockCountLineId]
  await done(`${path}/lines/recount`, { stockCountLineIds: lineIds })
  await count(path, second, ['S5'])
  await done(`${path}/approve`, {})
  const serials =
    await database.db.rows(sql`select serial, warehouse_product_id as id from warehouse_product_item
    where product_id = ${productId} order by serial`)
  assert.deepEqual(serials, [
    { serial: 'NEW', id: first },
    { serial: 'S1', id: first },
    { serial: 'S2', id: null },
    { serial: 'S3', id: null },
    { serial: 'S4', id: first },
    { serial: 'S5', id: second },
  ])
  assert.deepEqual([await onHand(first), await onHand(second)], [3, 1])
})

test('a serial that moved after it was counted stays where it was last scanned', async () => {
  const productId = await newProduct({ serialTrackingMode: 2 })
  const { adjustments } = await command('adjust', {
    adjustments: [
      {
        partnerProductId: productId,
        warehouseId: world.warehouseId,
        locationName: 'A-01',
        quantity: 2,
        serials: ['M1', 'M2'],
      },
    ],
    reason: 'Opening',
  })
  const id = adjustments[0].warehouseProductId
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, ['M1'])
  await command('transfer', {
    transfers: [
      { warehouseProductId: id, quantity: 1, serials: ['M2'], toWarehouseLocationId: locations.A2 },
    ],
  })
  const { stockCountLines } = await approve(path)
  assert.deepEqual([stockCountLines[0].varianceQuantity, stockCountLines[0].adjustedQuantity], [-1, 0])
  assert.equal(await onHand(id), 1)
})

/** Stores goods with serials in A-01. */
async function serialsStored(productId: string, serials: string[]): Promise<string> {
  return stored(serials.length, { productId }, { newSerials: serials.map(serial => ({ serial })) })
}
const serialsOf = (id: string) =>
  database.db
    .rows<{ serial: string }>(sql`select serial from warehouse_product_item
      where warehouse_product_id = ${id} order by serial`)
    .then(rows => rows.map(({ serial }) => serial))

test('a serial that was moved away and back after it was counted is not adjusted', async () => {
  const productId = await newProduct({ serialTrackingMode: 2 })
  const id = await serialsStored(productId, ['R1', 'R2'])
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, ['R1'])
  const go = async (warehouseProductId: string, toWarehouseLocationId: string) =>
    (
      await command('transfer', {
        transfers: [{ warehouseProductId, quantity: 1, serials: ['R2'], toWarehouseLocationId }],
      })
    ).transfers[0].warehouseProductIds[0]
  await go(await go(id, locations.A2), locations.A1)
  const { stockCountLines } = await approve(path)
  assert.deepEqual([stockCountLines[0].varianceQuantity, stockCountLines[0].adjustedQuantity], [-1, 0])
  assert.deepEqual(await serialsOf(id), ['R1', 'R2'])
})

test('a serial that left stock after it was counted does not come in again', async () => {
  const productId = await newProduct({ serialTrackingMode: 2 })
  const id = await serialsStored(productId, ['L1', 'L2'])
  const other = await stored(
    1,
    { productId, warehouseLocationId: locations.A2 },
    {
      newSerials: [{ serial: 'L3' }],
    },
  )
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, ['L1', 'L2', 'L3'])
  await count(path, other, [])
  await command('adjust', {
    adjustments: [{ warehouseProductId: other, quantity: -1, serials: ['L3'] }],
    reason: 'Broken',
  })
  const { stockCountLines } = await approve(path)
  assert.deepEqual(
    stockCountLines.map((line: { adjustedQuantity: number }) => line.adjustedQuantity),
    [0, 0],
  )
  assert.deepEqual(await serialsOf(id), ['L1', 'L2'])
})

test('an uncounted serial is missing even if it was held or redescribed meanwhile', async () => {
  const productId = await newProduct({ serialTrackingMode: 2 })
  const id = await serialsStored(productId, ['H1', 'H2', 'H3'])
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, ['H1'])
  const described = await redescribe(id, { quantity: 1, serials: ['H2'], batch: 'H' })
  const { warehouseProductIds } = await command('holds', {
    ...{ kind: 1, reason: 'Wet', stock: [{ warehouseProductId: id, quantity: 1, serials: ['H3'] }] },
  })
  const { stockCountLines } = await approve(path)
  assert.deepEqual([stockCountLines[0].varianceQuantity, stockCountLines[0].adjustedQuantity], [-2, -2])
  assert.deepEqual(await Promise.all([id, described, warehouseProductIds[0]].map(serialsOf)), [
    ['H1'],
    [],
    [],
  ])
})

test('a serial that came in after the count, or left before it, is not adjusted', async () => {
  const productId = await newProduct({ serialTrackingMode: 2 })
  const found = { partnerProductId: productId, warehouseId: world.warehouseId }
  const { adjustments } = await command('adjust', {
    adjustments: [
      { ...found, locationName: 'A-01', quantity: 2, serials: ['L1', 'L2'] },
      { ...found, locationName: 'A-02', quantity: 1, serials: ['L3'] },
    ],
    reason: 'Opening',
  })
  const [first, second] = adjustments.map((x: { warehouseProductId: string }) => x.warehouseProductId)
  const transfer = (warehouseProductId: string, serial: string, toLocationName: string) =>
    command('transfer', {
      transfers: [{ warehouseProductId, quantity: 1, serials: [serial], toLocationName }],
    })
  await transfer(first, 'L2', 'B-01')
  const path = await createCount({ partnerProductIds: [productId], warehouseLocationIds: [locations.A1] })
  await count(path, first, ['L1', 'L3'])
  await transfer(second, 'L3', 'A-01')
  const { stockCountLines } = await approve(path)
  assert.deepEqual([stockCountLines[0].varianceQuantity, stockCountLines[0].adjustedQuantity], [1, 0])
  assert.deepEqual([await onHand(first), await onHand(second)], [2, 0])
})

test('the latest count of a round counts, even if an earlier one arrives after it', async () => {
  const productId = await newProduct()
  const id = await storedBefore(10, { productId })
  const path = await createCountEarlier({ partnerProductIds: [productId] })
  await count(path, id, 7)
  await count(path, id, 9)
  await count(path, id, 8, { occurredUtc: minutesAgo(10) })
  assert.equal((await lineOf(path, id)).countedQuantity, 9)
  assert.equal((await approve(path)).stockCountLines[0].varianceQuantity, -1)
  assert.equal((await lineOf(path, id)).countedQuantity, 9)
  const fixed = await database.db.row(
    sql`select counted_quantity as counted from stock_count_line where warehouse_product_id = ${id}`,
  )
  assert.deepEqual(fixed, { counted: 9 })
  assert.equal(await onHand(id), 9)
})

test('unexpected goods are counted where they are found, and come in on approval', async () => {
  const productId = await newProduct({ weightKG: 3 })
  const path = await createCount({
    ...{ partnerProductIds: [productId], partnerId: clientId },
    warehouseLocationIds: [locations.A2],
  })
  assert.deepEqual(await lines(path), [])
  const found = { partnerProductId: productId, locationName: 'a-02', batch: 'LOST' }
  await done(`${path}/lines/count`, { counts: [{ found, countedQuantity: 4 }] })
  await done(`${path}/lines/count`, { counts: [{ found, countedQuantity: 5 }] })
  const [line, ...others] = await lines(path)
  assert.deepEqual([line?.isFound, line?.countedQuantity, others.length], [true, 5, 0])
  await approve(path)
  const made = await row(line?.warehouseProductId as string)
  assert.deepEqual([made.onHandQuantity, made.onHandWeightKG], [5, 15])
})

test('goods that are found in the pickface of another product are counted there, though nobody may put them there', async () => {
  const [owner, productId] = [await newProduct(), await newProduct()]
  const location = { name: 'PF-01', type: 1, isPickface: true, partnerProductId: owner }
  const { warehouseLocationId } = await done(`/v1/warehouses/${world.warehouseId}/locations`, location)
  const path = await createCount({ warehouseLocationIds: [warehouseLocationId] })
  const found = { partnerProductId: productId, locationName: 'PF-01' }
  await done(`${path}/lines/count`, { counts: [{ found, countedQuantity: 4 }] })
  await approve(path)
  const [line] = await lines(path)
  assert.equal(await onHand(line?.warehouseProductId as string), 4)
  const adjustments = [{ ...found, warehouseId: world.warehouseId, quantity: 1 }]
  assert.deepEqual(await refused('/v1/inventory/adjust', { reason: 'Found', adjustments }), [
    'adjustments[0]: PF-01 is the pickface of another product.',
  ])
})

test('goods that came in meanwhile, or that are recorded late, do not come in again', async () => {
  const productId = await newProduct()
  const from = await storedBefore(10, { productId })
  const path = await createCountEarlier({ partnerProductIds: [productId] })
  await command('transfer', {
    transfers: [{ warehouseProductId: from, quantity: 4, toWarehouseLocationId: locations.A2 }],
    occurredUtc: minutesAgo(40),
  })
  const found = (locationName: string, countedQuantity: number) =>
    done(`${path}/lines/count`, {
      counts: [{ found: { partnerProductId: productId, locationName }, countedQuantity }],
      occurredUtc: minutesAgo(20),
    })
  await found('A-02', 4)
  await found('B-01', 3)
  await count(path, from, 3, { occurredUtc: minutesAgo(20) })
  // Three were moved to B-01 before they were counted; the move is recorded only now.
  await command('transfer', {
    transfers: [{ warehouseProductId: from, quantity: 3, toWarehouseLocationId: locations.B1 }],
    occurredUtc: minutesAgo(30),
  })
  const { stockCountLines } = await approve(path)
  assert.equal(stockCountLines.length, 3)
  const total = await database.db.row<{ n: number }>(sql`
    select sum(on_hand_quantity) as n from warehouse_product where product_id = ${productId}`)
  assert.equal(total.n, 10)
})

test('a count is not dated before the count was created, nor an approval before what it approves', async () => {
  const productId = await newProduct()
  const id = await storedBefore(10, { productId })
  const path = await createCount({ partnerProductIds: [productId] })
  const { stockCountLineId } = await lineOf(path, id)
  const counts = [{ stockCountLineId, countedQuantity: 10 }]
  const [early] = await refused(`${path}/lines/count`, { counts, occurredUtc: minutesAgo(31 * 24 * 60) })
  assert.match(
    early ?? '',
    /^occurredUtc must not be before the stock count was created \(.+Z\): is the clock/,
  )
  // A clock that is a minute slow is no reason to refuse work.
  await done(`${path}/lines/count`, { counts, occurredUtc: minutesAgo(1) })
  await move(path, 3)
  const [unseen] = await refused(`${path}/approve`, { occurredUtc: minutesAgo(10) })
  assert.match(unseen ?? '', /^occurredUtc must not be before what it approves was counted/)
  assert.equal((await done(`${path}/approve`, { occurredUtc: minutesAgo(1) })).movementId, null)
  assert.equal(await onHand(id), 10)
})

test('lines that are counted can be approved while others are still to be counted', async () => {
  const productId = await newProduct()
  const [counted, waiting] = [await stored(10, { productId }), await stored(4, { productId, batch: 'LATER' })]
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, counted, 8)
  const answer = await done(`${path}/approve`, {})
  assert.deepEqual([answer.status, answer.stockCountLines.length], [2, 1])
  assert.equal(await onHand(counted), 8)
  await count(path, waiting, 4)
  await move(path, 3)
  assert.equal((await done(`${path}/approve`, {})).status, 4)
})

test('a person and an app that are renamed keep the names that they had in counts, holds and movements', async () => {
  const productId = await newProduct()
  const id = await stored(10, { productId })
  const rename = (user: string, app: string) =>
    database.atomically(async tx => {
      await tx.run(sql`update app_user set full_name = ${user} where id = ${admin.actor.userId}`)
      await tx.run(sql`update custom_app set name = ${app} where organisation_id = ${organisationId}`)
    })
  const path = await createCount({ partnerProductIds: [productId] })
  await count(path, id, 9)
  await approve(path)
  const { inventoryHoldId } = await command('holds', {
    ...{ kind: 1, reason: 'Wet', stock: [{ warehouseProductId: id, quantity: 2 }] },
  })
  await rename('Grace', 'Other app')
  const { createdByName } = (await admin.get(path)).body
  const [line] = (await admin.get(`${path}/lines`)).body.stockCountLines
  const { stockCountLineId, countedByName, approvedByName, entries } = line
  const hold = (await admin.get(`/v1/inventory/holds/${inventoryHoldId}`)).body
  const [movement] = (await admin.get(`/v1/inventory/${id}/transactions`)).body.transactions
  const stockCountId = path.split('/').at(-1)
  const [counted] = (await admin.post('/v1/reports/cycle-count', { stockCountId })).body
  const filters = { partnerProductId: productId }
  const moved = (await admin.post('/v1/reports/product-transaction-detail', filters)).body
  assert.deepEqual(
    [
      ...[createdByName, countedByName, approvedByName, entries[0].countedByName, hold.createdByName],
      ...[movement.userFullName, counted.countedBy, counted.approvedBy, moved[0].userName],
    ],
    Array(9).fill('Ada Storekeeper'),
  )
  assert.equal(movement.appName, 'Test app')
  const caused = moved.filter((line: { cause: number }) => line.cause !== MovementCause.None)
  assert.deepEqual(
    caused.map((line: Record<string, unknown>) => [line.moveNumber, line.cause, line.causeId]),
    [[1, MovementCause.Count, stockCountLineId]],
  )
  await rename('Ada Storekeeper', 'Test app')
})
