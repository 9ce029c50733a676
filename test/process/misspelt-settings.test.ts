import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { settingNames } from '../../src/process/config.ts'
import { findMisspelt } from '../../src/process/misspelt-settings.ts'

test('the names of settings are those of .env.example', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  assert.deepEqual(settingNames.toSorted(), Object.keys(parseEnv(example)).toSorted())
})

test('a name in .env that is nearly a setting stops the start, and any other that is none is told', () => {
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
  assert.deepEqual(findMisspelt([], Object.keys(near)), {
    faults: Object.entries(near).map(([name, meant]) => `${name} in .env is no setting; ${meant} is one.`),
    notices: [],
  })
  assert.deepEqual(findMisspelt([], ['SMTP_SERVER']), {
    faults: [],
    notices: ['SMTP_SERVER in .env is no setting of Waybill.'],
  })
})

test('names of the environment are told only where they are nearly those of settings that nobody else has', () => {
  const environment = ['PATH', 'HOSTS', 'PORTS', 'HOSTNAME', 'PGHOST', 'DATABSE_URL', 'BASEURL', 'PORT']
  assert.deepEqual(findMisspelt(environment, []), {
    faults: [],
    notices: [
      'DATABSE_URL is set and is no setting of Waybill; DATABASE_URL is one.',
      'BASEURL is set and is no setting of Waybill; BASE_URL is one.',
    ],
  })
})

test('settings, and what the compose file and libpq read, are right', () => {
  const right = [...settingNames, 'POSTGRES_PASSWORD', 'PGHOST', 'PGSSLMODE', 'COMPOSE_PROJECT_NAME', 'TZ']
  assert.deepEqual(findMisspelt(right, right), { faults: [], notices: [] })
})
