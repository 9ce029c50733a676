import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { startImportDownloads } from '../../../src/consignment-imports/downloads/fetch-due-files.ts'
import { fetchFiles } from '../../../src/consignment-imports/downloads/fetch-files.ts'
import { readDownloads } from '../../../src/consignment-imports/downloads/stored-downloads.ts'
import { startImports } from '../../../src/consignment-imports/process-imports.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { openImports, setUp } from '../../support/given-imports.ts'
import { receiver, respondWith } from '../../support/receivers.ts'
import { until } from '../../support/service-process.ts'

const given = await openImports()
const { world, context, post, read, drain } = given
const { admin, database } = world
const { organisationId } = admin.actor

const requestWithFiles = (...urls: string[]) => ({
  notes: [{ note: 'See the files.', attachments: urls.map(downloadUrl => ({ downloadUrl })) }],
})
const hello = respondWith('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello')
const neverResponds = () => {}

/** Runs both workers of a process while `work` runs. */
async function whileWorkersRun(work: () => Promise<void>): Promise<void> {
  const own = { ...context, metrics: createMetrics() }
  const workers = [startImportDownloads(own), startImports(own, 10)]
  try {
    await work()
  } finally {
    await Promise.all(workers.map(worker => worker.stop()))
  }
}

test('imports of one organisation with servers that hang do not delay the files of another', {
  timeout: 300_000,
}, async t => {
  const [hanging, quick] = [await receiver(t, neverResponds), await receiver(t, hello)]
  const other = await world.stranger()
  await setUp(other)
  const twenty = Array.from({ length: 20 }, (_, n) => `${hanging.url}/${n}`)
  const stuck: string[] = []
  for (let n = 0; n < 16; n++) stuck.push(await post(requestWithFiles(...twenty)))
  await whileWorkersRun(async () => {
    await until(async () => hanging.open() >= 4, 'The hanging server was not asked.')
    const theirs = await post(requestWithFiles(quick.url), other)
    await until(async () => (await given.exists(theirs, other)) === 201, 'The other was held up.')
    assert.ok(hanging.open() <= 4, `${hanging.open()} slots are held by one organisation`)
    assert.equal((await read(stuck[0] as string)).status, 1)
  })
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set due_utc = null, status = 4 where status = 1`),
  )
})

test('the files of an import share one deadline, and those without a turn come first the next time', {
  timeout: 300_000,
}, async t => {
  const [hanging, quick] = [await receiver(t, neverResponds), await receiver(t, hello)]
  const urls = [`${hanging.url}/1`, `${hanging.url}/2`, quick.url]
  const id = await post(requestWithFiles(...urls))
  const files = urls.map(downloadUrl => ({ downloadUrl }))
  const fetch = async (ms = 1_000) => {
    const outcome = await fetchFiles(context, { organisationId, id, files }, ms)
    const found = await readDownloads(database.db, organisationId, [{ id, downloadStatus: 1 }])
    return [outcome, [...(found.get(id)?.keys() ?? [])]]
  }
  assert.deepEqual(await fetch(), ['transient', [urls[0]]])
  assert.deepEqual(await fetch(), ['transient', [urls[0], urls[1]]])
  assert.equal(quick.connections(), 0)
  const third = await fetch(4_000)
  assert.deepEqual(third, ['transient', [urls[1], urls[2], urls[0]]], 'then the oldest again')
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set download_status = 2 where id = ${id}`),
  )
  await drain()
  assert.deepEqual(
    (await read(id)).reasons.map(({ code }: { code: string }) => code),
    [urls[0], urls[1]],
  )
})

test('files that never had a turn are reported as such', async t => {
  const hanging = await receiver(t, neverResponds)
  const urls = [`${hanging.url}/1`, `${hanging.url}/2`]
  const id = await post(requestWithFiles(...urls))
  await fetchFiles(context, { organisationId, id, files: urls.map(downloadUrl => ({ downloadUrl })) }, 1_000)
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set download_status = 2 where id = ${id}`),
  )
  await drain()
  assert.deepEqual(
    (await read(id)).reasons.map(({ message }: { message: string }) => message),
    [
      'The file could not be fetched. No complete answer came within 1 seconds.',
      'The file could not be fetched. It was not fetched within the time that the files of an import have.',
    ],
  )
})

/** An address that refuses connections. */
async function refusingAddress(t: Parameters<typeof receiver>[0]): Promise<string> {
  const server = createServer()
  const { url } = await receiver(t, neverResponds, server)
  await new Promise(resolve => server.close(resolve))
  return url
}

test('a refused connection is reported within seconds, after three attempts', {
  timeout: 300_000,
}, async t => {
  const url = await refusingAddress(t)
  await whileWorkersRun(async () => {
    const id = await post(requestWithFiles(url))
    const startedAt = performance.now()
    await until(async () => (await read(id)).status === 2, 'The import did not wait.')
    const elapsed = performance.now() - startedAt
    assert.ok(elapsed > 3_900 && elapsed < 60_000, `it took ${elapsed} ms`)
    assert.equal(
      (await read(id)).reasons[0].message,
      'The file could not be fetched. The connection was refused.',
    )
  })
})

test('a server that restarts within seconds needs no user', { timeout: 300_000 }, async t => {
  const url = await refusingAddress(t)
  const id = await post(requestWithFiles(url))
  await drain()
  const state = () =>
    database.db.row<{ attempts: number; seconds: number }>(sql`
      select attempts, ceil(extract(epoch from due_utc - now()))::int as seconds from consignment_import
      where id = ${id}`)
  assert.deepEqual(await state(), { attempts: 1, seconds: 1 })
  await database.atomically(tx => tx.run(sql`update consignment_import set due_utc = now() where id = ${id}`))
  await drain()
  assert.deepEqual(await state(), { attempts: 2, seconds: 3 })
  const server = createHttpServer((_request, response) => response.end('hello'))
  server.listen(Number(new URL(url).port))
  t.after(() => server.close())
  await database.atomically(tx => tx.run(sql`update consignment_import set due_utc = now() where id = ${id}`))
  await drain()
  assert.equal(await given.exists(id), 201)
})

test('transient failures other than refused connections are retried for longer', async t => {
  const failing = await receiver(t, respondWith('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n'))
  const id = await post(requestWithFiles(await refusingAddress(t), failing.url))
  await drain()
  const { seconds } = await database.db.row<{ seconds: number }>(sql`
    select ceil(extract(epoch from due_utc - now()))::int as seconds from consignment_import
    where id = ${id}`)
  assert.equal(seconds, 5)
})
