// Returns of dispatched goods.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import { of } from '../support/given-stock.ts'

const { admin, announce, linesOf, received, refusalMessages, stockOf, read, move, ...world } =
  await openInwards()

/** An outwards consignment that dispatched 10 apples of batch B7 and the scales S1 and S2. */
async function dispatchedConsignment(...serials: [string, string]) {
  const id = await announce(
    [goods('APPLE', 10), goods('SCALE', 2)],
    { consignmentType: 2, referenceNumber: 'SO-7' },
    null,
  )
  const [apples = '', scales = ''] = await linesOf(id)
  const from = await world.stored(10, { batch: 'B7', expiryDate: '2028-05-01' }, { weightKG: 5, volumeM3: 1 })
  const scale = await world.stored(
    2,
    { productId: world.products.SCALE },
    { newSerials: serials.map(serial => ({ serial })) },
  )
  const leave = { movementId: newId(), type: TransactionType.Dispatch, to: null, consignmentId: id }
  await world.posted([
    { ...leave, from, quantity: of(10), consignmentProductId: apples },
    { ...leave, from: scale, quantity: of(2), items: await itemsOf(scale), consignmentProductId: scales },
  ])
  return { id, apples, scales }
}
const itemsOf = async (row: string) =>
  (
    await world.database.db.rows<{ id: string }>(
      sql`select id from warehouse_product_item where warehouse_product_id = ${row}`,
    )
  ).map(({ id }) => id)
const createReturn = (id: string, lines: object[], more: object = {}) =>
  admin.post(`/v1/consignments/${id}/returns`, { lines, ...more })

test('returned goods keep their description, and are received on a consignment of their own into a hold', async () => {
  const { id, apples, scales } = await dispatchedConsignment('S1', 'S2')
  const answer = await createReturn(
    id,
    [
      { consignmentProductId: apples, quantity: 4 },
      { consignmentProductId: scales, quantity: 1, serials: ['S2'] },
    ],
    { reason: 'Too late' },
  )
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const back = answer.body.consignmentId
  assert.equal(answer.headers.location, `/v1/consignments/${back}`)
  const detail = await read(back)
  assert.deepEqual([detail.type, detail.status, detail.referenceNumber], [1, 1, 'SO-7'])
  assert.deepEqual(
    detail.notes.map(({ note }: { note: string }) => note),
    ['Too late'],
  )
  const [line] = detail.products
  assert.deepEqual(
    [line.batch, line.expiryDate, line.expectedQuantity, line.expectedWeightKG, line.expectedVolumeM3],
    ['B7', '2028-05-01T00:00:00Z', 4, 2, 0.4],
  )
  await move(back, 4)
  await received(back, { receipts: [{ consignmentProductId: line.id, quantity: 1, hold: null }] })
  await received(back, { receipts: [{ consignmentProductId: line.id, quantity: 1 }] })
  await received(back, { all: true })
  const reason = `Return of ${(await read(id)).consignmentNumber}`
  assert.deepEqual(
    (await stockOf(back)).map(({ code, quantity, hold, reason: why }) => [code, quantity, hold, why]),
    [
      ['APPLE', 1, 3, reason],
      ['APPLE', 2, 3, reason],
      ['APPLE', 1, null, null],
      ['SCALE', 1, 3, reason],
    ],
  )
})

test('no more can be returned than was dispatched, and only the dispatched serials', async () => {
  const { id, apples, scales } = await dispatchedConsignment('T1', 'T2')
  assert.equal((await createReturn(id, [{ consignmentProductId: apples, quantity: 7 }])).status, 201)
  assert.deepEqual(
    await refusalMessages(
      createReturn(id, [
        { consignmentProductId: apples, quantity: 4 },
        { consignmentProductId: scales, quantity: 2, serials: ['T1', 'T1'] },
        { consignmentProductId: scales, quantity: 1, serials: ['T2'] },
        { consignmentProductId: scales, quantity: 1, serials: ['S1'] },
        { consignmentProductId: id, quantity: 1 },
      ]),
    ),
    [
      'lines[0]: only 3 of 10 of APPLE that were dispatched have not come back.',
      'lines[2]: only 0 of 2 of SCALE that were dispatched have not come back.',
      'lines[3]: only 0 of 2 of SCALE that were dispatched have not come back.',
      `lines[4]: the consignment has no line ${id}.`,
      'lines[1]: the serial T1 is named twice.',
      'lines[3]: the serial S1 did not leave with this line, or is back already.',
    ],
  )
  const voided = (await createReturn(id, [{ consignmentProductId: apples, quantity: 3 }])).body.consignmentId
  await admin.put(`/v1/consignments/${voided}/void`)
  assert.equal((await createReturn(id, [{ consignmentProductId: apples, quantity: 3 }])).status, 201)
})

test('only goods of an outwards consignment can be returned', async () => {
  const id = await announce([goods('APPLE', 1)])
  const [line] = await linesOf(id)
  assert.match(
    String(await refusalMessages(createReturn(id, [{ consignmentProductId: line, quantity: 1 }]))),
    /is not Outwards: nothing of it can come back\.$/,
  )
})
