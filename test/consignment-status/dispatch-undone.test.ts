// What a consignment tells and permits when its goods did not leave, or not any more.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { openAllocation } from '../support/given-allocation.ts'

const { admin, database, ready, allocated, stored, fresh } = await openAllocation()
const { ReadyToDispatch, Complete, Void } = ConsignmentStatus

const move = async (id: string, status: number) => {
  const { status: code, body } = await admin.put(`/v1/consignments/${id}/status`, { status })
  return code === 200 ? 200 : body.ErrorMessages
}
/** The metrics before and after, in each event 105 of a consignment. */
const metricsEvents = async (id: string) =>
  (
    await database.db.rows<{ changes: { from: object; to: object }[] }>(
      sql`select changes from event where subject_id = ${id} and type = 105 order by id`,
    )
  ).map(({ changes: [change] }) => [change?.from, change?.to])

test('when a dispatched consignment goes back from Complete, its metrics were what had left', async () => {
  const of = await fresh()
  await stored(4, of)
  const id = await ready([{ ...of, quantity: 10 }])
  await allocated(id)
  assert.equal(await move(id, Complete), 200)
  const figures = (quantity: number) => ({ quantity, weightKG: 0, volumeM3: 0 })
  assert.deepEqual(await metricsEvents(id), [[figures(10), figures(4)]])
  assert.equal(await move(id, ReadyToDispatch), 200)
  assert.deepEqual((await metricsEvents(id)).at(-1), [figures(4), figures(10)])
})

test('a Complete consignment can be voided if nothing of it left, and only then', async () => {
  const of = await fresh()
  const empty = await ready([{ ...of, quantity: 3 }])
  assert.equal(await move(empty, Complete), 200)
  const path = (id: string) => `/v1/consignments/${id}/void`
  assert.equal((await admin.put(path(empty))).status, 200)
  const { body: detail } = await admin.get(`/v1/consignments/${empty}`)
  assert.deepEqual([detail.status, detail.actualDispatchDateTime], [Void, null])

  await stored(3, of)
  const sent = await ready([{ ...of, quantity: 3 }])
  await allocated(sent)
  assert.equal(await move(sent, Complete), 200)
  const { status, body } = await admin.put(path(sent))
  assert.deepEqual(
    [status, body.ErrorMessages],
    [400, ['The consignment cannot be Void: goods of it were dispatched.']],
  )
})
