// Migrations run once, in order, whoever starts them, and never on the database of a newer version.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { openPooledClient } from '../../support/pooled-client.ts'
import { atEnd, createTestDatabase } from '../../support/test-database.ts'

const names = readdirSync(new URL('../../../migrations', import.meta.url))
  .map(name => name.replace('.sql', ''))
  .toSorted()

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  atEnd(() => client.end())
  return client
}

test('an empty database gets every migration in order, and a second run finds nothing to do', async () => {
  const client = await connect(await createTestDatabase('template1'))
  assert.deepEqual(await migrate(client), names)
  assert.deepEqual(await migrate(client), [])
  const { rows } = await client.query('select name from migration order by id')
  assert.deepEqual(
    rows.map(({ name }) => name),
    names,
  )
})

test('of several processes that start at once, one migrates and the others wait for it', async () => {
  const url = await createTestDatabase('template1')
  const clients = await Promise.all(Array.from({ length: 4 }, () => connect(url)))
  const runs = await Promise.all(clients.map(client => migrate(client)))
  assert.deepEqual(
    runs.map(run => run.length).toSorted((a, b) => b - a),
    [names.length, 0, 0, 0],
  )
})

test('behind a transaction pooler no lock is left on a connection, and the next start migrates', async () => {
  const url = await createTestDatabase('template1')
  assert.deepEqual(await migrate(await openPooledClient(url)), names)
  const client = await connect(url)
  const { rows } = await client.query(
    `select pid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
  )
  assert.deepEqual(rows, [])
  await client.query(`delete from migration where name = $1`, [names.at(-1)])
  await assert.rejects(migrate(client), /already exists/, 'it got the lock')
})

test('a database that a newer version has migrated is refused and left alone', async () => {
  const client = await connect(await createTestDatabase())
  await client.query(`insert into migration (name, run_on) values ('999-the-future', now())`)
  await assert.rejects(migrate(client), /migrated by a newer version of Waybill \(it has 999-the-future\)/)
})

test('a migration that fails leaves nothing of any', async () => {
  const client = await connect(await createTestDatabase('template1'))
  await client.query('create table partner (id integer)')
  await assert.rejects(migrate(client))
  const { rows } = await client.query(
    `select table_name from information_schema.tables where table_schema = 'public' and table_name <> 'migration'`,
  )
  assert.deepEqual(rows, [{ table_name: 'partner' }])
})
