// Concurrent changes of the same stock: nothing is taken twice, nothing is lost, and there are no deadlocks.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { encryptionKey } from '../support/harness.ts'
import { apiCaller, appOf, newApp, temporaryDataDir } from '../support/processes.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { findEffectFaults, openStockLoad, type SentOperation } from '../support/stock-load.ts'
import { createTestDatabase, openTestPools } from '../support/test-database.ts'
import { untilServed } from '../support/until-served.ts'

const world = await openAllocation()
const { admin, database, products, warehouseId, stored, row, readyAll, allocationsOf } = world

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))

const deadlocksOf = (db: typeof database.db) =>
  db.row<{ deadlocks: number }>(sql`
    select deadlocks from pg_stat_database where datname = current_database()`)

/** Runs a test and asserts that no deadlock occurred meanwhile. */
async function withoutDeadlocks(db: typeof database.db, work: () => Promise<void>): Promise<void> {
  const before = await deadlocksOf(db)
  await work()
  assert.deepEqual(await deadlocksOf(db), before)
}

const adjust = (adjustment: object) =>
  admin.post('/v1/inventory/adjust', { reason: 'Race', adjustments: [adjustment] })

test('of fifty concurrent requests for one of ten items, ten succeed', () =>
  withoutDeadlocks(database.db, async () => {
    const id = await stored(10, { productId: products.PEAR })
    const answers = await times(50, () => untilServed(() => adjust({ warehouseProductId: id, quantity: -1 })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 10)
    assert.equal(answers.filter(({ status }) => status === 400).length, 40)
    assert.equal((await row(id)).onHandQuantity, 0)
  }))

test('of many concurrent requests that bring in one serial at several locations, one succeeds', () =>
  withoutDeadlocks(database.db, async () => {
    const answers = await times(12, n =>
      untilServed(() =>
        adjust({
          ...{ partnerProductId: products.SCALE, warehouseId, quantity: 1, serials: ['ONLY-ONE'] },
          locationName: ['A-01', 'A-02', 'B-01'][n % 3],
        }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 400).length, 11)
  }))

test('a serial that comes into two warehouses at the same time ends up in one of them', async () => {
  const other = await world.made('/v1/warehouses', {
    ...{ name: 'Wellington', code: 'WLG', timezoneId: 'Pacific/Auckland' },
  })
  await world.made(`/v1/warehouses/${other}/locations`, { name: 'A-01', type: 1 })
  for (let n = 0; n < 10; n++) {
    const answers = await times(2, i =>
      untilServed(() =>
        adjust({
          ...{ partnerProductId: products.SCALE, locationName: 'A-01', quantity: 2 },
          warehouseId: [warehouseId, other][i],
          serials: i === 0 ? [`B-${n}`, `A-${n}`] : [`A-${n}`, `B-${n}`],
        }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => Math.min(status, 400)).sort(), [200, 400])
    assert.ok(answers.every(({ status }) => [200, 400, 409].includes(status)))
  }
})

test('sixty-four concurrent allocations of one product all succeed and share what is available', () =>
  withoutDeadlocks(database.db, async () => {
    const { productId, productCode } = await world.fresh()
    await stored(60, { productId })
    await stored(65, { productId, warehouseLocationId: world.locations.A2 })
    const line = { productId, productCode, quantity: 2 }
    const ids = await readyAll(Array.from({ length: 64 }, () => ({ lines: [line] })))
    const answers = await times(64, n => admin.post(`/v1/consignments/${ids[n]}/allocate`))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]), 'no request is refused')
    const figures = answers.map(({ body }) => body.lines[0] as { allocated: number; short: number })
    const sum = (field: 'allocated' | 'short') => figures.reduce((all, line) => all + line[field], 0)
    assert.deepEqual([sum('allocated'), sum('short')], [125, 3])
    const parts = (await Promise.all(ids.map(allocationsOf))).flat()
    assert.equal(
      parts.reduce((all, { quantity }) => all + quantity, 0),
      125,
    )
  }))

/** Starts service processes on a database. Only the first one runs background workers. */
async function startServices(databaseUrl: string, count: number) {
  const settings = {
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: await temporaryDataDir(), RATE_LIMITS: 'off' },
    ENCRYPTION_KEY: encryptionKey,
    // The issuer of the tokens, whichever process issues them.
    AUTH_URL: 'http://localhost:8080',
  }
  const first = await startServiceProcess(settings)
  after(() => first.kill())
  const further = await times(count - 1, () => startServiceProcess({ ...settings, ROLES: 'api' }))
  for (const service of further) after(() => service.kill())
  return { settings, services: [first, ...further] }
}

test('across three processes rotation follows the order of commits, and replayed operations count once', async () => {
  const of = await world.fresh({ rotationMethod: 2 })
  const rows = [
    await stored(20, { ...of, expiryDate: '2030-01-01' }),
    await stored(20, { ...of, expiryDate: '2030-01-02' }),
    await stored(10, { ...of, expiryDate: '2030-01-03' }),
  ]
  const ids = await readyAll(Array.from({ length: 64 }, () => ({ lines: [{ ...of, quantity: 1 }] })))
  // The app of a test has no secret, but the service expects a sealed one.
  await database.inOneStatement(tx =>
    tx.run(sql`update custom_app set secret_hash = ${world.secretBox.seal(Buffer.from('none'))}`),
  )
  const { settings, services } = await startServices(world.databaseUrl, 3)
  const app = await appOf(admin.actor.organisationId, settings)
  const apis = services.map(({ baseUrl }) => apiCaller(() => baseUrl, app))
  const apiOf = (n: number) => apis[n % apis.length] as (typeof apis)[number]
  const allocate = (n: number) => apiOf(n).call('POST', `/v1/consignments/${ids[n]}/allocate`, {})
  const answers = await times(64, n => untilServed(() => allocate(n)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await Promise.all(rows.map(async id => (await row(id)).allocatedQuantity)), [20, 20, 10])
  const taken = await database.db.rows<{ stock: string }>(sql`
    select warehouse_product_id as stock from inventory_transaction
    where type = 0 and warehouse_product_id = any(${rows})
    order by recorded_utc, warehouse_product_id, version`)
  assert.deepEqual(
    taken.map(({ stock }) => rows.indexOf(stock)),
    Array.from({ length: 50 }, (_, n) => Math.floor(n / 20)),
  )

  const [from] = rows
  const day = Array.from({ length: 20 }, (_, n) => ({
    operationId: newId(),
    path: '/v1/inventory/adjust',
    body: { reason: 'Offline', adjustments: [{ warehouseProductId: from, quantity: n + 1 }] },
  }))
  const pieces = [day, day.slice(0, 12), day.slice(7), day, day.slice(15)]
  const sent = await times(pieces.length, n =>
    apiOf(n).call('POST', '/v1/inventory/replay', { operations: pieces[n] }),
  )
  for (const { body } of sent)
    for (const { status } of body.operations as { status: number }[]) assert.ok([200, 503].includes(status))
  const again = await apiOf(1).call('POST', '/v1/inventory/replay', { operations: day })
  assert.ok((again.body.operations as { status: number }[]).every(({ status }) => status === 200))
  assert.equal((await row(from as string)).onHandQuantity, 20 + 210)
})

for (const count of [1, 3])
  test(`two hundred writers on ten hot rows, across ${count} processes`, async t => {
    const databaseUrl = await createTestDatabase()
    const { db } = openTestPools(databaseUrl)
    const { settings, services } = await startServices(databaseUrl, count)
    const app = await newApp(settings)
    const apis = services.map(({ baseUrl }) => apiCaller(() => baseUrl, app))
    const [api] = apis as [(typeof apis)[number]]
    let turn = 0
    const load = await openStockLoad({
      ...api,
      call: (...request) => (apis[turn++ % apis.length] ?? api).call(...request),
    })
    const before = await deadlocksOf(db)
    const all: SentOperation[] = []
    await times(200, async n => {
      const sent: SentOperation[] = [load.operation(), load.operation()].map(operation => ({
        operation,
        answers: [],
      }))
      all.push(...sent)
      if (n % 4 === 0) await load.move()
      for (const request of sent)
        await untilServed(async () => {
          await load.send(request)
          return { status: request.answers.at(-1)?.status ?? 0 }
        })
    })
    const statuses = Map.groupBy(all, ({ answers }) => answers.at(-1)?.status ?? 0)
    const summary = [...statuses].map(([status, requests]) => `${status}: ${requests.length}`).join(', ')
    t.diagnostic(summary)
    assert.ok(
      [...statuses.keys()].every(status => [200, 201, 400, 404, 409].includes(status)),
      summary,
    )
    assert.ok((statuses.get(200)?.length ?? 0) > all.length / 4, `enough requests succeeded: ${summary}`)
    // A connection reports its deadlocks when it ends at the latest.
    await Promise.all(services.map(service => service.stop()))
    assert.deepEqual(await deadlocksOf(db), before)
    const client = new pg.Client(databaseUrl)
    await client.connect()
    assert.deepEqual(await findEffectFaults(client, all), [])
    await client.end()
    assert.deepEqual(await findStockDifferences(db), [])
  })
