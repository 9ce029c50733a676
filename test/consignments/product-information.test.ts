// What came or left with the lines of a consignment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/new-id.ts'
import { ssccCheckDigit } from '../../src/stock/logistic-units/sscc.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { goods, openInwards, serialGoods } from '../support/given-inwards.ts'
import { of } from '../support/given-stock.ts'

const world = await openInwards()
const { admin, as, announce, linesOf, received, clientId, carrierId } = world

const informationOf = async (id: string, by = admin) => {
  const { status, body } = await by.get(`/v1/consignments/${id}/product-information`)
  return status === 200 ? body.consignmentProducts : status
}

test('each line tells its receipts with batch, dates, unit and serials, and what was taken back', async () => {
  const first17 = '09421000000000017'
  const ssccNumber = first17 + ssccCheckDigit(first17)
  const id = await announce([
    goods('APPLE', 10, { batch: 'B7', expiryDate: '2028-05-01', logisticUnitSsccNumber: ssccNumber }),
    serialGoods('SCALE', ['S2', 'S1']),
  ])
  const [apples, scales] = await linesOf(id)
  const { movementId } = await received(id, { all: true, locationName: 'A-02' })
  const [appleLine, scaleLine] = await informationOf(id)
  const [receipt] = appleLine.transactions
  assert.deepEqual(
    [appleLine.id, receipt.movementId, receipt.inventoryReceiptId, receipt.transactionType, receipt.quantity],
    [apples, movementId, movementId, TransactionType.Receive, 10],
  )
  assert.deepEqual(
    [receipt.batch, receipt.expiryDate, receipt.ssccNumber, receipt.warehouseLocationName, receipt.serials],
    ['B7', '2028-05-01', ssccNumber, 'A-02', []],
  )
  assert.match(receipt.logisticUnitNumber, /^LU-/)
  assert.deepEqual([scaleLine.id, scaleLine.transactions[0].serials], [scales, ['S1', 'S2']])
  const answer = await admin.post(`/v1/consignments/${id}/unreceive`, {
    unreceipts: [{ warehouseProductId: receipt.warehouseProductId, quantity: 4 }],
    reason: 'Counted wrong',
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const [after] = await informationOf(id)
  assert.deepEqual(
    after.transactions.map(({ quantity, reason }: Record<string, unknown>) => [quantity, reason]),
    [
      [10, null],
      [-4, 'Counted wrong'],
    ],
  )
  assert.equal(after.conversions[0].quantity, 6)
})

test('a line tells the product that left, in its own units, and the client alone may read it', async () => {
  const unitTypeId = await world.made('/v1/unit-types', { name: 'Carton' })
  const code = 'BOXED'
  const boxed = await world.product(code, {
    unitConversions: [
      { inputMetricType: 3, inputUnitTypeId: unitTypeId, outputMetricType: 1, conversionRate: 12 },
    ],
  })
  Object.assign(world.products, { BOXED: boxed })
  const id = await announce([goods(code, 30)], { consignmentType: 2 }, null)
  const [line = ''] = await linesOf(id)
  assert.deepEqual(await informationOf(id), [{ id: line, transactions: [], conversions: [] }])
  const from = await world.stored(30, { productId: boxed, batch: 'K1' }, { weightKG: 15 })
  await world.posted([
    {
      ...{ movementId: newId(), type: TransactionType.Dispatch, from, to: null, quantity: of(30) },
      ...{ consignmentId: id, consignmentProductId: line },
    },
  ])
  const [{ transactions, conversions }] = await informationOf(id)
  const [left] = transactions
  assert.deepEqual(
    [left.partnerProductCode, left.batch, left.quantity, left.weightKG, left.inventoryReceiptId],
    [code, 'K1', -30, -15, null],
  )
  assert.deepEqual(conversions, [
    {
      ...{ partnerProductId: boxed, partnerProductCode: code, quantity: 30 },
      metrics: [
        { metricType: 3, unitTypeId, unitTypeName: 'Carton', quantity: 2.5 },
        { metricType: 1, unitTypeId: null, unitTypeName: null, quantity: 30 },
      ],
    },
  ])
  assert.equal((await informationOf(id, as(admin, { partnerId: clientId })))[0].id, line)
  assert.equal(await informationOf(id, as(admin, { partnerId: carrierId })), 403)
})
