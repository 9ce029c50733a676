// Lines that goods came in or are reserved for no longer change.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { openInwards } from '../support/given-inwards.ts'
import type { ApiResponse } from '../support/harness.ts'

const world = await openInwards()
const { admin, announce, linesOf, received, move } = world
const { Pending, ReadyToReceive } = ConsignmentStatus

const line = (quantity: number, productCode = 'APPLE') => ({ productCode, items: [{ quantity }] })

/** What each act on the lines of a consignment is refused with. */
async function refusals(id: string, lineId: string): Promise<string[]> {
  const url = `/v1/consignments/${id}/products`
  const answers: ApiResponse[] = [
    await admin.post(url, { products: [line(1)] }),
    await admin.put(`${url}/${lineId}`, line(1, 'PEAR')),
    await admin.delete(`${url}/${lineId}`),
  ]
  return answers.map(({ status, body, details }) =>
    status === 400 ? `${details?.[0]?.code}: ${body.ErrorMessages[0]}` : String(status),
  )
}

test('lines that were received stay as they are; once unreceived they can be corrected, but not removed', async () => {
  const id = await announce([line(5), line(2, 'PEAR')])
  const [first, second] = (await linesOf(id)) as [string, string]
  const receipt = await received(id, { receipts: [{ consignmentProductId: first, quantity: 2 }] })
  for (const refusal of await refusals(id, first))
    assert.match(refusal, /^state: Consignment .* is Ready to receive/)
  assert.equal((await move(id, Pending)).status, 400, 'what was received has to be taken back first')
  const [warehouseProductId] = receipt.consignmentProducts[0].warehouseProductIds
  const undone = await admin.post(`/v1/consignments/${id}/unreceive`, {
    unreceipts: [{ warehouseProductId, quantity: 2 }],
    reason: 'Wrong truck',
  })
  assert.equal(undone.status, 200, JSON.stringify(undone.body))
  assert.equal((await move(id, Pending)).status, 200)
  const named =
    'state: Goods were received, allocated or dispatched for this line before, and the ledger names it;'
  assert.deepEqual(await refusals(id, first), [
    '200',
    `${named} it cannot become another product.`,
    `${named} it cannot be removed.`,
  ])
  const corrected = await admin.put(`/v1/consignments/${id}/products/${first}`, line(7))
  assert.equal(corrected.status, 200, JSON.stringify(corrected.body))
  assert.equal((await admin.delete(`/v1/consignments/${id}/products/${second}`)).status, 200)
  assert.equal((await move(id, ReadyToReceive)).status, 200)
})
