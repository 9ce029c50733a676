// Allocations of one unit of one product, each for a consignment of its own, over HTTP with everything on: one
// process and, where DATABASE_URL names a server, two, against a bare route with one durable update a request.
//
//     node bench/reserve-hot.ts

import Fastify from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { sql } from '../src/platform/database/db.ts'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/open.ts'
import { type Config, readConfig } from '../src/process/config.ts'
import { openStore } from '../src/process/store.ts'
import { stockDifferences } from '../src/stock/ledger/check-stock.ts'
import { prepareStock, readyToPick } from './allocation-stock.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { load, post } from './load.ts'
import { announcePort, serveWaybill, startRole, tokenFor } from './role.ts'

const log = pino({ level: 'warn' }, pino.destination(2))
const [role = 'all'] = process.argv.slice(2)
const connections = 32
const seconds = Number(process.env.SECONDS ?? 3)
const rounds = Number(process.env.ROUNDS ?? 3)

/** The baseline: each connection updates a row of its own. */
async function serveBare({ dataDir, poolSize }: Config): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: console.error } })
  const pool = new pg.Pool({ ...postgres.connection, max: poolSize })
  const app = Fastify()
  const update = { name: 'bare', text: 'update bare_stock set quantity = quantity - 1 where id = $1' }
  let n = 0
  app.post('/allocate', async () => {
    await pool.query({ ...update, values: [n++ % connections] })
    return { short: 0 }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  announcePort((app.server.address() as { port: number }).port)
}

async function bench(): Promise<void> {
  const { dataDir, remove } = await openDataFolder()
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATABASE_URL: process.env.DATABASE_URL ?? '',
  }
  const store = await openStore(readConfig(settings), log)
  try {
    await store.database.atomically(async tx => {
      await tx.run(
        sql`create table bare_stock (id integer primary key, quantity integer) with (fillfactor = 80)`,
      )
      await tx.run(sql`insert into bare_stock select n, 1000000 from generate_series(0, ${connections}) n`)
    })
    const stock = await prepareStock(store, { rows: 20, quantity: 100_000, apps: 60 })
    const { id: productId, code } = stock.products[0] as { id: string; code: string }
    const count = Number(process.env.CONSIGNMENTS ?? 60_000)
    const ids = await readyToPick(store, stock, Array(count).fill([{ productId, code, quantity: 1 }]))
    const start = (as: string) => startRole(import.meta.filename, as, settings)
    // A data folder has one service only: a second process needs a server that both reach.
    const first = await start('waybill')
    const bare = await start('bare')
    const second = process.env.DATABASE_URL ? await start('waybill') : first
    const roles = [...new Set([first, bare, second])]
    const tokens = await Promise.all(stock.clients.map(app => tokenFor(first.port, app)))
    let n = 0
    const next = () => {
      const request = post(`/v1/consignments/${ids[n % ids.length]}/allocate`, '{}', {
        Authorization: `Bearer ${tokens[n % tokens.length]}`,
      })
      n++
      return request
    }
    const plain = post('/allocate', '{}')
    await load(first.port, connections, 1, next)
    await load(second.port, connections, 1, next)
    await load(bare.port, connections, 1, () => plain)
    const results: Record<'one' | 'two' | 'bare', number>[] = []
    for (let round = 0; round < rounds; round++) {
      const alone = await load(bare.port, connections, seconds, () => plain)
      const one = await load(first.port, connections, seconds, next)
      const both = await Promise.all(
        [first, second].map(({ port }) => load(port, connections / 2, seconds, next)),
      )
      const two = both.reduce((sum, { perSecond }) => sum + perSecond, 0)
      results.push({ one: one.perSecond, two, bare: alone.perSecond })
      console.log(
        `one process ${Math.round(one.perSecond)}/s (p50 ${one.p50.toFixed(1)}, p95 ${one.p95.toFixed(1)} ms) ` +
          `${JSON.stringify(one.statuses)}, two ${Math.round(two)}/s ${JSON.stringify(both[1]?.statuses)}, ` +
          `bare ${Math.round(alone.perSecond)}/s`,
      )
    }
    if (n > count) console.log(`Only ${count} of ${n} requests had something to allocate.`)
    for (const each of second === first ? (['one'] as const) : (['one', 'two'] as const)) {
      const rate = median(results.map(result => result[each]))
      reportFinding({
        what: `allocations of one hot product a second, ${each === 'one' ? 'one process' : 'two processes'}`,
        figure: `${Math.round(rate)}, ${median(results.map(r => r[each] / r.bare)).toFixed(2)} of bare`,
        target: '3,000, 0.5',
        isMet: rate >= 3_000,
      })
    }
    await Promise.all(roles.map(each => each.stop()))
    console.log('differences of stock:', (await stockDifferences(store.database.db)).length)
  } finally {
    await store.close()
    await remove()
  }
}

if (role === 'bare') await serveBare(readConfig())
else if (role === 'waybill') await serveWaybill({ ...readConfig(), roles: { api: true, worker: false } })
else await bench()
