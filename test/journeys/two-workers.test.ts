// An API process and two workers on one database; one worker is killed.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { anImport, apiCaller, newApp, openReceiver, setUp, temporaryDataDir } from '../support/processes.ts'
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
const count = 600

const pending = async () =>
  await db.row<{ imports: number; deliveries: number }>(sql`
      select (select count(*) from consignment_import where status = 1) as imports,
        (select count(*) from webhook_delivery where status = 1) as deliveries`)

test('two workers share a queue without doing anything twice, and if one is killed the other continues', async () => {
  const api = await startServiceProcess({ ...settings, ROLES: 'api' })
  atEnd(() => api.stop())
  const app = await newApp(settings)
  const caller = apiCaller(() => api.baseUrl, app)
  await setUp(caller)
  const receiver = await openReceiver(() => app.clientSecret)
  await caller.must('POST', '/v1/webhook-subscriptions/create', { webhookUrl: receiver.url, eventType: 101 })
  const ids = new Set<unknown>()
  for (let n = 0; n < count; n++)
    ids.add((await caller.must('POST', '/v1/consignment-imports', anImport())).consignmentId)

  const workers = await Promise.all([1, 2].map(() => startServiceProcess({ ...settings, ROLES: 'worker' })))
  atEnd(() => workers[1]?.stop())
  const printsReference = [api, ...workers].map(process =>
    process.output().includes(`${new URL(process.baseUrl).port}/docs`),
  )
  assert.deepEqual(
    printsReference,
    [true, false, false],
    'only a process that serves the API has its reference',
  )
  await until(async () => (await pending()).imports < count, 'No worker started.')
  await workers[0]?.kill()
  await until(async () => (await pending()).imports === 0, 'The other worker did not finish the imports.')
  // The deliveries that the killed worker had claimed continue when their leases expire.
  await until(
    async () => (await pending()).deliveries === 0,
    'The other worker did not finish the deliveries.',
    70_000,
  )

  const consignments = await db.rows<{ id: string }>(sql`select id from consignment`)
  assert.deepEqual(new Set(consignments.map(({ id }) => id)), ids)
  assert.equal(consignments.length, count)
  const events = await db.rows<{ id: string }>(sql`select id from event where type = 101`)
  assert.equal(events.length, count, 'one event each')
  assert.deepEqual(new Set(receiver.arrived.map(({ id }) => id)), new Set(events.map(({ id }) => id)))
})
