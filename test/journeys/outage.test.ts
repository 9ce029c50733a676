// The database of a service becomes unavailable during a delivery, and comes back: the log has one line for
// each, no error, and nothing is lost.

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

test('an outage is logged once at its start and once at its end, and the response of a receiver in between is kept', async () => {
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
  const heldResponse = await response

  await proxy.refuse()
  heldResponse.writeHead(204).end()
  const readDatabaseState = async () => {
    const response = await fetch(`${service.baseUrl}/health/ready?verbose`)
    assert.equal(response.status, 200, 'a balancer must not take the service out because of its database')
    return ((await response.json()) as { database: string }).database
  }
  // Long enough for every background task to meet the outage more than once.
  const end = performance.now() + 3_000
  await until(
    async () => (await readDatabaseState()) === 'away' && performance.now() > end,
    'The service did not report that its database is away.',
  )
  await proxy.resume()
  await service.line(/The database is back/)
  await until(
    async () => (await readDatabaseState()) === 'up',
    'The service did not report that its database is back.',
  )
  await until(async () => {
    const { status, attempts } = await db.row<{ status: number; attempts: unknown[] }>(
      sql`select status, attempts from webhook_delivery`,
    )
    return status === 2 && attempts.length === 1
  }, 'The response of the receiver was lost.')

  const lines = service
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as { level: number; msg: string; err?: unknown })
  const messages = lines.filter(({ msg }) => msg !== 'request')
  assert.deepEqual(
    messages.filter(({ level, err }) => level >= 50 || err !== undefined),
    [],
  )
  const countOf = (pattern: RegExp) => messages.filter(({ msg }) => pattern.test(msg)).length
  assert.deepEqual([countOf(/^The database is unavailable/), countOf(/^The database is back/)], [1, 1])
  assert.deepEqual(messages.filter(({ level }) => level >= 40).length, 1, service.output())
})
