// A backup that is restored elsewhere has the same rows and the same schema. Also tests what is refused.

import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { allMigrations, applyExactly } from '../../src/platform/database/migrate.ts'
import { connect, contentsOf } from '../support/database-contents.ts'
import { apiCaller, newApp, temporaryDataDir } from '../support/processes.ts'
import { json, run, startServiceProcess } from '../support/service-process.ts'
import { openStockLoad } from '../support/stock-load.ts'
import { createTestDatabase } from '../support/test-database.ts'

const folder = await temporaryDataDir()
const file = join(folder, 'whole.backup')
const source = { DATABASE_URL: await createTestDatabase(), DATA_DIR: join(folder, 'source') }
const service = await startServiceProcess(source)
const load = await openStockLoad(apiCaller(() => service.baseUrl, await newApp(source)))
for (let n = 0; n < 30; n++) await load.send({ operation: load.operation(), answers: [] })
await service.stop()
const original = await connect(source.DATABASE_URL)
// Everything with a special meaning in the text format of COPY.
const awkward = 'tab\t backslash \\ \\N \\.\n\\.\r\nNUL-less é 𝄞 "quotes" \u0001'
await original.query('update partner set external_id = $1, email = $2', [awkward, '\\N'])

/** Restores into a database and returns what it then contains. */
async function restored(settings: { DATABASE_URL: string; DATA_DIR: string }, ...options: string[]) {
  const figures = await json<{ rows: number; applied: string[] }>(['restore', file, ...options], settings)
  return { figures, contents: await contentsOf(await connect(settings.DATABASE_URL)) }
}

const target = (url: string, name = 'target') => ({ DATABASE_URL: url, DATA_DIR: join(folder, name) })
const refused = async (args: string[], settings: Record<string, string>, said: RegExp) => {
  const { code, output } = await run(args, settings).ended
  assert.deepEqual([code, said.test(output)], [1, true], output)
  assert.doesNotMatch(output, /\n\s+at /)
}

test('a backup restores every row, constraint, index and trigger, and the key of the secrets', async () => {
  const figures = await json<{ rows: number; tables: number }>(['backup', file], source)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const { rows } = await original.query<{ n: number }>('select count(*)::int as n from consignment_product')
  assert.ok((rows[0]?.n ?? 0) > 40 && figures.rows > 1_000, JSON.stringify(figures))
  const expected = await contentsOf(original)
  assert.equal(figures.tables, Object.keys(expected.digests).length)

  const empty = target(await createTestDatabase('template1'))
  const { contents, figures: put } = await restored(empty)
  assert.deepEqual(contents, expected)
  assert.deepEqual([put.rows, put.applied], [figures.rows, []])
  const [keyBefore, keyAfter] = await Promise.all(
    [source, empty].map(({ DATA_DIR }) => readFile(join(DATA_DIR, 'encryption.key'), 'utf8')),
  )
  assert.equal(keyAfter, keyBefore)
  const { output } = await run(['check-stock'], empty).ended
  assert.equal(output, '0 differences.\n')
})

test('the owner of a database needs no other rights to restore it', async () => {
  const url = new URL(await createTestDatabase('template1'))
  const [role, name] = [`owner_${process.pid}`, url.pathname.slice(1)]
  await original.query(`create role ${role} login`)
  await original.query(`alter database ${name} owner to ${role}`)
  url.username = role
  const { contents } = await restored(target(url.href, 'owner'))
  assert.deepEqual(contents.digests, (await contentsOf(original)).digests)
  await json(['backup', join(folder, 'of-owner.backup')], target(url.href, 'owner'))
})

test('a database with an organisation is refused, and replaced only with --replace', async () => {
  const full = target(await createTestDatabase(), 'full')
  const place = ['--name', 'Kept', '--prefix', 'KPT', '--timezone', 'Pacific/Auckland']
  const { organisationId } = await json<{ organisationId: string }>(
    ['organisation', 'create', ...place],
    full,
  )
  const app = ['--organisation', organisationId, '--name', 'Shop', '--scopes', 'consignment']
  await json(['app', 'create', ...app], full)
  const key = await readFile(join(full.DATA_DIR, 'encryption.key'), 'utf8')
  await refused(['restore', file], full, /^The database is not empty: it holds 1 organisation\. .*--replace/)
  assert.equal((await json<{ apps: object[] }>(['app', 'list'], full)).apps.length, 1)

  // A restore that fails at its last step changes nothing, not even the key.
  const whole = await readFile(file)
  const damaged = join(folder, 'damaged.backup')
  await writeFile(damaged, whole.fill(0, whole.length - 5))
  await refused(['restore', damaged, '--replace'], full, /damaged\.backup is damaged: /)
  await json(['app', 'create', ...app], full)
  assert.equal(await readFile(join(full.DATA_DIR, 'encryption.key'), 'utf8'), key)

  const { contents } = await restored(full, '--replace')
  assert.deepEqual(contents, await contentsOf(original))
  const { organisations } = await json<{ organisations: { name: string }[] }>(['organisation', 'list'], full)
  assert.deepEqual(
    organisations.map(({ name }) => name),
    ['Journey Ltd'],
  )
  assert.notEqual(await readFile(join(full.DATA_DIR, 'encryption.key'), 'utf8'), key)
})

test('a backup of an earlier version is restored as it was and then migrated', async () => {
  const url = await createTestDatabase('template1')
  const client = await connect(url)
  const names = await allMigrations()
  await client.query('begin')
  await applyExactly(client, names.slice(0, -1))
  await client.query('insert into migration (name, run_on) select unnest($1::text[]), now()', [
    names.slice(0, -1),
  ])
  await client.query('commit')
  const earlier = join(folder, 'earlier.backup')
  const settings = target(url, 'earlier')
  await json(['backup', earlier], settings)
  const { rowCount } = await client.query('select from migration')
  assert.equal(rowCount, names.length - 1, 'taking a backup migrates nothing')
  const later = target(await createTestDatabase('template1'), 'later')
  const { applied } = await json<{ applied: string[] }>(['restore', earlier], later)
  assert.deepEqual(applied, names.slice(-1))
})

test('a backup that cannot be restored is refused before anything changes', async () => {
  const other = await createTestDatabase('template1')
  const client = await connect(other)
  await client.query('create table invoices (id integer)')
  await refused(['restore', file], target(other), /tables that are not Waybill's: invoices\./)

  const used = await createTestDatabase('template1')
  const running = /The service is running on this database\. Stop it/
  if (process.env.TEST_POOLED_URL === undefined) {
    const service = new pg.Client({ connectionString: used, application_name: 'waybill' })
    await service.connect()
    await refused(['restore', file], target(used), running)
    await service.end()
  }
  // Behind a pooler the connections do not show the service, but its heartbeats do.
  const migrated = await createTestDatabase()
  await (await connect(migrated)).query(`
    insert into service_process (id, is_api, is_worker, shares_limits, seen_utc)
    values (gen_random_uuid(), true, true, true, now() + interval '5 minutes')`)
  await refused(['restore', file], target(migrated), running)

  const free = target(used, 'free')
  const cut = join(folder, 'cut.backup')
  await writeFile(cut, (await readFile(file)).subarray(0, 50_000))
  await refused(['restore', cut], free, /cut\.backup is cut off: its end is missing\./)
  await refused(['restore', join(folder, 'none')], free, /There is no file \S+none\./)
  await refused(['restore', join(folder, 'source/encryption.key')], free, /is not a backup of Waybill\./)
  const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64')
  await refused(
    ['restore', file],
    { ...free, ENCRYPTION_KEY },
    /^ENCRYPTION_KEY is not the key of the backup/m,
  )
  const { rowCount } = await (await connect(used)).query(
    `select from pg_class where relnamespace = 'public'::regnamespace`,
  )
  assert.equal(rowCount, 0, 'nothing was left behind')
})

test('a backup without the key is restored only if the key is known', async () => {
  const bare = join(folder, 'bare.backup')
  await json(['backup', bare, '--without-key'], source)
  const key = (await readFile(join(source.DATA_DIR, 'encryption.key'), 'utf8')).trim()
  assert.ok(!(await readFile(bare)).includes(key))
  const settings = target(await createTestDatabase('template1'), 'keyless')
  await refused(['restore', bare], settings, /their key is missing/)
  await json(['restore', bare], { ...settings, ENCRYPTION_KEY: key })
})

test('a failed backup is reported and leaves no file', async () => {
  await refused(['backup', file], source, /whole\.backup already exists\./)
  const nowhere = join(folder, 'no such folder/x')
  await refused(['backup', nowhere], source, /cannot be written to \S+ such folder\/x\. \(ENOENT/)
  const empty = { DATABASE_URL: await createTestDatabase('template1'), DATA_DIR: folder }
  const none = join(folder, 'none.backup')
  await refused(['backup', none], empty, /nothing to back up: the database holds no tables of Waybill\./)
  const unmade = { DATA_DIR: join(folder, 'unmade') }
  await refused(['backup', none], unmade, /There is no database in \S+unmade \(DATA_DIR\)/)
  await assert.rejects(stat(none), { code: 'ENOENT' })
  await assert.rejects(stat(join(folder, 'unmade')), { code: 'ENOENT' })
})

test('a backup can be written to and read from a pipe', async () => {
  const settings = target(await createTestDatabase('template1'), 'piped')
  const taken = run(['backup', '-', '--json'], source)
  const chunks: Buffer[] = []
  taken.child.stdout?.on('data', chunk => chunks.push(chunk))
  assert.equal((await taken.ended).code, 0)
  const put = run(['restore', '-'], settings, Buffer.concat(chunks))
  assert.match((await put.ended).output, /^Restored \d+ rows of \d+ tables/)
})
