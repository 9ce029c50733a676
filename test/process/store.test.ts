// The key to the secrets of a database is created once and never replaced.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CustomAppCredentials } from '../../src/custom-apps/create-app.ts'
import { clientCredentials } from '../support/given-oauth.ts'
import { newApp, temporaryDataDir } from '../support/processes.ts'
import { json, run, startServiceProcess } from '../support/service-process.ts'
import { atEnd, createTestDatabase } from '../support/test-database.ts'

const databaseUrl = await createTestDatabase()
const dataDir = await temporaryDataDir()
const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
const app = await newApp(settings)
const createApp = [
  'app',
  'create',
  '--organisation',
  app.organisationId,
  '--name',
  'Late',
  '--scopes',
  'consignment',
]

/** Commands that need the key. */
const commandsWithKey = [createApp, ['keys', 'rotate'], ['start']]

/** Runs each of these commands and asserts that it fails with this message. */
async function assertRefused(changed: Record<string, string>, expected: RegExp): Promise<void> {
  for (const command of commandsWithKey) {
    const { code, output } = await run(command, { ...settings, ...changed }).ended
    assert.equal(code, 1, command.join(' '))
    assert.match(output, expected)
    assert.doesNotMatch(output, /\n\s+at /)
  }
}

test('a lost key is reported and not replaced; once it is back everything works', async () => {
  const kept = join(dataDir, 'kept')
  await rename(join(dataDir, 'encryption.key'), kept)
  await assertRefused(
    {},
    /their key is missing: there is no \S+encryption\.key\. Restore it from a backup, or set ENCRYPTION_KEY\.\n/,
  )
  assert.deepEqual(await readdir(dataDir), ['kept'])
  // Commands that need no secrets need no key.
  const user = [
    'user',
    'create',
    '--organisation',
    app.organisationId,
    '--email',
    'ada@example.com',
    '--full-name',
    'Ada',
  ]
  await json(user, settings)
  assert.deepEqual(await readdir(dataDir), ['kept'])

  await rename(kept, join(dataDir, 'encryption.key'))
  const service = await startServiceProcess(settings)
  atEnd(() => service.stop())
  assert.equal((await clientCredentials(service.baseUrl, app)).status, 200)
  assert.equal(
    (await clientCredentials(service.baseUrl, await json<CustomAppCredentials>(createApp, settings))).status,
    200,
  )
})

test('a wrong key is refused with the name of its setting or file', async () => {
  await assertRefused(
    { ENCRYPTION_KEY: randomBytes(32).toString('base64') },
    /another key: ENCRYPTION_KEY is not that key\./,
  )
  const elsewhere = await temporaryDataDir()
  await writeFile(join(elsewhere, 'encryption.key'), randomBytes(32).toString('base64'))
  await assertRefused({ DATA_DIR: elsewhere }, /another key: \S+encryption\.key is not that key\. Restore it/)
})
