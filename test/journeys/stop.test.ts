// Stops a service while clients send requests and a receiver hangs: no request fails, and unfinished work is
// released.

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

/** Opens a client with one connection, which it keeps open as long as the service permits. */
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

test('a stop fails no request on kept connections, and waits only briefly for a hanging receiver', async () => {
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
  const [callApi, probe] = [client(), client()]
  assert.equal((await callApi('/v1/identity')).status, 200)
  assert.equal((await probe('/health/ready')).status, 200)

  let responses = 0
  /**
   * Sends one request after the other until the service accepts no new connection. Returns any other failure.
   */
  async function sendRequests(): Promise<unknown> {
    const send = client()
    for (;;) {
      try {
        const { status, body } = await send('/v1/identity')
        responses++
        if (status !== 200) return `${status} ${body}`
      } catch (error) {
        return (error as { code?: string }).code === 'ECONNREFUSED' ? undefined : error
      }
    }
  }
  const clients = Array.from({ length: 8 }, sendRequests)
  await until(async () => responses > 100, 'The clients were not served.')

  service.child.kill('SIGTERM')
  await service.line(/SIGTERM received, shutting down/)
  const [late, ready] = await Promise.all([callApi('/v1/identity'), probe('/health/ready')])
  assert.deepEqual(
    [late.status, late.headers.connection],
    [200, 'close'],
    'a request on an open connection gets a response, which closes the connection',
  )
  assert.equal(ready.status, 503, ready.body)
  assert.deepEqual(await Promise.all(clients), Array(8).fill(undefined))

  // A stop that would last until a container runtime kills the service is ended by force, without a code.
  const { code, output } = await service.ended
  assert.equal(code, 0, output)
  const { due } = await db.row<{ due: boolean }>(sql`select due_utc <= now() as due from webhook_delivery`)
  assert.equal(due, true, 'another process can send it at once')
})
