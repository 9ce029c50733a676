// Allocating stock to consignments. Open-points 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAllocation } from '../support/given-allocation.ts'

const { admin, stored, ready, allocated, promised, events, row, product } = await openAllocation()

let n = 0
/** A product of its own for a test, so that tests do not take each other's stock. */
const fresh = async (more: object = {}) => {
  const code = `P${n++}`
  return { productId: await product(code, more), productCode: code }
}

test('a line gets what it wants, and what there is not stays short', async () => {
  const of = await fresh()
  const stock = await stored(8, of)
  const id = await ready([
    { ...of, quantity: 5 },
    { ...of, quantity: 5 },
  ])
  const lines = await allocated(id)
  assert.deepEqual(
    lines.map(({ allocated, short }) => [allocated, short]),
    [
      [5, 0],
      [3, 2],
    ],
  )
  assert.deepEqual(await promised(id), [
    { stock, quantity: 5 },
    { stock, quantity: 3 },
  ])
  assert.equal((await row(stock)).availableQuantity, 0)
  assert.deepEqual(await events(id), [108])
  // Again: nothing is left, nobody is told.
  const answer = await admin.post(`/v1/consignments/${id}/allocate`)
  assert.equal(answer.body.movementId, null)
  assert.deepEqual(await events(id), [108])
})

test('what is released is free again', async () => {
  const of = await fresh()
  const stock = await stored(8, of)
  const id = await ready([
    { ...of, quantity: 5 },
    { ...of, quantity: 2 },
  ])
  const [first] = await allocated(id)
  const release = (body?: object) => admin.post(`/v1/consignments/${id}/release`, body)
  const part = await release({
    lines: [{ consignmentProductId: first?.consignmentProductId, quantity: 1.5 }],
  })
  assert.deepEqual(
    part.body.lines.map((line: { allocated: number; short: number }) => [line.allocated, line.short]),
    [
      [3.5, 1.5],
      [2, 0],
    ],
  )
  const all = await release()
  assert.deepEqual(
    all.body.lines.map((line: { allocated: number }) => line.allocated),
    [0, 0],
  )
  assert.equal((await row(stock)).availableQuantity, 8)
  assert.deepEqual(await events(id), [108, 108, 108])
  const refused = await release({ lines: [{ consignmentProductId: first?.consignmentProductId }] })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.ErrorMessages, ['lines[0]: nothing is allocated there that is not picked.'])
})
