// Workers that are killed or stopped while they download the files of imports.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { anImport, apiCaller, newApp, setUp, temporaryDataDir } from '../support/processes.ts'
import { startServiceProcess, until } from '../support/service-process.ts'
import { atEnd, createTestDatabase, openTestPools } from '../support/test-database.ts'

const databaseUrl = await createTestDatabase()
const { db } = openTestPools(databaseUrl)
const settings = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: await temporaryDataDir(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'on',
  RATE_LIMITS: 'off',
}

const hanging: ServerResponse[] = []
let isResponding = false
const files = createServer((_request, response) => {
  if (isResponding) response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')
  else hanging.push(response)
})
files.listen(0, '127.0.0.1')
await once(files, 'listening')
atEnd(() => {
  files.closeAllConnections()
  files.close()
})
const { port } = files.address() as AddressInfo
const startWorker = async () => {
  const worker = await startServiceProcess({ ...settings, ROLES: 'worker' })
  atEnd(() => worker.stop())
  return worker
}

test('if a worker stops or is killed while it downloads files, another worker continues with the imports', async () => {
  const api = await startServiceProcess({ ...settings, ROLES: 'api' })
  atEnd(() => api.stop())
  const caller = apiCaller(() => api.baseUrl, await newApp(settings))
  await setUp(caller)
  const count = 3
  for (let n = 0; n < count; n++) {
    const notes = [
      { note: 'See the file.', attachments: [{ downloadUrl: `http://127.0.0.1:${port}/${n}.txt` }] },
    ]
    await caller.must('POST', '/v1/consignment-imports', anImport({ notes }))
  }

  const stopped = await startWorker()
  await until(async () => hanging.length === count, 'The first worker did not request the files.')
  assert.equal((await stopped.stop()).code, 0)
  const released = await db.rows<{ isDue: boolean; attempts: number }>(
    sql`select due_utc <= now() as is_due, attempts from consignment_import`,
  )
  assert.deepEqual(
    released,
    Array(count).fill({ isDue: true, attempts: 0 }),
    'it did not wait for the files, and released the imports',
  )

  const killed = await startWorker()
  await until(async () => hanging.length === 2 * count, 'The second worker did not request the files.')
  await killed.kill()
  isResponding = true
  await startWorker()
  const countAttachments = async () =>
    (await db.row<{ n: number }>(sql`select count(*) as n from consignment_note_attachment`)).n
  await until(
    async () => (await countAttachments()) === count,
    'The third worker did not take over the imports.',
    60_000,
  )
})
