// A service is stopped while clients talk to it and a receiver hangs: no request fails, and what was under
// way is given back. Promise 34.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { clientCredentials } from '../support/given-oauth.ts'
import { apiCaller, newApp, temporaryDataDir } from '../support/processes.ts'
import { hang, openReceiver } from '../support/receiver.ts'
import { startServiceProcess, until } from '../support/service-process.ts'
import { atEnd, createTestDatabase, openTestPools } from '../support/test-database.ts'

const databaseUrl = await createTestDatabase()
const { db } = openTestPools(databaseUrl, 2)
const settings = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: await temporaryDataDir(),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'on',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'info',
}

/** A client with one connection, which it keeps for as long as it may. */
function openClient(baseUrl: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(() => agent.destroy())
  return (path: string) =>
    new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>(
      (resolve, reject) => {
        const sent = request(
          `${baseUrl}${path}`,
          { agent, headers: { authorization: `Bearer ${token}` } },
          async response => {
            const body = await text(response).catch(reject)
            resolve({ status: response.statusCode, headers: response.headers, body: String(body) })
          },
        )
        sent.on('error', reject)
        sent.end()
      },
    )
}

test('a stop fails no request of clients that keep their connections, and waits only a while for a receiver that hangs', async () => {
  const service = await startServiceProcess(settings)
  const app = await newApp(settings)
  const caller = apiCaller(() => service.baseUrl, app)
  const receiver = await openReceiver()
  receiver.behave(() => hang)
  const hook = { webhookUrl: receiver.url, eventType: 101 }
  const { webhookSubscriptionId } = await caller.must('POST', '/v1/webhook-subscriptions/create', hook)
  await caller.must('PUT', `/v1/webhook-subscriptions/${webhookSubscriptionId}/test`)
  await until(async () => receiver.arrived.length === 1, 'Nothing was sent to the receiver.')

  const { body: granted } = await clientCredentials(service.baseUrl, app)
  const client = () => openClient(service.baseUrl, granted.access_token)
  const [waits, probes] = [client(), client()]
  assert.equal((await waits('/v1/identity')).status, 200)
  assert.equal((await probes('/health/ready')).status, 200)

  let answers = 0
  /**
   * Sends one request after the other until the service takes no new connection, and returns what else went
   * wrong.
   */
  async function work(): Promise<unknown> {
    const send = client()
    for (;;) {
      try {
        const { status, body } = await send('/v1/identity')
        answers++
        if (status !== 200) return `${status} ${body}`
      } catch (error) {
        return (error as { code?: string }).code === 'ECONNREFUSED' ? undefined : error
      }
    }
  }
  const working = Array.from({ length: 8 }, work)
  await until(async () => answers > 100, 'The clients were not served.')

  const stopped = performance.now()
  service.child.kill('SIGTERM')
  await service.line(/SIGTERM: finishing/)
  const [late, ready] = await Promise.all([waits('/v1/identity'), probes('/health/ready')])
  assert.deepEqual(
    [late.status, late.headers.connection],
    [200, 'close'],
    'what comes on an open connection is answered, and ends it',
  )
  assert.equal(ready.status, 503, ready.body)
  assert.deepEqual(await Promise.all(working), Array(8).fill(undefined))

  const { code, output } = await service.ended
  assert.equal(code, 0, output)
  assert.ok(performance.now() - stopped < 10_000, 'whoever stops containers kills them after ten seconds')
  const { due } = await db.row<{ due: boolean }>(sql`select due_utc <= now() as due from webhook_delivery`)
  assert.equal(due, true, 'another process sends it at once')
})
