// Serials that become known after the goods were received.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { goods, openInwards } from '../support/given-inwards.ts'

const { admin, announce, database, linesOf, products, received, refusalMessages, stockOf } =
  await openInwards()
const recordSerials = (id: string, ...serials: object[]) =>
  admin.post(`/v1/consignments/${id}/receive/serials`, { serials })
const serialsOf = async (id: string) =>
  (
    await database.db.rows<{ serial: string }>(sql`
      select i.serial from warehouse_product_item i where i.warehouse_product_id in (
        select warehouse_product_id from inventory_transaction where consignment_id = ${id}) order by 1`)
  ).map(({ serial }) => serial)

test('goods that were received without serials get them, and nothing else changes', async () => {
  const id = await announce([goods('SCALE', 3, { batch: 'A' }), goods('SCALE', 2, { batch: 'B' })])
  await received(id, { all: true })
  const before = await stockOf(id)
  const [a, b] = await linesOf(id)
  const answer = await recordSerials(
    id,
    { consignmentProductId: a, serials: ['S1', 'S2'] },
    { consignmentProductId: b, serials: ['S3'] },
  )
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(
    answer.body.consignmentProducts.map((line: { serialCount: number }) => line.serialCount),
    [2, 1],
  )
  assert.deepEqual(await serialsOf(id), ['S1', 'S2', 'S3'])
  assert.deepEqual(await stockOf(id), before)
  assert.deepEqual(
    await refusalMessages(
      recordSerials(
        id,
        { consignmentProductId: a, serials: ['S3', 'S4', 'S4'] },
        { consignmentProductId: b, warehouseProductId: before[1]?.id, serials: ['S5', 'S6'] },
      ),
    ),
    [
      'serials[0]: the serial S4 of SCALE is listed twice.',
      'serials[0]: the serial S3 of SCALE is in stock already, in RECEIVE.',
      'serials[0]: only 1 that the line received lack a serial, not 3.',
      'serials[1]: only 1 that the line received lack a serial, not 2.',
    ],
  )
  assert.deepEqual(
    await refusalMessages(
      recordSerials(
        id,
        { consignmentProductId: a, serials: ['S5'] },
        { consignmentProductId: b, warehouseProductId: before[0]?.id, serials: ['S6'] },
      ),
    ),
    ['serials[1]: only 0 of SCALE lack a serial, not 1.'],
  )
})

test('a line takes no more serials than it received, so that each line can become Complete', async () => {
  const id = await announce([goods('SCALE', 3), goods('SCALE', 2)])
  await received(id, { all: true })
  const [a, b] = await linesOf(id)
  const entry = (line: string | undefined, ...serials: string[]) => ({ consignmentProductId: line, serials })
  assert.deepEqual(await refusalMessages(recordSerials(id, entry(a, 'L1', 'L2', 'L3', 'L4'))), [
    'serials[0]: only 3 that the line received lack a serial, not 4.',
  ])
  assert.deepEqual(await refusalMessages(recordSerials(id, entry(a, 'L1', 'L2'), entry(a, 'L3', 'L4'))), [
    'serials[1]: only 1 that the line received lack a serial, not 2.',
  ])
  assert.equal((await recordSerials(id, entry(a, 'L1', 'L2'), entry(a, 'L3'))).status, 200)
  assert.deepEqual(await refusalMessages(recordSerials(id, entry(a, 'L4'))), [
    'serials[0]: only 0 that the line received lack a serial, not 1.',
  ])
  assert.equal((await recordSerials(id, entry(b, 'L4', 'L5'))).status, 200)
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status: 0 })).status, 200)
})

test('serials can be recorded for goods that are selected by description', async () => {
  const id = await announce([goods('SCALE', 2, { batch: 'C' }), goods('SCALE', 2, { batch: 'D' })])
  await received(id, { all: true })
  const [c] = await linesOf(id)
  const stock = { partnerProductId: products.SCALE, batch: 'D' }
  const entry = { consignmentProductId: c, stock, serials: ['D1'] }
  const answer = await recordSerials(id, entry)
  const [, d] = await stockOf(id)
  assert.deepEqual(answer.body.consignmentProducts[0]?.warehouseProductIds, [d?.id])
  assert.deepEqual(await refusalMessages(recordSerials(id, { ...entry, stock: { ...stock, batch: 'E' } })), [
    'serials[0]: nothing on hand is like the stock that is described.',
  ])
})

test('goods that take no serials, or take them at picking, get none', async () => {
  const id = await announce([goods('APPLE', 1), goods('RADIO', 1)])
  await received(id, { all: true })
  const [apple, radio] = await linesOf(id)
  assert.deepEqual(
    await refusalMessages(
      recordSerials(
        id,
        { consignmentProductId: apple, serials: ['S1'] },
        { consignmentProductId: radio, serials: ['S1'] },
        { consignmentProductId: id, serials: ['S1'] },
      ),
    ),
    [
      'serials[0]: APPLE has no serials.',
      'serials[1]: serials of RADIO are scanned when it is picked.',
      `serials[2]: the consignment has no line ${id}.`,
    ],
  )
})

test('late serials follow goods that were moved, and never go to goods of another batch', async () => {
  const id = await announce([goods('SCALE', 3, { batch: 'B7' }), goods('SCALE', 3, { batch: 'B9' })])
  await received(id, { all: true })
  const [b7, b9] = (await stockOf(id)).map(row => row.id as string)
  const [line] = await linesOf(id)
  const move = (warehouseProductId: unknown, toLocationName: string) =>
    admin.post('/v1/inventory/transfer', { transfers: [{ warehouseProductId, toLocationName }] })
  const moved = (await move(b7, 'A-01')).body.transfers[0].warehouseProductIds[0]
  const first = await recordSerials(id, { consignmentProductId: line, serials: ['F1', 'F2'] })
  assert.deepEqual(first.body.consignmentProducts, [
    { consignmentProductId: line, serialCount: 2, warehouseProductIds: [moved] },
  ])
  const redescribed = await admin.post('/v1/inventory/adjust-attributes', {
    reason: 'Read again',
    adjustments: [{ warehouseProductId: moved, batch: 'B8' }],
  })
  assert.equal(redescribed.status, 200, JSON.stringify(redescribed.body))
  const [{ warehouseProductId }] = redescribed.body.adjustments
  const last = { consignmentProductId: line, serials: ['F3'] }
  assert.deepEqual(await refusalMessages(recordSerials(id, last)), [
    'serials[0]: 1 of SCALE of this line are no longer where they were received: ' +
      'name their row of stock, by warehouseProductId or stock.',
  ])
  const named = await recordSerials(id, { ...last, warehouseProductId })
  assert.deepEqual(named.body.consignmentProducts, [
    { consignmentProductId: line, serialCount: 3, warehouseProductIds: [warehouseProductId] },
  ])
  assert.notEqual(warehouseProductId, b9)
})

test('a serial on goods of another batch, once named, does not draw the next ones there', async () => {
  const id = await announce([goods('SCALE', 2, { batch: 'G1' }), goods('SCALE', 2, { batch: 'G2' })])
  await received(id, { all: true })
  const [g1, g2] = (await stockOf(id)).map(row => row.id as string)
  const [, line] = await linesOf(id)
  const named = { consignmentProductId: line, warehouseProductId: g1, serials: ['G-1'] }
  assert.equal((await recordSerials(id, named)).status, 200)
  const next = await recordSerials(id, { consignmentProductId: line, serials: ['G-2'] })
  assert.deepEqual(next.body.consignmentProducts[0].warehouseProductIds, [g2])
})
