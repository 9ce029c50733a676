// Behind a transaction pooler: it may drop the settings of a connection, it greets connections although the
// database is silent, and a read-only server may be promoted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Database, sql } from '../../../src/platform/database/db.ts'
import { isDatabaseUnavailable, sqlState } from '../../../src/platform/database/errors.ts'
import { openDatabase } from '../../../src/platform/database/open-database.ts'
import { planForWholeTables } from '../../../src/platform/database/plan-for-whole-tables.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { until } from '../../support/service-process.ts'
import { atEnd, createTestDatabase, directUrl, openTestPools } from '../../support/test-database.ts'

// The test puts its own proxy in between.
const url = directUrl(await createTestDatabase('template1')).href
const name = new URL(url).pathname.slice(1)
const direct = new pg.Client(url)
await direct.connect()
atEnd(() => direct.end())
await direct.query(`alter database ${name} set timezone to 'Australia/Lord_Howe'`)
await direct.query('create table note (text text)')

interface Settings {
  zone: string
  lock: string
  statement: string
  idle: string
  at: string
}
const settings = sql`select current_setting('TimeZone') as zone, current_setting('lock_timeout') as lock,
  current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle,
  timestamptz '2026-01-01T00:00:00.1234Z' as at`
const expected: Settings = {
  zone: 'UTC',
  lock: '3s',
  statement: '30s',
  idle: '1min',
  at: '2026-01-01T00:00:00.123Z',
}

const readAllWays = (database: Database) => [
  database.db.row<Settings>(settings),
  database.inOneStatement(tx => tx.row<Settings>(settings)),
  database.atomically(tx => tx.row<Settings>(settings)),
]

test('if a pooler drops the settings of connections, times and timeouts are still right, and one report is made', async () => {
  const proxy = await openDatabaseProxy(url, { dropsOptions: true })
  const told: string[] = []
  const database = openDatabase({
    connection: { connectionString: proxy.url },
    poolSize: 2,
    onDroppedSettings: names => told.push(names.toSorted().join(' ')),
  })
  atEnd(() => database.close())
  for (let i = 0; i < 3; i++)
    for (const found of await Promise.all(readAllWays(database))) assert.deepEqual(found, expected)
  assert.deepEqual(told, ['TimeZone idle_in_transaction_session_timeout lock_timeout statement_timeout'])
  // The pooler gives the next transaction a server connection without our settings.
  await database.inOneStatement(tx => tx.rows(sql`reset all`))
  await database.inOneStatement(tx => tx.rows(sql`reset all`))
  assert.deepEqual(await database.atomically(tx => tx.row(settings)), expected)
})

test('transactions plan each statement once and with indexes; reads plan as they like, even behind a pooler', async () => {
  const planner = sql`select current_setting('plan_cache_mode') as plans,
    current_setting('enable_seqscan') as scans`
  const withIndexes = { plans: 'force_generic_plan', scans: 'off' }
  const asTheyLike = { plans: 'auto', scans: 'on' }
  for (const dropsOptions of [false, true]) {
    const proxy = await openDatabaseProxy(url, { dropsOptions })
    const database = openDatabase({ connection: { connectionString: proxy.url }, poolSize: 1 })
    atEnd(() => database.close())
    assert.deepEqual(await database.atomically(tx => tx.row(planner)), withIndexes)
    assert.deepEqual(await database.db.row(planner), asTheyLike)
    // A pooler may give the server connection to a reader next, so nothing outlasts a transaction there.
    const afterwards = await database.inOneStatement(tx => tx.row(planner))
    assert.deepEqual(afterwards, dropsOptions ? asTheyLike : withIndexes)
    const whole = await database.atomically(async tx => {
      await tx.run(sql`select ${planForWholeTables}`)
      return tx.row(planner)
    })
    assert.deepEqual(whole, asTheyLike)
    assert.deepEqual(await database.atomically(tx => tx.row(planner)), withIndexes)
  }
})

test("a time is parsed as the same instant whatever the session's time zone", async () => {
  const database = openTestPools(url, 1)
  for (const zone of ['Asia/Kolkata', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Monrovia', 'UTC']) {
    await database.inOneStatement(tx => tx.rows(sql`select set_config('TimeZone', ${zone}, false)`))
    const { times } = await database.inOneStatement(tx =>
      tx.row<{ times: string }>(sql`select timestamptz '1960-06-30T23:59:59Z' as times`),
    )
    assert.equal(times, '1960-06-30T23:59:59.000Z', zone)
    const { micro } = await database.inOneStatement(tx =>
      tx.row<{ micro: string }>(sql`select timestamptz '2026-07-31T13:30:00.987654Z' as micro`),
    )
    assert.equal(micro, '2026-07-31T13:30:00.987Z', zone)
  }
})

test('a server that accepts no writes counts as unavailable until it does', async () => {
  const told: string[] = []
  const database = openDatabase({
    connection: { connectionString: url },
    poolSize: 2,
    onOutage: () => told.push('away'),
    onRecovery: () => told.push('back'),
  })
  atEnd(() => database.close())
  const write = () => database.atomically(tx => tx.run(sql`insert into note values ('x')`))
  await direct.query(`alter database ${name} set default_transaction_read_only to on`)
  await assert.rejects(write(), isDatabaseUnavailable)
  assert.equal(database.state().isUnavailable, true)
  // Each probe opens a connection of its own and closes it, because the server accepts no writes.
  const endedSessions = async () =>
    Number(
      (await direct.query('select sessions from pg_stat_database where datname = $1', [name])).rows[0]
        ?.sessions,
    )
  const before = await endedSessions()
  await until(async () => (await endedSessions()) >= before + 2, 'The database was not probed again.')
  assert.deepEqual(told, ['away'], 'answering a query does not mean that it accepts writes')
  await direct.query('set default_transaction_read_only to off')
  await direct.query(`alter database ${name} reset default_transaction_read_only`)
  await until(async () => !database.state().isUnavailable, 'The database did not become available.')
  assert.deepEqual(told, ['away', 'back'])
  assert.equal(await write(), 1)
})

test('a silent database is noticed even if the pooler in front of it still greets new connections', {
  timeout: 300_000,
}, async () => {
  const proxy = await openDatabaseProxy(url)
  const database = openDatabase({ connection: { connectionString: proxy.url }, poolSize: 4 })
  atEnd(() => database.close())
  await Promise.all(readAllWays(database))
  proxy.stallBehindGreeting()
  const answers = await Promise.allSettled([...readAllWays(database), ...readAllWays(database)])
  for (const answer of answers)
    assert.ok(answer.status === 'rejected' && isDatabaseUnavailable(answer.reason))
  await proxy.resume()
  await until(async () => !database.state().isUnavailable, 'The database did not become available.')
})

test('a connection on which preparing a statement failed is closed, because a pooler would end it', async () => {
  const database = openTestPools(url, 1)
  const backend = () =>
    database.atomically(tx => tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid`))
  const fails = sql`select 1 / (select count(*) from note where false)`
  /** Runs a transaction in which one statement fails, and the one sent with it is refused as a result. */
  const failPipelined = (second: string) =>
    assert.rejects(
      database.atomically(tx => Promise.all([tx.row(fails), tx.row(sql`select ${second}::text as second`)])),
      error => sqlState(error) === '22012',
    )
  const before = await backend()
  await failPipelined('not prepared')
  const after = await backend()
  assert.notDeepEqual(after, before)
  await database.atomically(tx => tx.row(sql`select ${'prepared'}::text as second`))
  await assert.rejects(database.atomically(tx => tx.row(fails)))
  await failPipelined('prepared')
  assert.deepEqual(await backend(), after, 'prepared statements may fail any number of times')
})

test('a connection that needs a session bypasses the pooler', async () => {
  const proxy = await openDatabaseProxy(url)
  const database = openDatabase({
    connection: { connectionString: proxy.url },
    directConnection: { connectionString: url },
    poolSize: 1,
  })
  atEnd(() => database.close())
  await proxy.refuse()
  const client = await database.openConnection()
  atEnd(() => client.end())
  assert.equal((await client.query('select 1 as one')).rows[0].one, 1)
  await assert.rejects(database.db.row(sql`select 1`), isDatabaseUnavailable)
})
