// The database of a whole service goes away while a delivery is under way, and comes back: one line each, no
// error, and nothing lost. Promise 35.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openDatabaseProxy } from '../support/database-proxy.ts'
import { apiCaller, newApp, temporaryDataDir } from '../support/processes.ts'
import { openReceiver } from '../support/receiver.ts'
import { startServiceProcess, until } from '../support/service-process.ts'
import { atEnd, createTestDatabase, openTestPools } from '../support/test-database.ts'

const databaseUrl = await createTestDatabase()
const { db } = openTestPools(databaseUrl, 2)
const proxy = await openDatabaseProxy(databaseUrl)
const settings = {
  DATABASE_URL: proxy.url,
  DATA_DIR: await temporaryDataDir(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'on',
  LOG_LEVEL: 'info',
}

test('an outage is one line of the log at its begin and one at its end, and what a receiver answered meanwhile is kept', async () => {
  const service = await startServiceProcess(settings)
  atEnd(() => service.stop())
  const app = await newApp(settings)
  const caller = apiCaller(() => service.baseUrl, app)
  const receiver = await openReceiver()
  const { promise: response, resolve: hold } = Promise.withResolvers<ServerResponse>()
  receiver.behave(() => hold)
  const hook = { webhookUrl: receiver.url, eventType: 101 }
  const { webhookSubscriptionId } = await caller.must('POST', '/v1/webhook-subscriptions/create', hook)
  await caller.must('PUT', `/v1/webhook-subscriptions/${webhookSubscriptionId}/test`)
  const held = await response

  await proxy.refuse()
  held.writeHead(204).end()
  const ready = async () => {
    const response = await fetch(`${service.baseUrl}/health/ready?verbose`)
    assert.equal(response.status, 200, 'no balancer may take the service out for its database')
    return ((await response.json()) as { database: string }).database
  }
  // Long enough for every loop, copy and result to find out more than once.
  const end = performance.now() + 3_000
  await until(
    async () => (await ready()) === 'away' && performance.now() > end,
    'The service did not tell that its database is away.',
  )
  await proxy.resume()
  await service.line(/The database is back/)
  await until(async () => (await ready()) === 'up', 'The service did not tell that it is back.')
  await until(async () => {
    const { status, attempts } = await db.row<{ status: number; attempts: unknown[] }>(
      sql`select status, attempts from webhook_delivery`,
    )
    return status === 2 && attempts.length === 1
  }, 'The answer of the receiver was lost.')

  const lines = service
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as { level: number; msg: string; err?: unknown })
  const others = lines.filter(({ msg }) => msg !== 'request')
  assert.deepEqual(
    others.filter(({ level, err }) => level >= 50 || err !== undefined),
    [],
  )
  const of = (pattern: RegExp) => others.filter(({ msg }) => pattern.test(msg)).length
  assert.deepEqual([of(/^The database is away/), of(/^The database is back/)], [1, 1])
  assert.deepEqual(others.filter(({ level }) => level >= 40).length, 1, service.output())
})
