// A move is kept as one: both of its lines carry its number and its cause, so that it is known which goods
// became which, and why goods appeared or left. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { findStockDifferences } from '../../../src/stock/ledger/check-stock.ts'
import { post } from '../../../src/stock/ledger/post.ts'
import { lockStock } from '../../../src/stock/ledger/stock-lock.ts'
import { MovementCause, TransactionType } from '../../../src/vocabulary/stock.ts'
import { of, openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { database, admin, identity, source, stored } = world
const { organisationId } = admin.actor
const { Adjustment } = TransactionType

interface Line {
  movementId: string
  moveNumber: number | null
  cause: number
  causeId: string | null
  recordedUtc: string
  quantity: number
  otherPlaces: { warehouseProductId: string }[]
}

/** The lines of a row as the API lists them, the latest first. */
const linesOf = async (id: string): Promise<Line[]> =>
  (await admin.get(`/v1/inventory/${id}/transactions`)).body.transactions

test('two batches that are corrected in one request keep which became which', async () => {
  const [red, blue] = [await stored(3, { batch: 'RED' }), await stored(4, { batch: 'BLUE' })]
  const answer = await admin.post('/v1/inventory/adjust-attributes', {
    reason: 'Misread',
    adjustments: [
      { warehouseProductId: red, batch: 'READ' },
      { warehouseProductId: blue, batch: 'GLUE' },
    ],
  })
  const [read, glue] = answer.body.adjustments.map((one: Record<string, string>) => one.warehouseProductId)
  for (const [from, to, moveNumber] of [
    [red, read, 1],
    [blue, glue, 2],
  ]) {
    const [[left], [entered]] = [await linesOf(from), await linesOf(to)]
    assert.deepEqual([left?.moveNumber, entered?.moveNumber], [moveNumber, moveNumber])
    assert.deepEqual([left?.cause, entered?.cause], [MovementCause.Redescribed, MovementCause.Redescribed])
    assert.deepEqual(
      left?.otherPlaces.map(place => place.warehouseProductId),
      [to],
    )
    assert.deepEqual(
      entered?.otherPlaces.map(place => place.warehouseProductId),
      [from],
    )
  }
})

test('the moves of a movement that is posted in two parts are numbered on', async () => {
  const movementId = newId()
  const [first, second] = [await stored(5, { batch: 'ONE' }), await stored(5, { batch: 'TWO' })]
  await database.atomically(async tx => {
    const locked = await lockStock(tx, organisationId, [identity()])
    for (const from of [first, second])
      await post(tx, locked, source, [{ movementId, type: Adjustment, from, to: null, quantity: of(1) }])
  })
  assert.deepEqual([(await linesOf(first))[0]?.moveNumber, (await linesOf(second))[0]?.moveNumber], [1, 2])
})

test('why goods appeared or left is told by a number, whatever anybody writes', async () => {
  const code = (await admin.get(`/v1/warehouses/${world.warehouseId}`)).body.code
  const opening = await admin.post('/v1/inventory/opening-balances', {
    ...{ operationId: newId(), warehouseCode: code },
    rows: [{ clientCode: 'KAURI', productCode: 'APPLE', locationName: 'B-01', batch: 'OLD', quantity: 7 }],
  })
  assert.equal(opening.status, 200, JSON.stringify(opening.body))
  const { inventory } = (await admin.get('/v1/inventory?Batch=OLD')).body
  const id = inventory[0].products[0].warehouseProductId
  await admin.post('/v1/inventory/adjust', {
    ...{ reason: 'Opening balance', adjustments: [{ warehouseProductId: id, quantity: -2 }] },
  })
  assert.deepEqual(
    (await linesOf(id)).map(({ cause, quantity }) => [cause, quantity]),
    [
      [MovementCause.Correction, -2],
      [MovementCause.OpeningBalance, 7],
    ],
  )
})

/** Changes the ledger behind the service's back. */
const tamper = (statement: Sql) =>
  database.atomically(async tx => {
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(statement)
  })

test('a clock that steps back does not reorder what was known when', async () => {
  const id = await stored(5, { batch: 'CLOCK' })
  await tamper(sql`update inventory_transaction set recorded_utc = now() + interval '1 hour'
    where organisation_id = ${organisationId} and warehouse_product_id = ${id}`)
  await stored(1, { batch: 'CLOCK' })
  const [later, earlier] = (await linesOf(id)) as [Line, Line]
  assert.equal(later.recordedUtc, earlier.recordedUtc)
})

test('half a move, a gap in the numbers, a cause without its record and a line before its time are found', async () => {
  const id = await stored(5, { batch: 'HALF' })
  const moved = await admin.post('/v1/inventory/transfer', {
    transfers: [{ warehouseProductId: id, quantity: 2, toLocationName: 'A-02' }],
  })
  assert.equal(moved.status, 200)
  await stored(1, { batch: 'HALF' })
  const ofLine = (version: number) => sql`where organisation_id = ${organisationId}
    and warehouse_product_id = ${id} and version = ${version}`
  for (const [change, undo, rule] of [
    [sql`move_number = 2 ${ofLine(2)}`, sql`move_number = 1 ${ofLine(2)}`, /at most one line that takes/],
    [sql`move_number = 2 ${ofLine(1)}`, sql`move_number = 1 ${ofLine(1)}`, /numbered from 1/],
    [sql`cause = 3 ${ofLine(1)}`, sql`cause = 0 ${ofLine(1)}`, /stock count caused/],
    [
      sql`recorded_utc = recorded_utc + interval '1 day' ${ofLine(1)}`,
      sql`recorded_utc = recorded_utc - interval '1 day' ${ofLine(1)}`,
      /recorded in their order/,
    ],
  ] as const) {
    await tamper(sql`update inventory_transaction set ${change}`)
    const rules = (await findStockDifferences(database.db)).map(difference => difference.rule).join(' ')
    await tamper(sql`update inventory_transaction set ${undo}`)
    assert.match(rules, rule)
  }
})

test('a correction of what goods are is found to be torn apart, though each half could be a move', async () => {
  const id = await stored(2, { batch: 'TORN' })
  const adjustments = [{ warehouseProductId: id, batch: 'WHOLE' }]
  const answer = await admin.post('/v1/inventory/adjust-attributes', { reason: 'Misread', adjustments })
  assert.equal(answer.status, 200)
  const given = sql`where organisation_id = ${organisationId} and warehouse_product_id = ${id} and version = 2`
  await tamper(sql`update inventory_transaction set move_number = 2 ${given}`)
  const rules = (await findStockDifferences(database.db)).map(({ rule }) => rule)
  await tamper(sql`update inventory_transaction set move_number = 1 ${given}`)
  assert.match(rules.join(' '), /at most one line that takes/)
})
