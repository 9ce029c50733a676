// Kills services and databases in the middle of their work: nothing that was acknowledged is lost or done
// twice. CRASH_IMPORTS sets the number of imports (400).

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/open.ts'
import {
  type ApiCaller,
  anImport,
  apiCaller,
  newApp,
  openReceiver,
  preparedDataDir,
  setUp,
} from '../support/processes.ts'
import { killDatabase, startServiceProcess, until } from '../support/service-process.ts'

const imports = Number(process.env.CRASH_IMPORTS ?? 400)

/**
 * Posts `count` imports, each until it is acknowledged; every twentieth names a carrier that does not exist.
 * Returns the ids.
 */
async function postImports(
  api: ApiCaller,
  count: number,
  onAcknowledged: (soFar: number) => void,
): Promise<Set<string>> {
  const ids = new Set<string>()
  let next = 0
  let lastResponse = ''
  async function post(): Promise<void> {
    while (next < count) {
      const n = next++
      const body = anImport({
        idempotencyKey: `key-${n}`,
        referenceNumber: `REF-${n}`,
        ...(n % 20 === 0 ? { carrierCode: 'GONE' } : {}),
      })
      const id = await until(
        async () => {
          const response = await api.call('POST', '/v1/consignment-imports', body).catch((error: Error) => {
            lastResponse = String(error.cause ?? error)
            return undefined
          })
          if (response !== undefined) lastResponse = JSON.stringify(response)
          if (response?.status === 202) return response.body.consignmentId as string
          // The acknowledgement was lost on the way: the refusal names the import that was accepted.
          if (response?.status === 409) return /[0-9a-f-]{36}/.exec(JSON.stringify(response.body))?.[0]
          return undefined
        },
        () => `Import ${n} was never acknowledged; the last response was ${lastResponse}.`,
        60_000,
      )
      ids.add(id)
      onAcknowledged(ids.size)
    }
  }
  await Promise.all(Array.from({ length: 16 }, post))
  return ids
}

/** Waits until all work is finished, and checks its results. */
async function checkOutcome(client: pg.Client, ids: Set<string>): Promise<void> {
  const outcome = await until(
    async () => {
      const { rows } = await client.query(`select
        (select count(*)::int from consignment_import where status = 1) as pending,
        (select count(*)::int from webhook_delivery where status <> 2) as undelivered`)
      return rows[0].pending === 0 && rows[0].undelivered === 0 ? rows[0] : undefined
    },
    'The work was not finished.',
    90_000,
  )
  assert.ok(outcome)
  const { rows: consignments } = await client.query<{ id: string; number: string }>(
    'select id, number from consignment',
  )
  const { rows: waiting } = await client.query<{ id: string }>(
    'select id from consignment_import where status = 2',
  )
  const found = [...consignments, ...waiting].map(({ id }) => id)
  assert.equal(found.length, ids.size, 'each acknowledged import is one consignment or one waiting import')
  assert.deepEqual(new Set(found), ids)
  assert.equal(new Set(consignments.map(({ number }) => number)).size, consignments.length)
  const { rows: created } = await client.query(
    `select subject_id, count(*)::int as n from event where type = 101 group by 1`,
  )
  assert.equal(created.length, consignments.length, 'each consignment has its event')
  assert.ok(created.every(({ n }) => n === 1))
  const { rows: orphans } =
    await client.query(`select e.id from event e where e.type in (101, 110) and not exists
    (select from webhook_delivery d where d.organisation_id = e.organisation_id and d.event_id = e.id)`)
  assert.deepEqual(orphans, [], 'each event has its delivery')
}

/** Settings under which failures are retried at once. */
const crashSettings = async () => ({
  DATA_DIR: await preparedDataDir(),
  WEBHOOK_ALLOW_PRIVATE: 'on',
  RATE_LIMITS: 'off',
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
})

/** Connects to the embedded database of a running service. */
async function connectTo(dataDir: string): Promise<pg.Client> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } })
  const client = new pg.Client(postgres.connection)
  // The connection breaks when the service stops at the end of the test.
  client.on('error', () => {})
  await client.connect()
  after(async () => {
    await client.end()
    await postgres.stop()
  })
  return client
}

test('a service that is killed three times while it imports loses nothing and does nothing twice', async () => {
  const settings = await crashSettings()
  let service = await startServiceProcess(settings)
  after(() => service.stop())
  const app = await newApp(settings)
  const api = apiCaller(() => service.baseUrl, app)
  await setUp(api)
  const receiver = await openReceiver(() => app.clientSecret)
  for (const eventType of [101, 110])
    await api.must('POST', '/v1/webhook-subscriptions/create', { webhookUrl: receiver.url, eventType })

  const killAt = [0.15, 0.45, 0.75].map(part => Math.ceil(part * imports))
  let restarting: Promise<void> | undefined
  const ids = await postImports(api, imports, soFar => {
    if (soFar >= (killAt[0] ?? Number.POSITIVE_INFINITY) && restarting === undefined) {
      killAt.shift()
      restarting = (async () => {
        await service.kill()
        service = await startServiceProcess(settings)
        restarting = undefined
      })()
    }
  })
  await restarting
  assert.deepEqual(killAt, [], 'the service was killed three times')

  const client = await connectTo(settings.DATA_DIR)
  await checkOutcome(client, ids)
  const { rows: events } = await client.query<{ id: string }>('select id from event where type in (101, 110)')
  const deliveredIds = new Set(receiver.arrived.map(({ id }) => id))
  assert.deepEqual(
    new Set(events.map(({ id }) => id)),
    deliveredIds,
    'the receiver got every event, and none that was rolled back',
  )
  assert.deepEqual(receiver.forged, [])
})

test('if the database is killed under load, the service stays, returns 503, and continues when it is back', async () => {
  const settings = await crashSettings()
  const service = await startServiceProcess(settings)
  after(() => service.stop())
  const app = await newApp(settings)
  const api = apiCaller(() => service.baseUrl, app)
  await setUp(api)
  const statuses = new Set<number>()
  const recordingApi: ApiCaller = {
    ...api,
    async call(method, path, body) {
      const response = await api.call(method, path, body)
      statuses.add(response.status)
      return response
    },
  }
  let isKilled = false
  const ids = await postImports(recordingApi, 600, soFar => {
    if (soFar < 200 || isKilled) return
    isKilled = true
    killDatabase(settings.DATA_DIR)
  })
  assert.ok(isKilled)
  assert.equal(service.child.exitCode, null, 'the service is still running')
  assert.ok(
    [...statuses].every(status => [202, 409, 503].includes(status)),
    `statuses ${[...statuses]}`,
  )
  const client = await connectTo(settings.DATA_DIR)
  const isDone = await until(
    async () =>
      (await client.query('select count(*)::int as n from consignment_import where status = 1')).rows[0].n ===
      0,
    'The imports were not processed after the database came back.',
  )
  assert.ok(isDone)
  const { rows } = await client.query(
    'select id from consignment union all select id from consignment_import where status = 2',
  )
  assert.deepEqual(new Set(rows.map(({ id }) => id)), ids)
})
