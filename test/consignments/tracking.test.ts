import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { localTimeAt } from '../../src/platform/local-time.ts'
import { openSubRecords } from '../support/given-sub-records.ts'

const { world, consignment, eventsOf } = await openSubRecords()
const { admin } = world

const create = async (path: string, body?: object) => {
  const { status, body: answer } = await admin.post(`${path}/tracking`, body)
  assert.equal(status, 200, JSON.stringify(answer))
  assert.deepEqual(Object.keys(answer), ['consignmentTrackingId'])
  return `${path}/tracking/${answer.consignmentTrackingId}`
}
const read = async (path: string) => (await admin.get(path)).body
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('a trackingUrl is an http or https address, stored as it is parsed', async () => {
  const record = await create(await consignment(), { trackingUrl: ' HTTPS://Swift.Example/a\nb ' })
  assert.equal((await read(record)).trackingUrl, 'https://swift.example/ab')
  assert.equal((await admin.put(record, { trackingUrl: 'https://swift.example/ab' })).status, 304)
  for (const trackingUrl of [
    'javascript:alert(1)',
    'ftp://swift.example/',
    'swift.example',
    '//swift.example',
  ])
    assert.deepEqual((await admin.put(record, { trackingUrl })).body.ErrorMessages, [
      'trackingUrl must be an address that begins with http:// or https://.',
    ])
})

test('a tracking record is created with every field, the name of the calling app and the date in the warehouse', async () => {
  const path = await consignment()
  const given = {
    carrierName: 'Swift',
    status: 3,
    trackingNumber: 'SW-1',
    trackingUrl: 'https://swift.example/SW-1',
  }
  const record = await create(path, given)
  const { id, createdUtc, modifiedUtc, lastUpdatedDate, ...rest } = await read(record)
  assert.deepEqual(rest, { ...given, integrationName: 'Test app', trackingEvents: [] })
  assert.equal(id, record.split('/').at(-1))
  assert.match(createdUtc, instant)
  assert.equal(modifiedUtc, createdUtc)
  assert.equal(lastUpdatedDate, localTimeAt(new Date(createdUtc), 'Pacific/Auckland').slice(0, 10))
  const [event, ...more] = await eventsOf(path)
  assert.deepEqual(more, [])
  assert.equal(event?.type, 114)
  assert.deepEqual(event?.changes, [{ field: 'consignmentTracking', from: null, to: { id, ...given } }])
})

test('a tracking record needs no field: its status is Unknown by default, and the rest is null', async () => {
  const path = await consignment()
  for (const body of [{}, undefined, { status: null, carrierName: null }]) {
    const { status, carrierName, trackingNumber, trackingUrl } = await read(await create(path, body))
    assert.deepEqual([status, carrierName, trackingNumber, trackingUrl], [0, null, null, null])
  }
})

test('a partial change keeps the other fields, and repeating it changes nothing and raises no event', async () => {
  const path = await consignment()
  const record = await create(path, { carrierName: 'Swift', trackingNumber: 'SW-2' })
  const before = await read(record)
  assert.equal((await admin.put(record, { status: 5 })).status, 200)
  const after = await read(record)
  assert.deepEqual({ ...after, modifiedUtc: null }, { ...before, status: 5, modifiedUtc: null })
  assert.ok(after.modifiedUtc > before.modifiedUtc)
  for (const same of [{ status: 5 }, {}, { carrierName: 'Swift', trackingUrl: null }]) {
    assert.equal((await admin.put(record, same)).status, 304, JSON.stringify(same))
  }
  assert.equal((await read(record)).modifiedUtc, after.modifiedUtc)
  const changes = (await eventsOf(path)).slice(1)
  assert.equal(changes.length, 1)
  assert.deepEqual(changes[0]?.changes, [
    { field: 'consignmentTracking', from: { id: before.id, status: 0 }, to: { id: before.id, status: 5 } },
  ])
  assert.equal((await admin.put(`${path}/tracking/${uuidv7()}`, { status: 5 })).status, 404)
})

test('faults of a record and of an event are reported by field', async () => {
  const path = await consignment()
  const faulty = await admin.post(`${path}/tracking`, {
    status: 12,
    carrierName: 'x'.repeat(201),
    trackingNumber: 7,
  })
  assert.equal(faulty.status, 400)
  assert.deepEqual(faulty.body.ErrorMessages.toSorted(), [
    'carrierName must have at most 200 characters.',
    'status must be one of 0 (Unknown), 1 (Printed), 2 (Dispatched), 3 (InTransit), 4 (OutForDelivery), 5 (Delivered), 6 (PickupInStore), 7 (AttemptedDelivery), 8 (Exception), 9 (AwaitingCollection), 10 (Cancelled), 11 (Manifested).',
    'trackingNumber must be a string.',
  ])
  const record = await create(path)
  const event = await admin.post(`${record}/event`, {
    eventDateTime: '2026-02-30T00:00:00Z',
    details: 'x'.repeat(4001),
  })
  assert.deepEqual(event.body.ErrorMessages.toSorted(), [
    'details must have at most 4,000 characters.',
    'eventDateTime must be an ISO 8601 date and time, such as 2026-03-31T09:30:00.',
  ])
  assert.equal((await eventsOf(path)).length, 1)
})

test('events are listed in the order of their own times, and the record takes the status of the latest', async () => {
  const path = await consignment()
  const record = await create(path, { status: 1 })
  const event = async (body?: object) => (await admin.post(`${record}/event`, body)).status
  assert.equal(
    await event({ status: 3, details: 'Left Auckland', eventDateTime: '2026-03-01T22:30:00.250+13:00' }),
    200,
  )
  assert.equal(
    await event({ status: 2, details: 'Picked up', eventDateTime: '2026-03-01T08:00', carrierName: 'Swift' }),
    200,
  )
  assert.equal((await read(record)).status, 3, 'what was told late was before it')
  assert.equal(await event({ status: 4 }), 200)
  const { status, trackingEvents } = await read(record)
  assert.equal(status, 4)
  assert.deepEqual(
    trackingEvents.slice(0, 2).map(({ createdUtc, ...rest }: { createdUtc: string }) => rest),
    [
      { status: 2, details: 'Picked up', eventDateTime: '2026-03-01T08:00:00.000Z' },
      { status: 3, details: 'Left Auckland', eventDateTime: '2026-03-01T09:30:00.250Z' },
    ],
  )
  assert.equal(trackingEvents[2].details, null)
  assert.ok(
    Math.abs(Date.parse(trackingEvents[2].eventDateTime) - Date.parse(trackingEvents[2].createdUtc)) < 60_000,
    'now when not given',
  )
  const last = (await eventsOf(path)).at(-1)
  assert.equal(last?.type, 114)
  assert.deepEqual(last?.changes[1]?.to, { id: record.split('/').at(-1), status: 4 })
})

test('a tracking record has at most 1,000 events', async () => {
  const path = await consignment()
  const record = await create(path)
  await world.database.inOneStatement(tx =>
    tx.run(sql`
      insert into consignment_tracking_event (organisation_id, id, consignment_tracking_id, status, details,
        event_date_time)
      select ${admin.actor.organisationId}, gen_random_uuid(), ${record.split('/').at(-1) as string}, 3, n, now()
      from generate_series(1, 999) n`),
  )
  assert.equal((await admin.post(`${record}/event`, { details: 'last' })).status, 200)
  const { status, body } = await admin.post(`${record}/event`, { details: 'one more' })
  assert.deepEqual([status, body.ErrorMessages], [400, ['The tracking record has 1,000 events already.']])
  assert.equal((await read(record)).trackingEvents.length, 1_000)
})

test('an event that repeats the latest one changes nothing', async () => {
  const path = await consignment()
  const record = await create(path)
  const event = async (body?: object) => (await admin.post(`${record}/event`, body)).status
  assert.equal(await event(), 200, 'the first event is new, even if it is empty')
  assert.equal(await event({}), 304)
  assert.equal(await event({ status: 3, details: 'On its way' }), 200)
  assert.equal(
    await event({ status: 3, details: 'On its way', eventDateTime: '2026-01-01T00:00:00Z' }),
    200,
    'the same at another time happened twice',
  )
  assert.equal(
    await event({
      status: 3,
      details: 'On its way',
      carrierName: 'Swift',
      eventDateTime: '2026-01-01T13:00:00+13:00',
    }),
    304,
    'told again',
  )
  assert.equal(await event({ details: 'On its way' }), 304, "the record's status where none is given")
  assert.equal(await event({ status: 3 }), 200, 'other details')
  assert.equal(
    await event({ status: 3, details: 'On its way' }),
    200,
    'what an earlier one said is news again',
  )
  assert.equal(
    await event({ status: 2, details: 'Picked up', eventDateTime: '2026-01-01T00:00:00Z' }),
    200,
    'told late',
  )
  assert.equal(
    await event({ status: 3, details: 'On its way' }),
    304,
    'the latest is so by its own time, and the record has kept its status',
  )
  assert.equal((await read(record)).status, 3)
  assert.equal((await read(record)).trackingEvents.length, 6)
  assert.equal((await eventsOf(path)).length, 7)
  assert.equal((await admin.post(`${path}/tracking/${uuidv7()}/event`, {})).status, 404)
})

test('an event that repeats the latest one restores the status of a record that was changed since', async () => {
  const path = await consignment()
  const record = await create(path)
  const delivered = async () => (await admin.post(`${record}/event`, { status: 5, details: 'Done' })).status
  assert.equal(await delivered(), 200)
  assert.equal((await admin.put(record, { status: 8 })).status, 200)
  assert.equal(await delivered(), 200)
  const { status, trackingEvents } = await read(record)
  assert.deepEqual([status, trackingEvents.length], [5, 1])
  const id = record.split('/').at(-1)
  const last = (await eventsOf(path)).at(-1)
  assert.equal(last?.type, 114)
  assert.deepEqual(last?.changes, [
    { field: 'consignmentTracking', from: { id, status: 8 }, to: { id, status: 5 } },
  ])
  assert.equal(await delivered(), 304)
})

test('an offset that only JavaScript accepts is valid too', async () => {
  const record = await create(await consignment())
  await admin.post(`${record}/event`, { eventDateTime: '2026-03-02T08:00:00+23:00' })
  assert.equal((await read(record)).trackingEvents[0].eventDateTime, '2026-03-01T09:00:00.000Z')
})

test('the list of a consignment is paged, and searched by carrier name and tracking number', async () => {
  const path = await consignment()
  await create(await consignment(), { carrierName: 'Harbour' })
  await create(path, { carrierName: 'Harbour', trackingNumber: '50%-1' })
  await create(path, { trackingNumber: 'HARBOUR-2' })
  await create(path, { carrierName: 'Swift' })
  const list = async (query = '') => read(`${path}/tracking${query}`)
  const all = await list()
  assert.deepEqual([all.index, all.total, all.consignmentTracking.length], [1, 3, 3])
  assert.equal('trackingEvents' in all.consignmentTracking[0], false)
  assert.deepEqual(
    [(await list('?SearchText=harbour')).total, (await list('?SearchText=0%25-')).total],
    [2, 1],
  )
  const second = await list('?PageSize=2&PageIndex=2')
  assert.deepEqual([second.index, second.total, second.consignmentTracking[0].carrierName], [2, 3, 'Swift'])
  assert.deepEqual((await list('?PageIndex=9')).consignmentTracking, [])
  const none = await read(`${await consignment()}/tracking`)
  assert.deepEqual(none, { index: 1, total: 0, consignmentTracking: [] })
  const unknown = await admin.get(`/v1/consignments/${uuidv7()}/tracking`)
  assert.deepEqual([unknown.status, unknown.body.ErrorMessages], [404, ['Consignment not found.']])
})
