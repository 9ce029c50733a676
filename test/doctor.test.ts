// `./waybill doctor` reports what is in order, and each fault with its remedy, and changes nothing.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import type { DoctorFinding } from '../src/doctor/finding.ts'
import { openFakePostgres } from './support/fake-postgres.ts'
import { newApp, temporaryDataDir } from './support/processes.ts'
import { run } from './support/service-process.ts'
import { atEnd, createTestDatabase, directUrl } from './support/test-database.ts'

const DATA_DIR = await temporaryDataDir()
const DATABASE_URL = await createTestDatabase()
const settings = { DATABASE_URL, DATA_DIR }
const client = new pg.Client(DATABASE_URL)
await client.connect()
atEnd(() => client.end())

/** Runs the doctor. Returns its findings and the exit code. */
async function examine(more: Record<string, string> = {}) {
  const { code, output } = await run(['doctor', '--json'], { ...settings, ...more }).ended
  const { isWell, findings } = JSON.parse(output) as { isWell: boolean; findings: DoctorFinding[] }
  assert.equal(code, isWell ? 0 : 1)
  return { isWell, of: (about: string) => findings.find(finding => finding.about === about) }
}

test('if all is well, every finding is ok', async () => {
  await newApp(settings)
  const { code, output } = await run(['doctor'], settings).ended
  assert.equal(code, 0, output)
  const [head = '', ...lines] = output.trim().split('\n')
  assert.match(head, /^STATE +ABOUT +WHAT WAS FOUND$/)
  assert.deepEqual(
    // A replica of another test on the same server would be warned of.
    lines.map(line =>
      line
        .replace(/^WARNING( +replicas )/, 'OK     $1')
        .split(/ {2,}/)
        .slice(0, 2),
    ),
    [
      'settings',
      'database',
      'rights',
      'time zone',
      'clock',
      'connections',
      'migrations',
      'key',
      'issuer',
      'replicas',
      'ports',
      'addresses',
      'data folder',
      'disk',
    ].map(about => ['OK', about]),
    output,
  )
  assert.match(output, /^OK +key +\S+encryption\.key opens the secrets of the database\.$/m)
})

test('wrong settings are the only finding', async () => {
  const { isWell, of } = await examine({ PORT: 'eighty', POOL_SIZE: '0' })
  assert.deepEqual([isWell, of('database')], [false, undefined])
  assert.match(of('settings')?.says ?? '', /^PORT must be/)
})

test('a key of another database, and a key file that others can read', async () => {
  const other = await examine({ ENCRYPTION_KEY: randomBytes(32).toString('base64') })
  assert.deepEqual([other.isWell, other.of('key')?.state], [false, 'fault'])
  assert.match(other.of('key')?.says ?? '', /ENCRYPTION_KEY is not that key\./)
  const folder = await temporaryDataDir()
  await writeFile(join(folder, 'encryption.key'), randomBytes(32).toString('base64'))
  await chmod(join(folder, 'encryption.key'), 0o644)
  const readable = await examine({ DATA_DIR: folder, DATABASE_URL: await createTestDatabase() })
  assert.match(readable.of('data folder')?.says ?? '', /^Others may read the key /)
  assert.equal(readable.of('key')?.says, 'The database holds no secrets yet.')
})

test('a database that is unreachable, read-only, or of an older or newer version', async () => {
  const port = await openFakePostgres({ error: { code: '28P01', message: 'no' } })
  const refused = await examine({ DATABASE_URL: `postgres://ada:x@127.0.0.1:${port}/waybill` })
  assert.match(refused.of('database')?.says ?? '', /rejected the password of the user ada/)

  const readOnly = directUrl(DATABASE_URL)
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
  const { of } = await examine({ DATABASE_URL: readOnly.href })
  assert.match(of('rights')?.says ?? '', /is read-only, or a replica\./)

  const empty = await examine({ DATABASE_URL: await createTestDatabase('template1') })
  assert.deepEqual([empty.isWell, empty.of('migrations')?.state], [true, 'warning'])
  assert.match(
    empty.of('migrations')?.says ?? '',
    /^Pending, and applied by the next start: 001-organisations, /,
  )

  const recordMigration = (name: string) =>
    client.query(`insert into migration (name, run_on) values ($1, now())`, [name])
  await recordMigration('998-the-future')
  const ahead = await examine()
  await recordMigration('999-drop-it-needs-998')
  const tooFar = await examine()
  await client.query(`delete from migration where name like '99%'`)
  assert.deepEqual([ahead.isWell, ahead.of('migrations')?.state], [true, 'warning'])
  assert.match(ahead.of('migrations')?.says ?? '', /it has 998-the-future\); this one can serve it too\.$/)
  assert.deepEqual([tooFar.isWell, tooFar.of('migrations')?.state], [false, 'fault'])
})

test('a pooler that drops the settings of connections', async () => {
  // A setting of the role, which the connection's own setting would override if the pooler passed it on.
  const dropped = new URL(DATABASE_URL)
  dropped.searchParams.set('options', '-c timezone=Pacific/Auckland')
  const { isWell, of } = await examine({ DATABASE_URL: dropped.href })
  // The service itself sets them where it matters.
  assert.deepEqual([isWell, of('time zone')?.state], [true, 'warning'])
  assert.match(of('time zone')?.says ?? '', /time zone Pacific\/Auckland, not UTC/)
})

test('addresses that are unknown, lack encryption, or need a trusted proxy', async () => {
  const says = async (more: Record<string, string>) => (await examine(more)).of('addresses')?.says ?? ''
  assert.match(await says({ BASE_URL: 'https://nowhere.invalid' }), /^nowhere\.invalid .* cannot be resolved/)
  assert.match(await says({ BASE_URL: 'http://203.0.113.1' }), /has no encryption/)
  assert.match(await says({ BASE_URL: 'https://203.0.113.1' }), /TRUST_PROXY is off/)
  assert.equal(
    await says({ BASE_URL: 'https://203.0.113.1', TRUST_PROXY: 'on' }),
    'Callers use https://203.0.113.1.',
  )
})

test('a data folder without a database is reported, and none is created', async () => {
  const absent = join(DATA_DIR, 'absent')
  const { isWell, of } = await examine({ DATABASE_URL: '', DATA_DIR: absent })
  assert.deepEqual([isWell, existsSync(absent)], [true, false])
  assert.match(of('database')?.says ?? '', /^There is none yet; the first start makes one in /)
  assert.match(of('disk')?.says ?? '', /MiB are free/)
})
