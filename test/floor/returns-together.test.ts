// Returned goods that are received at the same time, in shared transactions. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveKind } from '../../src/floor/receiving/receive-kind.ts'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { carryOutTogether } from '../../src/stock/commands/carry-out.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import { of } from '../support/given-stock.ts'
import fc from '../support/properties.ts'
import { assertAlike, commandRequest } from '../support/together.ts'

const world = await openInwards()
const { admin, announce, database, linesOf, made, move, posted, product, products, read, receive, stored } =
  world

let last = 0
/**
 * Eight of one product and three of another left with an outwards consignment. Two returns of it expect four
 * and two of the first, and an inwards consignment that is no return expects both.
 */
async function openScene() {
  const code = `R${++last}`
  const [plain, other] = [await product(code, { weightKG: 2 }), await product(`${code}-B`)]
  Object.assign(products, { [code]: plain, [`${code}-B`]: other })
  const sent = await announce([goods(code, 8), goods(`${code}-B`, 3)], { consignmentType: 2 }, null)
  const [line = '', otherLine = ''] = await linesOf(sent)
  const leave = { movementId: newId(), type: TransactionType.Dispatch, to: null, consignmentId: sent }
  const [from, otherFrom] = [
    await stored(8, { productId: plain, batch: 'B1' }),
    await stored(3, { productId: other }),
  ]
  await posted([
    { ...leave, from, quantity: of(8), consignmentProductId: line },
    { ...leave, from: otherFrom, quantity: of(3), consignmentProductId: otherLine },
  ])
  const ids: string[] = []
  for (const quantity of [4, 2]) {
    const lines = [{ consignmentProductId: line, quantity }]
    ids.push(await made(`/v1/consignments/${sent}/returns`, { lines }))
    assert.equal((await move(ids.at(-1) as string, 4)).status, 200)
  }
  ids.push(await announce([goods(code, 5, { batch: 'B1' }), goods(`${code}-B`, 1)]))
  const lineIds = await Promise.all(ids.map(linesOf))
  const named = (text: string) =>
    [...ids, ...lineIds.flat(), plain, other]
      .reduce((rest, id, n) => rest.replaceAll(id, `#${n}`), text)
      .replaceAll(new RegExp(`\\b${code}\\b`, 'g'), 'P')
      .replaceAll(/[0-9a-f-]{36}/g, 'NEW')
      .replaceAll(/[A-Z]+-\d+-(IN|OUT)/g, 'SSL')
  const state = async () => ({
    rows: await database.db.rows(sql`
      select p.product_id = ${plain} as is_plain, l.name, p.batch, h.kind, h.reason <> 'Wet' as is_return,
        p.on_hand_quantity, p.on_hand_weight_kg, p.version
      from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
      left join inventory_hold h on h.id = p.inventory_hold_id
      where p.product_id = any(${[plain, other]}) order by 1, 2, 3, 4, 5, 6, 7, 8`),
    lines: await database.db.rows(sql`
      select c.number - min(c.number) over () as consignment, ordinal, received_quantity,
        return_of_consignment_product_id = ${line} as of_line,
        return_of_consignment_product_id = ${otherLine} as of_other_line
      from consignment_product l join consignment c on c.id = l.consignment_id
      where c.id = any(${ids}) order by 1, 2`),
    ledger: (
      await database.db.rows(sql`
        select t.type, t.quantity, t.weight_kg, t.consignment_id, t.user_id is not null as is_known
        from inventory_transaction t join warehouse_product p on p.id = t.warehouse_product_id
        where p.product_id = any(${[plain, other]}) order by t.movement_id, t.move_number`)
    ).map(row => named(JSON.stringify(row))),
    events: await database.db.rows(sql`
      select array_agg(type order by id) as types,
        array_agg(changes::text order by id) filter (where type = 108) is not null as are_told
      from event where subject_id = any(${ids}) group by subject_id
      order by array_position(${ids}::uuid[], subject_id)`),
    history: (
      await Promise.all(ids.map(async id => (await admin.get(`/v1/consignments/${id}/history`)).body.history))
    ).map(entries => entries.map((one: { changes: object }) => named(JSON.stringify(one.changes)))),
  })
  return { ids, lineIds, plain, other, named, state }
}
type Scene = Awaited<ReturnType<typeof openScene>>

interface Wanted {
  at: number
  what: 'all' | 'line' | 'unannounced' | 'free' | 'wet' | 'nowhere'
  quantities: number[]
}

const histories = fc.array(
  fc.record<Wanted>({
    at: fc.nat(2),
    what: fc.constantFrom('all', 'line', 'line', 'line', 'unannounced', 'free', 'wet', 'nowhere'),
    quantities: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 2, maxLength: 8 },
)

function requestOf({ ids, lineIds, other }: Scene, { at, what, quantities }: Wanted) {
  const more = {
    ...{ all: {}, line: {}, unannounced: {} },
    free: { hold: null },
    wet: { hold: { kind: 2 as const, reason: 'Wet' } },
    nowhere: { locationName: 'NOWHERE' },
  }
  const goodsOf =
    what === 'unannounced'
      ? { partnerProductId: other }
      : { consignmentProductId: lineIds[at]?.[0] as string }
  const receipts = quantities.map(quantity => ({ ...goodsOf, quantity, ...more[what] }))
  const body: Parameters<typeof receiveKind.weigh>[0]['body'] = what === 'all' ? { all: true } : { receipts }
  return commandRequest(admin.actor, { consignmentId: ids[at] as string }, body)
}

type Answer = Awaited<ReturnType<typeof receiveKind.write>>[number]
const textOf = ({ consignmentProducts }: Answer) =>
  JSON.stringify(
    consignmentProducts.map(({ warehouseProductIds, ...line }) => ({
      ...line,
      n: warehouseProductIds.length,
    })),
  )

test('returns received in shared transactions are back as if received one after another', async () => {
  let shared = 0
  await fc.assert(
    fc.asyncProperty(histories, async all => {
      const open = async () => {
        const scene = await openScene()
        const { named, state } = scene
        return { named, state, requestOf: (wanted: Wanted) => requestOf(scene, wanted) }
      }
      shared += await assertAlike(database, receiveKind, all, [await open(), await open()], textOf)
    }),
    { numRuns: 12, endOnFailure: true },
  )
  assert.ok(shared > 0, 'nothing shared a transaction')
})

test('returns of one consignment share a transaction, and together bring no more than left', async () => {
  const { ids, lineIds, named } = await openScene()
  const wanted: [at: number, quantity: number][] = [
    [0, 5],
    [1, 4],
    [2, 2],
    [1, 3],
  ]
  const requests = wanted.map(([at, quantity]) =>
    commandRequest(
      admin.actor,
      { consignmentId: ids[at] as string },
      { receipts: [{ consignmentProductId: lineIds[at]?.[0] as string, quantity }] },
    ),
  )
  const outcomes = await database.atomically(tx => carryOutTogether(tx, receiveKind, requests))
  assert.deepEqual(
    outcomes.map(outcome =>
      typeof outcome === 'string' ? outcome : named('refusal' in outcome ? outcome.refusal.message : 'done'),
    ),
    [
      'done',
      'Verification Failed: receipts[0]: only 3 of the 8 P that left with SSL can still come back, not 4.',
      'done',
      'done',
    ],
  )
})

test('returns that arrive together are received together, each under its own operation id', async () => {
  const { ids, lineIds } = await openScene()
  const send = (at: number, quantity: number, operationId: string) =>
    receive(ids[at] as string, {
      ...{ operationId, receipts: [{ consignmentProductId: lineIds[at]?.[0], quantity }] },
    })
  const operations = [0, 1, 0, 1].map(at => ({ at, operationId: newId() }))
  const answers = await Promise.all(operations.map(({ at, operationId }) => send(at, 1, operationId)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(new Set(answers.map(({ body }) => body.movementId)).size, 4)
  const again = await Promise.all(operations.map(({ at, operationId }) => send(at, 1, operationId)))
  assert.deepEqual(
    again.map(({ body }) => body),
    answers.map(({ body }) => body),
  )
  assert.deepEqual(
    again.map(({ headers }) => headers['idempotent-replayed']),
    Array(4).fill('true'),
  )
  assert.deepEqual(
    await Promise.all(ids.slice(0, 2).map(async id => (await read(id)).products[0].receivedQuantity)),
    [2, 2],
  )
})
