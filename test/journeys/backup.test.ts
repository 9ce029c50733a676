// Takes a backup under load and restores it into a new data folder: everything that was acknowledged before
// the backup began is there, stock agrees with its ledger, and apps and users can sign in as before.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import type { CustomAppCredentials } from '../../src/custom-apps/create-app.ts'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/open.ts'
import { authorise, freeAddress, openBrowser, password, redirectUri } from '../support/given-people.ts'
import {
  anImport,
  apiCaller,
  newApp,
  openReceiver,
  preparedDataDir,
  temporaryDataDir,
} from '../support/processes.ts'
import { json, run, startServiceProcess, until } from '../support/service-process.ts'
import { findEffectFaults, openStockLoad, type SentOperation } from '../support/stock-load.ts'

const email = 'ada@example.com'
const log = { info: () => {}, warn: () => {} }

test('a backup taken under load contains everything acknowledged before it began, and a service runs on it', async t => {
  const authUrl = await freeAddress()
  const address = { PORT: new URL(authUrl).port, BASE_URL: authUrl, WEBHOOK_ALLOW_PRIVATE: 'on' }
  const settings = { ...address, DATA_DIR: await preparedDataDir(), RATE_LIMITS: 'off' }
  const service = await startServiceProcess(settings)
  after(() => service.kill())
  const app = await newApp(settings)
  const api = apiCaller(() => authUrl, app)
  const organisation = ['--organisation', app.organisationId]
  const createUser = ['user', 'create', ...organisation, '--email', email, '--full-name', 'Ada']
  await json([...createUser, '--password-stdin'], settings, `${password}\n`)
  const signInOptions = ['--grant', 'authorization_code', '--redirect-uri', redirectUri]
  const shop = await json<CustomAppCredentials>(
    ['app', 'create', ...organisation, '--name', 'Shop', '--scopes', 'consignment', ...signInOptions],
    settings,
  )
  const receiver = await openReceiver(() => app.clientSecret)
  const { webhookSubscriptionId } = await api.must('POST', '/v1/webhook-subscriptions/create', {
    ...{ webhookUrl: receiver.url, eventType: 101, signingKey1: 'kept safe' },
  })
  const load = await openStockLoad(api)

  const order = anImport({
    carrierCode: undefined,
    products: [{ productCode: 'APPLE', items: [{ quantity: 1 }] }],
  })
  const operations: SentOperation[] = []
  const imports: string[] = []
  let isOver = false
  const runLoad = async (turn: number) => {
    while (!isOver) {
      if (turn % 2 === 0) {
        const { status, body } = await api.call('POST', '/v1/consignment-imports', order)
        if (status === 202) imports.push(body.consignmentId as string)
        continue
      }
      const sent: SentOperation = { operation: load.operation(), answers: [] }
      await load.send(sent)
      operations.push(sent)
      if (turn === 1) await load.move()
    }
  }
  const loads = Array.from({ length: 6 }, (_, turn) => runLoad(turn))
  await until(async () => imports.length > 30 && operations.length > 30, 'The load did not start.', 300_000)
  const acknowledged = { operations: [...operations], imports: [...imports] }
  const file = join(settings.DATA_DIR, 'under-load.backup')
  await json(['backup', file], settings)
  const importsDuringBackup = imports.length - acknowledged.imports.length
  isOver = true
  await Promise.all(loads)
  assert.ok(importsDuringBackup > 0, 'nothing was written while the backup was taken')
  await service.stop()

  const copy = { ...settings, DATA_DIR: await temporaryDataDir() }
  const { rows } = await json<{ rows: number }>(['restore', file], copy)
  t.diagnostic(
    `${JSON.stringify({ rows, importsDuringBackup })} ${acknowledged.imports.length} imports before`,
  )
  const check = await run(['check-stock'], copy).ended
  assert.deepEqual([check.code, check.output], [0, '0 differences.\n'])
  const postgres = await openEmbeddedPostgres({ dataDir: copy.DATA_DIR, log })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  assert.deepEqual(await findEffectFaults(client, acknowledged.operations), [])
  const { rows: restoredImports } = await client.query<{ id: string }>('select id from consignment_import')
  const ids = new Set(restoredImports.map(({ id }) => id))
  assert.deepEqual(
    acknowledged.imports.filter(id => !ids.has(id)),
    [],
  )
  await client.end()
  await postgres.stop()

  const restored = await startServiceProcess(copy)
  after(() => restored.stop())
  await until(
    async () => {
      const calls = acknowledged.imports.map(id => api.call('GET', `/v1/consignments/${id}/check-exists`))
      return (await Promise.all(calls)).every(({ status }) => status === 201)
    },
    'Acknowledged imports did not become consignments.',
    60_000,
  )
  const arrived = receiver.arrived.length
  await api.must('PUT', `/v1/webhook-subscriptions/${webhookSubscriptionId}/test`)
  await until(async () => receiver.arrived.length > arrived, 'No webhook arrives after the restore.')
  assert.deepEqual(receiver.forged, [])
  const { code } = await authorise(openBrowser(authUrl), shop, email, { scope: 'consignment' })
  assert.ok(code, 'The user cannot sign in.')
})
