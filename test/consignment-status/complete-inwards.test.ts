// The effects of becoming Complete, and of leaving that status, on the goods of an inwards consignment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { goods, openInwards, serialGoods } from '../support/given-inwards.ts'

const {
  admin,
  announce,
  clientId,
  database,
  linesOf,
  move,
  products,
  read,
  received,
  refusalMessages,
  stockOf,
  eventTypesOf,
} = await openInwards()
const [Complete, Pending, ReadyToReceive, Closed, Draft] = [0, 1, 4, 6, 8]
const quantities = async (id: string) => (await stockOf(id)).map(({ code, quantity }) => [code, quantity])
/** The status in each event after the creation. */
const statusesOf = async (id: string) =>
  (
    await database.db.rows<{ status: number }>(sql`
      select (data ->> 'status')::int as status from event
      where subject_id = ${id} and type > 101 order by id`)
  ).map(({ status }) => status)
/** The metrics before and after each event 105. */
const metricsChanges = async (id: string) =>
  (
    await database.db.rows<{ changes: { from: object; to: object }[] }>(
      sql`select changes from event where subject_id = ${id} and type = 105 order by id`,
    )
  ).map(({ changes }) => changes.flatMap(({ from, to }) => [from, to]))

test('if nothing was received by command, completing a consignment receives everything that was expected', async () => {
  const id = await announce([goods('APPLE', 40), serialGoods('SCALE', ['P1', 'P2'])], {}, null)
  assert.equal((await move(id, Complete)).status, 200)
  assert.deepEqual(await quantities(id), [
    ['APPLE', 40],
    ['SCALE', 2],
  ])
  assert.notEqual((await read(id)).actualReceiveDateTime, null)
  assert.deepEqual(await eventTypesOf(id), [108, 112])
  assert.deepEqual(await statusesOf(id), [Complete, Complete], 'what happens at once has one status')
  assert.deepEqual(
    await database.db.rows(sql`select serial from warehouse_product_item where product_id = ${products.SCALE}
      and warehouse_product_id is not null order by 1`),
    [{ serial: 'P1' }, { serial: 'P2' }],
  )
})

test('once anything was received by command, only that counts as received, and the metrics agree', async () => {
  const id = await announce([goods('APPLE', 40), goods('PEAR', 3)])
  const [apples] = await linesOf(id)
  await received(id, { receipts: [{ consignmentProductId: apples, quantity: 30 }] })
  assert.equal((await move(id, Complete)).status, 200)
  assert.deepEqual(await quantities(id), [['APPLE', 30]])
  assert.deepEqual(await eventTypesOf(id), [112, 108, 105, 112])
  assert.deepEqual(await statusesOf(id), [ReadyToReceive, ReadyToReceive, Complete, Complete])
  const expected = { quantity: 43, weightKG: 10, volumeM3: 0.02 }
  const actual = { quantity: 30, weightKG: 7.5, volumeM3: 0.015 }
  assert.deepEqual(await metricsChanges(id), [[expected, actual]])
  assert.equal((await move(id, ReadyToReceive)).status, 200, 'mistakes can be corrected in that status')
})

test('the metrics are the expected ones again when a consignment is no longer Complete', async () => {
  const id = await announce([goods('APPLE', 40)])
  const [apples] = await linesOf(id)
  await received(id, { receipts: [{ consignmentProductId: apples, quantity: 30 }] })
  const expected = { quantity: 40, weightKG: 10, volumeM3: 0.02 }
  const actual = { quantity: 30, weightKG: 7.5, volumeM3: 0.015 }
  await move(id, Complete)
  await move(id, ReadyToReceive)
  assert.deepEqual(await metricsChanges(id), [
    [expected, actual],
    [actual, expected],
  ])
  await received(id, { all: true })
  await move(id, Complete)
  assert.equal((await move(id, Closed)).status, 200)
  assert.equal(
    (await metricsChanges(id)).length,
    2,
    'everything has been received, and closing changes nothing',
  )
})

test('a consignment cannot be Complete while goods with full capture lack serials', async () => {
  const id = await announce([goods('APPLE', 1), goods('SCALE', 10)])
  assert.deepEqual(await refusalMessages(move(id, Complete)), ['Line 2 (SCALE) lacks 10 of 10 serials.'])
  assert.deepEqual(await quantities(id), [], 'a refusal receives nothing')
  const [, scales] = await linesOf(id)
  const serials = Array.from({ length: 7 }, (_, i) => `F${i}`)
  await received(id, { receipts: [{ consignmentProductId: scales, serials }] })
  await received(id, { all: true })
  assert.deepEqual(await refusalMessages(move(id, Complete)), ['Line 2 (SCALE) lacks 3 of 10 serials.'])
  const rest = [{ consignmentProductId: scales, serials: ['F7', 'F8', 'F9'] }]
  assert.equal((await admin.post(`/v1/consignments/${id}/receive/serials`, { serials: rest })).status, 200)
  assert.equal((await move(id, Complete)).status, 200)
})

test('goods that are received on completion must obey the rules of receiving', async () => {
  await announce([serialGoods('SCALE', ['Q1'])]).then(id => move(id, Complete))
  const id = await announce([goods('PEAR', 1)])
  await database.atomically(async tx => {
    await tx.run(sql`update consignment_product_item i set serial = 'Q1' from consignment_product r
      where r.id = i.consignment_product_id and r.consignment_id = ${id}`)
    await tx.run(sql`update consignment_product set product_id = ${products.SCALE}, product_code = 'SCALE'
      where consignment_id = ${id}`)
  })
  await admin.put(`/v1/partners/${clientId}/products/${products.SCALE}`, { batchUsage: 3 })
  assert.deepEqual(await refusalMessages(move(id, Complete)), [
    'Line 1 (SCALE): the product SCALE needs a batch.',
    'Line 1 (SCALE): the serial Q1 of SCALE is in stock already, in RECEIVE.',
  ])
  await admin.put(`/v1/partners/${clientId}/products/${products.SCALE}`, { batchUsage: null })
})

test('received goods prevent a consignment from moving back and from becoming Void', async () => {
  const id = await announce([goods('APPLE', 2)])
  await received(id, { all: true })
  for (const [status, name] of [
    [Pending, 'Pending'],
    [Draft, 'Draft'],
  ] as const)
    assert.deepEqual(await refusalMessages(move(id, status)), [
      `The consignment cannot be ${name}: 2 of APPLE were received. Unreceive what was received first.`,
    ])
  assert.deepEqual(await refusalMessages(admin.put(`/v1/consignments/${id}/void`)), [
    'The consignment cannot be Void: goods of it were received.',
  ])
  const [row] = await stockOf(id)
  const unreceipts = [{ warehouseProductId: row?.id }]
  await admin.post(`/v1/consignments/${id}/unreceive`, { unreceipts, reason: 'Wrong' })
  assert.equal((await move(id, Draft)).status, 200)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 200)
})

test('the detail has the received and held quantities of each line, and the actual metrics once it is Complete', async () => {
  const id = await announce([goods('APPLE', 40), goods('PEAR', 3)])
  const [apples] = await linesOf(id)
  const some = { consignmentProductId: apples, quantity: 30 }
  await received(id, { receipts: [some, { ...some, quantity: 2, hold: { kind: 1, reason: 'Wet' } }] })
  const { products: lines, metrics } = await read(id)
  const { receivedQuantity, receivedWeightKG, receivedVolumeM3, heldQuantity, shortQuantity } = lines[0]
  assert.deepEqual(
    [receivedQuantity, receivedWeightKG, receivedVolumeM3, heldQuantity, shortQuantity],
    [32, 8, 0.016, 2, 8],
  )
  assert.equal(lines[1].shortQuantity, 3)
  const expected = { expectedQuantity: 43, expectedWeightKG: 10, expectedVolumeM3: 0.02 }
  assert.deepEqual(metrics, {
    ...expected,
    actualQuantity: null,
    actualWeightKG: null,
    actualVolumeM3: null,
  })
  await move(id, Complete)
  assert.deepEqual((await read(id)).metrics, {
    ...expected,
    actualQuantity: 32,
    actualWeightKG: 8,
    actualVolumeM3: 0.016,
  })
})
