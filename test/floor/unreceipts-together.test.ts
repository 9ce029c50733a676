// Goods that are taken back for several consignments at the same time, in shared transactions. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unreceiveKind } from '../../src/floor/unreceive.ts'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { carryOutTogether } from '../../src/stock/commands/carry-out.ts'
import { daysAgo } from '../support/dates.ts'
import { goods, openInwards, serialGoods } from '../support/given-inwards.ts'
import fc from '../support/properties.ts'
import { assertAlike, commandRequest, eventsOf } from '../support/together.ts'

const world = await openInwards()
const { admin, database, announce, linesOf, product, received } = world

type Request = Parameters<typeof unreceiveKind.weigh>[0]
type Unreceipt = Request['body']['unreceipts'][number]
interface Wanted {
  what: number
  quantity: number
}

const days = [daysAgo(3), daysAgo(2)].map(day => `${day.slice(0, 10)}T08:30:00`) as [string, string]
let last = 0

/**
 * Three consignments of which goods of a product lie in the same two rows, though they differ in weight, and
 * serials in one. Some of the goods were put elsewhere, with the average weight.
 */
async function scene() {
  const code = `BACK${++last}`
  const productId = await product(code)
  const serialId = await product(`${code}-S`, { serialTrackingMode: 2 })
  const ids: string[] = []
  const lines: string[] = []
  for (const n of [0, 1, 2]) {
    const serials = [1, 2].map(i => `S${n}${i}`)
    const id = await announce([goods(code, 8, { batch: 'B' }), serialGoods(`${code}-S`, serials)])
    const [plain, serial] = (await linesOf(id)) as [string, string]
    for (const [i, receivedDateTime] of days.entries()) {
      const ofSerials = { consignmentProductId: serial, serials }
      const ofPlain = { consignmentProductId: plain, quantity: 4, weightKG: 4 + 9 * n }
      await received(id, { receipts: i === 0 ? [ofPlain, ofSerials] : [ofPlain], receivedDateTime })
    }
    ids.push(id)
    lines.push(plain, serial)
  }
  const rows = (
    await database.db.rows<{ id: string }>(sql`
      select id from warehouse_product where product_id = any(${[productId, serialId]})
      order by product_id = ${serialId}, received_date`)
  ).map(({ id }) => id)
  assert.equal(rows.length, 3)
  const transfers = [{ warehouseProductId: rows[0], quantity: 6, toLocationName: 'A-01' }]
  assert.equal((await admin.post('/v1/inventory/transfer', { transfers })).status, 200)
  const unreceiptOf = ({ what, quantity }: Wanted): Unreceipt => {
    const amount = quantity === 0 ? {} : { quantity }
    const stock = { partnerProductId: productId, locationName: quantity % 2 ? 'RECEIVE' : 'A-01' }
    const serials = [`S${what % 3}1`, `S${quantity % 3}2`]
    const unreceipts: Unreceipt[] = [
      { warehouseProductId: rows[0] as string, ...amount },
      { warehouseProductId: rows[1] as string, ...amount },
      { warehouseProductId: rows[2] as string, ...amount },
      { warehouseProductId: rows[2] as string, serials },
      { warehouseProductId: rows[2] as string, serials: serials.slice(1) },
      { stock: { ...stock, batch: 'B' }, ...amount },
      { warehouseProductId: newId() },
      { warehouseProductId: rows[1] as string, quantity: 1, unitTypeId: newId() },
    ]
    return unreceipts[what] as Unreceipt
  }
  const requestOf = ([at, wanted]: readonly [number, Wanted[]]): Request =>
    commandRequest(
      admin.actor,
      { consignmentId: ids[at] ?? newId() },
      { reason: JSON.stringify([at, wanted]), unreceipts: wanted.map(unreceiptOf) },
    )
  const known = [...ids, ...lines, ...rows]
  const named = (text: string) =>
    known
      .reduce((rest, id, n) => rest.replaceAll(id, `#${n}`), text)
      .replaceAll(code, 'P')
      .replaceAll(/[0-9a-f-]{36}/g, 'NEW')
  const state = async () => ({
    rows: await database.db.rows(sql`
      select p.product_id = ${serialId} as has_serials, l.name, p.on_hand_quantity, p.on_hand_weight_kg,
        array(select i.serial from warehouse_product_item i where i.warehouse_product_id = p.id order by 1)
          as serials,
        array(select row (t.quantity, t.weight_kg, t.volume_m3, t.type, t.cause, t.move_number, t.reason)::text
          from inventory_transaction t where t.warehouse_product_id = p.id order by t.version) as history
      from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
      where p.product_id = any(${[productId, serialId]}) order by 1, 2, p.received_date`),
    lines: await database.db.rows(sql`
      select r.received_quantity, r.received_weight_kg, c.actual_receive_date_time
      from consignment_product r join consignment c on c.id = r.consignment_id
      where c.id = any(${ids}) order by array_position(${ids}::uuid[], c.id), r.ordinal`),
    events: await eventsOf(database, ids, named),
  })
  return { requestOf, named, state }
}

const textOf = ({ consignmentProducts }: { consignmentProducts: object[] }) =>
  JSON.stringify(consignmentProducts)

test('goods taken back in shared transactions are gone as if taken back one after another', async () => {
  const wantedOf = fc.record({ what: fc.nat(7), quantity: fc.nat(4) })
  const requests = fc.tuple(fc.nat(3), fc.array(wantedOf, { minLength: 1, maxLength: 2 }))
  let shared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 2, maxLength: 7 }), async all => {
      const scenes = [await scene(), await scene()] as const
      shared += await assertAlike(database, unreceiveKind, all, scenes, textOf)
    }),
    { numRuns: 8 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

test('goods that lie in one row run out, and are weighed anew, as if taken back one after another', async () => {
  const takeBack = (at: number, quantity: number): [number, Wanted[]] => [at, [{ what: 0, quantity }]]
  const all = [takeBack(0, 4), takeBack(1, 2), takeBack(2, 1)]
  const scenes = [await scene(), await scene()] as const
  assert.equal(await assertAlike(database, unreceiveKind, all, scenes, textOf), 2)
})

test('goods of several consignments in one row are taken back together, twice of one consignment in turn', async () => {
  const { requestOf } = await scene()
  const wanted = [
    [0, [{ what: 1, quantity: 2 }]],
    [1, [{ what: 1, quantity: 4 }]],
    [0, [{ what: 1, quantity: 2 }]],
    [2, [{ what: 5, quantity: 3 }]],
  ] as const
  const requests = wanted.map(([at, all]) => requestOf([at, [...all]]))
  const outcomes = await database.atomically(tx => carryOutTogether(tx, unreceiveKind, requests))
  assert.deepEqual(
    outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0])),
    ['answer', 'answer', 'later', 'later'],
  )
})

test('one that cannot be taken back does not keep others from it', async () => {
  const codes = [1, 2, 3].map(n => `OWN${n}`)
  const ids: string[] = []
  const rows: string[] = []
  for (const code of codes) {
    const productId = await product(code)
    const id = await announce([goods(code, 3)])
    await received(id, { all: true })
    const { id: row } = await database.db.row<{ id: string }>(sql`
      select id from warehouse_product where product_id = ${productId}`)
    ids.push(id)
    rows.push(row)
  }
  const answers = await Promise.all(
    ids.map((id, n) =>
      admin.post(`/v1/consignments/${id}/unreceive`, {
        ...{ reason: 'Wrong door', unreceipts: [{ warehouseProductId: rows[n], quantity: n === 1 ? 9 : 3 }] },
      }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 200],
  )
})
