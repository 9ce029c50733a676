// Processes of one database know which of them are alive.

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

const age = (database: Database, id: string, seconds: number) =>
  database.inOneStatement(tx =>
    tx.run(sql`update service_process set seen_utc = seen_utc - ${seconds} * interval '1 second'
      where id = ${id}`),
  )

test('a worker that is silent for five seconds is dead, one that stopped is not, and old ones are forgotten', async () => {
  const { database } = await openTestDatabase()
  const [lives, dies, stops] = await Promise.all([1, 2, 3].map(() => startWorker(database)))
  await dies?.session.close()
  await stops?.presence.close()
  const silent = () => lives?.presence.deadWorkers() ?? []
  assert.deepEqual(silent(), [])
  const start = performance.now()
  await until(async () => silent().length > 0, 'Nobody was found dead.')
  assert.ok(performance.now() - start > 3_500, 'not before five seconds after its last beat')
  assert.ok(performance.now() - start < 7_500)
  assert.deepEqual(silent(), [dies?.presence.id])
  await age(database, dies?.presence.id ?? '', 120)
  await until(async () => silent().length === 0, 'It was not forgotten.')
  const rows = await database.db.rows<{ id: string }>(sql`select id from service_process order by id`)
  assert.deepEqual(
    rows.map(({ id }) => id),
    [lives?.presence.id, stops?.presence.id].toSorted(),
  )
})

test('after an outage nobody is taken for dead who comes back a moment later', async () => {
  const { database, databaseUrl } = await openTestDatabase()
  const proxy = await openDatabaseProxy(databaseUrl)
  const behind = openDatabase({ connection: { connectionString: proxy.url }, poolSize: 2 })
  atEnd(() => behind.close())
  const one = await startWorker(behind)
  const other = await startWorker(database)
  await new Promise(resolve => setTimeout(resolve, 3_500))
  // The outage is as long as any, and the other takes two seconds longer to come back.
  await proxy.refuse()
  await age(database, other.presence.id, 4)
  await age(database, one.presence.id, 60)
  await other.session.close()
  await new Promise(resolve => setTimeout(resolve, 3_000))
  const resumed = performance.now()
  await proxy.resume()
  await until(
    async () =>
      (
        await database.db.rows(sql`select from service_process
      where id = ${one.presence.id} and seen_utc > now() - interval '2 seconds'`)
      ).length === 1,
    'It did not beat again.',
  )
  assert.deepEqual(one.presence.deadWorkers(), [])
  await until(async () => one.presence.deadWorkers().length === 1, 'It never finds out.')
  assert.ok(performance.now() - resumed > 1_800, 'only after some beats')
})
