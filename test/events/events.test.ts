import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { EventType, eventTypeNames, FeedEventType } from '../../src/vocabulary/events.ts'
import { anEvent, emitEvents, emitIn, feedPage, marksOf, readFeed } from '../support/given-feed.ts'
import { openWorld } from '../support/harness.ts'

const world = await openWorld()
const { admin, as, database } = world
const partner = async (code: string, relationship: number) =>
  (await admin.post('/v1/partners', { name: code, code, relationship })).body.partnerId as string
const [kauri, rimu, swift] = [await partner('KAURI', 1), await partner('RIMU', 1), await partner('SWF', 2)]

test('events of a request are in the feed once it has completed, with the data of webhooks', async () => {
  const caller = await world.stranger()
  assert.deepEqual(await feedPage(caller, ''), { events: [], next: 0 })
  await emitEvents(database, caller, anEvent('one'), anEvent('two'))
  const { events, next } = await feedPage(caller, '')
  assert.deepEqual(
    events.map(({ sequence, type, data }) => [sequence, type, data.organisationId]),
    [1, 2].map(n => [n, 'consignment.created', caller.actor.organisationId]),
  )
  assert.equal(next, 2)
  const stored = await database.db.rows<{ id: string; createdUtc: string }>(sql`
    select id, created_utc from event where organisation_id = ${caller.actor.organisationId} order by id`)
  assert.deepEqual(
    events.map(({ id, created }) => ({ id, createdUtc: created })),
    stored,
  )
})

test('each organisation has its own numbers from 1, and a transaction that is rolled back leaves no gap', async () => {
  const [one, two] = [await world.stranger(), await world.stranger()]
  await emitEvents(database, one, anEvent('a'))
  await emitEvents(database, two, anEvent('b'))
  const undone = database.atomically(async tx => {
    await emitIn(tx, one, anEvent('undone'))
    throw new Error('undone')
  })
  await assert.rejects(undone, { message: 'undone' })
  await emitEvents(database, one, anEvent('c'))
  assert.deepEqual(
    (await readFeed(one)).events.map(({ sequence, data }) => [sequence, data.mark]),
    [
      [1, 'a'],
      [2, 'c'],
    ],
  )
  assert.deepEqual(
    (await readFeed(two)).events.map(({ sequence }) => sequence),
    [1],
  )
})

test('events of a single app get no number', async () => {
  const caller = await world.stranger()
  const { webhookSubscriptionId: id } = (
    await caller.post('/v1/webhook-subscriptions/create', {
      webhookUrl: 'https://example.com/',
      eventType: 101,
    })
  ).body
  await caller.put(`/v1/webhook-subscriptions/${id}/test`)
  for (const type of [EventType.CronRecurrence, EventType.IdentityConnectionActionExecution])
    await emitEvents(database, caller, anEvent('of an app', { type, subjectId: id, data: {} }))
  await emitEvents(database, caller, anEvent('of all'))
  assert.deepEqual(
    (await readFeed(caller)).events.map(({ sequence, data }) => [sequence, data.mark]),
    [[1, 'of all']],
  )
})

test('Types selects events, repeated or with commas, and next moves past other events', async () => {
  const caller = await world.stranger()
  await emitEvents(
    database,
    caller,
    anEvent('created'),
    anEvent('route', { type: EventType.ConsignmentRouteUpdated }),
    anEvent('job', { type: EventType.JobCreated }),
    anEvent('last'),
  )
  for (const query of ['Types=103,301', 'Types=103&Types=301', 'types=103&Types=301,103'])
    assert.deepEqual(marksOf((await feedPage(caller, query)).events), ['route', 'job'], query)
  assert.equal((await feedPage(caller, 'Types=103')).next, 4)
  assert.deepEqual(await feedPage(caller, 'Types=201'), { events: [], next: 4 })
})

test('a token gets the events that its scopes allow, and is refused other types and without any such scope', async () => {
  const caller = await world.stranger()
  await emitEvents(
    database,
    caller,
    anEvent('job', { type: EventType.JobCreated }),
    anEvent('consignment'),
    anEvent('schedule', { type: EventType.PartnerScheduleCreated }),
  )
  const seen = async (...scopes: string[]) => {
    const { events, next } = await readFeed(as(caller, { scopes }))
    assert.equal(next, 3, 'next moves past events that are not for the token')
    return marksOf(events)
  }
  assert.deepEqual(await seen('consignment.read'), ['consignment'])
  assert.deepEqual(await seen('financial'), ['schedule'])
  assert.deepEqual(await seen('job.read', 'consignment'), ['job', 'consignment'])
  const narrow = as(caller, { scopes: ['consignment.read'] })
  const refused = await narrow.get('/v1/events?Types=101,301')
  assert.deepEqual(
    [refused.status, refused.body.ErrorMessages],
    [403, ['The token needs the scope job.read.']],
  )
  const none = await as(caller, { scopes: ['partner', 'organisation'] }).get('/v1/events')
  assert.deepEqual(
    [none.status, none.body.ErrorMessages],
    [403, ['The token needs the scope consignment.read or financial.read or job.read.']],
  )
})

test('people of a partner get the events that a webhook subscription of theirs would get', async () => {
  const after = (await readFeed(admin)).next
  const event = (mark: string, type: EventType, clientId: string | null, carrierId: string | null) =>
    anEvent(mark, { type, clientId, carrierId })
  const {
    ConsignmentRouteUpdated: consignment,
    PartnerScheduleCreated: schedule,
    JobCreated: job,
  } = EventType
  await emitEvents(
    database,
    admin,
    event('both', consignment, kauri, swift),
    event('client', consignment, kauri, null),
    event('other', consignment, rimu, null),
    event('carrier', consignment, rimu, swift),
    event('schedule of the client', schedule, kauri, null),
    event('schedule of the carrier', schedule, null, swift),
    event('job', job, kauri, null),
    event('job of the other', job, rimu, null),
    event('nobody', job, null, null),
  )
  const reconciled = { consignmentId: uuidv7(), clientCode: 'KAURI', reasons: [], mark: 'import' }
  const type = EventType.ConsignmentImportReconciled
  await emitEvents(database, admin, { ...event('import', type, kauri, swift), data: reconciled })
  const seen = async (partnerId: string) => marksOf((await readFeed(as(admin, { partnerId }), after)).events)
  assert.deepEqual(await seen(kauri), ['both', 'client', 'schedule of the client', 'job', 'import'])
  assert.deepEqual(await seen(rimu), ['other', 'carrier', 'job of the other'])
  assert.deepEqual(await seen(swift), ['both', 'carrier', 'schedule of the carrier'])
  for (const type of [FeedEventType.JobCreated, FeedEventType.ConsignmentImportReconciled]) {
    const { status, body } = await as(admin, { partnerId: swift }).get(`/v1/events?Types=${type}`)
    assert.equal(status, 403, eventTypeNames[type])
    assert.match(body.ErrorMessages[0], /belongs to a carrier cannot receive events/)
  }
})

test('a page has at most 500 events, and following next gives each once', async () => {
  const caller = await world.stranger()
  const marks = Array.from({ length: 1_203 }, (_, i) => String(i))
  await emitEvents(database, caller, ...marks.map(mark => anEvent(mark)))
  const first = await feedPage(caller, '')
  assert.deepEqual([first.events.length, first.next], [500, 500])
  const { events } = await readFeed(caller)
  assert.deepEqual(marksOf(events), marks)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    marks.map((_, i) => i + 1),
  )
})

test('rare events are found after any number of events that are not for the reader', async () => {
  const caller = await world.stranger()
  const { organisationId } = caller.actor
  await emitEvents(database, caller, anEvent('first'))
  await readFeed(caller)
  // As if 25,000 other events had come in between.
  await database.atomically(async tx => {
    await tx.run(sql`insert into event_feed_entry (organisation_id, sequence, event_id, type)
      select organisation_id, sequence + n, event_id, 102 from event_feed_entry, generate_series(1, 25000) n
      where organisation_id = ${organisationId}`)
    await tx.run(sql`update event_feed set last_sequence = 25001 where organisation_id = ${organisationId}`)
  })
  await emitEvents(database, caller, anEvent('rare', { type: EventType.ConsignmentPodCreated }))
  const { events, next } = await feedPage(caller, 'Types=109')
  assert.deepEqual([marksOf(events), next], [['rare'], 25_002])
})

test('a waiting request returns as soon as there is an event for it, and not for events of others', async () => {
  const caller = await world.stranger()
  const began = performance.now()
  const answer = feedPage(caller, 'Types=301&WaitSeconds=25')
  await emitEvents(database, caller, anEvent('not asked for'))
  await emitEvents(database, caller, anEvent('job', { type: EventType.JobCreated }))
  const { events, next } = await answer
  assert.deepEqual([marksOf(events), next], [['job'], 2])
  assert.ok(performance.now() - began < 20_000, 'it waited for its whole time')
})

test('a waiting request ends without events when its time is over, and returns how far it has read', async () => {
  const caller = await world.stranger()
  const answer = feedPage(caller, 'Types=301&WaitSeconds=1')
  await emitEvents(database, caller, anEvent('not asked for'))
  assert.deepEqual(await answer, { events: [], next: 1 })
})

test('invalid requests are refused: a wait that is too long, types that are not in the feed, an invalid number', async () => {
  for (const [query, message] of [
    ['WaitSeconds=26', 'WaitSeconds must be 25 or less.'],
    ['After=-1', 'After must be 0 or more.'],
    ['After=x', 'After must be a whole number or latest.'],
  ] as const) {
    const { status, body } = await admin.get(`/v1/events?${query}`)
    assert.deepEqual([status, body.ErrorMessages], [400, [message]])
  }
  for (const type of [0, 1, 2, 117, 'x']) {
    const { status, body } = await admin.get(`/v1/events?Types=101,${type}`)
    assert.equal(status, 400)
    assert.match(body.ErrorMessages[0], /^Types\[1\] must be one of 101 \(ConsignmentCreated\), 102/)
  }
})

test('a number that the feed has not reached is refused, because after a restore its reader would miss events', async () => {
  const caller = await world.stranger()
  await emitEvents(database, caller, anEvent('one'))
  const { status, body } = await caller.get('/v1/events?After=2&WaitSeconds=25')
  assert.equal(status, 400)
  assert.match(body.ErrorMessages[0], /^There is no event 2 yet: the last one has the number 1\./)
})

test('a reader who begins with the latest is told of nothing that was, and then misses nothing', async () => {
  const caller = await world.stranger()
  assert.deepEqual(await feedPage(caller, 'After=latest'), { events: [], next: 0 })
  await emitEvents(database, caller, anEvent('before'), anEvent('before too'))
  const { events, next } = await feedPage(caller, 'After=latest')
  assert.deepEqual([events, next], [[], 2])
  await emitEvents(database, caller, anEvent('after'))
  assert.deepEqual(marksOf((await feedPage(caller, `After=${next}`)).events), ['after'])
  const waiting = feedPage(caller, 'After=latest&WaitSeconds=20')
  await emitEvents(database, caller, anEvent('while it waits'))
  const later = await waiting
  assert.ok(later.next >= 3 && marksOf(later.events).every(mark => mark === 'while it waits'))
})
