// Settings: how they are read, how their faults are reported, and that .env.example describes them correctly.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { ConfigError, readConfig } from '../../src/process/config.ts'

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.faults
  }
}

test('all faults of the settings are reported at once, by name and without their values', () => {
  const env = {
    ROLES: 'all',
    HOST: 'bad host',
    PORT: '70000',
    DATABASE_URL: 'mysql://user:secret@host/db',
    BASE_URL: 'https://example.com/path',
    AUTH_URL: 'example.com',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'xml',
    RATE_LIMITS: 'maybe',
    WEBHOOK_ALLOW_PRIVATE: '2',
    WEBHOOK_PORTS: '443,https',
    WEBHOOK_RETRY_SECONDS: '5,30,x',
    POOL_SIZE: '1',
    ENCRYPTION_KEY: 'c2hvcnQ=',
    METRICS_PORT: 'x',
    METRICS_TOKEN: 'short',
    TRUST_PROXY: 'perhaps',
    DOCUMENT_FONTS: '/nowhere',
    DOCUMENT_PROCESSES: '0',
    PRINT_STORAGE_MIB: 'much',
  }
  const faults = faultsOf(env)
  assert.deepEqual(
    faults.map(fault => fault.split(' ')[0]),
    Object.keys(env),
  )
  for (const fault of faults) {
    assert.match(fault, / must be .+\.$/)
    assert.ok(!fault.includes('secret'))
  }
  assert.throws(
    () => readConfig(env),
    /PORT must be a whole number from 0 to 65535\.\n[\s\S]*TRUST_PROXY must be off, on, a number of proxies .+\./,
  )
})

test('each kind of wrong value is detected', () => {
  const cases: Record<string, string[]> = {
    HOST: [
      'bad host',
      'http://localhost',
      'localhost:8080',
      '[::1]',
      '127.0.0.1.1',
      '1.2.3',
      '999.0.0.1',
      '-',
      '.',
      'a..b',
      'ä',
    ],
    PORT: ['-1', '8080.5', '80a', '65536', '1e3'],
    BASE_URL: ['ftp://a', 'http://', 'https://a/b', 'https://a?b', 'https://a#b', 'https://user@a', '//a'],
    DATABASE_URL: ['postgres', 'http://a'],
    WEBHOOK_RETRY_SECONDS: ['5', '1,2,3,4', '1,2,3,4,5,6', '1,2,3,4,-5', '1,2,3,4,86401', '1,,2,3,4'],
    ENCRYPTION_KEY: [
      'x',
      Buffer.alloc(31).toString('base64'),
      Buffer.alloc(33).toString('base64'),
      Buffer.alloc(32).toString('hex'),
    ],
    CORS_ORIGINS: ['app.example.com', 'https://a/b', 'https://a,', 'null'],
    POOL_SIZE: ['0', '201'],
    METRICS_PORT: ['0', '65536', '8080'],
    METRICS_TOKEN: ['short', 'a token with spaces', 'x'.repeat(201), 'schlüssel-schlüssel'],
    LOG_LEVEL: ['INFO'],
    LOG_FORMAT: ['JSON', 'pretty'],
    DOCUMENT_FONTS: ['/nowhere', './package.json'],
    DOCUMENT_PROCESSES: ['0', '17', 'two'],
    PRINT_STORAGE_MIB: ['0', '1048577', '2G'],
    TRUST_PROXY: [
      'perhaps',
      '10',
      '-1',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '::1/129',
      '10.0.0.1,',
      '10.0.0.1 10.0.0.2',
      'loopback',
    ],
  }
  for (const [name, values] of Object.entries(cases)) {
    for (const value of values) assert.equal(faultsOf({ [name]: value }).length, 1, `${name}=${value}`)
  }
})

test('valid values are read', () => {
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: 'postgres://a@b:5432/c',
    BASE_URL: 'https://Waybill.example.com/',
    RATE_LIMITS: 'off',
    CORS_ORIGINS: 'https://App.example.com, http://localhost:3000',
    WEBHOOK_RETRY_SECONDS: '0, 0.5, 1, 2, 3',
    ROLES: 'worker',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: '/var/lib/waybill',
  })
  assert.deepEqual([config.host, config.port, config.databaseUrl], ['127.0.0.1', 0, 'postgres://a@b:5432/c'])
  assert.equal(config.baseUrl, 'https://waybill.example.com')
  assert.equal(config.rateLimits, false)
  assert.deepEqual(config.corsOrigins, ['https://app.example.com', 'http://localhost:3000'])
  assert.deepEqual(config.webhookRetrySeconds, [0, 0.5, 1, 2, 3])
  assert.deepEqual(config.roles, { api: false, worker: true })
  assert.deepEqual(config.encryptionKey, Buffer.alloc(32, 7))
  assert.equal(config.dataDir, '/var/lib/waybill')
  assert.ok(Object.isFrozen(config))
})

test('a relative data folder does not depend on the current directory', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  assert.equal(readConfig({}).dataDir, join(root, 'data'))
  assert.equal(readConfig({ DATA_DIR: 'elsewhere' }).dataDir, join(root, 'elsewhere'))
})

test('the address to listen on can be of any kind', () => {
  for (const host of [
    '0.0.0.0',
    '::',
    '::1',
    'fe80::1%eth0',
    'localhost',
    'waybill_api',
    'a.example.com',
    '3com.example.com.',
    'x-1',
  ])
    assert.equal(readConfig({ HOST: host }).host, host)
})

test('the data folder must exist or be creatable, if it is needed', t => {
  const root = mkdtempSync(join(tmpdir(), 'waybill-config-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'file')
  writeFileSync(file, '')
  for (const path of [root, join(root, 'a'), join(root, 'a', 'b', 'c')])
    assert.deepEqual(faultsOf({ DATA_DIR: path }), [], path)
  const locked = join(root, 'locked')
  mkdirSync(locked, { mode: 0o500 })
  // Root may write anywhere.
  const unwritable = process.getuid?.() === 0 ? [] : [join(locked, 'a', 'b')]
  for (const path of [file, join(file, 'a'), ...unwritable]) {
    const reason = path.startsWith(file)
      ? `${file} is not a folder`
      : `this account cannot write to ${locked}`
    const fault = `DATA_DIR must be a folder that exists or can be made, and ${reason}.`
    assert.deepEqual(faultsOf({ DATA_DIR: path }), [fault], path)
    assert.deepEqual(faultsOf({ DATA_DIR: path, PORT: 'x' }).length, 2)
    for (const database of [{ DATABASE_URL: 'postgres://a/b' }, { PGHOST: 'a' }])
      assert.deepEqual(faultsOf({ DATA_DIR: path, ...database }), [])
  }
})

test('without DATABASE_URL, the variables of libpq determine the database', () => {
  const of = (env: Record<string, string>) => {
    const { databaseUrl, databaseSetting } = readConfig(env)
    return [databaseUrl, databaseSetting]
  }
  const all = { PGHOST: 'db', PGPORT: '6432', PGUSER: 'ada', PGPASSWORD: 'a/b@c #%', PGDATABASE: 'stock' }
  assert.deepEqual(of(all), ['postgres://ada:a%2Fb%40c%20%23%25@db:6432/stock', 'PGHOST'])
  assert.deepEqual(of({ PGHOST: '/run/postgresql' }), ['postgres://%2Frun%2Fpostgresql:5432/', 'PGHOST'])
  assert.deepEqual(of({ PGHOST: '::1', PGUSER: 'ada' }), ['postgres://ada@[::1]:5432/', 'PGHOST'])
  assert.deepEqual(of({ ...all, DATABASE_URL: 'postgres://a/b' }), ['postgres://a/b', 'DATABASE_URL'])
  assert.deepEqual(of({ PGUSER: 'ada', PGHOST: ' ' }), [undefined, 'DATA_DIR'])
  assert.deepEqual(faultsOf({ PGHOST: 'db', PGPORT: 'x' }), [
    'PGPORT must be a whole number from 1 to 65535.',
  ])
})

test('proxies are trusted by number or by network', () => {
  const trusted = (text: string) => readConfig({ TRUST_PROXY: text }).trustProxy
  for (const text of ['', 'off', 'false', '0']) assert.equal(trusted(text), false, text)
  for (const text of ['on', 'true', '1']) assert.equal(trusted(text), 1, text)
  assert.equal(trusted('2'), 2)
  assert.deepEqual(trusted('10.0.0.0/8, 192.0.2.1,::1,fd00::/8'), [
    '10.0.0.0/8',
    '192.0.2.1',
    '::1',
    'fd00::/8',
  ])
})

const readMe = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const example = readMe('.env.example')

test('.env.example lists exactly the settings that are read, each with a description', () => {
  const read = [
    ...readMe('src/process/config.ts').matchAll(/(?:read|setting)\(\s*'([A-Z_]+)'|env\.([A-Z_]+)/g),
  ]
    .map(([, a, b]) => (a ?? b) as string)
    // These belong to libpq.
    .filter(name => !name.startsWith('PG'))
  assert.deepEqual(Object.keys(parseEnv(example)).toSorted(), [...new Set(read)].toSorted())
  for (const block of example.trim().split('\n\n')) {
    const lines = block.split('\n')
    const setting = lines.pop() as string
    assert.ok(
      lines.length > 0 && lines.every(line => line.startsWith('# ')),
      `${setting} has no description.`,
    )
    assert.match(lines.at(-1) as string, /[.:]$|\.$/, `The description of ${setting} is no sentence.`)
  }
})

test('the defaults in .env.example are correct, and an empty value means the default', () => {
  const settings = parseEnv(example) as Record<string, string>
  assert.deepEqual(readConfig(settings), readConfig({}))
  assert.deepEqual(
    readConfig(Object.fromEntries(Object.keys(settings).map(name => [name, ' ']))),
    readConfig({}),
  )
  // A default that is written in the file must equal the one that an empty value stands for; an empty default
  // must be described.
  for (const [name, value] of Object.entries(settings)) {
    if (value !== '') assert.deepEqual(readConfig({ [name]: value }), readConfig({}), name)
    else
      assert.match(
        example,
        new RegExp(`Empty: [^\\n]+(\\n#[^\\n]+)*\\n${name}=`),
        `${name} does not say what empty means.`,
      )
  }
})
