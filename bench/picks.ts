// Confirms picks over HTTP by 32 scanners, each pick in its own transaction, of one product and of many. The
// baseline is a bare route with one durable update per request.
//
//     [SCANNERS=1] node bench/picks.ts

import { pino } from 'pino'
import { readConfig } from '../src/process/config.ts'
import { openStore } from '../src/process/store.ts'
import { findStockDifferences } from '../src/stock/ledger/check-stock.ts'
import { bareRequest, connections, prepareBare, serveBare } from './bare-update.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { type LoadResult, load, post } from './load.ts'
import { prepareStock } from './moving-stock.ts'
import { allocatePicks } from './picks-load.ts'
import { openProcessorTime, type ProcessorTime } from './processor-time.ts'
import { type Role, serveWaybill, startRole, tokenFor } from './role.ts'

const [role = 'all'] = process.argv.slice(2)
const seconds = Number(process.env.SECONDS ?? 3)
const rounds = Number(process.env.ROUNDS ?? 3)
const scanners = Number(process.env.SCANNERS ?? connections)

type Stock = Awaited<ReturnType<typeof prepareStock>>

const figure = (value: number) => Math.round(value).toLocaleString('en-GB')

/** Loads the baseline and the service in turns. Returns the picks per second, and those of the baseline. */
async function measure(
  service: Role,
  bare: Role,
  next: () => Buffer,
  processorTime: (pid: number) => Promise<ProcessorTime>,
): Promise<Record<'picked' | 'bare', number>[]> {
  const counted = async ({ port, pid }: Role, send: () => Buffer) => {
    const before = await processorTime(pid)
    const result: LoadResult = await load(port, scanners, seconds, send)
    const after = await processorTime(pid)
    const cost = (part: keyof ProcessorTime) =>
      Math.round(((after[part] - before[part]) * 1_000) / result.answers)
    const each = `service ${cost('service')}, database ${cost('database')} µs each`
    return { ...result, done: result.perSecond, each }
  }
  const results: Record<'picked' | 'bare', number>[] = []
  for (let round = -1; round < rounds; round++) {
    const [base, own] = [await counted(bare, () => bareRequest), await counted(service, next)]
    console.log(
      `${figure(own.done)}/s (p50 ${own.p50.toFixed(1)}, p99 ${own.p99.toFixed(1)} ms) ` +
        `${JSON.stringify(own.statuses)}, ${own.each}; bare ${figure(base.done)}/s, ${base.each}` +
        (round < 0 ? ' (warming up)' : ''),
    )
    if (round >= 0) results.push({ picked: own.done, bare: base.done })
  }
  return results
}

async function bench(): Promise<void> {
  const { dataDir, remove } = await openDataFolder()
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
    DATABASE_URL: '',
  }
  const store = await openStore(readConfig(settings), pino({ level: 'warn' }, pino.destination(2)))
  try {
    await prepareBare(store)
    const stock = await prepareStock(store, { rows: 20, quantity: 100_000 })
    const [hot, ...others] = stock.products as [Stock['products'][0], ...Stock['products']]
    const [bare, service] = [
      await startRole(import.meta.filename, 'bare', settings),
      await startRole(import.meta.filename, 'waybill', settings),
    ]
    const headers = { Authorization: `Bearer ${await tokenFor(service.port, stock.app)}` }
    const processorTime = await openProcessorTime(store.database.db)
    for (const [what, products, target, intoTotes] of [
      ['one product', [hot], 1_000, false],
      ['many products', others, 1_500, false],
      ['many products, each into a new tote', others, 1_500, true],
    ] as const) {
      const count = Number(process.env.CONSIGNMENTS ?? (rounds + 1) * seconds * target * 2)
      const picks = await allocatePicks(store, stock, products, count, { intoTotes })
      let n = 0
      const next = () => {
        const pick = picks[n++ % picks.length] as (typeof picks)[0]
        return post(pick.path, pick.body, headers)
      }
      const results = await measure(service, bare, next, processorTime)
      if (n > count) throw new Error(`Only ${count} of ${n} requests had something to pick.`)
      const rate = median(results.map(({ picked }) => picked))
      const ratio = median(results.map(({ picked, bare }) => picked / bare))
      reportFinding({
        what: `picks confirmed a second, of ${what}`,
        figure: `${figure(rate)}, ${ratio.toFixed(2)} of bare`,
        target: figure(target),
        isMet: rate >= target,
      })
    }
    await Promise.all([bare, service].map(each => each.stop()))
    console.log('differences of stock:', (await findStockDifferences(store.database.db)).length)
  } finally {
    await store.close()
    await remove()
  }
}

if (role === 'bare') await serveBare(readConfig())
else if (role === 'waybill') await serveWaybill({ ...readConfig(), roles: { api: true, worker: false } })
else await bench()
