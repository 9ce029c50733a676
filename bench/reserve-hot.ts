// Allocates one unit of one product for each of many consignments, over HTTP with everything enabled, in one
// process and, if DATABASE_URL names a server, two. The baseline is a bare route with one durable update per
// request.
//
//     node bench/reserve-hot.ts

import { pino } from 'pino'
import { readConfig } from '../src/process/config.ts'
import { openStore, type Store } from '../src/process/store.ts'
import { findStockDifferences } from '../src/stock/ledger/check-stock.ts'
import { bareRequest, connections, prepareBare, serveBare } from './bare-update.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { load, post } from './load.ts'
import { prepareStock, readyToPick } from './moving-stock.ts'
import { openProcessorTime, type ProcessorTime } from './processor-time.ts'
import { type Role, serveWaybill, startRole, tokenFor } from './role.ts'

const log = pino({ level: 'warn' }, pino.destination(2))
const [role = 'all'] = process.argv.slice(2)
const seconds = Number(process.env.SECONDS ?? 3)
const rounds = Number(process.env.ROUNDS ?? 3)
const count = Number(process.env.CONSIGNMENTS ?? 60_000)
const embedded = !process.env.DATABASE_URL

/** The rates per second. */
type Round = Record<'one' | 'two' | 'bare', number>

const figure = (value: number) => Math.round(value).toLocaleString('en-GB')

/** The database with one product in demand, and enough consignments that each need one of it. */
async function prepare(store: Store) {
  await prepareBare(store)
  const stock = await prepareStock(store, { rows: 20, quantity: 100_000 })
  const { id: productId, code } = stock.products[0] as { id: string; code: string }
  const ids = await readyToPick(store, stock, Array(count).fill([{ productId, code, quantity: 1 }]))
  return { app: stock.app, ids }
}

/** Loads the service and the baseline in turns, and prints their rates. */
async function measure(
  services: readonly Role[],
  bare: Role,
  next: () => Buffer,
  processorTime: (pid: number) => Promise<ProcessorTime>,
): Promise<Round[]> {
  const [first] = services as [Role]
  const counted = async ({ port, pid }: Role, send: () => Buffer, share = 1) => {
    const before = await processorTime(pid)
    const result = await load(port, connections / share, seconds, send)
    const after = await processorTime(pid)
    const cost = (part: keyof ProcessorTime) =>
      Math.round(((after[part] - before[part]) * 1_000) / result.answers)
    return { ...result, done: result.perSecond, cost }
  }
  for (const service of services) await load(service.port, connections, 2, next)
  await load(bare.port, connections, 1, () => bareRequest)
  const results: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await counted(bare, () => bareRequest)
    const oneProcess = await counted(first, next)
    const both =
      services.length === 1
        ? []
        : await Promise.all(services.map(service => counted(service, next, services.length)))
    const two = both.reduce((sum, { done }) => sum + done, 0)
    results.push({ one: oneProcess.done, two, bare: alone.done })
    console.log(
      `${figure(oneProcess.done)}/s ` +
        `(p50 ${oneProcess.p50.toFixed(1)}, p99 ${oneProcess.p99.toFixed(1)} ms) ` +
        `${JSON.stringify(oneProcess.statuses)}, µs each: service ${oneProcess.cost('service')}, ` +
        `database ${oneProcess.cost('database')}; ` +
        `two processes ${figure(two)}/s; bare ${figure(alone.done)}/s, ` +
        `µs each: ${alone.cost('service')}, ${alone.cost('database')}`,
    )
  }
  return results
}

async function bench(): Promise<void> {
  const { dataDir, remove } = await openDataFolder()
  // The rate limit is off: it is 3,000 requests per minute for an organisation, and a product belongs to one
  // organisation.
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
    DATABASE_URL: process.env.DATABASE_URL ?? '',
  }
  const store = await openStore(readConfig(settings), log)
  try {
    const { app, ids } = await prepare(store)
    const start = (as: string) => startRole(import.meta.filename, as, settings)
    const bare = await start('bare')
    // A data folder allows only one service, so a second process needs a server that both reach.
    const services = embedded ? [await start('waybill')] : [await start('waybill'), await start('waybill')]
    const headers = { Authorization: `Bearer ${await tokenFor((services[0] as Role).port, app)}` }
    let n = 0
    const next = () => post(`/v1/consignments/${ids[n++ % ids.length]}/allocate`, '{}', headers)
    const results = await measure(services, bare, next, await openProcessorTime(store.database.db))
    if (n > count) throw new Error(`Only ${count} of ${n} requests had something to allocate.`)
    for (const each of embedded ? (['one'] as const) : (['one', 'two'] as const)) {
      const [rate, ratio] = [
        median(results.map(result => result[each])),
        median(results.map(result => result[each] / result.bare)),
      ]
      reportFinding({
        what: `allocations of one hot product a second, ${each === 'one' ? 'one process' : 'two processes'}`,
        figure: `${figure(rate)}, ${ratio.toFixed(2)} of bare`,
        target: '3,000, 0.5',
        isMet: rate >= 3_000 && ratio >= 0.5,
      })
    }
    await Promise.all([bare, ...services].map(each => each.stop()))
    console.log('differences of stock:', (await findStockDifferences(store.database.db)).length)
  } finally {
    await store.close()
    await remove()
  }
}

if (role === 'bare') await serveBare(readConfig())
else if (role === 'waybill') await serveWaybill({ ...readConfig(), roles: { api: true, worker: false } })
else await bench()
