import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteOldEntries } from '../../../src/events/feed/delete-old-entries.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { anEvent, emitEvents, feedPage, marksOf, readFeed } from '../../support/given-feed.ts'
import { type Caller, openWorld } from '../../support/harness.ts'

const world = await openWorld()
const { database } = world

/** Makes an entry some days old. */
const age = ({ actor }: Caller, sequence: number, days: number) =>
  database.atomically(async tx => {
    const { was, old } = await tx.row<{ was: string; old: string }>(sql`
      select event_id as was, uuid_at(now() - ${days} * interval '1 day') as old from event_feed_entry
      where organisation_id = ${actor.organisationId} and sequence = ${sequence}`)
    await tx.run(sql`update event_feed_entry set event_id = ${old} where event_id = ${was}`)
    await tx.run(sql`update event set id = ${old} where id = ${was}`)
  })

test('entries are deleted after 90 days, from the first on and without a gap; the events are kept', async () => {
  const [caller, other] = [await world.stranger(), await world.stranger()]
  await emitEvents(database, caller, ...['1', '2', '3', '4', '5'].map(mark => anEvent(mark)))
  await emitEvents(database, other, anEvent('other'))
  await readFeed(caller)
  await readFeed(other)
  for (const [sequence, days] of [
    [1, 95],
    [2, 91],
    [3, 89],
    // This entry was committed after a younger one, and is deleted with it.
    [4, 91],
  ] as const)
    await age(caller, sequence, days)
  assert.equal(await deleteOldEntries(database), 2)
  assert.equal(await deleteOldEntries(database), 0)
  for (const start of ['', 'After=0', 'After=2']) {
    const { events, next } = await feedPage(caller, start)
    assert.deepEqual([marksOf(events), next], [['3', '4', '5'], 5], start)
  }
  assert.deepEqual(marksOf((await readFeed(other)).events), ['other'])
  const { count } = await database.db.row<{ count: number }>(sql`
    select count(*) from event where organisation_id = ${caller.actor.organisationId}`)
  assert.equal(count, 5)
})

test('a reader who was away for too long is told that events have been deleted', async () => {
  const caller = await world.stranger()
  await emitEvents(database, caller, ...['1', '2', '3'].map(mark => anEvent(mark)))
  await readFeed(caller)
  for (const sequence of [1, 2]) await age(caller, sequence, 91)
  await deleteOldEntries(database)
  const { status, body } = await caller.get('/v1/events?After=1')
  assert.equal(status, 400)
  assert.match(body.ErrorMessages[0], /^Events after 1 are older than 90 days .* come after 2\./)
})

test('numbers continue after all entries have been deleted', async () => {
  const caller = await world.stranger()
  await emitEvents(database, caller, anEvent('1'))
  await readFeed(caller)
  await age(caller, 1, 91)
  await deleteOldEntries(database)
  assert.deepEqual(await feedPage(caller, ''), { events: [], next: 1 })
  await emitEvents(database, caller, anEvent('2'))
  const { events } = await readFeed(caller)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [2],
  )
})
