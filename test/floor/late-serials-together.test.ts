// Serials that become known for several consignments at the same time, in shared transactions. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveSerialsKind } from '../../src/floor/receive-serials.ts'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { carryOutTogether } from '../../src/stock/commands/carry-out.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import fc from '../support/properties.ts'
import { assertAlike, commandRequest, eventsOf } from '../support/together.ts'

const world = await openInwards()
const { admin, database, announce, linesOf, product, received } = world

type Request = Parameters<typeof receiveSerialsKind.weigh>[0]
type Entry = Request['body']['serials'][number]
interface Wanted {
  line: number
  what: number
  serials: number[]
}

let last = 0

/** Two consignments of like goods without serials, of which those of batch B lie in the same row. */
async function scene() {
  const code = `LATE${++last}`
  const productId = await product(code, { serialTrackingMode: 2 })
  const plain = await product(`${code}-P`)
  const ids: string[] = []
  const lines: string[][] = []
  for (const quantity of [3, 4]) {
    const announced = [
      goods(code, quantity, { batch: 'A' }),
      goods(code, 2, { batch: 'B' }),
      goods(`${code}-P`, 1),
    ]
    const id = await announce(announced)
    await received(id, { all: true })
    ids.push(id)
    lines.push(await linesOf(id))
    // The goods of the first consignment are put away before those of the second come.
    const stock = { partnerProductId: productId, batch: 'A', locationName: 'RECEIVE' }
    if (ids.length > 1) continue
    const moved = await admin.post('/v1/inventory/transfer', {
      transfers: [{ stock, toLocationName: 'A-01' }],
    })
    assert.equal(moved.status, 200)
  }
  const rows = (
    await database.db.rows<{ id: string }>(sql`
      select p.id from warehouse_product p
      join warehouse_location l on l.id = p.warehouse_location_id
      where p.product_id = any(${[productId, plain]}) and not p.is_depleted
      order by p.product_id = ${plain}, p.batch, l.name`)
  ).map(({ id }) => id)
  assert.equal(rows.length, 4)
  const entryOf = (at: number, { line, what, serials }: Wanted): Entry => {
    const stock = { partnerProductId: productId, batch: serials.length % 2 ? 'A' : 'B' }
    const selections = [{}, {}, { warehouseProductId: rows[line % 2] as string }, { stock }]
    return {
      consignmentProductId: lines[at % 2]?.[line] ?? newId(),
      serials: serials.map(n => `S${n}`),
      ...selections[what],
    }
  }
  const requestOf = ([at, wanted]: readonly [number, Wanted[]]): Request =>
    commandRequest(
      admin.actor,
      { consignmentId: ids[at] ?? newId() },
      { serials: wanted.map(one => entryOf(at, one)) },
    )
  const known = [...ids, ...lines.flat(), ...rows]
  const named = (text: string) =>
    known
      .reduce((rest, id, n) => rest.replaceAll(id, `#${n}`), text)
      .replaceAll(code, 'P')
      .replaceAll(/so say which: .*/g, 'so say which')
      .replaceAll(/[0-9a-f-]{36}/g, 'NEW')
  const state = async () => ({
    rows: await database.db.rows(sql`
      select p.batch, l.name, p.on_hand_quantity, p.on_hand_weight_kg,
        array(select i.serial from warehouse_product_item i where i.warehouse_product_id = p.id order by 1)
          as serials,
        array(select row (t.quantity, t.type, t.cause, t.move_number,
            array_position(${lines.flat()}::uuid[], t.consignment_product_id))::text
          from inventory_transaction t where t.warehouse_product_id = p.id order by t.version) as history
      from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
      where p.product_id = any(${[productId, plain]}) order by 1, 2`),
    events: await eventsOf(database, ids, named),
  })
  return { requestOf, named, state }
}

const textOf = ({ consignmentProducts }: { consignmentProducts: object[] }) =>
  JSON.stringify(consignmentProducts)

test('serials recorded in shared transactions are those recorded one after another', async () => {
  const wantedOf = fc.record({
    ...{ line: fc.nat(3), what: fc.nat(3) },
    serials: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
  })
  const requests = fc.tuple(fc.nat(2), fc.array(wantedOf, { minLength: 1, maxLength: 2 }))
  let shared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 2, maxLength: 7 }), async all => {
      const scenes = [await scene(), await scene()] as const
      shared += await assertAlike(database, receiveSerialsKind, all, scenes, textOf)
    }),
    { numRuns: 8 },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

const entry = (line: number, ...serials: number[]): Wanted => ({ line, what: 0, serials })
const kindsOf = async (wanted: readonly (readonly [number, Wanted[]])[]) => {
  const { requestOf } = await scene()
  const outcomes = await database.atomically(tx =>
    carryOutTogether(tx, receiveSerialsKind, wanted.map(requestOf)),
  )
  return outcomes.map(outcome => (typeof outcome === 'string' ? outcome : Object.keys(outcome)[0]))
}

test('serials of different consignments are recorded together, the same serial and consignment in turn', async () => {
  assert.deepEqual(
    await kindsOf([
      [0, [entry(0, 1, 2)]],
      [1, [entry(0, 3, 4)]],
      [0, [entry(0, 5)]],
    ]),
    ['answer', 'answer', 'later'],
  )
  assert.deepEqual(
    await kindsOf([
      [0, [entry(0, 1, 2)]],
      [1, [entry(0, 2, 3)]],
    ]),
    ['answer', 'later'],
  )
})

test('goods of one row that two consignments name get no more serials than lack one', async () => {
  const { requestOf } = await scene()
  const named = (at: number, ...serials: number[]) => requestOf([at, [{ line: 0, what: 2, serials }]])
  const outcomes = await database.atomically(tx =>
    carryOutTogether(tx, receiveSerialsKind, [named(0, 1, 2), named(1, 3, 4)]),
  )
  const [first, second] = outcomes
  assert.ok(typeof first === 'object' && 'answer' in first)
  assert.ok(typeof second === 'object' && 'refusal' in second)
  assert.match(second.refusal.message, /only 1 of LATE\d+ lack a serial, not 2/)
})

test('serials that cannot be recorded do not keep others from it', async () => {
  const ids: string[] = []
  for (const code of ['TOLD1', 'TOLD2', 'TOLD3']) {
    await product(code, { serialTrackingMode: 2 })
    const id = await announce([goods(code, 2)])
    await received(id, { all: true })
    ids.push(id)
  }
  const answers = await Promise.all(
    ids.map(async (id, n) =>
      admin.post(`/v1/consignments/${id}/receive/serials`, {
        serials: [{ consignmentProductId: (await linesOf(id))[0], serials: n === 1 ? ['A', 'A'] : ['A'] }],
      }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 200],
  )
})
