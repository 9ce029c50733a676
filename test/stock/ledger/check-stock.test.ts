// The check of stock notices every kind of difference. Each test writes a difference directly into the
// database, and rolls it back afterwards.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql, type Tx } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { writeCheckpoint } from '../../../src/stock/as-of/checkpoints.ts'
import { checkStock, findStockDifferences } from '../../../src/stock/ledger/check-stock.ts'
import { checkNextOrganisation } from '../../../src/stock/ledger/nightly-check.ts'
import { TransactionType } from '../../../src/vocabulary/stock.ts'
import { allocateRow } from '../../support/given-allocations.ts'
import { contextIn } from '../../support/given-imports.ts'
import { of, openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { database, admin, products, locations, stored, posted } = world
const { organisationId } = admin.actor

class RollBack extends Error {}

/**
 * Returns the rules that are violated after the statements, which run without foreign keys and triggers.
 * Rolls everything back.
 */
async function rulesViolatedBy(...statements: Sql[]): Promise<string[]> {
  let rules: string[] = []
  const breaking = async (tx: Tx) => {
    await tx.run(sql`set local session_replication_role = replica`)
    for (const statement of statements) await tx.run(statement)
    rules = (await findStockDifferences(tx, organisationId)).map(({ rule }) => rule)
    throw new RollBack()
  }
  await assert.rejects(database.atomically(breaking), RollBack)
  return [...new Set(rules)].toSorted()
}

const apples = await stored(10, {}, { weightKG: 5, volumeM3: 1 })
await stored(2, { productId: products.SCALE }, { newSerials: [{ serial: 'A' }, { serial: 'B' }] })
const elsewhere = await stored(1, { productId: products.SCALE, warehouseLocationId: locations.A2 })
const moved = await stored(1, { warehouseLocationId: locations.A2 })
const balance =
  'The balances of a stock row equal the sum of its ledger lines, which are numbered without gaps.'

test('a balance that is not the sum of its ledger lines is found, for each quantity', async () => {
  assert.deepEqual(await findStockDifferences(database.db), [])
  for (const change of [
    sql`on_hand_quantity = on_hand_quantity + 1`,
    sql`on_hand_weight_kg = on_hand_weight_kg + 1`,
    sql`on_hand_volume_m3 = on_hand_volume_m3 + 1`,
    sql`version = version + 1`,
  ])
    assert.deepEqual(
      await rulesViolatedBy(sql`update warehouse_product set ${change} where id = ${apples}`),
      [balance],
    )
})

test('a missing ledger line is found even if the sums agree', async () => {
  await posted(
    [1, -1].map(() => ({
      movementId: newId(),
      type: TransactionType.Transfer,
      from: apples,
      to: moved,
      quantity: of(0.5),
    })),
  )
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update inventory_transaction set version = 4
        where warehouse_product_id = ${apples} and version = 3`,
    ),
    [balance],
  )
})

test('an allocation that the stock row does not count is found', async () => {
  assert.deepEqual(
    await rulesViolatedBy(
      sql`insert into inventory_allocation (organisation_id, id, consignment_id, consignment_product_id,
        warehouse_product_id, quantity, is_picked)
        values (${organisationId}, ${newId()}, ${newId()}, ${newId()}, ${apples}, 1, false)`,
    ),
    ['The allocated quantity of a stock row equals the sum of its allocations.'],
  )
})

test('a serial in a row that no ledger line moved it to is found', async () => {
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update warehouse_product_item set warehouse_product_id = ${elsewhere} where serial = 'A'`,
      sql`update warehouse_product_item set warehouse_product_id = ${elsewhere} where serial = 'B'`,
    ),
    [
      'A serial lies in the row that its ledger lines moved it to.',
      'A stock row has no more serials than its on-hand quantity.',
    ],
  )
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update warehouse_product_item set warehouse_product_id = null where serial = 'A'`,
    ),
    ['A serial lies in the row that its ledger lines moved it to.'],
  )
})

const halves = [
  'A move has at most one line that takes goods and one that gives them, of the same goods and cause.',
  'The lines of a transfer, hold or pick add up to zero for each product.',
]

test('a movement whose two sides have different quantities is found', async () => {
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update inventory_transaction set quantity = quantity - 1 where warehouse_product_id = ${moved}
        and type = ${TransactionType.Transfer} and version = 2`,
      sql`update warehouse_product set on_hand_quantity = on_hand_quantity - 1 where id = ${moved}`,
    ),
    halves,
  )
})

test('a movement whose two sides have different weights is found', async () => {
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update inventory_transaction set weight_kg = weight_kg + 1 where warehouse_product_id = ${moved}
        and type = ${TransactionType.Transfer} and version = 2`,
      sql`update warehouse_product set on_hand_weight_kg = on_hand_weight_kg + 1 where id = ${moved}`,
    ),
    halves,
  )
})

test('a transfer of one product into another is found', async () => {
  const pears = await stored(3, { productId: products.PEAR })
  const spare = await stored(3, { batch: 'SPARE' })
  assert.deepEqual(
    await rulesViolatedBy(
      sql`insert into inventory_transaction (organisation_id, warehouse_product_id, version, movement_id, type,
          quantity, allocated_quantity, weight_kg, volume_m3, effective_utc, recorded_utc)
        select ${organisationId}, g.id, g.version, ${newId()}, ${TransactionType.Transfer}, g.quantity, 0, 0, 0,
          p.last_effective_utc, now()
        from (values (${pears}::uuid, 2, -1), (${spare}::uuid, 2, 1)) g (id, version, quantity)
        join warehouse_product p on p.id = g.id`,
      sql`update warehouse_product set on_hand_quantity = on_hand_quantity - 1, version = 2 where id = ${pears}`,
      sql`update warehouse_product set on_hand_quantity = on_hand_quantity + 1, version = 2
        where id = ${spare}`,
    ),
    ['The lines of a transfer, hold or pick add up to zero for each product.'],
  )
})

test('a row that claims another time of its last change is found', async () => {
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update warehouse_product set last_effective_utc = last_effective_utc - interval '1 hour'
        where id = ${apples}`,
    ),
    ['A stock row was last changed when the latest of its ledger lines happened.'],
  )
})

test('a false book of an approved count is found', async () => {
  const stock = await stored(8, { batch: 'COUNTED' })
  const body = { warehouseId: world.warehouseId, partnerProductIds: [products.APPLE] }
  const path = `/v1/stock-counts/${(await admin.post('/v1/stock-counts', body)).body.stockCountId}`
  const lines = (await admin.get(`${path}/lines`)).body.stockCountLines
  const line = lines.find((each: { warehouseProductId: string }) => each.warehouseProductId === stock)
  const counts = [{ stockCountLineId: line.stockCountLineId, countedQuantity: 6 }]
  assert.equal((await admin.post(`${path}/lines/count`, { counts })).status, 200)
  assert.equal((await admin.post(`${path}/approve`)).status, 200)
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update stock_count_line set book_quantity = 9 where id = ${line.stockCountLineId}`,
    ),
    ['What was counted is what should have been there and what the approval put right.'],
  )
})

test('stock that is allocated to a consignment that left is found', async () => {
  const { consignmentId } = await allocateRow(world, apples, 1)
  assert.deepEqual(
    await rulesViolatedBy(sql`update consignment set status = 7 where id = ${consignmentId}`),
    ['No stock is allocated to a consignment that has left, was received, is Closed or Void.'],
  )
})

test('a serial that came into one row twice is found', async () => {
  assert.deepEqual(
    await rulesViolatedBy(
      sql`insert into inventory_transaction_item (organisation_id, warehouse_product_id, version,
          warehouse_product_item_id)
        select i.organisation_id, i.warehouse_product_id, 2, i.id from warehouse_product_item i
        where i.serial = 'A'`,
      sql`insert into inventory_transaction (organisation_id, warehouse_product_id, version, movement_id, type,
          quantity, allocated_quantity, weight_kg, volume_m3, effective_utc, recorded_utc)
        select i.organisation_id, i.warehouse_product_id, 2, ${newId()}, 1, 1, 0, 0, 0, now(), now()
        from warehouse_product_item i where i.serial = 'A'`,
      sql`update warehouse_product p set on_hand_quantity = p.on_hand_quantity + 1, version = 2,
          last_effective_utc = now()
        from warehouse_product_item i where i.serial = 'A' and p.id = i.warehouse_product_id`,
    ),
    ['A serial lies in the row that its ledger lines moved it to.'],
  )
})

test('stock that did not follow a change of its location to quarantine is found', async () => {
  assert.deepEqual(
    await rulesViolatedBy(sql`update warehouse_location set type = 3 where id = ${locations.A2}`),
    ['Stock is in quarantine if and only if its location is.'],
  )
})

test('a listing that does not match stock, and a count that does not match the listing, are found', async () => {
  const list = 'The listing has every unit and every loose stock row, with its products and its location.'
  const counts = 'The counts of the listing match its entries.'
  const listed = sql`where entry_id = ${apples} and product_id = ${products.APPLE}`
  assert.deepEqual(await rulesViolatedBy(sql`update inventory_listing set live_rows = 2 ${listed}`), [list])
  assert.deepEqual(
    await rulesViolatedBy(
      sql`update inventory_listing set warehouse_location_id = ${locations.A2} ${listed}`,
    ),
    [list],
  )
  assert.deepEqual(await rulesViolatedBy(sql`update inventory_listing set is_mixed = true ${listed}`), [
    counts,
    'The listing marks the units that have ever held more than one product.',
  ])
  assert.deepEqual(await rulesViolatedBy(sql`delete from inventory_listing ${listed}`), [counts, list])
  assert.deepEqual(
    await rulesViolatedBy(sql`update inventory_count set n = n + 1 where product_id = ${products.APPLE}`),
    [counts],
  )
})

test('a checkpoint that is not the sum of the ledger lines until then is found', async () => {
  await writeCheckpoint(database, organisationId)
  const rule = 'The latest checkpoint equals the sum of the ledger lines recorded by then.'
  for (const statement of [
    sql`update inventory_checkpoint_row set on_hand_quantity = 1 where warehouse_product_id = ${apples}`,
    sql`update inventory_checkpoint_row set warehouse_location_id = ${locations.A2}
      where warehouse_product_id = ${apples}`,
    sql`delete from inventory_checkpoint_row where warehouse_product_id = ${apples}`,
    sql`insert into inventory_checkpoint_row values (${organisationId}, (
      select max(effective_utc) from inventory_checkpoint), ${products.APPLE}, ${newId()}, ${newId()},
      ${locations.A1}, 1, 0, 0, 0)`,
  ])
    assert.deepEqual(await rulesViolatedBy(statement), [rule])
})

test('the nightly check runs once a night, and again if it was interrupted', async () => {
  assert.deepEqual(await checkStock(database, organisationId), [])
  const hour = new Date().getUTCHours()
  // A time zone in which it is 2 am.
  const ahead = (26 - hour) % 24
  const zone = ahead <= 14 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`
  await database.inOneStatement(tx =>
    tx.run(sql`update organisation set timezone_id = ${zone} where id = ${organisationId}`),
  )
  const context = contextIn(world)
  const proofs = () =>
    database.db.rows<{ isWhole: boolean; differenceCount: number }>(sql`
      select proved_utc is not distinct from begun_utc as "isWhole", difference_count from stock_proof`)
  const goBack = (minutes: number) =>
    database.inOneStatement(tx =>
      tx.run(sql`update stock_proof set begun_utc = begun_utc - make_interval(mins => ${minutes})`),
    )
  // A worker that was killed halfway has found nothing, which must not count as 0 differences.
  const killed = { ...database, connection: { host: '/killed' } }
  await assert.rejects(checkNextOrganisation({ ...context, database: killed }), /killed/)
  assert.deepEqual(await proofs(), [{ isWhole: false, differenceCount: 0 }])
  assert.equal(await checkNextOrganisation(context), false, 'the other worker may still be running')
  await goBack(31)
  assert.equal(await checkNextOrganisation(context), true)
  assert.deepEqual(await proofs(), [{ isWhole: true, differenceCount: 0 }])
  await goBack(31)
  assert.equal(await checkNextOrganisation(context), false, 'once a night')
})
