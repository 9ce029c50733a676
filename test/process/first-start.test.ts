// Everything that can go wrong at a first start is reported in a sentence that names the setting and the
// remedy.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { openFakePostgres } from '../support/fake-postgres.ts'
import { temporaryDataDir } from '../support/processes.ts'
import { run, startServiceProcess } from '../support/service-process.ts'
import { atEnd, createTestDatabase, directUrl } from '../support/test-database.ts'

const dataDir = await temporaryDataDir()
const file = join(dataDir, 'a file')
await writeFile(file, '')
const closed = 'postgres://ada:hush@127.0.0.1:1/waybill'
const database = await createTestDatabase('template1')
const admin = new pg.Client(database)
await admin.connect()
const databaseName = new URL(database).pathname.slice(1)
const role = `weak_${process.pid}`
await admin.query(`create role ${role} login`)
atEnd(async () => {
  await admin.query(`drop role ${role}`)
  await admin.end()
})
/** The URL of the test database with a change. */
const changedUrl = (change: (url: URL) => void): string => {
  const url = directUrl(database)
  change(url)
  return url.href
}
const fake = async (...behaviour: Parameters<typeof openFakePostgres>) =>
  `postgres://ada:hush@127.0.0.1:${await openFakePostgres(...behaviour)}/waybill`
const taken = createServer().listen(0, '127.0.0.1')
await once(taken, 'listening')
atEnd(() => taken.close())
const { port: takenPort } = taken.address() as AddressInfo
const missingFolder = join(dataDir, 'unmade')

const foreign = await createTestDatabase('template1')
const foreignClient = new pg.Client(directUrl(foreign).href)
await foreignClient.connect()
atEnd(() => foreignClient.end())
const empty = directUrl(await createTestDatabase('template1'))
const emptyName = empty.pathname.slice(1)
empty.username = role
const weakUrl = empty.href
await foreignClient.query(`create table partner (name text); create table unrelated (name text)`)

/** By the name of a case: the settings, the expected message, and the arguments if not `start`. */
const faults: Record<string, [settings: Record<string, string>, expected: RegExp, args?: string[]]> = {
  'a port that is taken': [
    { PORT: String(takenPort), DATA_DIR: missingFolder },
    /^Port \d+ of 127\.0\.0\.1 is in use\. Set PORT to another one; PORT=0 takes any that is free\.$/m,
  ],
  'a port of metrics that is taken': [
    { METRICS_PORT: String(takenPort), DATA_DIR: missingFolder },
    /^Port \d+ of 127\.0\.0\.1 is in use\. Set METRICS_PORT to another one\.$/m,
  ],
  'an address of another machine': [
    { HOST: '203.0.113.1', DATA_DIR: missingFolder },
    /^This machine has no address HOST=203\.0\.113\.1\. /m,
  ],
  'a data folder that is a file': [
    { DATA_DIR: file },
    /DATA_DIR must be a folder that exists or can be made, and \S+a file is not a folder\./,
  ],
  'a data folder below a file': [
    { DATA_DIR: join(file, 'data') },
    /DATA_DIR must be a folder that exists or can be made, and \S+a file is not a folder\./,
  ],
  'a data folder where none can be made': [
    { DATA_DIR: '/sys/waybill' },
    /DATA_DIR \/sys\/waybill cannot be used\. Set DATA_DIR to a folder that this account may write/,
  ],
  'a data folder where none can be made although the folder above is there': [
    { DATA_DIR: '/proc/waybill/data' },
    /DATA_DIR \/proc\/waybill\/data cannot be used\. Set DATA_DIR to a folder that this account may write/,
  ],
  'a key that cannot be kept': [
    { DATABASE_URL: database, DATA_DIR: '/sys/waybill' },
    /The key that encrypts secrets cannot be kept in \/sys\/waybill \(.*Set DATA_DIR to .* or set ENCRYPTION_KEY/,
    ['keys', 'rotate'],
  ],
  'a host that is not known': [
    { DATABASE_URL: 'postgres://ada@nowhere.invalid/waybill' },
    /^The host nowhere\.invalid of the database is unknown \(DATABASE_URL\)\. Check its name\.$/m,
    ['migrate'],
  ],
  'a host of libpq that is not known': [
    { PGHOST: 'nowhere.invalid' },
    /^The host nowhere\.invalid of the database is unknown \(PGHOST\)\. Check its name\.$/m,
    ['migrate'],
  ],
  'nobody at the address': [
    { DATABASE_URL: closed },
    /^Nothing is listening on 127\.0\.0\.1:1 \(DATABASE_URL\)\. Start PostgreSQL, or correct the address\.$/m,
    ['migrate'],
  ],
  'a wrong password': [
    { DATABASE_URL: await fake({ error: { code: '28P01', message: 'password authentication failed' } }) },
    /^The server at 127\.0\.0\.1:\d+ rejected the password of the user ada \(DATABASE_URL\)\. Correct it\.$/m,
    ['migrate'],
  ],
  'a user that does not exist': [
    { DATABASE_URL: changedUrl(url => (url.username = 'nobody_of_this_name')) },
    /does not admit the user nobody_of_this_name \(DATABASE_URL\): role "nobody_of_this_name" does not exist\./,
    ['migrate'],
  ],
  'a database that does not exist': [
    { DATABASE_URL: changedUrl(url => (url.pathname = '/none_of_this_name')) },
    /^There is no database none_of_this_name at .* \(DATABASE_URL\)\. Create it, or use another one\.$/m,
    ['migrate'],
  ],
  'a server that takes encrypted connections only': [
    {
      DATABASE_URL: await fake({
        error: {
          code: '28000',
          message: 'no pg_hba.conf entry for host "10.0.0.1", user "ada", database "waybill", no encryption',
        },
      }),
    },
    /accepts only encrypted connections \(DATABASE_URL\)\. Add \?sslmode=verify-full to the address/,
    ['migrate'],
  ],
  'a server without the encryption that is asked for': [
    { DATABASE_URL: `${await fake({})}?sslmode=verify-full` },
    /does not offer the encryption that sslmode requires \(DATABASE_URL\)\. Switch it on there \(ssl = on\), or omit/,
    ['migrate'],
  ],
  'a server that is too old': [
    { DATABASE_URL: await fake({ version: '14.9' }) },
    /^The server at 127\.0\.0\.1:\d+ is PostgreSQL 14\.9; Waybill needs 15 or newer\.$/m,
    ['migrate'],
  ],
  'no right to make tables': [
    { DATABASE_URL: weakUrl },
    new RegExp(
      `^The user ${role} cannot change the tables of ${emptyName}\\. Make it the owner: alter database`,
      'm',
    ),
  ],
  'a database of another program': [
    { DATABASE_URL: foreign },
    new RegExp(
      `^The database ${new URL(foreign).pathname.slice(1)} has tables of another program \\(partner\\)\\. `,
      'm',
    ),
  ],
  'a password with signs that mean something in an address': [
    { DATABASE_URL: 'postgres://ada:a/b@localhost/waybill' },
    /DATABASE_URL must be a postgres:\/\/ or postgresql:\/\/ URL, in which signs such as \/ .* are written as %2F/,
  ],
  'a command that does not exist': [{}, /unknown command 'strat'\n\(Did you mean start\?\)/, ['strat']],
  'an option that does not exist': [{}, /unknown option '--prt'/, ['start', '--prt', '80']],
  'an argument too many': [{}, /too many arguments/, ['start', 'now']],
}

for (const [name, [settings, expected, args = ['start']]] of Object.entries(faults)) {
  test(`${name} is reported in one sentence`, async () => {
    const { code, output } = await run(args, { DATA_DIR: dataDir, ...settings }).ended
    assert.equal(code, 1, output)
    assert.match(output, expected)
    assert.doesNotMatch(output, /\n\s+at |hush|node:internal/)
  })
}

test('a refused start leaves the database of another program as it was', async () => {
  const settings = { DATABASE_URL: foreign, DATA_DIR: dataDir }
  assert.equal((await run(['start'], settings).ended).code, 1)
  const { rows } = await foreignClient.query(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`)
  assert.deepEqual(rows, [{ name: 'partner' }, { name: 'unrelated' }])
  const { output } = await run(['doctor'], settings).ended
  assert.match(output, /^FAULT +rights +The database \S+ has tables of another program \(partner\)/m)
})

test('the port is checked before anything is created', async () => {
  const { code } = await run(['start'], { PORT: String(takenPort), DATA_DIR: missingFolder }).ended
  assert.equal(code, 1)
  assert.ok(!existsSync(missingFolder))
})

test('a Node.js that is too old is reported', async () => {
  const { code, output } = await run(['--version'], {}, '', ['--no-strip-types']).ended
  assert.deepEqual([code, /^Waybill needs Node\.js 24 or newer; this is v/.test(output)], [1, true], output)
})

test('a start with DATABASE_URL but without ENCRYPTION_KEY prints a note about the key', async () => {
  const folder = join(dataDir, 'key')
  await mkdir(folder)
  const service = await startServiceProcess({ DATABASE_URL: database, DATA_DIR: folder })
  const { output } = await service.stop()
  assert.match(
    output,
    /^DATABASE_URL is set and ENCRYPTION_KEY is not: the key .* is kept in \S+key\/encryption\.key\. /m,
  )
})

test('the variables of libpq determine the database, with any characters in the password', async () => {
  const { hostname, port, username } = new URL(database)
  const libpq = { PGHOST: decodeURIComponent(hostname), PGUSER: username, PGDATABASE: databaseName }
  const more = { PGPASSWORD: 'a/b@c#d%', ...(port === '' ? {} : { PGPORT: port }) }
  const { code, output } = await run(['migrate'], { DATA_DIR: missingFolder, ...libpq, ...more }).ended
  assert.deepEqual([code, output], [0, 'The database is up to date.\n'])
  assert.ok(!existsSync(missingFolder))
})

test('a misspelt setting in the environment is reported', async () => {
  const { code, output } = await run(['migrate'], { DATABASE_URL: database, RATE_LIMIT: 'off' }).ended
  assert.equal(code, 0)
  assert.match(output, /^RATE_LIMIT is set but is not a Waybill setting\. Did you mean RATE_LIMITS\?$/m)
})
