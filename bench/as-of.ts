// Stock as of an earlier instant: 1,000,000 ledger lines over 300 days, about 20,000 live rows at any time,
// and a checkpoint for every 13,300 lines. Targets: p99 of a page below 100 ms; stock on hand of every
// product below 300 ms.
//
//   node bench/as-of.ts [--keep <folder>: use this folder and keep its data] [--explain] [--rounds 40]

import { parseArgs } from 'node:util'
import { sql } from '../src/platform/database/db.ts'
import { resolveAsOf } from '../src/stock/as-of/as-of.ts'
import { allStockFigures, balancesAt } from '../src/stock/as-of/balances.ts'
import { checkpointOf } from '../src/stock/as-of/checkpoints.ts'
import { inventory } from '../src/stock/inventory/inventory.ts'
import { percentile, reportFinding } from './figures.ts'
import { openInventoryBench, printGroups } from './inventory-bench.ts'
import { loadMovements } from './inventory-load.ts'

const { values: options } = parseArgs({
  options: {
    keep: { type: 'string' },
    explain: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '40' },
  },
})
const lines = 1_000_000
const linesOfCheckpoint = 13_300

const bench = await openInventoryBench({
  endpoints: inventory,
  name: 'Movements',
  load: (client, name) => loadMovements(client, name, lines),
  keep: options.keep,
  isExplained: options.explain,
})
const { database, loaded } = bench
const { organisationId } = loaded
const first = Date.parse('2026-01-01T00:00:00Z')
const last = first + 300 * 86_400_000
const iso = (at: number) => new Date(at).toISOString()

/** Writes the checkpoints that the worker would have written, each based on the one before. */
async function writeCheckpoints(): Promise<void> {
  const count = lines / linesOfCheckpoint
  for (let n = 1; n <= count; n++) {
    const at = iso(first + ((last - first) * n) / count)
    const { checkpoint } = await database.db.row<{ checkpoint: string | null }>(sql`
      select max(effective_utc)::text as checkpoint from inventory_checkpoint
      where organisation_id = ${organisationId}`)
    const before = checkpoint === null ? null : { instant: checkpoint, isLater: false }
    const moment = { asOf: at, knownAt: at, checkpoint: before }
    await database.inOneStatement(tx => tx.run(checkpointOf(organisationId, moment)))
  }
  await database.atomically(async tx => {
    await tx.run(sql`analyze inventory_checkpoint_row`)
    await tx.run(sql`analyze inventory_checkpoint`)
  })
}

/** Measures reading the stock on hand of every product, in milliseconds. */
async function stockOnHand(): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < Number(options.rounds); n++) {
    const at = iso(first + Math.random() * (last - first))
    const started = performance.now()
    const moment = await resolveAsOf(database.db, organisationId, { asOf: at })
    await database.db.rows(sql`
      select p.product_id, p.batch, sum(b.on_hand_quantity), sum(b.allocated_quantity),
        sum(b.on_hand_weight_kg), sum(b.on_hand_volume_m3)
      from (${balancesAt(organisationId, moment, allStockFigures)}) b
      join warehouse_product p on p.organisation_id = ${organisationId} and p.id = b.warehouse_product_id
      group by p.product_id, p.batch`)
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)
}

try {
  const { checkpoints } = await database.db.row<{ checkpoints: number }>(sql`
    select count(*) as checkpoints from inventory_checkpoint where organisation_id = ${organisationId}`)
  if (checkpoints === 0) await writeCheckpoints()
  const { live } = await database.db.row<{ live: number }>(sql`
    select count(*) / greatest(count(distinct effective_utc), 1) as live from inventory_checkpoint_row
    where organisation_id = ${organisationId}`)
  console.log(`${live} rows in a checkpoint`)
  const question = () => {
    const asOf = first + Math.random() * (last - first)
    const knownAt = Math.random() < 0.5 ? undefined : asOf + Math.random() * (last - asOf)
    return `/v1/inventory?AsOfUtc=${iso(asOf)}${knownAt === undefined ? '' : `&KnownAtUtc=${iso(knownAt)}`}`
  }
  const requests = Array.from({ length: options.explain ? 1 : Number(options.rounds) }, () => [
    ['of a product', `${question()}&PartnerProductId=${loaded.productIds[0]}`] as [string, string],
    ['of a location', `${question()}&WarehouseLocationId=${loaded.locationIds[0]}`] as [string, string],
    ['of a client', `${question()}&PartnerId=${loaded.clientIds[0]}`] as [string, string],
    ['of all', question()] as [string, string],
  ]).flat()
  if (options.explain) for (const [, path] of requests) await bench.measureRequest(path)
  else {
    for (const { group, p50, p99 } of printGroups(await bench.measure(requests, 3)))
      reportFinding({
        what: `stock as it was, page ${group}`,
        figure: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        target: 'p99 100 ms',
        isMet: p99 <= 100,
      })
    const times = await stockOnHand()
    reportFinding({
      what: 'stock as it was, on hand of every product and batch',
      figure: `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
      target: 'p99 300 ms',
      isMet: percentile(times, 0.99) <= 300,
    })
  }
} finally {
  await bench.close()
}
