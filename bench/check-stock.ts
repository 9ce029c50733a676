// Checks that stock agrees with its ledger, for 1,000,000 movements. Measures the duration and the memory of
// the service and of the database process. Targets: 20 s, 200 MiB more.
//
//   node bench/check-stock.ts [--keep <folder>: use this folder and keep its data, as for bench/as-of.ts]

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { sql } from '../src/platform/database/db.ts'
import { checkStock } from '../src/stock/ledger/check-stock.ts'
import { reportFinding } from './figures.ts'
import { openInventoryBench } from './inventory-bench.ts'
import { loadMovements } from './inventory-load.ts'

const { values: options } = parseArgs({ options: { keep: { type: 'string' } } })
const mebibyte = 1024 * 1024

const bench = await openInventoryBench({
  endpoints: [],
  name: 'Movements',
  load: (client, name) => loadMovements(client, name, 1_000_000),
  keep: options.keep,
  isExplained: false,
})
const { database, loaded } = bench

/** The memory of this process and of the busy database processes, without the memory that those share. */
async function memoryInUse(): Promise<number> {
  const backends = await database.db.rows<{ pid: number }>(sql`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
  const ofBackends = backends.map(({ pid }) => {
    const [, kibibytes = '0'] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes) * 1024
  })
  return process.memoryUsage.rss() + ofBackends.reduce((sum, bytes) => sum + bytes, 0)
}

try {
  const before = await memoryInUse()
  let most = before
  const watch = setInterval(async () => {
    most = Math.max(most, await memoryInUse())
  }, 100)
  const started = performance.now()
  const differences = await checkStock(database, loaded.organisationId)
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  console.log(`differences: ${differences.length}`, differences.slice(0, 3))
  reportFinding({
    what: 'check-stock of 1,000,000 movements',
    figure: `${seconds.toFixed(1)} s`,
    target: '20 s',
    isMet: seconds <= 20,
  })
  const more = (most - before) / mebibyte
  reportFinding({
    what: 'memory for it, of service and database',
    figure: `${more.toFixed(0)} MiB more`,
    target: '200 MiB',
    isMet: more <= 200,
  })
} finally {
  await bench.close()
}
