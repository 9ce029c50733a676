// ETags of records, and updates with If-Match, which are safe even if many run concurrently. RFC 9110, 13.1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../../src/platform/database/db.ts'
import { hasEntityTag, matchesTag, recordOf } from '../../../src/platform/http/entity-tag.ts'
import { type ApiResponse, endpoints, openWorld } from '../../support/harness.ts'

const { admin, database } = await openWorld()

const tagOf = ({ headers }: ApiResponse) => String(headers.etag)
let createdCount = 0
async function givenPartner(): Promise<string> {
  const { body } = await admin.post('/v1/partners', {
    name: 'Kauri',
    code: `K${createdCount++}`,
    relationship: 1,
  })
  return `/v1/partners/${body.partnerId}`
}
const path = await givenPartner()
async function givenSchedule(): Promise<string> {
  const id = uuidv7()
  await database.atomically(tx =>
    tx.run(sql`insert into partner_schedule (organisation_id, id, partner_id, date)
      values (${admin.actor.organisationId}, ${id}, ${path.split('/').at(-1)}, '2026-03-31')`),
  )
  return `/v1/schedules/${id}`
}

test('the ETag of a record changes with the record, and 304 means that it has not changed', async () => {
  const first = await admin.get(path)
  assert.match(tagOf(first), /^"[\w-]{27}"$/)
  assert.equal(tagOf(await admin.get(path)), tagOf(first))
  for (const known of [tagOf(first), `W/${tagOf(first)}`, `"x", ${tagOf(first)}`, '*']) {
    const same = await admin.with({ 'if-none-match': known }).get(path)
    assert.deepEqual([same.status, same.bytes.length, tagOf(same)], [304, 0, tagOf(first)])
  }
  assert.equal((await admin.with({ 'if-none-match': '"x"' }).get(path)).status, 200)
  const schedule = await givenSchedule()
  const before = tagOf(await admin.get(schedule))
  await admin.put(schedule, { description: 'Other' })
  assert.notEqual(tagOf(await admin.get(schedule)), before)
  assert.equal((await admin.get('/v1/partners')).headers.etag, undefined)
})

test('an update with the ETag of an earlier version returns 412 and changes nothing', async () => {
  const schedule = await givenSchedule()
  const old = admin.with({ 'if-match': tagOf(await admin.get(schedule)) })
  assert.equal((await old.put(schedule, { description: 'One' })).status, 200)
  const after = await admin.get(schedule)
  const refused = await old.put(schedule, { description: 'Two' })
  assert.deepEqual([refused.status, refused.body.ErrorType], [412, 'Precondition Failed'])
  assert.equal(refused.details?.[0]?.code, 'precondition')
  for (const refusal of [
    await old.delete(schedule),
    await old.put(`${schedule}/status`, { status: 2 }),
    await old.post(`${schedule}/exported`, { externalUrl: 'https://books.example.com/1' }),
  ])
    assert.equal(refusal.status, 412)
  assert.deepEqual((await admin.get(schedule)).body, after.body)
  const fresh = admin.with({ 'if-match': tagOf(after) })
  assert.equal((await fresh.delete(schedule)).status, 200)
  assert.equal((await fresh.delete(schedule)).status, 404)
})

test('If-Match without a single record returns 412, because it cannot be checked', async () => {
  const { status } = await admin
    .with({ 'if-match': '"x"' })
    .post('/v1/partners', { name: 'X', code: 'X1', relationship: 1 })
  assert.equal(status, 412)
  assert.equal((await admin.get('/v1/partners?SearchText=X1')).body.total, 0)
})

test('exactly one of many updates with the same If-Match succeeds', async () => {
  const schedule = await givenSchedule()
  const reader = admin.with({ 'if-match': tagOf(await admin.get(schedule)) })
  const responses = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => reader.put(schedule, { description: `By ${n}` })),
    // Changes another part of the record, in its own rows.
    reader.post(`${schedule}/exported`, { externalUrl: 'https://books.example.com/1' }),
  ])
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, 412, 412, 412, 412, 412, 412])
})

test('a conditional update fails if an unconditional one commits while it waits for the row', async () => {
  const schedule = await givenSchedule()
  const id = schedule.split('/').at(-1)
  const reader = admin.with({ 'if-match': tagOf(await admin.get(schedule)) })
  let waiting: Promise<ApiResponse> | undefined
  await database.atomically(async tx => {
    await tx.run(sql`update partner_schedule set description = 'First' where id = ${id}`)
    waiting = reader.put(schedule, { referenceNumber: 'R1' })
    // It has passed its first check, and is waiting for the row.
    for (let isBlocked = false; !isBlocked; ) {
      const { n } = await database.db.row<{ n: number }>(
        sql`select count(*) as n from pg_locks where not granted and locktype = 'transactionid'`,
      )
      isBlocked = n > 0
    }
  })
  assert.equal((await waiting)?.status, 412)
  const { body } = await admin.get(schedule)
  assert.deepEqual([body.description, body.referenceNumber], ['First', null])
})

test('a tag matches a weak tag, a list and a star, but not a part of itself', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*', ' * ']) assert.ok(matchesTag(header, '"a"'), header)
  for (const header of ['', 'a', '"b"', '"aa"', '"a']) assert.ok(!matchesTag(header, '"a"'), header)
})

test('the record of an update is the nearest one in its path', () => {
  const recordAt = (method: string, at: string) => {
    const endpoint = endpoints.find(candidate => candidate.method === method && candidate.path === at)
    assert.ok(endpoint, `${method} ${at}`)
    return recordOf(endpoint, endpoints)?.path
  }
  assert.equal(recordAt('PUT', '/v1/consignments/:consignmentId/general'), '/v1/consignments/:consignmentId')
  assert.equal(recordAt('PUT', '/v1/schedules/:partnerScheduleId'), '/v1/schedules/:partnerScheduleId')
  assert.equal(recordAt('POST', '/v1/partners'), undefined)
  assert.ok(endpoints.filter(hasEntityTag).length > 10)
  for (const endpoint of endpoints)
    if (endpoint.record !== undefined) assert.ok(recordOf(endpoint, endpoints), endpoint.record)
})
