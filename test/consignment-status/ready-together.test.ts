// Consignments that become ReadyToPick at the same time. Decision 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { openAllocation } from '../support/given-allocation.ts'

const { admin, database, stored, fresh, readyAll, ready, allocationsOf, events, row } = await openAllocation()
const { Draft, Pending, ReadyToPick } = ConsignmentStatus

const makeReady = (id: string) => admin.put(`/v1/consignments/${id}/status`, { status: ReadyToPick })

test('moves to ReadyToPick that arrive together share transactions, and what is short stays short', async () => {
  const of = await fresh()
  const stock = await stored(20, of)
  const lines = [{ ...of, quantity: 1 }]
  const ids = await readyAll(
    Array.from({ length: 24 }, (_, n) => ({ lines, facts: { status: n % 2 ? Pending : Draft } })),
  )
  const answers = await Promise.all(ids.map(makeReady))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await row(stock)).allocatedQuantity, 20)
  const moved = await database.db.rows<{ status: number; n: number }>(sql`
    select status, dense_rank() over (order by xmin::text)::integer as n from consignment
    where id = any(${ids})`)
  assert.deepEqual(new Set(moved.map(({ status }) => status)), new Set([ReadyToPick]))
  assert.ok(Math.max(...moved.map(({ n }) => n)) < 12, 'they did not share transactions')
  for (const id of ids) {
    const isServed = (await allocationsOf(id)).length > 0
    assert.deepEqual(await events(id), isServed ? [108, 112] : [112])
  }
  const told = await database.db.rows<{ requestId: string; status: number }>(sql`
    select request_id, (data ->> 'status')::integer as status from event
    where subject_id = any(${ids}) and type in (108, 112)`)
  assert.deepEqual(new Set(told.map(({ status }) => status)), new Set([ReadyToPick]))
  assert.deepEqual(
    [...new Set(told.map(({ requestId }) => requestId))].toSorted(),
    answers.map(({ headers }) => headers['x-request-id']).toSorted(),
  )
})

test('a move that is refused, repeated or of nothing does not keep the others from theirs', async () => {
  const of = await fresh()
  await stored(9, of)
  const lines = [{ ...of, quantity: 3 }]
  const [first, second] = [await ready(lines, { status: Pending }), await ready(lines, { status: Pending })]
  const there = await ready(lines)
  const gone = await ready(lines, { status: Pending })
  assert.equal((await admin.put(`/v1/consignments/${gone}/void`, {})).status, 200)
  const answers = await Promise.all([first, first, there, gone, newId(), second].map(makeReady))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 304, 304, 400, 404, 200],
  )
  for (const id of [first, second]) assert.equal((await allocationsOf(id)).length, 1)
  assert.deepEqual(await allocationsOf(there), [])
})
