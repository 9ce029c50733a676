// A back-test of a year: 250,000 Closed consignments with 750,000 parts, tested with a card of 20 rates with
// four charges each, and the storage of 40 clients with 1,000,000 ledger lines, billed monthly. Measures the
// duration, the processor time, the memory, and the duration of requests meanwhile. Targets: 10 s; 300 MiB
// more; p99 of requests at most twice that without a back-test.
//
//   node bench/back-test.ts [--keep <folder>: use this folder and keep its data] [--inputs 1000000]

import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { rateCardBackTests } from '../src/billing/back-tests/rate-card-back-tests.ts'
import { runDueBackTest } from '../src/billing/back-tests/run-back-tests.ts'
import { rateCards } from '../src/billing/rate-cards/rate-cards.ts'
import { newId } from '../src/platform/new-id.ts'
import { benchContent, cardIds, loadCharged } from './charged-load.ts'
import { percentile, reportFinding } from './figures.ts'
import { openInventoryBench } from './inventory-bench.ts'
import { openProcessorTime } from './processor-time.ts'

// As in ./waybill, so that threads find the cache of compiled modules.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
const { values: options } = parseArgs({
  options: { keep: { type: 'string' }, inputs: { type: 'string', default: '1000000' } },
})
const bench = await openInventoryBench({
  endpoints: [...rateCardBackTests, ...rateCards],
  name: 'Bench',
  load: client => loadCharged(client, Number(options.inputs)),
  keep: options.keep,
  isExplained: false,
})
const { app, database } = bench
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
const mebibyte = 1_048_576
const processorTime = await openProcessorTime(database.db)

function send(method: string, path: string, body?: object) {
  const started = performance.now()
  return new Promise<{ ms: number; answer: Record<string, never> }>((resolve, reject) => {
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
    const httpRequest = request({ port, path, method, headers }, response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        if ((response.statusCode ?? 500) >= 300) return reject(new Error(`${path}: ${text}`))
        resolve({ ms: performance.now() - started, answer: JSON.parse(text) })
      })
    })
    httpRequest.on('error', reject)
    httpRequest.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The durations in milliseconds of a small request, sent repeatedly. */
async function measureRequests(until: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!until()) times.push((await send('GET', '/v1/rate-cards')).ms)
  return times.toSorted((a, b) => a - b)
}

const worker = {
  database,
  log: pino({ level: 'error' }),
  presence: { id: newId(), deadWorkers: () => [] },
}

/** Runs a back-test of the year, with `beside` while requests are sent. */
async function measure(name: string, card: object, beside: boolean) {
  const { answer } = await send('POST', '/v1/rate-card-back-tests', {
    ...{ dateFrom: '2025-01-01', dateTo: '2025-12-31', ...card },
  })
  const [started, before, load] = [performance.now(), await processorTime(process.pid), loadavg()[0] ?? 0]
  const memory = process.memoryUsage.rss()
  let most = memory
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  let isDone = false
  const making = runDueBackTest(worker).finally(() => {
    isDone = true
  })
  const times = beside ? await measureRequests(() => isDone) : []
  await making
  clearInterval(watching)
  const seconds = (performance.now() - started) / 1000
  const used = await processorTime(process.pid)
  const { answer: test } = await send('GET', `/v1/rate-card-back-tests/${answer.rateCardBackTestId}`)
  const { status, consignmentCount, partCount, periodCount, ledgerRowCount, control, totals } =
    test as Record<string, unknown>
  const counts = { status, consignmentCount, partCount, periodCount, ledgerRowCount, control, totals }
  console.log(
    `${name}: ${JSON.stringify(counts)}, ` +
      `${seconds.toFixed(1)} s, of processor time ` +
      `${((used.service - before.service) / 1000).toFixed(1)} s of the ` +
      `process and ${((used.database - before.database) / 1000).toFixed(1)} s of the database, ` +
      `${Math.round((most - memory) / mebibyte)} MiB more, load ${load.toFixed(1)}`,
  )
  return { seconds, mebibytes: (most - memory) / mebibyte, times }
}

try {
  await measure('version in force', { rateCardVersionId: cardIds.version }, false)
  const { seconds, mebibytes } = await measure('6 % more', { content: benchContent(6) }, false)
  reportFinding({
    ...{
      what: `Back-test of 12 months, ${options.inputs} inputs and lines of the ledger`,
      figure: `${seconds.toFixed(1)} s`,
    },
    ...{ target: '10 s', isMet: seconds < 10 },
  })
  reportFinding({
    ...{ what: 'Memory of it', figure: `${Math.round(mebibytes)} MiB more` },
    ...{ target: '300 MiB', isMet: mebibytes < 300 },
  })
  const end = performance.now() + 5_000
  const alone = percentile(await measureRequests(() => performance.now() > end), 0.99)
  const beside = percentile(
    (await measure('beside requests', { content: benchContent(6) }, true)).times,
    0.99,
  )
  reportFinding({
    what: 'p99 of others while a back-test is made, of that without',
    figure: `${(beside / alone).toFixed(1)} (${beside.toFixed(1)} and ${alone.toFixed(1)} ms)`,
    ...{ target: '2', isMet: beside <= 2 * alone },
  })
} finally {
  await bench.close()
}
