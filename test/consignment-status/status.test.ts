import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { openImports } from '../support/given-imports.ts'
import { untilServed } from '../support/until-served.ts'

const { world, imported } = await openImports()
const { admin, as, database } = world
const { Void, Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Closed } = ConsignmentStatus

const move = (id: string, status: number, more: object = {}) =>
  admin.put(`/v1/consignments/${id}/status`, { status, ...more })
const read = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body
/** The events of status changes, oldest first. */
const statusEvents = (id: string) =>
  database.db.rows<{ data: Record<string, unknown>; changes: { field: string }[] }>(
    sql`select data, changes from event where subject_id = ${id} and type = 112 order by created_utc, id`,
  )

test('a consignment moves along its path, and every move raises an event with the previous status', async () => {
  const id = await imported({ consignmentType: 2 })
  for (const status of [ReadyToPick, ReadyToDispatch, Pending, Draft, ReadyToPick])
    assert.equal((await move(id, status)).status, 200)
  assert.equal((await move(id, ReadyToPick)).status, 304)
  const events = await statusEvents(id)
  assert.deepEqual(
    events.map(({ data }) => [data.previousStatus, data.status]),
    [
      [Pending, ReadyToPick],
      [ReadyToPick, ReadyToDispatch],
      [ReadyToDispatch, Pending],
      [Pending, Draft],
      [Draft, ReadyToPick],
    ],
  )
  assert.deepEqual(events[0]?.changes, [{ field: 'status', from: Pending, to: ReadyToPick }])
  assert.equal(events[0]?.data.consignmentNumber, (await read(id)).consignmentNumber)
})

test('a move outside the path is refused, and nothing changes', async () => {
  const id = await imported({ consignmentType: 1 })
  const { status, body } = await move(id, InTransit)
  assert.equal(status, 400)
  assert.deepEqual(body, {
    ErrorType: 'Verification Failed',
    ErrorMessages: ['A consignment of the type Inwards cannot become In transit.'],
  })
  assert.equal((await move(id, -1)).body.ErrorType, 'Validation Failed', 'Open is only a filter')
  assert.deepEqual(await statusEvents(id), [])
})

test('InTransit records when the goods left, in wall-clock time of the warehouse', async () => {
  const id = await imported({ consignmentType: 2 })
  await move(id, InTransit, { inTransitDispatchDateTime: '2026-07-01T08:00:00+10:00' })
  assert.equal((await read(id)).actualDispatchDateTime, '2026-07-01T10:00:00Z')
  await move(id, ReadyToDispatch)
  assert.equal((await read(id)).actualDispatchDateTime, null, 'goods that are moved back have not left')
  await move(id, Complete)
  assert.notEqual(
    (await read(id)).actualDispatchDateTime,
    null,
    'InTransit was skipped; they left all the same',
  )
})

test('a Closed consignment keeps its date, and cannot change until it is reopened', async () => {
  const id = await imported()
  assert.equal((await move(id, Closed)).status, 400)
  await move(id, Complete)
  assert.equal((await move(id, Closed, { closedTransactionDate: '2026-02-28' })).status, 200)
  assert.equal((await read(id)).closedTransactionDate, '2026-02-28')
  assert.equal((await move(id, Complete)).status, 400)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 400)
  for (const [part, body] of [
    ['general', { referenceNumber: 'new' }],
    ['route', { carrierReference: 'new' }],
    ['container', { containerNumber: 'new' }],
    ['priority', { priority: 4 }],
  ] as const) {
    const { status, body: answer } = await admin.put(`/v1/consignments/${id}/${part}`, body)
    assert.equal(status, 400, part)
    assert.match(answer.ErrorMessages[0], /is Closed; it cannot change until it is reopened\.$/)
  }
  assert.equal((await admin.put(`/v1/consignments/${id}/reopen`, { reason: 'Wrong freight' })).status, 200)
  const { status, closedTransactionDate } = await read(id)
  assert.deepEqual([status, closedTransactionDate], [Complete, null])
  assert.deepEqual((await statusEvents(id)).at(-1)?.changes, [
    { field: 'status', from: Closed, to: Complete },
    { field: 'closedTransactionDate', from: '2026-02-28', to: null },
    { field: 'reason', from: null, to: 'Wrong freight' },
  ])
  assert.equal((await admin.put(`/v1/consignments/${id}/reopen`)).status, 304)
})

test('a consignment can be voided once, and only a Closed one can be reopened', async () => {
  const id = await imported()
  assert.equal((await admin.put(`/v1/consignments/${id}/reopen`)).status, 400)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`, { reason: 'Entered twice' })).status, 200)
  assert.equal((await read(id)).status, Void)
  assert.equal((await admin.put(`/v1/consignments/${id}/void`)).status, 304)
  assert.equal((await move(id, Pending)).status, 400)
  assert.equal((await statusEvents(id)).length, 1)
})

test('of 20 parallel moves to one status, one takes effect and raises an event', async () => {
  const id = await imported({ consignmentType: 2 })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => untilServed(() => move(id, ReadyToPick))),
  )
  const statuses = answers.map(answer => answer.status).toSorted()
  assert.deepEqual(statuses, [200, ...Array(19).fill(304)])
  assert.equal((await statusEvents(id)).length, 1)
})

test('moving needs the scope consignment, and a consignment of the organisation', async () => {
  const id = await imported()
  assert.equal(
    (
      await as(admin, { scopes: ['consignment.read'] }).put(`/v1/consignments/${id}/status`, {
        status: Draft,
      })
    ).status,
    403,
  )
  const other = await world.stranger()
  assert.equal((await other.put(`/v1/consignments/${id}/status`, { status: Draft })).status, 404)
  assert.equal((await other.put(`/v1/consignments/${id}/void`)).status, 404)
})
