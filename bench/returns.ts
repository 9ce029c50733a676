// Receives returns over HTTP, one receipt in a request over 32 connections, each of a return of its own, of
// goods that left with one consignment or with many. Compares them with receipts of consignments that are no
// returns.
//
//     node bench/returns.ts

import { sql } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/new-id.ts'
import { post } from '../src/stock/ledger/post.ts'
import { lockWarehouseStock } from '../src/stock/ledger/stock-lock.ts'
import { TransactionType } from '../src/vocabulary/stock.ts'
import { median, reportFinding } from './figures.ts'
import { readyToPick, readyToReceive } from './moving-stock.ts'
import { benchReceiving, type Receiving } from './receiving.ts'

const rounds = Number(process.env.ROUNDS ?? 3)
const seconds = Number(process.env.SECONDS ?? 3)
const connections = 32
const quantity = 1_000

const figure = (value: number) => Math.round(value).toLocaleString('en-GB')

/** A consignment for each connection, with one line of the first product. */
async function lineOfEach({ store, place }: Receiving, ids: readonly string[]) {
  return store.database.db.rows<{ id: string; line: string }>(sql`
    select consignment_id as id, id as line from consignment_product
    where organisation_id = ${place.organisationId} and consignment_id = any(${ids})`)
}

/** Consignments that are received, as returns of `sent` outwards consignments, or of none. */
async function targetsOf(receiving: Receiving, sent: number) {
  const { store, place } = receiving
  const [{ id: productId, code }] = place.products as [Receiving['place']['products'][0]]
  const { organisationId, warehouseId } = place
  const wanted = (count: number, each: number) => Array(count).fill([{ productId, code, quantity: each }])
  const targets = await lineOfEach(
    receiving,
    await readyToReceive(store, place, wanted(connections, quantity)),
  )
  if (sent === 0) return targets
  const each = (quantity * connections) / sent
  const outwards = await lineOfEach(receiving, await readyToPick(store, place, wanted(sent, each)))
  await store.database.atomically(async tx => {
    const locked = await lockWarehouseStock(tx, organisationId, warehouseId)
    const { id: from } = await tx.row<{ id: string }>(sql`
      select id from warehouse_product where organisation_id = ${organisationId}
        and product_id = ${productId} order by on_hand_quantity desc limit 1`)
    const noActor = { connectionId: null, userId: null, requestId: null }
    await post(tx, locked, noActor, [
      {
        ...{ movementId: newId(), type: TransactionType.Adjustment, from: null, to: from },
        quantity: BigInt(quantity * connections) * 10_000n,
      },
    ])
    await post(
      tx,
      locked,
      noActor,
      outwards.map(({ id, line }) => ({
        ...{ movementId: newId(), type: TransactionType.Dispatch, from, to: null },
        ...{ quantity: BigInt(each) * 10_000n, consignmentId: id, consignmentProductId: line },
      })),
    )
    for (const [n, { id, line }] of targets.entries()) {
      const of = outwards[n % sent] as (typeof outwards)[0]
      await tx.run(sql`update consignment set return_of_consignment_id = ${of.id} where id = ${id}`)
      await tx.run(sql`
        update consignment_product set return_of_consignment_product_id = ${of.line} where id = ${line}`)
    }
  })
  return targets
}

/** Receipts per second. */
async function rateOf({ receive }: Receiving, targets: Awaited<ReturnType<typeof targetsOf>>) {
  const began = performance.now()
  let requests = 0
  await Promise.all(
    targets.map(async ({ id, line }) => {
      while (performance.now() - began < seconds * 1_000) {
        const receipt = { consignmentProductId: line, quantity: 1, locationName: 'A-01', hold: null }
        await receive(id, [receipt])
        requests++
      }
    }),
  )
  return requests / ((performance.now() - began) / 1_000)
}

await benchReceiving(import.meta.filename, async receiving => {
  const [none, one, many] = [
    await targetsOf(receiving, 0),
    await targetsOf(receiving, 1),
    await targetsOf(receiving, connections),
  ]
  const ratios: Record<'one' | 'many', number[]> = { one: [], many: [] }
  const rates: Record<'one' | 'many', number[]> = { one: [], many: [] }
  for (let round = -1; round < rounds; round++) {
    const plain = await rateOf(receiving, none)
    const back = { one: await rateOf(receiving, one), many: await rateOf(receiving, many) }
    console.log(
      `${figure(plain)}/s no returns; returns of one consignment ${figure(back.one)}/s, of many ` +
        `${figure(back.many)}/s${round < 0 ? ' (warming up)' : ''}`,
    )
    if (round < 0) continue
    for (const kind of ['one', 'many'] as const) {
      rates[kind].push(back[kind])
      ratios[kind].push(back[kind] / plain)
    }
  }
  for (const kind of ['one', 'many'] as const)
    reportFinding({
      what:
        `returns received a second over ${connections} connections, of ${kind} dispatched, ` +
        'of receipts that are no returns',
      figure: `${figure(median(rates[kind]))}, ${median(ratios[kind]).toFixed(2)}`,
      target: 'none',
      isMet: true,
    })
})
