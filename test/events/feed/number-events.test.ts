// Numbers are in order and without gaps, even with parallel transactions that commit late and in any order,
// while several processes number events and readers follow.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { numberEvents } from '../../../src/events/feed/number-events.ts'
import { sql } from '../../../src/platform/database/db.ts'
import {
  anEvent,
  emitEvents,
  emitIn,
  type FeedEvent,
  feedPage,
  marksOf,
  readFeed,
} from '../../support/given-feed.ts'
import { openWorld } from '../../support/harness.ts'
import { directUrl, openTestPools } from '../../support/test-database.ts'

const world = await openWorld()
const { database, databaseUrl } = world

test('an event whose transaction commits late comes after those that were numbered before', async () => {
  const caller = await world.stranger()
  const late = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  const slow = database.atomically(async tx => {
    await emitIn(tx, caller, anEvent('late'))
    told.resolve()
    await late.promise
  })
  await told.promise
  await emitEvents(database, caller, anEvent('early'))
  assert.deepEqual(await readFeed(caller).then(({ events }) => marksOf(events)), ['early'])
  late.resolve()
  await slow
  const { events } = await readFeed(caller)
  assert.deepEqual(
    events.map(({ sequence, data }) => [sequence, data.mark]),
    [
      [1, 'early'],
      [2, 'late'],
    ],
  )
})

test('of two changes to the same record the second comes after the first, whichever commits first', async () => {
  const caller = await world.stranger()
  const others = openTestPools(databaseUrl)
  await database.atomically(tx => tx.run(sql`create table record (id integer primary key, n integer)`))
  await database.atomically(tx => tx.run(sql`insert into record values (1, 0)`))
  let isOver = false
  const numbering = (async () => {
    while (!isOver) await numberEvents(others)
  })()
  const changes = Array.from({ length: 100 }, (_, i) =>
    (i % 2 === 0 ? database : others).atomically(async tx => {
      const { n } = await tx.row<{ n: number }>(sql`update record set n = n + 1 where id = 1 returning n`)
      await emitIn(tx, caller, anEvent(String(n)))
    }),
  )
  await Promise.all(changes).finally(() => (isOver = true))
  await numbering
  const { events } = await readFeed(caller)
  assert.deepEqual(
    marksOf(events),
    changes.map((_, i) => String(i + 1)),
  )
})

test('numbering waits for numbering in progress, even of other organisations, and takes over after a rollback', async () => {
  const [caller, other] = [await world.stranger(), await world.stranger()]
  await emitEvents(database, caller, anEvent('first'))
  await emitEvents(database, caller, anEvent('second'))
  await emitEvents(database, other, anEvent('of another'))
  const begun = new pg.Client(databaseUrl)
  await begun.connect()
  await begun.query('begin')
  await begun.query('select number_events(1)')
  let isDone = false
  const waiting = numberEvents(database).then(() => {
    isDone = true
  })
  const isLocked = sql`select from pg_locks where locktype = 'advisory' and not granted`
  while ((await database.db.rows(isLocked)).length === 0) await pause(5)
  assert.equal(isDone, false)
  await begun.query('rollback')
  await begun.end()
  await waiting
  assert.deepEqual(marksOf((await readFeed(caller)).events), ['first', 'second'])
  assert.deepEqual(marksOf((await readFeed(other)).events), ['of another'])
})

/**
 * Follows the feed until writing has ended and all committed events have been read. Fails if a page does not
 * continue directly after the previous one.
 */
async function follow(
  caller: Parameters<typeof feedPage>[0],
  writing: Promise<unknown>,
  count: () => number,
): Promise<FeedEvent[]> {
  let isWritten = false
  void writing.then(() => {
    isWritten = true
  })
  const events: FeedEvent[] = []
  for (let next = 0; !isWritten || events.length < count(); ) {
    const page = await feedPage(caller, `After=${next}&WaitSeconds=1`)
    for (const event of page.events) {
      assert.equal(event.sequence, events.length + 1, 'no number is missing, duplicated or late')
      events.push(event)
    }
    next = page.next
    assert.equal(next, events.length)
  }
  return events
}

test('with parallel writers that commit late or roll back, and three processes that number, readers see each event once and in order', async () => {
  const caller = await world.stranger()
  const other = await world.stranger()
  const [writers, perWriter] = [16, 40]
  // Separate connections, as other processes have them.
  const pools = [database, openTestPools(databaseUrl), openTestPools(databaseUrl)]
  let isOver = false
  const numbering = pools.map(async pool => {
    while (!isOver) {
      await numberEvents(pool)
      await pause(Math.random() * 3)
    }
  })
  const committed: string[] = []
  async function write(writer: number): Promise<void> {
    for (let n = 0; n < perWriter; n++) {
      const marks = Array.from({ length: 1 + ((writer + n) % 3) }, (_, i) => `${writer}-${n}-${i}`)
      const isUndone = Math.random() < 0.2
      await (pools[writer % pools.length] as typeof database)
        .atomically(async tx => {
          await emitIn(tx, caller, ...marks.map(mark => anEvent(mark)))
          if (writer % 4 === 0) await emitIn(tx, other, anEvent(`other ${marks[0]}`))
          await pause(Math.random() * 20)
          if (isUndone) throw new Error('undone')
        })
        .then(
          () => committed.push(...marks),
          error => assert.equal(error.message, 'undone'),
        )
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  const readers = [1, 2].map(() => follow(caller, writing, () => committed.length))
  await writing
  const [one = [], two = []] = await Promise.all(readers)
  isOver = true
  await Promise.all(numbering)
  assert.deepEqual(one, two)
  assert.deepEqual(marksOf(one).toSorted(), committed.toSorted())
  for (let writer = 0; writer < writers; writer++) {
    const own = marksOf(one).filter(mark => String(mark).startsWith(`${writer}-`))
    const order = (mark: unknown) => String(mark).split('-').map(Number)
    const sorted = own.toSorted((a, b) => {
      const [[, n1 = 0, i1 = 0], [, n2 = 0, i2 = 0]] = [order(a), order(b)] as [number[], number[]]
      return n1 - n2 || i1 - i2
    })
    assert.deepEqual(own, sorted, 'events of one writer are in the order in which they happened')
  }
})

test('a process that is killed while numbering leaves each event with one number', async () => {
  const caller = await world.stranger()
  const marks = Array.from({ length: 5_000 }, (_, i) => String(i))
  for (let i = 0; i < 50; i++)
    await emitEvents(database, caller, ...marks.slice(i * 100, i * 100 + 100).map(mark => anEvent(mark)))
  // Numbers a few events at a time, so that it is killed in the middle.
  const { href } = directUrl(databaseUrl)
  const killer = new pg.Client(href)
  await killer.connect()
  for (let n = 0; n < 10; n++) {
    const victim = new pg.Client(href)
    victim.on('error', () => {})
    await victim.connect()
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
    const numbering = victim.query('select number_events(3)').catch(() => {})
    await pause(Math.random() * 6)
    await killer.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await numbering
  }
  await killer.end()
  const { events } = await readFeed(caller)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    marks.map((_, i) => i + 1),
  )
  assert.deepEqual(marksOf(events), marks)
  assert.equal(new Set(events.map(({ id }) => id)).size, marks.length)
})
