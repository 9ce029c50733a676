// The processes of one database know which of them are alive.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, sql } from '../../../src/platform/database/db.ts'
import { openDatabase } from '../../../src/platform/database/open-database.ts'
import { openSession } from '../../../src/platform/database/session.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openPresence } from '../../../src/platform/presence/presence.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { openTestDatabase } from '../../support/harness.ts'
import { until } from '../../support/service-process.ts'
import { atEnd } from '../../support/test-database.ts'

async function startWorker(database: Database) {
  const session = openSession(database)
  const presence = await openPresence(session, newId(), { api: false, worker: true })
  atEnd(() => session.close())
  return { presence, session }
}

/** longer than the gap after which a process begins anew to watch the others */
const gapMs = 3_000

/** Waits until a process has sent so many heartbeats that it trusts them. */
async function untilSteady(database: Database, id: string): Promise<void> {
  const seen = new Set<string>()
  await until(async () => {
    const { at } = await database.db.row<{ at: string }>(
      sql`select seen_utc::text as at from service_process where id = ${id}`,
    )
    return seen.add(at).size >= 4
  }, 'It sends no heartbeats.')
}

/** Makes the last heartbeat of a process older. */
const age = (database: Database, id: string, seconds: number) =>
  database.inOneStatement(tx =>
    tx.run(sql`update service_process set seen_utc = seen_utc - ${seconds} * interval '1 second'
      where id = ${id}`),
  )

test('a worker that is silent for five seconds is dead, one that stopped is not, and dead ones are forgotten later', async () => {
  const { database } = await openTestDatabase()
  const [living, dying, stopping] = await Promise.all([1, 2, 3].map(() => startWorker(database)))
  const dead = () => living?.presence.deadWorkers() ?? []
  assert.deepEqual(dead(), [])
  const start = performance.now()
  await dying?.session.close()
  await stopping?.presence.close()
  await until(async () => dead().length > 0, 'No worker was found dead.')
  assert.ok(performance.now() - start > 3_500, 'not before five seconds after its last heartbeat')
  assert.deepEqual(dead(), [dying?.presence.id])
  await age(database, dying?.presence.id ?? '', 120)
  await until(async () => dead().length === 0, 'It was not forgotten.')
  const rows = await database.db.rows<{ id: string }>(sql`select id from service_process order by id`)
  assert.deepEqual(
    rows.map(({ id }) => id),
    [living?.presence.id, stopping?.presence.id].toSorted(),
  )
})

test('after an outage, a process that comes back a moment later is not taken for dead', async () => {
  const { database, databaseUrl } = await openTestDatabase()
  const proxy = await openDatabaseProxy(databaseUrl)
  const proxied = openDatabase({ connection: { connectionString: proxy.url }, poolSize: 2 })
  atEnd(() => proxied.close())
  const worker = await startWorker(proxied)
  const other = await startWorker(database)
  await untilSteady(database, worker.presence.id)
  // A long outage, from which the other worker takes two seconds longer to come back.
  await proxy.refuse()
  await age(database, other.presence.id, 4)
  await age(database, worker.presence.id, 60)
  await other.session.close()
  const refusedSince = performance.now()
  await until(async () => performance.now() - refusedSince > gapMs, 'The clock stands still.')
  const resumed = performance.now()
  await proxy.resume()
  await until(
    async () =>
      (
        await database.db.rows(sql`select from service_process
      where id = ${worker.presence.id} and seen_utc > now() - interval '2 seconds'`)
      ).length === 1,
    'It sent no further heartbeat.',
  )
  assert.deepEqual(worker.presence.deadWorkers(), [])
  await until(async () => worker.presence.deadWorkers().length === 1, 'The dead worker was never noticed.')
  assert.ok(performance.now() - resumed > 1_800, 'only after several heartbeats')
})
