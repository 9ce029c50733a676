// Posting movements, and the balances that result. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Tx } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { findStockDifferences } from '../../../src/stock/ledger/check-stock.ts'
import { post } from '../../../src/stock/ledger/post.ts'
import { createEmptyStockRows, findOrCreateStockRows } from '../../../src/stock/ledger/stock-identity.ts'
import { lockStock } from '../../../src/stock/ledger/stock-lock.ts'
import { TransactionType } from '../../../src/vocabulary/stock.ts'
import { allocateRow } from '../../support/given-allocations.ts'
import { of, openStock } from '../../support/given-stock.ts'
import { until } from '../../support/service-process.ts'

const world = await openStock()
const { database, admin, products, locations, identity, posted, stored, row } = world
const { organisationId } = admin.actor
const { Adjustment, Transfer } = TransactionType

const rowsFor = (...identities: ReturnType<typeof identity>[]) =>
  database.atomically(async tx => {
    const locked = await lockStock(tx, organisationId, identities)
    const ids = await findOrCreateStockRows(tx, locked, identities)
    await createEmptyStockRows(tx, locked, ids)
    return ids
  })

test('goods with the same identity share one row, and goods that differ in any part of it do not', async () => {
  const hold = newId()
  await database.inOneStatement(tx =>
    tx.run(sql`insert into inventory_hold (organisation_id, id, kind, reason)
      values (${organisationId}, ${hold}, 2, 'Glass')`),
  )
  const alike = identity({ batch: 'B7', expiryDate: '2027-01-31' })
  const [first, again, ...others] = await rowsFor(
    alike,
    alike,
    { ...alike, warehouseLocationId: locations.A2 },
    { ...alike, inventoryHoldId: hold },
    { ...alike, batch: 'b7' },
    { ...alike, bestBeforeDate: '2027-01-31' },
    { ...alike, expiryDate: null },
    { ...alike, packagingDate: '2026-01-31' },
    { ...alike, productionDate: '2026-01-31' },
    { ...alike, sellByDate: '2026-01-31' },
    { ...alike, receivedDate: '2026-01-02' },
    { ...alike, attributes: [{ productAttributeId: hold, description: 'Red' }] },
  )
  assert.equal(first, again)
  assert.equal(new Set([first, ...others]).size, 11)
  assert.deepEqual(await rowsFor(alike), [first])
})

/** How many rows of the two tables this connection has inserted and updated so far. */
const countWrites = (tx: Tx) =>
  tx.row<Record<'inserted' | 'updated' | 'listed' | 'relisted', number>>(sql`
    select pg_stat_get_xact_tuples_inserted('warehouse_product'::regclass) as inserted,
      pg_stat_get_xact_tuples_updated('warehouse_product'::regclass) as updated,
      pg_stat_get_xact_tuples_inserted('inventory_listing'::regclass) as listed,
      pg_stat_get_xact_tuples_updated('inventory_listing'::regclass) as relisted`)

test('goods that are the first of their kind are written once, with their entry in the list', async () => {
  const unit = async () => {
    const id = newId()
    await database.inOneStatement(tx =>
      tx.run(sql`insert into logistic_unit (organisation_id, id, number, logistic_unit_number, partner_id,
          warehouse_id, warehouse_location_id)
        select ${organisationId}, ${id}, coalesce(max(number), 0) + 1, ${id}, ${world.clientId},
          ${world.warehouseId}, ${locations.A1} from logistic_unit`),
    )
    return id
  }
  const pallet = await unit()
  const first = [
    identity({ batch: 'FIRST' }),
    identity({ batch: 'FIRST', logisticUnitId: pallet }),
    identity({ batch: 'FIRST', logisticUnitId: pallet, productId: products.SCALE }),
  ]
  const later = [identity({ batch: 'LATER', logisticUnitId: pallet })]
  const bringIn = (goods: typeof first) =>
    database.atomically(async tx => {
      const locked = await lockStock(tx, organisationId, goods)
      const before = await countWrites(tx)
      const ids = await findOrCreateStockRows(tx, locked, goods)
      assert.deepEqual(await findOrCreateStockRows(tx, locked, goods), ids)
      const move = { movementId: newId(), type: Adjustment, from: null, quantity: of(5) }
      await post(
        tx,
        locked,
        world.source,
        ids.map(to => ({ ...move, to })),
      )
      assert.deepEqual(await findOrCreateStockRows(tx, locked, goods), ids)
      const after = await countWrites(tx)
      const counts = Object.entries(after).map(([name, n]) => [name, n - before[name as keyof typeof before]])
      return { ids, writes: Object.fromEntries(counts) }
    })

  const { ids, writes } = await bringIn(first)
  // The row by itself, the unit, and each of its two products, which are marked as being several.
  assert.deepEqual(writes, { inserted: 3, updated: 0, listed: 5, relisted: 2 })
  for (const id of ids) {
    const { onHandQuantity, version } = await row(id)
    assert.deepEqual({ onHandQuantity, version }, { onHandQuantity: 5, version: 1 })
  }
  // What comes onto a unit with goods changes its entry, in the order in which entries are locked.
  assert.deepEqual((await bringIn(later)).writes, { inserted: 1, updated: 1, listed: 0, relisted: 2 })
  assert.deepEqual(await findStockDifferences(database.db), [])
})

test('goods cannot come into a row that does not exist', async () => {
  const move = { movementId: newId(), type: Adjustment, from: null, to: newId(), quantity: of(1) }
  await assert.rejects(posted([move]), /1 rows of stock do not exist/)
})

test('moved goods take a proportional part of the weight, and the last part takes the remainder', async () => {
  const from = await stored(3, { batch: 'THIRDS' }, { weightKG: 1, volumeM3: 0.000001 })
  const [to = ''] = await rowsFor(identity({ batch: 'THIRDS', warehouseLocationId: locations.A2 }))
  const move = (quantity: number) => ({
    movementId: newId(),
    type: Transfer,
    from,
    to,
    quantity: of(quantity),
  })
  await posted([move(1)])
  assert.equal((await row(to)).onHandWeightKG, 0.3333)
  await posted([move(1), move(1)])
  const { version, ...left } = await row(from)
  assert.deepEqual(left, {
    onHandQuantity: 0,
    allocatedQuantity: 0,
    availableQuantity: 0,
    onHandWeightKG: 0,
    onHandVolumeM3: 0,
  })
  assert.equal(version, 4)
  const { onHandWeightKG, onHandVolumeM3 } = await row(to)
  assert.deepEqual([onHandWeightKG, onHandVolumeM3], [1, 0.000001])
})

test('a serial with its own weight keeps it, and the others share the remaining weight', async () => {
  const from = await stored(
    4,
    { productId: products.SCALE },
    {
      weightKG: 15,
      volumeM3: 4,
      newSerials: [{ serial: 'S1', weightKG: 6, volumeM3: 1 }, { serial: 'S2' }, { serial: 'S3' }],
    },
  )
  const [to = ''] = await rowsFor(identity({ productId: products.SCALE, warehouseLocationId: locations.A2 }))
  const items = await database.db.rows<{ id: string }>(
    sql`select id from warehouse_product_item where warehouse_product_id = ${from} order by serial`,
  )
  const move = (n: number) => ({
    movementId: newId(),
    type: Transfer,
    from,
    to,
    quantity: of(1),
    items: [items[n]?.id as string],
  })
  await posted([move(1)])
  assert.equal((await row(to)).onHandWeightKG, 3)
  await posted([move(0)])
  assert.equal((await row(to)).onHandWeightKG, 9)
  assert.equal((await row(from)).onHandWeightKG, 6)
  await assert.rejects(posted([move(0)]), /Serials are not in the row/)
})

test('stock that is not locked, and more stock than is on hand, cannot be moved', async () => {
  const id = await stored(5, { batch: 'FIVE' })
  const taken = { movementId: newId(), type: Adjustment, from: id, to: null, quantity: of(6) }
  await assert.rejects(posted([taken]), /warehouse_product_on_hand|not_oversold/)
  await assert.rejects(
    database.atomically(async tx => {
      const locked = await lockStock(tx, organisationId, [
        { warehouseId: newId(), productId: products.APPLE },
      ])
      await post(tx, locked, { connectionId: null, userId: null, requestId: null }, [
        { ...taken, quantity: of(1) },
      ])
    }),
    /is not locked/,
  )
  assert.equal((await row(id)).onHandQuantity, 5)
})

test('a transaction locks stock once', async () => {
  await assert.rejects(
    database.atomically(async tx => {
      await lockStock(tx, organisationId, [identity()])
      await lockStock(tx, organisationId, [identity()])
    }),
    /at once/,
  )
})

test('stock never leaves before it came in, whatever time a device reports', async () => {
  const id = await stored(5, { batch: 'EARLY' }, { occurredUtc: '2026-01-02T00:00:00.000Z' })
  const take = async (occurredUtc: string) => {
    const taken = { movementId: newId(), type: Adjustment, from: id, to: null, quantity: of(1), occurredUtc }
    return (await posted([taken]))[0]?.effectiveUtc
  }
  assert.equal(await take('2026-01-01T00:00:00.000Z'), '2026-01-02T00:00:00.000Z')
  assert.equal(await take('2026-01-03T00:00:00.000Z'), '2026-01-03T00:00:00.000Z')
  assert.equal(await take('2026-01-02T12:00:00.000Z'), '2026-01-03T00:00:00.000Z')
  const found = { movementId: newId(), type: Adjustment, from: null, to: id, quantity: of(1) }
  await posted([{ ...found, occurredUtc: '2026-01-01T00:00:00.000Z' }])
  assert.equal(await take('2026-01-02T12:00:00.000Z'), '2026-01-03T00:00:00.000Z')
})

test('the ledger is append-only', async () => {
  await stored(1)
  for (const statement of [
    sql`update inventory_transaction set quantity = 2`,
    sql`delete from inventory_transaction`,
    sql`truncate inventory_transaction cascade`,
    sql`delete from inventory_transaction_item`,
  ])
    await assert.rejects(
      database.inOneStatement(tx => tx.run(statement)),
      /only ever added to/,
    )
})

const promised = (rowId: string, quantity: number, itemId: string | null = null) =>
  allocateRow(world, rowId, quantity, { itemId })

test('the schema refuses to allocate more than is on hand, and stock that is held or in quarantine', async () => {
  const id = await stored(5, { batch: 'PROMISED' })
  await promised(id, 5)
  await assert.rejects(promised(id, 1), /warehouse_product_not_oversold/)
  const inventoryHoldId = newId()
  await database.inOneStatement(tx =>
    tx.run(sql`insert into inventory_hold (organisation_id, id, kind, reason)
      values (${organisationId}, ${inventoryHoldId}, 2, 'Glass')`),
  )
  const held = await stored(5, { inventoryHoldId })
  const quarantined = await stored(5, { warehouseLocationId: locations.Q1 })
  await assert.rejects(promised(held, 1), /held_is_not_allocated/)
  await assert.rejects(promised(quarantined, 1), /held_is_not_allocated/)
})

test('the schema refuses to allocate a serial twice, and a serial in a row of another product', async () => {
  const productId = products.SCALE
  const itemId = newId()
  const id = await stored(
    2,
    { productId },
    { newSerials: [{ serial: 'TWICE', id: itemId }, { serial: 'OTHER' }] },
  )
  await promised(id, 1, itemId)
  await assert.rejects(promised(id, 1, itemId), /inventory_allocation_item_key/)
  const apples = await stored(2, { batch: 'NO SCALES' })
  await assert.rejects(
    database.inOneStatement(tx =>
      tx.run(sql`update warehouse_product_item set warehouse_product_id = ${apples} where id = ${itemId}`),
    ),
    /warehouse_product_item_stock_fkey/,
  )
})

test('the schema refuses a ledger line whose effective time is after its recorded time', async () => {
  const id = await stored(1, { batch: 'TOMORROW' })
  await assert.rejects(
    database.inOneStatement(tx =>
      tx.run(sql`
        insert into inventory_transaction (organisation_id, warehouse_product_id, version, movement_id, type,
          quantity, allocated_quantity, weight_kg, volume_m3, effective_utc, recorded_utc)
        values (${organisationId}, ${id}, 2, ${newId()}, 1, 1, 0, 0, 0, now() + interval '1 second', now())`),
    ),
    /not_in_the_future/,
  )
})

test('of two requests that bring one serial into two warehouses at once, one succeeds and one gets a conflict', async () => {
  const other = await world.made('/v1/warehouses', {
    ...{ name: 'Wellington', code: 'WLG', timezoneId: 'Pacific/Auckland' },
  })
  const there = await world.made(`/v1/warehouses/${other}/locations`, { name: 'A-01', type: 1 })
  const wanted = [
    identity({ productId: products.SCALE, batch: 'RACE' }),
    identity({ productId: products.SCALE, batch: 'RACE', warehouseId: other, warehouseLocationId: there }),
  ]
  const bringIn = (goods: (typeof wanted)[number], then: () => Promise<unknown>) =>
    database.atomically(async tx => {
      const locked = await lockStock(tx, organisationId, [goods])
      const [to = null] = await findOrCreateStockRows(tx, locked, [goods])
      const move = { movementId: newId(), type: Adjustment, from: null, to, quantity: of(1) }
      await post(tx, locked, world.source, [{ ...move, newSerials: [{ serial: 'ONCE' }] }])
      await then()
    })
  const [first, second] = wanted as [(typeof wanted)[number], (typeof wanted)[number]]
  let late: Promise<void> | undefined
  await bringIn(first, async () => {
    // The second transaction starts before the first commits, so it does not see the serial yet.
    late = bringIn(second, async () => {})
    late.catch(() => {})
    await until(async () => {
      const { waiting } = await database.db.row<{ waiting: number }>(
        sql`select count(*) as waiting from pg_locks where not granted`,
      )
      return waiting > 0
    }, 'The second transaction does not wait.')
  })
  await assert.rejects(late as Promise<void>, /came into stock in another warehouse/)
})
