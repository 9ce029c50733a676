// An upgrade as README.md describes it: the previous version serves a database, this version starts beside it
// and migrates the database under load, both serve it for a while, and the older one stops. No request fails,
// and imports, stock, webhooks and the feed are the same in both.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createWaybill } from '../../client/src/waybill.ts'
import { freeAddress } from '../support/given-people.ts'
import { findOlderVersion, type OlderVersion } from '../support/older-version.ts'
import {
  type ApiCaller,
  type App,
  anImport,
  apiCaller,
  newAppBy,
  openReceiver,
  setUp,
  temporaryDataDir,
} from '../support/processes.ts'
import { json, run, startServiceProcess, until } from '../support/service-process.ts'
import { atEnd, createTestDatabase } from '../support/test-database.ts'

const older = await findOlderVersion()
const skip = typeof older === 'string' && older
const urls = [await freeAddress(), await freeAddress()] as const

/** Creates an empty database. `start` starts a process on it, at the first address or the second. */
async function createEnvironment() {
  const settings = {
    DATABASE_URL: await createTestDatabase('template1'),
    DATA_DIR: await temporaryDataDir(),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BASE_URL: urls[0],
    WEBHOOK_ALLOW_PRIVATE: 'on',
    RATE_LIMITS: 'on',
  }
  async function start(at: 0 | 1, program?: string) {
    const running = await startServiceProcess({ ...settings, PORT: new URL(urls[at]).port }, program)
    atEnd(() => running.kill())
    return running
  }
  return { settings, start }
}

const exists = async ({ call }: ApiCaller, id: string) =>
  (await call('GET', `/v1/consignments/${id}/check-exists`)).status === 201

/** Receives and dispatches goods, alternating between two processes. Returns the ids of the consignments. */
async function moveGoods(first: ApiCaller, second: ApiCaller): Promise<string[]> {
  const announced = { consignmentType: 1, products: [{ productCode: 'HONEY', items: [{ quantity: 40 }] }] }
  const arriving = (await first.must('POST', '/v1/consignment-imports', anImport(announced)))
    .consignmentId as string
  const leaving = (await second.must('POST', '/v1/consignment-imports', anImport())).consignmentId as string
  for (const id of [arriving, leaving])
    await until(
      async () => (await exists(first, id)) && exists(second, id),
      'An import did not become a consignment.',
    )
  await second.must('PUT', `/v1/consignments/${arriving}/status`, { status: 4 })
  await first.must('POST', `/v1/consignments/${arriving}/receive`, { all: true })
  await second.must('PUT', `/v1/consignments/${leaving}/status`, { status: 2 })
  await first.must('PUT', `/v1/consignments/${leaving}/status`, { status: 7 })
  for (const api of [first, second]) {
    const { status, products } = (await api.must('GET', `/v1/consignments/${leaving}`)) as {
      status: number
      products: { dispatchedQuantity: number }[]
    }
    assert.deepEqual([status, products.map(line => line.dispatchedQuantity)], [7, [6]])
  }
  return [arriving, leaving]
}

/** Sends a stock command to one process and repeats it to the other one; it takes effect once. */
async function adjustOnce(first: ApiCaller, second: ApiCaller): Promise<void> {
  const { inventory } = (await first.must('GET', '/v1/inventory?PageSize=1')) as {
    inventory: { products: { warehouseProductId: string }[] }[]
  }
  const correction = {
    operationId: crypto.randomUUID(),
    adjustments: [{ warehouseProductId: inventory[0]?.products[0]?.warehouseProductId, quantity: 2 }],
    reason: 'Counted',
  }
  const done = await first.must('POST', '/v1/inventory/adjust', correction)
  const repeated = await second.must('POST', '/v1/inventory/adjust', correction)
  assert.equal(repeated.movementId, done.movementId)
}

/** Posts imports until the returned function is called, and adds their ids to `into`. */
function keepImporting(api: ApiCaller, into: string[]): () => Promise<void> {
  let isOver = false
  const importing = (async () => {
    while (!isOver) {
      const { consignmentId } = await api.must('POST', '/v1/consignment-imports', anImport())
      into.push(consignmentId as string)
      await pause(20)
    }
  })()
  const end = () => {
    isOver = true
    return importing
  }
  atEnd(() => end().catch(() => {}))
  return end
}

/** Follows the feed of one process, and records the ids of its events. */
function follow(baseUrl: string, { clientId, clientSecret }: App) {
  const stop = new AbortController()
  const ids: string[] = []
  const waybill = createWaybill({ baseUrl, clientId, clientSecret })
  const reading = (async () => {
    for await (const { sequence, id } of waybill.follow({ signal: stop.signal })) {
      assert.equal(sequence, ids.length + 1, 'no number is missing, repeated or out of order')
      ids.push(id)
    }
  })()
  const end = () => {
    stop.abort()
    return reading
  }
  atEnd(() => end().catch(() => {}))
  return { ids, end }
}

test('the previous version and this one serve one database side by side', { skip }, async t => {
  const { version, commit, unpack } = older as OlderVersion
  t.diagnostic(`${version} (${commit}) and this version`)
  const program = await unpack()
  const { settings, start } = await createEnvironment()
  const before = await start(0, program)
  const app = await newAppBy(program, settings, 'UPG')
  const [old, now] = urls.map(url => apiCaller(() => url, app)) as [ApiCaller, ApiCaller]
  await setUp(old)
  const receiver = await openReceiver(() => app.clientSecret)
  const subscribe = (api: ApiCaller, eventType: number) =>
    api.must('POST', '/v1/webhook-subscriptions/create', { webhookUrl: receiver.url, eventType })
  await subscribe(old, 101)
  const moved = await moveGoods(old, old)

  // The newer version starts and migrates while the older one is working.
  const imported: string[] = []
  const endOld = keepImporting(old, imported)
  const after = await start(1)
  const endNow = keepImporting(now, imported)
  await subscribe(now, 112)
  const feeds = [follow(urls[0], app), follow(urls[1], app)]
  moved.push(...(await moveGoods(old, now)), ...(await moveGoods(now, old)))
  await adjustOnce(old, now)
  await adjustOnce(now, old)
  await Promise.all([endOld(), endNow()])
  const all = [...moved, ...imported]
  for (const api of [old, now])
    for (const id of all) await until(() => exists(api, id), 'An import did not become a consignment.')
  const deliveredIds = (type: string) =>
    new Set(receiver.arrived.filter(event => event.type === type).map(event => event.data.consignmentId))
  await until(
    async () => deliveredIds('consignment.created').size === all.length,
    'Not all webhooks arrived.',
  )
  await until(
    async () => deliveredIds('consignment.status.updated').size >= 4,
    'No webhook about a status arrived.',
  )
  assert.deepEqual(receiver.forged, [])
  await until(
    async () => feeds.every(({ ids }) => ids.length >= all.length),
    () => `${feeds.map(({ ids }) => ids.length)} of at least ${all.length} events arrived.`,
  )

  assert.equal((await before.stop()).code, 0)
  const late = await moveGoods(now, now)
  await feeds[1]?.end()
  await feeds[0]?.end()
  const [first = [], second = []] = feeds.map(({ ids }) => ids)
  assert.deepEqual(second.slice(0, first.length), first)
  assert.equal(late.length, 2)
  assert.equal((await after.stop()).code, 0)
  assert.deepEqual(await json(['check-stock'], settings), { differences: [] })
  t.diagnostic(`${imported.length} imports while both versions served`)
})

test('after going back, the older version starts on a database that this one has migrated', {
  skip,
}, async () => {
  const program = await (older as OlderVersion).unpack()
  const { settings, start } = await createEnvironment()
  const app = await newAppBy(program, settings, 'UPG')
  assert.equal((await run(['migrate'], settings).ended).code, 0)
  const service = await start(0, program)
  const api = apiCaller(() => urls[0], app)
  await setUp(api)
  await moveGoods(api, api)
  assert.equal((await service.stop()).code, 0)
})
