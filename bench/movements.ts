// Receives goods over HTTP: one receipt in a request over 32 connections, and requests of 100 and of 1,000
// over 4, all of the same products, so that one waits for the other, and each of its own. One receipt in ten
// makes a row of stock. Measures movements per second.
//
//     node bench/movements.ts

import { sql } from '../src/platform/database/db.ts'
import { median, reportFinding } from './figures.ts'
import { readyToReceive } from './moving-stock.ts'
import { benchReceiving, type Receiving } from './receiving.ts'

const rounds = Number(process.env.ROUNDS ?? 5)
const seconds = Number(process.env.SECONDS ?? 3)
const [scanners, connections] = [32, 4]

const figure = (value: number) => Math.round(value).toLocaleString('en-GB')

/** Creates a consignment for each scanner, with a line for each product. Returns the ids of its lines. */
async function consignments({ store, place }: Receiving) {
  const lines = place.products.map(({ id: productId, code }) => ({ productId, code, quantity: 1_000_000 }))
  const ids = await readyToReceive(store, place, Array(scanners).fill(lines))
  return Promise.all(
    ids.map(async id => {
      const rows = await store.database.db.rows<{ id: string }>(sql`
        select id from consignment_product where organisation_id = ${place.organisationId}
          and consignment_id = ${id} order by ordinal`)
      return { id, lines: rows.map(row => row.id) }
    }),
  )
}

await benchReceiving(import.meta.filename, async receiving => {
  const targets = await consignments(receiving)
  let received = 0
  /** Receipts of these lines, of which one in ten is of a new batch, and the others are of fifty old ones. */
  const receipts = (lines: readonly string[], size: number) =>
    Array.from({ length: size }, (_, n) => ({
      consignmentProductId: lines[n % lines.length],
      quantity: 1 + (n % 12),
      locationName: 'A-01',
      batch: received++ % 10 === 0 ? `N${received}` : `OLD${(received * 7) % 50}`,
    }))
  const all = (lines: readonly string[]) => lines
  const own = (lines: readonly string[], connection: number) =>
    lines.filter((_, n) => n % connections === connection % connections)
  for (const [what, size, target, linesOf, count] of [
    ['one product, one in a request', 1, 1_000, (lines: readonly string[]) => lines.slice(0, 1), scanners],
    ['the same products, 100 in a request', 100, 5_000, all, connections],
    ['the same products, 1,000 in a request', 1_000, 12_000, all, connections],
    ['products of its own, 100 in a request', 100, 12_000, own, connections],
    ['products of its own, 1,000 in a request', 1_000, 20_000, own, connections],
  ] as const) {
    const rates: number[] = []
    for (let round = -1; round < rounds; round++) {
      const [before, began] = [await receiving.processorTime(), performance.now()]
      let requests = 0
      await Promise.all(
        targets.slice(0, count).map(async ({ id, lines }, connection) => {
          while (performance.now() - began < seconds * 1_000) {
            await receiving.receive(id, receipts(linesOf(lines, connection), size))
            requests++
          }
        }),
      )
      const elapsed = (performance.now() - began) / 1_000
      const after = await receiving.processorTime()
      const cost = (part: 'service' | 'database') =>
        Math.round(((after[part] - before[part]) * 1_000) / (requests * size))
      const rate = (requests * size) / elapsed
      console.log(
        `${what}: ${figure(rate)}/s, µs of processor time each: service ${cost('service')}, ` +
          `database ${cost('database')}${round < 0 ? ' (warming up)' : ''}`,
      )
      if (round >= 0) rates.push(rate)
    }
    const rate = median(rates)
    reportFinding({
      what: `movements received a second over ${count} connections, each of ${what}`,
      figure: figure(rate),
      target: figure(target),
      isMet: rate >= target,
    })
  }
})
