import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAllocation } from '../../../support/given-allocation.ts'
import { goods, openInwards } from '../../../support/given-inwards.ts'
import { barcodesIn, picturesOf, textOf } from '../../../support/pdf.ts'

const inwards = await openInwards()
const outwards = await openAllocation()

const receiptOf = async (id: string) => {
  const { status, bytes } = await inwards.admin.get(`/v1/consignments/${id}/receipt-confirmation-pdf`)
  assert.equal(status, 200, bytes.toString())
  return textOf(bytes)
}

test('until something is received, the receipt confirmation is a receiving sheet', async () => {
  const id = await inwards.announce([goods('APPLE', 40, { batch: 'L1' }), goods('PEAR', 5)])
  const text = await receiptOf(id)
  assert.match(text, /Receiving sheet/)
  assert.match(text, /Product Expected Received Batch Date code Location/)
  assert.match(text, /APPLE 40/)
  assert.match(text, /Batch L1/)
  assert.match(text, /Received by Driver/)
})

test('the receipt confirmation shows received, over and short quantities, locations and holds', async () => {
  const id = await inwards.announce([
    goods('APPLE', 10),
    goods('PEAR', 5),
    goods('APPLE', 3, { batch: 'B2' }),
  ])
  const [apple, pear] = await inwards.linesOf(id)
  await inwards.received(id, {
    receipts: [
      { consignmentProductId: apple, quantity: 7, warehouseLocationId: inwards.locations.A1 },
      {
        consignmentProductId: apple,
        quantity: 5,
        warehouseLocationId: inwards.locations.A2,
        batch: 'L9',
        expiryDate: '2027-03-01',
      },
      {
        consignmentProductId: pear,
        quantity: 2,
        warehouseLocationId: inwards.locations.B1,
        hold: { kind: 2, reason: 'Wet' },
      },
    ],
  })
  const text = await receiptOf(id)
  assert.match(text, /Receipt confirmation/)
  assert.match(text, /APPLE 10 12 2/)
  assert.match(text, /7 in A-01/)
  assert.match(text, /5 in A-02 · Batch L9 · Expiry 1 Mar 2027/)
  assert.match(text, /PEAR 5 2 3/)
  assert.match(text, /held: Wet/)
})

test('confirmations are refused for the wrong type or status of consignment', async () => {
  const { admin, ready } = outwards
  const id = await ready([{ quantity: 1 }])
  const refusal = async (path: string) => {
    const { status, body } = await admin.get(`/v1/consignments/${id}/${path}`)
    assert.equal(status, 400)
    return body.ErrorMessages[0]
  }
  assert.match(await refusal('receipt-confirmation-pdf'), /is not Inwards/)
  assert.match(await refusal('dispatch-confirmation-pdf'), /has not left yet/)
})

test('the dispatch confirmation shows what was dispatched by batch and unit, and what was short', async () => {
  const { admin, stored, ready, allocated, fresh, unit, locations, products } = outwards
  const a = await fresh({ weightKG: 2 })
  const unitId = await unit('PAL-7')
  await stored(4, {
    productId: a.productId,
    batch: 'L1',
    logisticUnitId: unitId,
    warehouseLocationId: locations.A1,
  })
  await stored(2, { productId: a.productId, batch: 'L2' })
  const id = await ready([
    { ...a, quantity: 9 },
    { productId: products.PEAR, productCode: 'PEAR', quantity: 1 },
  ])
  await allocated(id)
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status: 7 })).status, 200)
  const { status, bytes } = await admin.get(`/v1/consignments/${id}/dispatch-confirmation-pdf`)
  assert.equal(status, 200, bytes.toString())
  const text = await textOf(bytes)
  assert.match(text, /Dispatch confirmation/)
  assert.match(text, new RegExp(`${a.productCode} L1 .*4`))
  assert.match(text, new RegExp(`${a.productCode} L2 2`))
  assert.match(text, /Total 6/)
  assert.match(text, new RegExp(`${a.productCode} 9 6 3`))
  assert.match(text, /PEAR 1 0 1/)
  assert.match(text, /Driver Storeperson/)
})

test('the dispatch confirmation names the warehouse, counts pallets and has room for what the driver finds short', async () => {
  const { admin, stored, ready, allocated, fresh, unit } = outwards
  const a = await fresh({ weightKG: 2 })
  const sscc = '394212340000001236'
  const unitId = await unit('PAL-8')
  assert.equal((await admin.put(`/v1/logistic-units/${unitId}`, { ssccNumber: sscc })).status, 200)
  await stored(4, { productId: a.productId, logisticUnitId: unitId })
  const id = await ready([{ ...a, quantity: 4 }])
  await allocated(id)
  const path = `/v1/consignments/${id}/dispatch-confirmation-pdf`
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status: 7 })).status, 200)
  const { bytes } = await admin.get(path)
  const text = await textOf(bytes)
  assert.match(text, /Warehouse/)
  assert.match(text, /Auckland/)
  assert.match(text, /Pallets/)
  assert.match(text, /Quantity Noted short/)
  const { bytes: withCodes } = await admin.get(`${path}?WithCodes=true`)
  const [first] = await picturesOf(withCodes, 200)
  const codes = await barcodesIn(first as NonNullable<typeof first>)
  assert.ok(codes.includes(a.productCode) && codes.includes(sscc), codes.join(', '))
})
