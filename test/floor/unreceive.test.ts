// Taking back goods that were received by mistake.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
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
      'unreceipts[0]: 2 of SCALE need 1 serials, not 0.',
      'unreceipts[1]: the serial S7 of SCALE is not in this stock in RECEIVE.',
    ],
  )
  assert.deepEqual(await refusalMessages(unreceive(id, { warehouseProductId: row, serials: ['S1', 'S1'] })), [
    'unreceipts[0]: the serial S1 is given twice.',
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
