// Migrations run once and in order, even if several processes start, and leave a newer database as it is.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { applyExactly, migrate, migrationState } from '../../../src/platform/database/migrate.ts'
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

test('a database of a checkout that lacks one in the middle gets it', async () => {
  const last = names.at(-1) as string
  const client = await connect(await createTestDatabase('template1'))
  await client.query('begin')
  await applyExactly(client, names.slice(0, -2).concat(last))
  await client.query('insert into migration (name, run_on) select unnest($1::text[]), now()', [
    names.slice(0, -2).concat(last),
  ])
  await client.query('commit')
  assert.deepEqual(await migrate(client), names.slice(-2, -1))
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
  await client.query(`delete from migration where name = $1`, [names[0]])
  await assert.rejects(migrate(client), /already exists/, 'it got the lock')
})

/** A database to which a newer version has applied these migrations. */
async function givenNewer(...added: string[]): Promise<pg.Client> {
  const client = await connect(await createTestDatabase())
  for (const name of added)
    await client.query('insert into migration (name, run_on) values ($1, now())', [name])
  return client
}

test('a database to which a newer version has added is served, and left as it is', async () => {
  const newest = (names.at(-1) as string).slice(0, 3)
  const added = ['998-the-future', `999-drop-what-is-past-needs-${newest}`]
  const client = await givenNewer(...added)
  assert.deepEqual(await migrationState(client), { pending: [], newer: added })
  assert.deepEqual(await migrate(client), [])
})

test('a database from which a newer version has taken what this one needs is refused', async () => {
  const refusal = /migrated by a newer version of Waybill \(it has 998-the-future, 999-drop-it-needs-998\)/
  await assert.rejects(migrate(await givenNewer('998-the-future', '999-drop-it-needs-998')), refusal)
})

test('a database that lacks something and has what is not known is refused', async () => {
  const client = await givenNewer('999-the-future')
  await client.query('delete from migration where name = $1', [names.at(-1)])
  await assert.rejects(migrate(client), /that this one cannot upgrade from \(it has 999-the-future\)/)
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
