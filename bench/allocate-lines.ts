// Allocates consignments of five lines together, by expiry date, among stock rows of 60 products, in one
// process. Measures lines per second through the command, with its events and all other writes.
//
//     node bench/allocate-lines.ts

import { pino } from 'pino'
import { lockConsignments } from '../src/consignments/consignment.ts'
import { emit } from '../src/events/emit.ts'
import { lineChangeEvents } from '../src/floor/picking/outwards-consignment.ts'
import { readConfig } from '../src/process/config.ts'
import { openStore } from '../src/process/store.ts'
import { linesAfter, planAllocation, postPlan } from '../src/stock/allocation/allocate-lines.ts'
import { lockTargetsOfConsignments } from '../src/stock/allocation/outbound-lines.ts'
import { findStockDifferences } from '../src/stock/ledger/check-stock.ts'
import { lockQueriedStock } from '../src/stock/ledger/stock-lock.ts'
import { openDataFolder } from './data-folder.ts'
import { median, reportFinding } from './figures.ts'
import { prepareStock, readyToPick } from './moving-stock.ts'

const rounds = Number(process.env.ROUNDS ?? 20)
const batchSize = 100
const linesEach = 5

const { dataDir, remove } = await openDataFolder()
const settings = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATABASE_URL: '' }
const store = await openStore(readConfig(settings), pino({ level: 'warn' }, pino.destination(2)))
try {
  const stock = await prepareStock(store, { rows: 330, quantity: 1_000 })
  const { organisationId, products } = stock
  const source = { connectionId: stock.connectionId, userId: stock.userId, requestId: 'bench' }
  const ids = await readyToPick(
    store,
    stock,
    Array.from({ length: batchSize * rounds }, (_, n) =>
      Array.from({ length: linesEach }, (_, k) => {
        const { id: productId, code } = products[(n * 7 + k * 11) % products.length] as (typeof products)[0]
        return { productId, code, quantity: 1 + ((n + k) % 12) }
      }),
    ),
  )
  const rates: number[] = []
  const parts: Record<'read' | 'write', number>[] = []
  for (let round = 0; round < rounds; round++) {
    const group = ids.slice(round * batchSize, (round + 1) * batchSize)
    const began = performance.now()
    let [planned, written] = [0, 0]
    await store.database.atomically(async tx => {
      const [consignments, locked] = await Promise.all([
        lockConsignments(tx, organisationId, group),
        lockQueriedStock(tx, organisationId, lockTargetsOfConsignments(organisationId, group)),
      ])
      const requests = group.map(consignmentId => ({ consignmentId, source }))
      const plan = await planAllocation(tx, organisationId, requests)
      planned = performance.now()
      await Promise.all([
        postPlan(tx, locked, requests, plan),
        emit(tx, { organisationId, ...source }, lineChangeEvents(consignments, plan.lines, linesAfter(plan))),
      ])
      written = performance.now()
    })
    const ms = performance.now() - began
    rates.push((batchSize * linesEach * 1_000) / ms)
    parts.push({ read: planned - began, write: written - planned })
  }
  const rate = median(rates)
  const [read, write] = (['read', 'write'] as const).map(part => median(parts.map(each => each[part])))
  console.log(`read and choose ${read?.toFixed(0)} ms, write ${write?.toFixed(0)} ms`)
  reportFinding({
    what: `lines allocated a second, ${batchSize} consignments of ${linesEach} lines together`,
    figure: String(Math.round(rate)),
    target: '5,000',
    isMet: rate >= 5_000,
  })
  console.log('differences of stock:', (await findStockDifferences(store.database.db)).length)
} finally {
  await store.close()
  await remove()
}
