import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { emit, type NewEvent } from '../../src/events/emit.ts'
import { sql } from '../../src/platform/database/db.ts'
import { onHint } from '../../src/platform/work/hints.ts'
import { EventType, eventTypeNames } from '../../src/vocabulary/events.ts'
import { type Caller, openWorld } from '../support/harness.ts'

const { database, admin, stranger } = await openWorld()

const partner = async (code: string, relationship: number) =>
  (await admin.post('/v1/partners', { name: code, code, relationship })).body.partnerId as string
const [kauri, rimu] = [await partner('KAURI', 1), await partner('RIMU', 1)]
const [swift, slow] = [await partner('SWF', 2), await partner('SLW', 2)]

const subscribe = async (eventType: number, filters: Record<string, string> = {}, who: Caller = admin) =>
  (
    await who.post('/v1/webhook-subscriptions/create', {
      webhookUrl: 'https://example.com/',
      eventType,
      ...filters,
    })
  ).body.webhookSubscriptionId as string

const emitAll = (events: Partial<NewEvent>[], undo = false) =>
  database
    .atomically(async tx => {
      const whole = events.map(event => ({
        type: EventType.ConsignmentCreated,
        subjectId: uuidv7(),
        data: {},
        ...event,
      }))
      await emit(tx, { ...admin.actor, requestId: 'request-1' }, whole)
      if (undo) throw new Error('undone')
    })
    .catch((error: Error) => assert.equal(error.message, 'undone'))

/** The subjects of the events that a subscription gets. */
const receivedBy = async (subscriptionId: string) => {
  const rows = await database.db.rows<{ subjectId: string }>(sql`
    select e.subject_id from webhook_delivery d join event e on e.organisation_id = d.organisation_id
      and e.id = d.event_id
    where d.webhook_subscription_id = ${subscriptionId} order by e.id`)
  return rows.map(({ subjectId }) => subjectId)
}

test('every event type of the specification has a dotted lower-case name of its own', () => {
  const names = Object.values(EventType).map(type => eventTypeNames[type])
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z-]+(\.[a-z-]+)+$/)
})

test('an event is stored with its source, its data in the given order, and a delivery for each subscription to its type', async () => {
  const [one, two, other] = [await subscribe(101), await subscribe(101), await subscribe(102)]
  const subjectId = uuidv7()
  await emitAll([
    {
      subjectId,
      data: { zulu: 'a "quoted" \0 \ud800 text', alpha: [1.5, '\\\\u0000'] },
      changes: [{ field: 'status', from: 1, to: 2 }],
    },
  ])
  assert.deepEqual(
    [await receivedBy(one), await receivedBy(two), await receivedBy(other)],
    [[subjectId], [subjectId], []],
  )
  const row = await database.db.row<Record<string, unknown>>(sql`
    select type, identity_connection_id, user_id, request_id, data::text as data, changes from event
      where subject_id = ${subjectId}`)
  assert.deepEqual(row, {
    type: 101,
    identityConnectionId: admin.actor.connectionId,
    userId: admin.actor.userId,
    requestId: 'request-1',
    data: JSON.stringify({
      organisationId: admin.actor.organisationId,
      zulu: 'a "quoted" \ufffd \ufffd text',
      alpha: [1.5, '\\\\u0000'],
    }),
    changes: [{ field: 'status', from: 1, to: 2 }],
  })
})

test('partner filters: consignments by client and carrier, schedules by their partner in either field, jobs by client', async () => {
  const subjects = { byBoth: uuidv7(), byClient: uuidv7(), byNeither: uuidv7(), byCarrier: uuidv7() }
  const { byBoth, byClient, byNeither, byCarrier } = subjects
  const emitEach = (type: EventType) =>
    emitAll([
      { type, subjectId: byBoth, clientId: kauri, carrierId: swift },
      { type, subjectId: byClient, clientId: kauri, carrierId: slow },
      { type, subjectId: byCarrier, clientId: rimu, carrierId: swift },
      { type, subjectId: byNeither, clientId: null, carrierId: null },
    ])
  const all4 = [byBoth, byClient, byCarrier, byNeither]
  for (const type of [EventType.ConsignmentRouteUpdated, EventType.PartnerScheduleCreated]) {
    const [all, client, carrier, both] = [
      await subscribe(type),
      await subscribe(type, { clientPartnerId: kauri }),
      await subscribe(type, { carrierPartnerId: swift }),
      await subscribe(type, { clientPartnerId: kauri, carrierPartnerId: swift }),
    ]
    await emitEach(type)
    assert.deepEqual(await receivedBy(all), all4)
    assert.deepEqual(await receivedBy(client), [byBoth, byClient])
    assert.deepEqual(await receivedBy(carrier), [byBoth, byCarrier])
    assert.deepEqual(await receivedBy(both), type < 200 ? [byBoth] : [byBoth, byClient, byCarrier])
  }
  const type = EventType.JobCreated
  const [all, client] = [await subscribe(type), await subscribe(type, { clientPartnerId: kauri })]
  await emitEach(type)
  assert.deepEqual(await receivedBy(all), all4)
  assert.deepEqual(await receivedBy(client), [byBoth, byClient])
})

test('failed and deleted subscriptions and those of other organisations get no events', async () => {
  const [failed, deleted, theirs] = [
    await subscribe(104),
    await subscribe(104),
    await subscribe(104, {}, await stranger()),
  ]
  await database.atomically(tx =>
    tx.run(sql`update webhook_subscription set status = 2 where id = ${failed}`),
  )
  await admin.delete(`/v1/webhook-subscriptions/${deleted}/delete`)
  await emitAll([{ type: EventType.ConsignmentContainerUpdated }])
  assert.deepEqual(
    [...(await receivedBy(failed)), ...(await receivedBy(deleted)), ...(await receivedBy(theirs))],
    [],
  )
})

test('an event of a change that is rolled back leaves nothing, and sends no hint', async () => {
  const id = await subscribe(105)
  let woken = 0
  const unhint = onHint('deliveries', () => woken++)
  await emitAll([{ type: EventType.ConsignmentMetricsUpdated }], true)
  assert.deepEqual([await receivedBy(id), woken], [[], 0])
  await emitAll([{ type: EventType.ConsignmentMetricsUpdated }])
  assert.equal((await receivedBy(id)).length, 1)
  assert.equal(woken, 1)
  unhint()
})

test('ids that the database makes are UUIDs of version 7 in chronological order', async () => {
  const { early, late } = await database.db.row<{ early: string; late: string }>(sql`
    select uuid_at('2026-03-01T00:00:00Z') as early, uuid_at('2026-03-01T00:00:00.001Z') as late`)
  assert.ok(early < late)
  for (const id of [early, late])
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(Number.parseInt(early.replaceAll('-', '').slice(0, 12), 16), Date.UTC(2026, 2, 1))
})
