// What the history of a consignment says of stock that is allocated to it and released.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAllocation } from '../support/given-allocation.ts'

const { admin, stored, ready, fresh } = await openAllocation()

interface Entry {
  changes: { from: Record<string, unknown>; to: Record<string, unknown> }[] | null
}

/** How much each change of a consignment's lines left allocated, from how much, the earliest first. */
async function allocatedBefore(id: string): Promise<unknown[]> {
  const { history } = (await admin.get(`/v1/consignments/${id}/history`)).body
  return (history as Entry[])
    .toReversed()
    .flatMap(({ changes }) => changes ?? [])
    .filter(({ to }) => 'allocatedQuantity' in to)
    .map(({ from, to }) => [from.allocatedQuantity, to.allocatedQuantity])
}

const post = async (path: string, body?: object) => {
  const { status, body: answer } = await admin.post(path, body)
  assert.equal(status, 200, JSON.stringify(answer))
}

test('the history says from how much to how much each line was allocated stock and lost it again', async () => {
  const of = await fresh()
  const warehouseProductId = await stored(8, of)
  const id = await ready([{ ...of, quantity: 5 }])
  const path = `/v1/consignments/${id}`
  await post(`${path}/allocate`)
  await post(`${path}/release`)
  await post('/v1/inventory/allocate', { consignmentIds: [id] })
  const [{ id: consignmentProductId }] = (await admin.get(path)).body.products
  const part = { consignmentProductId, quantity: 2 }
  await post(`${path}/release`, { lines: [part] })
  const stock = [{ warehouseProductId, quantity: 4 }]
  await post(`${path}/allocate`, { lines: [{ consignmentProductId, stock, isReplacement: true }] })
  assert.deepEqual(await allocatedBefore(id), [
    [0, 5],
    [5, 0],
    [0, 5],
    [5, 3],
    [3, 5],
  ])
})
