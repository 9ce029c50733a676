import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { settingNames } from '../../src/process/config.ts'
import { findMisspelt } from '../../src/process/misspelt-settings.ts'

test('the known settings are those in .env.example', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  assert.deepEqual(settingNames.toSorted(), Object.keys(parseEnv(example)).toSorted())
})

test('a name in .env that is almost a setting prevents the start, and any other unknown name is reported', () => {
  const near = {
    DATABSE_URL: 'DATABASE_URL',
    DATABASE_URI: 'DATABASE_URL',
    WAYBILL_DATABASE_URL: 'DATABASE_URL',
    port: 'PORT',
    PROT: 'PORT',
    ENCRYPTIONKEY: 'ENCRYPTION_KEY',
    RATE_LIMIT: 'RATE_LIMITS',
    BASEURL: 'BASE_URL',
    ROLE: 'ROLES',
  }
  assert.deepEqual(findMisspelt({}, Object.keys(near)), {
    faults: Object.entries(near).map(
      ([name, meant]) => `${name} in .env is not a Waybill setting. Did you mean ${meant}?`,
    ),
    notices: [],
  })
  assert.deepEqual(findMisspelt({}, ['SMTP_SERVER']), {
    faults: [],
    notices: ['SMTP_SERVER in .env is not a Waybill setting.'],
  })
})

test('two wrong letters are near a long name only, and three are near none', () => {
  const guess = (name: string) => findMisspelt({}, [name])
  const unknown = (name: string) => ({ faults: [], notices: [`${name} in .env is not a Waybill setting.`] })
  const near = (name: string, meant: string) => ({
    faults: [`${name} in .env is not a Waybill setting. Did you mean ${meant}?`],
    notices: [],
  })
  assert.deepEqual(guess('RATELIMIT'), near('RATELIMIT', 'RATE_LIMITS'))
  assert.deepEqual(guess('RATELIMI'), unknown('RATELIMI'))
  assert.deepEqual(guess('LOGLEVEL'), near('LOGLEVEL', 'LOG_LEVEL'))
  assert.deepEqual(guess('LOGLEVELS'), unknown('LOGLEVELS'))
})

test('names in the environment are reported only if they are almost those of settings unique to Waybill', () => {
  const environment = ['PATH', 'HOSTS', 'PORTS', 'HOSTNAME', 'PGHOST', 'DATABSE_URL', 'BASEURL', 'PORT']
  assert.deepEqual(findMisspelt(Object.fromEntries(environment.map(name => [name, 'x'])), []), {
    faults: [],
    notices: [
      'DATABSE_URL is set but is not a Waybill setting. Did you mean DATABASE_URL?',
      'BASEURL is set but is not a Waybill setting. Did you mean BASE_URL?',
    ],
  })
})

test('settings and names for Docker Compose and libpq are accepted', () => {
  const right = [...settingNames, 'POSTGRES_PASSWORD', 'PGHOST', 'PGSSLMODE', 'COMPOSE_PROJECT_NAME', 'TZ']
  const environment = Object.fromEntries(right.map(name => [name, 'x']))
  assert.deepEqual(findMisspelt(environment, right), { faults: [], notices: [] })
})

test('variables of libpq without effect are reported', () => {
  const notices = (environment: Record<string, string>) => findMisspelt(environment, []).notices
  const told = ['PGUSER is set, but neither DATABASE_URL nor PGHOST is: the embedded database is used.']
  assert.deepEqual(notices({ PGUSER: 'ada' }), told)
  assert.deepEqual(notices({ PGUSER: 'ada', DATABASE_URL: '', PGHOST: ' ' }), told)
  assert.deepEqual(notices({ PGUSER: 'ada', PGHOST: 'db' }), [])
  assert.deepEqual(notices({ PGUSER: 'ada', DATABASE_URL: 'postgres://db' }), [])
})
