// Reports of many rows: their snapshots, slots and connections are released whatever happens to the client,
// the database or the thread, and an incomplete response never looks complete.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readXlsx } from 'hucre/xlsx'
import { type Sql, sql } from '../../src/platform/database/db.ts'
import { batchRows } from '../../src/platform/database/snapshot.ts'
import { allReports } from '../../src/reports/all-reports.ts'
import { exportReport, stopExportThread } from '../../src/reports/export-thread.ts'
import type { Report, ReportRequest } from '../../src/reports/report.ts'
import { checkRequest, hasManyRows, reportChunks } from '../../src/reports/run-report.ts'
import { setUp } from '../support/given-imports.ts'
import { openWorld } from '../support/harness.ts'
import { until as untilTrue } from '../support/service-process.ts'

const rowCount = 24_000
const maxStalledMs = 200
const world = await openWorld({ readSlotTimes: { maxStalledMs, maxIdleMs: 2_000 } })
const { admin, app, database } = world
const { clientId, warehouseId } = await setUp(admin)
const { organisationId } = admin.actor
const location = (await admin.post(`/v1/warehouses/${warehouseId}/locations`, { name: 'A-01', type: 1 })).body
// Inserts many rows at once, without triggers. The batches are long and cannot be compressed, so that no
// buffer on the way holds the whole report.
await database.atomically(async tx => {
  await tx.run(sql`set local session_replication_role = replica`)
  await tx.run(sql`drop index warehouse_product_of_batch`)
  await tx.run(sql`
    insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
      warehouse_location_id, received_date, is_quarantined, batch, on_hand_quantity)
    select ${organisationId}, gen_random_uuid(), ${warehouseId}, ${clientId}, d.id,
      ${location.warehouseLocationId}, '2026-01-01', false,
      md5(n::text) || md5('a' || n) || md5('b' || n) || md5('c' || n) || md5('d' || n) || md5('e' || n), n
    from product d, generate_series(1, ${rowCount}) n
    where d.organisation_id = ${organisationId} and d.code = 'APPLE'`)
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
const quantitySum = (rowCount * (rowCount + 1)) / 2

/** Requests stock on hand over the network, or over a socket of the file system. */
function requestReport(
  ending = '',
  accept = 'application/json',
  target: { port: number } | { socketPath: string } = { port },
  { authorization } = admin,
): { request: ClientRequest; response: Promise<IncomingMessage> } {
  const request = send({
    ...{ ...target, method: 'POST', path: `/v1/reports/stock-on-hand${ending}`, agent: false },
    headers: { authorization, accept, 'content-type': 'application/json' },
  })
  // Errors are seen through the response.
  request.on('error', () => {})
  request.end('{}')
  const response = once(request, 'response').then(([message]) => message as IncomingMessage)
  response.catch(() => {})
  return { request, response }
}

const read = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The database backends that hold a snapshot for a report. */
const snapshots = () =>
  database.db.rows<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and query like 'fetch forward%' and xact_start is not null`)

const until = (condition: () => Promise<boolean>) => untilTrue(condition, 'It did not come to that.')
const noSnapshots = () => until(async () => (await snapshots()).length === 0)

test('a report of many rows is complete as JSON, CSV and Excel', async () => {
  const rows = JSON.parse(String(await read(await requestReport().response)))
  assert.equal(rows.length, rowCount)
  assert.equal(
    rows.reduce((sum: number, row: { onHandQuantity: number }) => sum + row.onHandQuantity, 0),
    quantitySum,
  )
  const csv = String(await read(await requestReport('', 'text/csv').response))
  assert.equal(csv.split('\r\n').length, rowCount + 2)
  const book = await readXlsx(await read(await requestReport('/xlsx').response))
  assert.equal(book.sheets[0]?.rows.length, rowCount + 1)
  assert.deepEqual(
    book.sheets[1]?.rows.find(([label]) => label === 'Sum of On hand'),
    ['Sum of On hand', quantitySum],
  )
  await noSnapshots()
})

for (const [ending, accept] of [
  ['', 'application/json'],
  ['', 'text/csv'],
  ['/xlsx', '*/*'],
] as const) {
  const what = `${accept}${ending}`

  test(`${what}: losing the database midway cuts the response, and the next one is complete`, async () => {
    const response = await requestReport(ending, accept).response
    response.pause()
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['content-length'], undefined)
    const found = await snapshots()
    assert.equal(found.length, 1, 'the snapshot ended before the response was read')
    await database.db.rows(sql`select pg_terminate_backend(${found[0]?.pid})`)
    await assert.rejects(read(response), { code: 'ECONNRESET' })
    await noSnapshots()
    await until(async () => !database.state().isUnavailable)
    assert.ok((await read(await requestReport(ending, accept).response)).length > 1_000_000)
  })

  test(`${what}: a client that disconnects ends its snapshot and frees its slot`, async () => {
    for (let n = 0; n < 3; n++) {
      const { request, response } = requestReport(ending, accept)
      await response
      request.destroy()
    }
    await noSnapshots()
    const slots = await Promise.all([1, 2].map(() => database.takeReadSlot('x', AbortSignal.timeout(60_000))))
    for (const slot of slots) slot.release()
  })
}

test('a report that computes its rows waits for a slot, and gives up when its client is gone', async () => {
  const slots = await Promise.all([1, 2].map(() => database.takeReadSlot('x', AbortSignal.timeout(60_000))))
  const { takeReadSlot } = database
  let [requested, isDone] = [0, false]
  database.takeReadSlot = (owner, signal) => {
    requested++
    return takeReadSlot(owner, signal)
  }
  const answer = admin.post('/v1/reports/freight-margin', {}).finally(() => {
    isDone = true
  })
  await until(async () => requested === 1)
  assert.equal(isDone, false)
  for (const slot of slots) slot.release()
  assert.equal((await answer).status, 200)
  assert.equal(requested, 2, 'one slot to compute, one to read')
  database.takeReadSlot = takeReadSlot

  for (const name of ['freight-margin', 'unbilled-work']) {
    const report = allReports.find(one => one.name === name) as Report
    const client = new AbortController()
    const computing = checkRequest(database, report, admin.actor, {}, client.signal)
    client.abort(new Error('gone'))
    await assert.rejects(computing, { message: 'gone' })
  }
  const free = await Promise.all([1, 2].map(() => database.takeReadSlot('x', AbortSignal.timeout(60_000))))
  for (const slot of free) slot.release()
})

/** Counts the rows that reports read from now on. */
function countRows(): { read: number } {
  const counts = { read: 0 }
  const { snapshot } = database
  async function* countBatches(rows: AsyncGenerator<(string | null)[][]>) {
    for await (const batch of rows) {
      counts.read += batch.length
      yield batch
    }
  }
  database.snapshot = async signal => {
    const opened = await snapshot(signal)
    return { ...opened, rows: (query: Sql) => countBatches(opened.rows(query)) }
  }
  after(() => {
    database.snapshot = snapshot
  })
  return counts
}

// A socket of the file system, whose buffers are small and the same on every machine.
const socketPath = join(tmpdir(), `waybill-reports-${process.pid}.sock`)
const local = createServer((request, response) => app.server.emit('request', request, response))
local.listen(socketPath)
after(() => local.close())

for (const [accept, endOfRow] of [
  ['application/json', '}'],
  ['text/csv', '\n'],
] as const)
  test(`${accept}: only a bounded number of rows is held for a slow reader`, async () => {
    const counted = countRows()
    const response = await requestReport('', accept, { socketPath }).response
    let [taken, maxHeld] = [0, 0]
    for await (const chunk of response) {
      taken += String(chunk).split(endOfRow).length - 1
      maxHeld = Math.max(maxHeld, counted.read - taken)
      if (taken < rowCount / 2) await pause(2)
    }
    assert.equal(counted.read, rowCount)
    assert.ok(maxHeld <= 6 * batchRows, `${maxHeld} rows were held`)
  })

test('whether a report has many rows follows the estimate of the planner', async () => {
  const report = allReports.find(({ name }) => name === 'stock-on-hand') as Report
  const { actor } = admin
  const request = { actor, filters: {}, moment: null }
  const isLongWith = (rows: Report['rows']) => hasManyRows(database.db, { ...report, rows }, request)
  const manyRows = (reportRequest: ReportRequest) =>
    sql`select r.* from generate_series(1, 100000) n left join (${report.rows(reportRequest)}) r on true`
  assert.equal(await isLongWith(reportRequest => sql`${report.rows(reportRequest)} limit 50`), false)
  assert.equal(await isLongWith(manyRows), true)
})

for (const format of ['json', 'csv'] as const)
  test(`the export thread makes the same ${format} as the main thread`, async () => {
    const { signal } = new AbortController()
    const report = allReports.find(({ name }) => name === 'stock-on-hand') as Report
    const { request } = await checkRequest(database, report, admin.actor, {}, signal)
    const job = { connection: database.connection, report: report.name, request, format }
    const inMainThread = reportChunks(database, report, request, { isCsv: format === 'csv', signal })
    const bytes = (chunks: (string | Uint8Array)[]) => Buffer.concat(chunks.map(chunk => Buffer.from(chunk)))
    const inThread = bytes(await Array.fromAsync(exportReport(job, signal)))
    assert.ok(inThread.equals(bytes(await Array.fromAsync(inMainThread))))
    await noSnapshots()
  })

test('stopping the export thread cuts a file in progress and ends its snapshot; the next file is complete', async () => {
  const response = await requestReport('/xlsx').response
  response.pause()
  assert.equal((await snapshots()).length, 1)
  await stopExportThread()
  await assert.rejects(read(response), { code: 'ECONNRESET' })
  await noSnapshots()
  assert.ok((await read(await requestReport('/xlsx').response)).length > 1_000_000)
})

test('a report waits for a slot, and a client that has disconnected gets none', async () => {
  const slots = await Promise.all([1, 2].map(() => database.takeReadSlot('x', AbortSignal.timeout(60_000))))
  const { takeReadSlot } = database
  const taken: Promise<unknown>[] = []
  database.takeReadSlot = (owner, signal) => {
    const slot = takeReadSlot(owner, signal)
    taken.push(slot)
    return slot
  }
  after(() => {
    database.takeReadSlot = takeReadSlot
  })
  const disconnected = requestReport()
  await until(async () => taken.length === 1)
  const waiting = requestReport()
  await until(async () => taken.length === 2)
  disconnected.request.destroy()
  // Its place in the queue is given up before any slot is free.
  await assert.rejects(taken[0] as Promise<unknown>)
  slots[0]?.release()
  assert.equal(JSON.parse(String(await read(await waiting.response))).length, rowCount)
  slots[1]?.release()
  assert.equal(taken.length, 2)
  database.takeReadSlot = takeReadSlot
})

/** Two readers of one organisation that hold both slots and stop reading. */
async function slowReaders(ending: string): Promise<IncomingMessage[]> {
  const readers = [await requestReport(ending, '*/*').response, await requestReport(ending, '*/*').response]
  for (const reader of readers) reader.pause()
  assert.equal((await snapshots()).length, 2)
  return readers
}

/** Reads both to their end: one is complete, the other is cut off visibly. */
async function assertOneIsCutOff(readers: IncomingMessage[]): Promise<void> {
  const ends = await Promise.allSettled(readers.map(read))
  const cutOff = ends.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.deepEqual(
    cutOff.map(({ reason }) => reason.code),
    ['ECONNRESET'],
  )
  await noSnapshots()
}

for (const ending of ['', '/xlsx']) {
  const what = ending === '' ? 'reports' : 'exports'

  test(`two slow readers of ${what} do not keep another organisation out: one of them is cut off`, async () => {
    const stranger = await world.stranger()
    const readers = await slowReaders(ending)
    const response = await requestReport(ending, '*/*', { port }, stranger).response
    assert.equal(response.statusCode, 200)
    await read(response)
    await until(async () => (await snapshots()).length === 1)
    await assertOneIsCutOff(readers)
  })

  test(`stalled readers of ${what} lose a slot to a waiting request, even of their own organisation`, async () => {
    const readers = await slowReaders(ending)
    const response = await requestReport(ending, '*/*').response
    assert.equal(response.statusCode, 200)
    assert.ok((await read(response)).length > 1_000_000)
    await assertOneIsCutOff(readers)
  })
}

test('two slow readers of one organisation keep their slots while no other request waits', async () => {
  const stalledSince = performance.now()
  const readers = await slowReaders('')
  await until(async () => performance.now() - stalledSince > 2 * maxStalledMs)
  for (const reader of readers) assert.equal(JSON.parse(String(await read(reader))).length, rowCount)
})

test('a report shows one moment: changes while it is read are not in it', async () => {
  const response = await requestReport().response
  response.pause()
  await database.atomically(tx =>
    tx.run(sql`update warehouse_product set on_hand_quantity = on_hand_quantity + 1
      where organisation_id = ${organisationId} and on_hand_quantity < 1000`),
  )
  const rows = JSON.parse(String(await read(response)))
  assert.equal(
    rows.reduce((sum: number, row: { onHandQuantity: number }) => sum + row.onHandQuantity, 0),
    quantitySum,
  )
})

test('reports have a rate limit of their own: 150 a minute', async () => {
  const limited = await openWorld({ rateLimits: true })
  for (let n = 0; n < 150; n++)
    assert.notEqual((await limited.admin.post('/v1/reports/stock-age', [])).status, 429)
  const refused = await limited.admin.post('/v1/reports/stock-on-hand/xlsx')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await limited.admin.get('/v1/reports')).status, 200)
})
