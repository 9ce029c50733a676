// Taking back goods that were received by mistake.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { daysAgo } from '../support/dates.ts'
import { goods, openInwards, serialGoods } from '../support/given-inwards.ts'
import { of } from '../support/given-stock.ts'

const {
  admin,
  announce,
  database,
  linesOf,
  received,
  refusalMessages,
  stockOf,
  eventTypesOf,
  read,
  move,
  ...world
} = await openInwards()

const unreceive = (id: string, ...unreceipts: object[]) =>
  admin.post(`/v1/consignments/${id}/unreceive`, { unreceipts, reason: 'Wrong door' })
const rowsOf = async (id: string) => (await stockOf(id)).map(row => row.id as string)

test('goods are taken back from where they came in, and a consignment without any has no receipt time', async () => {
  const id = await announce([goods('APPLE', 10, { batch: 'BACK' })])
  await received(id, { all: true })
  const [row] = await rowsOf(id)
  const answer = await unreceive(id, { warehouseProductId: row, quantity: 4 })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(
    answer.body.consignmentProducts.map((line: { receivedQuantity: number }) => line.receivedQuantity),
    [6],
  )
  assert.equal((await world.row(row as string)).onHandWeightKG, 1.5)
  assert.notEqual((await read(id)).actualReceiveDateTime, null)
  assert.deepEqual(await refusalMessages(move(id, 1)), [
    'The consignment cannot be Pending: 6 of APPLE were received. Unreceive what was received first.',
  ])
  const byWhat = { partnerProductId: world.products.APPLE, locationName: 'RECEIVE', batch: 'BACK' }
  assert.equal((await unreceive(id, { stock: byWhat })).status, 200)
  assert.equal((await read(id)).actualReceiveDateTime, null)
  assert.deepEqual(await eventTypesOf(id), [112, 108, 108, 108])
  assert.equal((await move(id, 1)).status, 200)
})

test('only goods of this consignment that are present and free can be taken back', async () => {
  const [one, two] = [await announce([goods('PEAR', 10)]), await announce([goods('PEAR', 5)])]
  await received(one, { all: true })
  await received(two, { all: true })
  const [row = ''] = await rowsOf(two)
  assert.deepEqual(await rowsOf(one), [row], 'both went into the same row')
  assert.deepEqual(await refusalMessages(unreceive(two, { warehouseProductId: row, quantity: 6 })), [
    'unreceipts[0]: only 5 of PEAR were received here for this consignment.',
  ])
  const other = await world.stored(1)
  const out = await announce([goods('PEAR', 12)], { consignmentType: 2 }, null)
  const [line] = await linesOf(out)
  await world.posted([
    {
      movementId: newId(),
      type: TransactionType.Allocation,
      from: null,
      to: row,
      quantity: 0n,
      allocations: [
        {
          at: 'to',
          consignmentId: out,
          consignmentProductId: line as string,
          isPicked: false,
          quantity: of(12),
        },
      ],
    },
  ])
  const number = (await read(out)).consignmentNumber
  assert.deepEqual(
    await refusalMessages(
      unreceive(
        two,
        { warehouseProductId: row, quantity: 2 },
        { warehouseProductId: row, quantity: 2 },
        {
          warehouseProductId: other,
        },
      ),
    ),
    [
      `unreceipts[1]: only 1 of 13 are free in RECEIVE; 12 are allocated to ${number}.`,
      'unreceipts[2]: nothing of this stock in A-01 was received for this consignment.',
    ],
  )
})

test('goods that one entry takes back are not available to the next', async () => {
  const id = await announce([goods('APPLE', 5, { batch: 'SHARED' })])
  await received(id, { all: true })
  const [row = ''] = await rowsOf(id)
  const found = { reason: 'Found', adjustments: [{ warehouseProductId: row, quantity: 5 }] }
  assert.equal((await admin.post('/v1/inventory/adjust', found)).status, 200)
  const part = { warehouseProductId: row, quantity: 4 }
  assert.deepEqual(await refusalMessages(unreceive(id, part, part)), [
    'unreceipts[1]: only 1 of APPLE were received here for this consignment.',
  ])
})

test('serials must be named to be taken back, and goods that came without them need none', async () => {
  const id = await announce([serialGoods('SCALE', ['S1', 'S2'])])
  await received(id, { all: true })
  const [line] = await linesOf(id)
  await received(id, { receipts: [{ consignmentProductId: line, quantity: 1 }] })
  const [row] = await rowsOf(id)
  assert.deepEqual(
    await refusalMessages(
      unreceive(
        id,
        { warehouseProductId: row, quantity: 2 },
        { warehouseProductId: row, serials: ['S1', 'S7'] },
      ),
    ),
    [
      'unreceipts[0]: 2 of SCALE need 1 serial, not 0.',
      'unreceipts[1]: the serial S7 of SCALE is not in this stock in RECEIVE.',
    ],
  )
  assert.deepEqual(await refusalMessages(unreceive(id, { warehouseProductId: row, serials: ['S1', 'S1'] })), [
    'unreceipts[0]: the serial S1 is listed twice.',
  ])
  const taken = await unreceive(
    id,
    { warehouseProductId: row, serials: ['S1'] },
    {
      warehouseProductId: row,
      quantity: 1,
    },
  )
  assert.equal(taken.status, 200, JSON.stringify(taken.body))
  assert.deepEqual(
    await database.db.rows(
      sql`select serial from warehouse_product_item where warehouse_product_id = ${row}`,
    ),
    [{ serial: 'S2' }],
  )
  await received(id, { receipts: [{ consignmentProductId: line, serials: ['S1'] }] })
})

test('a hold ends when all of its goods are taken back', async () => {
  const id = await announce([goods('APPLE', 2)])
  const [line] = await linesOf(id)
  const hold = { kind: 2, reason: 'Wet' }
  await received(id, { receipts: [{ consignmentProductId: line, quantity: 2, hold }] })
  const [row] = await rowsOf(id)
  await unreceive(id, { warehouseProductId: row })
  const { released } = await database.db.row<{ released: boolean }>(
    sql`select released_utc is not null as released from inventory_hold where consignment_product_id = ${line}`,
  )
  assert.equal(released, true)
})

test('each line takes back its own weight, though its goods share a row of stock with lighter ones', async () => {
  const id = await announce([goods('PEAR', 10, { batch: 'W' }), goods('PEAR', 10, { batch: 'W' })])
  const [light, heavy] = await linesOf(id)
  await received(id, {
    receipts: [
      { consignmentProductId: light, quantity: 10, weightKG: 10, volumeM3: 0.1 },
      { consignmentProductId: heavy, quantity: 10, weightKG: 35, volumeM3: 0.3 },
    ],
  })
  const [row = ''] = await rowsOf(id)
  const weights = async () =>
    database.db.rows<object>(sql`
      select received_quantity as quantity, received_weight_kg as weight, received_volume_m3 as volume
      from consignment_product where consignment_id = ${id} order by ordinal`)
  const take = async (quantity: number) => {
    const { status, body } = await unreceive(id, { warehouseProductId: row, quantity })
    assert.equal(status, 200, JSON.stringify(body))
  }
  await take(4)
  assert.deepEqual(await weights(), [
    { quantity: 10, weight: 10, volume: 0.1 },
    { quantity: 6, weight: 21, volume: 0.18 },
  ])
  await take(6)
  assert.equal((await world.row(row)).onHandWeightKG, 10)
  await take(10)
  assert.deepEqual(await weights(), [
    { quantity: 0, weight: 0, volume: 0 },
    { quantity: 0, weight: 0, volume: 0 },
  ])
})

test('a line takes back its own weight after other goods of the row left with the average', async () => {
  const id = await announce([goods('PEAR', 10, { batch: 'X' }), goods('PEAR', 10, { batch: 'X' })])
  const [light, heavy] = await linesOf(id)
  await received(id, {
    receipts: [
      { consignmentProductId: light, quantity: 10, weightKG: 10 },
      { consignmentProductId: heavy, quantity: 10, weightKG: 90 },
    ],
  })
  const [row = ''] = await rowsOf(id)
  const transfers = [{ warehouseProductId: row, quantity: 8, toLocationName: 'A-01' }]
  assert.equal((await admin.post('/v1/inventory/transfer', { transfers })).status, 200)
  const half = { warehouseProductId: row, quantity: 6 }
  assert.equal((await unreceive(id, half)).status, 200, 'six of the heavy line: 54 of the 60 kg')
  assert.equal((await world.row(row)).onHandWeightKG, 6)
  assert.equal((await unreceive(id, half)).status, 200, 'four of the heavy line, two of the light one')
  const lines = await database.db.rows<{ quantity: number; weight: number }>(sql`
    select received_quantity as quantity, received_weight_kg as weight
    from consignment_product where consignment_id = ${id} order by ordinal`)
  assert.deepEqual(lines, [
    { quantity: 8, weight: 8 },
    { quantity: 0, weight: 0 },
  ])
  assert.equal((await world.row(row)).onHandQuantity, 0)
})

test('a serial is taken back from the line that it was received for', async () => {
  const id = await announce([serialGoods('SCALE', ['L1', 'L2']), serialGoods('SCALE', ['L3', 'L4'])])
  await received(id, { all: true })
  const [row] = await rowsOf(id)
  const { status, body } = await unreceive(id, { warehouseProductId: row, serials: ['L1', 'L3', 'L2'] })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    body.consignmentProducts.map((line: { receivedQuantity: number }) => line.receivedQuantity),
    [0, 1],
  )
})

test('the receipt time is that of the earliest receipt of which goods are left', async () => {
  const id = await announce([goods('APPLE', 10, { batch: 'TIME' })])
  const [line] = await linesOf(id)
  const [earlier, later] = [2, 1].map(days => `${daysAgo(days).slice(0, 10)}T08:30:00`) as [string, string]
  const receiveAt = async (receivedDateTime: string) =>
    received(id, { receipts: [{ consignmentProductId: line, quantity: 5 }], receivedDateTime })
  await receiveAt(later)
  const early = await receiveAt(earlier)
  const time = async () => (await read(id)).actualReceiveDateTime
  assert.equal(await time(), `${earlier}Z`, 'recorded later, received earlier')
  const [earlyRow] = early.consignmentProducts[0].warehouseProductIds
  assert.equal((await unreceive(id, { warehouseProductId: earlyRow, quantity: 2 })).status, 200)
  assert.equal(await time(), `${earlier}Z`)
  assert.equal((await unreceive(id, { warehouseProductId: earlyRow })).status, 200)
  assert.equal(await time(), `${later}Z`)
})
