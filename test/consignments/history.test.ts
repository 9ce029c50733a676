import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emit, serviceOrigin } from '../../src/events/emit.ts'
import { sql } from '../../src/platform/database/db.ts'
import { EventType } from '../../src/vocabulary/events.ts'
import { openImports } from '../support/given-imports.ts'

const { world, imported } = await openImports()
const { admin, stranger, database } = world

test('the history shows who changed what through which app, latest first', async () => {
  const id = await imported({ referenceNumber: 'R-1' })
  await admin.put(`/v1/consignments/${id}/general`, { referenceNumber: 'R-2' })
  const moved = await admin.put(`/v1/consignments/${id}/status`, { status: 4 })
  const { status, body } = await admin.get(`/v1/consignments/${id}/history`)
  assert.equal(status, 200)
  assert.deepEqual(
    body.history.map(({ eventType, type }: { eventType: number; type: string }) => [eventType, type]),
    [
      [112, 'consignment.status.updated'],
      [102, 'consignment.general.updated'],
      [101, 'consignment.created'],
    ],
  )
  const [last, general, created] = body.history
  assert.deepEqual(
    [last.userFullName, last.appName, last.requestId],
    ['Ada Storekeeper', 'Test app', moved.headers['x-request-id']],
  )
  assert.deepEqual(general.changes, [{ field: 'referenceNumber', from: 'R-1', to: 'R-2' }])
  assert.equal(created.changes, null)
  assert.match(last.atUtc, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const second = (await admin.get(`/v1/consignments/${id}/history?PageSize=2&PageIndex=2`)).body
  assert.deepEqual(
    [second.index, second.total, second.history.length, second.history[0].eventType],
    [2, 3, 1, 101],
  )
  assert.equal((await (await stranger()).get(`/v1/consignments/${id}/history`)).status, 404)
})

test('a person and an app that are renamed keep the names that they had in what they did', async () => {
  const { organisationId, userId } = admin.actor
  const id = await imported()
  const path = `/v1/consignments/${id}`
  const noteId = (await admin.post(`${path}/notes`, { note: 'The dock is wet.' })).body
  const waiting = await imported({ carrierCode: 'NONE' })
  await admin.delete(`/v1/consignment-imports/${waiting}`)
  const rename = (user: string, app: string) =>
    database.atomically(async tx => {
      await tx.run(sql`update app_user set full_name = ${user} where id = ${userId}`)
      await tx.run(sql`update custom_app set name = ${app} where organisation_id = ${organisationId}`)
    })
  await rename('Grace', 'Other app')
  await admin.put(`${path}/priority`, { priority: 4 })
  const { history } = (await admin.get(`${path}/history`)).body
  assert.deepEqual(
    history.map(({ userFullName, appName }: Record<string, string>) => [userFullName, appName]),
    [
      ['Grace', 'Other app'],
      ['Ada Storekeeper', 'Test app'],
      ['Ada Storekeeper', 'Test app'],
    ],
  )
  assert.equal((await admin.get(`${path}/notes/${noteId}`)).body.createdBy, 'Ada Storekeeper')
  const { discarded } = (await admin.get(`/v1/consignment-imports/${waiting}`)).body
  assert.deepEqual([discarded.userFullName, discarded.appName], ['Ada Storekeeper', 'Test app'])
  await rename('Ada Storekeeper', 'Test app')
})

test('a request that took long before its change has its place in the history by the time of the change', async () => {
  const id = await imported()
  await database.atomically(async tx => {
    await tx.run(sql`select 'a transaction that began first'`)
    await admin.put(`/v1/consignments/${id}/general`, { referenceNumber: 'R-1' })
    const data = { consignmentId: id }
    await emit(tx, serviceOrigin(admin.actor.organisationId), [
      { type: EventType.ConsignmentRouteUpdated, subjectId: id, data },
      { type: EventType.ConsignmentNoteAttachmentUpdated, subjectId: id, data },
    ])
  })
  const { history } = (await admin.get(`/v1/consignments/${id}/history`)).body
  assert.deepEqual(
    history.map(({ eventType }: { eventType: number }) => eventType),
    [116, 103, 102, 101],
  )
})
