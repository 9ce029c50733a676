// The built-in database with real processes: starts, crashes, restarts and two processes at once..

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ClusterLog } from '../../../src/platform/embedded-postgres/cluster.ts'
import { isRunning } from '../../../src/platform/embedded-postgres/lock.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../../src/platform/embedded-postgres/open.ts'
import { makeDatabaseFolder } from '../../support/database-folder.ts'

const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off' }
const quiet: ClusterLog = { info: () => undefined, warn: () => undefined }

const temporary = await makeDatabaseFolder()
/** Shared by the tests that do not need an empty folder. */
const dataDir = path.join(temporary, 'größe, "quoted" and spaced')
after(() => rm(temporary, { recursive: true, maxRetries: 20, retryDelay: 50 }))

const opened: EmbeddedPostgres[] = []
const others: ChildProcess[] = []
afterEach(async () => {
  for (const other of others.splice(0)) other.kill('SIGKILL')
  await Promise.all(opened.splice(0).map(database => database.stop()))
})

async function open(folder: string, log: ClusterLog = quiet): Promise<EmbeddedPostgres> {
  const database = await openEmbeddedPostgres({ dataDir: folder, log, settings })
  opened.push(database)
  return database
}

async function query<Row extends pg.QueryResultRow>(database: EmbeddedPostgres, sql: string): Promise<Row> {
  const client = new pg.Client(database.connection)
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<Row>(sql).finally(() => client.end())
  return rows[0]!
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(20))
    if (await condition()) return
  assert.fail(`Waited in vain until ${what}.`)
}

async function serverPid({ connection }: EmbeddedPostgres): Promise<number> {
  return Number.parseInt(await readFile(path.join(connection.host, 'data/postmaster.pid'), 'utf8'), 10)
}

/** Another process that opens the database and keeps it until its input ends; resolves when it is open. */
async function openElsewhere(folder: string): Promise<ChildProcess> {
  const source = `
    import { openEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('../../../src/platform/embedded-postgres/open.ts'))}
    const log = { info() {}, warn() {} }
    const database = await openEmbeddedPostgres({ dataDir: process.argv[1], log, settings: ${JSON.stringify(settings)} })
    console.log('open')
    process.stdin.on('end', () => database.stop().then(() => process.exit())).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  others.push(child)
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(([code]) =>
      assert.fail(`The other process ended with ${code} before the database was open.`),
    ),
  ])
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('an empty data folder gets a database that is there again after a restart', async () => {
  const first = await open(dataDir)
  await query(first, `create table letter as select 'ÄÖÜ' as mark`)
  const found = await query(
    first,
    `
    select lower(mark) as lower, mark ilike 'äöü' as "found", current_setting('data_checksums') as checksums,
      current_setting('timezone') as zone, current_setting('listen_addresses') as addresses,
        current_setting('fsync') as fsync from letter`,
  )
  assert.deepEqual(found, {
    lower: 'äöü',
    found: true,
    checksums: 'on',
    zone: 'UTC',
    addresses: '',
    fsync: 'off',
  })
  assert.deepEqual(first.notes, [])
  assert.equal((await stat(first.connection.host)).mode & 0o777, 0o700)
  await Promise.all([first.stop(), first.stop()])
  await assert.rejects(query(first, 'select 1'))

  const second = await open(dataDir)
  assert.deepEqual(await query(second, 'select mark from letter'), { mark: 'ÄÖÜ' })
  await second.stop()
})

test('advice to remove a folder with wrong rights is given only if the folder is empty', async () => {
  const folder = path.join(temporary, 'rights')
  await mkdir(path.join(folder, 'postgresql'), { recursive: true })
  await chmod(folder, 0o711)
  await chmod(path.join(folder, 'postgresql'), 0o755)
  await assert.rejects(open(folder), /correct its rights, remove it, or set DATABASE_URL/)
  await writeFile(path.join(folder, 'postgresql', 'PG_VERSION'), '18')
  await assert.rejects(open(folder), (error: Error) => {
    assert.match(error.message, /correct its rights, or set DATABASE_URL/)
    assert.doesNotMatch(error.message, /remove/)
    return true
  })
})

test('a killed owner takes the server with it, and the next start does not wait', async () => {
  for (const pause of [0, 5]) {
    const child = await openElsewhere(dataDir)
    const pid = Number.parseInt(
      await readFile(path.join(dataDir, 'postgresql/data/postmaster.pid'), 'utf8'),
      10,
    )
    await kill(child)
    await sleep(pause)
    const database = await open(dataDir)
    assert.notEqual(await serverPid(database), pid)
    assert.ok(!(await isRunning(pid)))
    assert.deepEqual(await query(database, 'select 1 as one'), { one: 1 })
    await database.stop()
  }
  const last = await openElsewhere(dataDir)
  const pid = Number.parseInt(
    await readFile(path.join(dataDir, 'postgresql/data/postmaster.pid'), 'utf8'),
    10,
  )
  await kill(last)
  await until('the orphan has ended', async () => !(await isRunning(pid)))
})

test('a killed server comes back under an open pool, even while a statement of the old one still runs', async () => {
  const warnings: string[] = []
  const database = await open(dataDir, { ...quiet, warn: message => void warnings.push(message) })
  const pool = new pg.Pool(database.connection)
  pool.on('error', () => undefined)
  await pool.query('create table parcel as select 7 as weight')
  // A loop that never checks for signals, so it does not notice that its server is gone.
  const busy = pool
    .query('select count(*) from generate_series(1, 20000000000) n where n < 0')
    .catch(error => error)
  await until('the statement runs', async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where query like 'select count%' and state = 'active'`,
    )
    return rows.length === 1
  })
  for (let round = 1; round <= 2; round++) {
    const pid = await serverPid(database)
    process.kill(pid, 'SIGKILL')
    await until('the server is back', async () => (await serverPid(database).catch(() => pid)) !== pid)
    await until('the pool reconnects', () =>
      pool.query('select weight from parcel').then(
        ({ rows }) => rows[0].weight === 7,
        () => false,
      ),
    )
  }
  assert.ok((await busy) instanceof Error)
  assert.match(
    warnings.join('\n'),
    /signal SIGKILL.*starting it again\.\n.*signal SIGKILL.*starting it again in 200 ms\./,
  )
  await pool.end()
  await database.stop()
})

test('two processes that open an empty folder together share one server', async () => {
  const empty = path.join(temporary, 'together')
  const [here, child] = await Promise.all([open(empty), openElsewhere(empty)])
  assert.deepEqual(await readdir(here.connection.host), [
    '.s.PGSQL.5432',
    '.s.PGSQL.5432.lock',
    'data',
    'log',
  ])
  assert.deepEqual(await query(here, 'select 1 as one'), { one: 1 })
  child.stdin?.end()
  await once(child, 'exit')
  await until('the database is there', () => query(here, 'select 1').then(Boolean, () => false))
  await here.stop()
})

test('a second process uses the running server, leaves it running, and takes over when the first is killed', async () => {
  const owner = await openElsewhere(dataDir)
  const here = await open(dataDir)
  const pid = await serverPid(here)
  const guest = await open(dataDir)
  await guest.stop()
  assert.equal(await serverPid(here), pid)
  assert.deepEqual(await query(here, 'select 1 as one'), { one: 1 })

  await kill(owner)
  await until('the second process took over', async () =>
    query(here, 'select 1').then(
      async () => (await serverPid(here)) !== pid,
      () => false,
    ),
  )
  await here.stop()
  await assert.rejects(query(here, 'select 1'))
})

test('a lock file left behind does not prevent the start, even if another process has its process id now', {
  timeout: 120_000,
}, async () => {
  const first = await open(dataDir)
  const locks = ['data/postmaster.pid', '.s.PGSQL.5432.lock'].map(name =>
    path.join(first.connection.host, name),
  )
  const kept = await Promise.all(locks.map(lock => readFile(lock, 'utf8')))
  const { uid, gid } = await stat(first.connection.host)
  await first.stop()
  // PostgreSQL would take a process of the same account for another server.
  const stranger = spawn('/bin/sleep', ['60'], { uid, gid })
  for (const pid of [stranger.pid, 4_000_000]) {
    await Promise.all(
      locks.map((lock, index) => writeFile(lock, kept[index]!.replace(/^-?\d+/, String(pid)))),
    )
    const again = await open(dataDir)
    assert.deepEqual(await query(again, 'select 1 as one'), { one: 1 })
    await again.stop()
  }
  stranger.kill()
})

test('a data folder with a long path is served through a short private folder', async () => {
  const database = await open(path.join(temporary, 'x'.repeat(120)))
  assert.ok(database.connection.host.length < 40)
  assert.equal((await stat(database.connection.host)).mode & 0o777, 0o700)
  assert.match(database.notes.join(), /too long for a socket/)
  assert.deepEqual(await query(database, 'select 1 as one'), { one: 1 })
  await database.stop()
  await rm(database.connection.host, { recursive: true })
})

test('root keeps the database outside of a folder that only root may enter, and finds it when that folder has moved', {
  skip: isRoot ? false : 'only root needs another account for the database',
}, async () => {
  const closed = path.join(temporary, 'closed')
  await mkdir(closed, { mode: 0o700 })
  const first = await open(path.join(closed, 'data'))
  await query(first, 'create table parcel as select 7 as weight')
  await first.stop()
  assert.match(first.notes.join(), /does not run as root.*is kept in .*backups/)
  assert.equal((await stat(closed)).mode & 0o777, 0o700)

  await rename(path.join(closed, 'data'), path.join(closed, 'moved'))
  const second = await open(path.join(closed, 'moved'))
  assert.deepEqual(await query(second, 'select weight from parcel'), { weight: 7 })
  const third = await open(path.join(closed, 'data'))
  assert.notEqual(third.connection.host, second.connection.host)
  await Promise.all([second.stop(), third.stop()])
  await rm(second.connection.host, { recursive: true })
  await assert.rejects(open(path.join(closed, 'moved')), /where-the-database-is\.txt says .* does not exist/)
  await rm(third.connection.host, { recursive: true })
})

test('data of another major version and a broken setting are refused with advice', async () => {
  const first = await open(dataDir)
  await first.stop()
  await assert.rejects(
    openEmbeddedPostgres({ dataDir, log: quiet, settings: { shared_buffers: 'much' } }),
    /did not start \(exit code 1\)\. .*DATABASE_URL.*\n.*FATAL.*shared_buffers/s,
  )
  await writeFile(path.join(first.connection.host, 'data/PG_VERSION'), '17\n')
  await assert.rejects(open(dataDir), /was made by PostgreSQL 17; this Waybill brings PostgreSQL 18/)
})
