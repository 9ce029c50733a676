// The key to the secrets of a database: made once, and never replaced by another.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CustomAppCredentials } from '../../src/organisations/create-app.ts'
import { clientCredentials } from '../support/given-oauth.ts'
import { newApp, temporaryDataDir } from '../support/processes.ts'
import { json, run, startServiceProcess } from '../support/service-process.ts'
import { atEnd, createTestDatabase } from '../support/test-database.ts'

const databaseUrl = await createTestDatabase()
const dataDir = await temporaryDataDir()
const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
const app = await newApp(settings)
const another = [
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
const needing = [another, ['keys', 'rotate'], ['start']]

/** Runs each, which fails, says this in one line, and writes no key. */
async function refused(changed: Record<string, string>, said: RegExp): Promise<void> {
  for (const command of needing) {
    const { code, output } = await run(command, { ...settings, ...changed }).ended
    assert.equal(code, 1, command.join(' '))
    assert.match(output, said)
    assert.doesNotMatch(output, /\n\s+at /)
  }
}

test('a key that is lost is asked for and not replaced; once it is back everything works', async () => {
  const kept = join(dataDir, 'kept')
  await rename(join(dataDir, 'encryption.key'), kept)
  await refused(
    {},
    /their key is missing: there is no \S+encryption\.key\. Restore it from a backup, or set ENCRYPTION_KEY\.\n/,
  )
  assert.deepEqual(await readdir(dataDir), ['kept'])
  // What needs no secrets needs no key.
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
    (await clientCredentials(service.baseUrl, await json<CustomAppCredentials>(another, settings))).status,
    200,
  )
})

test('a key that is another one is refused by the name of its setting or its file', async () => {
  await refused(
    { ENCRYPTION_KEY: randomBytes(32).toString('base64') },
    /another key: ENCRYPTION_KEY is not that key\./,
  )
  const elsewhere = await temporaryDataDir()
  await writeFile(join(elsewhere, 'encryption.key'), randomBytes(32).toString('base64'))
  await refused({ DATA_DIR: elsewhere }, /another key: \S+encryption\.key is not that key\. Restore it/)
})
