// Concurrent moves and fills of logistic units: a unit is always where the goods on it are, whichever request
// comes first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { Refusal } from '../../src/platform/http/refusal.ts'
import { carryOutAlone } from '../../src/stock/commands/carry-out.ts'
import { transferKind } from '../../src/stock/commands/transfer.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { openTestPools } from '../support/test-database.ts'

const world = await openAllocation()
const { admin, database, locations, organisationId, source, stored, unit, fresh } = world
const { name } = await database.db.row<{ name: string }>(sql`select current_database() as name`)
const url = new URL(process.env.TEST_DATABASE_URL ?? '')
url.pathname = `/${name}`
/** Two sets of connections, as two processes would have. */
const sides = [database, openTestPools(url.href)] as const

const deadlocksOf = () =>
  database.db.row<{ deadlocks: number }>(sql`
    select deadlocks from pg_stat_database where datname = current_database()`)

type Transfers = Parameters<typeof transferKind.weigh>[0]['body']['transfers']

/** Moves stock from one side. Returns the messages if the move is refused, else undefined. */
const tryMove = (side: Database, ...transfers: Transfers): Promise<string[] | undefined> =>
  side
    .atomically(tx =>
      carryOutAlone(tx, transferKind, {
        ...{ actor: admin.actor, source, occurredUtc: null, requestId: 'test', params: {} },
        ...{ body: { transfers }, operation: { operationId: null, request: null } },
      }),
    )
    .then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error.messages
        throw error
      },
    )

/** Runs two actions concurrently, many times, each from its own side. Asserts that no deadlock occurs. */
async function race(round: (n: number) => Promise<[Promise<unknown>, Promise<unknown>]>, rounds = 25) {
  const before = await deadlocksOf()
  for (let n = 0; n < rounds; n++) await Promise.all(await round(n))
  assert.deepEqual(await deadlocksOf(), before)
}

/** Finds the stock of products: the location, the quantity, and the unit with its location. */
const findStock = (...productIds: string[]) =>
  database.db.rows<{ place: string; quantity: number; unit: string | null; stands: string | null }>(sql`
    select l.name as place, p.on_hand_quantity as quantity, u.reference_number as unit, m.name as stands
    from warehouse_product p
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    left join warehouse_location m on m.organisation_id = u.organisation_id
      and m.id = u.warehouse_location_id
    where p.organisation_id = ${organisationId} and p.product_id = any(${productIds}) and not p.is_depleted
    order by 1, 3, 2`)

let units = 0
const pallet = (at?: string) => unit(`RACE-${++units}`, at)
const { A2, B1 } = locations

test('a unit that two requests move to two locations ends up in one of them with all its goods', () =>
  race(async n => {
    const [{ productId }, { productId: other }] = [await fresh(), await fresh()]
    const id = await pallet()
    await stored(3, { productId, logisticUnitId: id })
    await stored(4, { productId: other, logisticUnitId: id })
    const go = (side: Database, to: string) =>
      tryMove(side, { logisticUnitId: id, toWarehouseLocationId: to })
    const [one, two] = n % 2 ? [A2, B1] : [B1, A2]
    const both = [go(sides[0], one), go(sides[1], two)] as [Promise<unknown>, Promise<unknown>]
    return [
      Promise.all(both).then(async ([first, second]) => {
        assert.deepEqual([first, second], [undefined, undefined])
        const goods = await findStock(productId, other)
        assert.deepEqual(goods.map(({ quantity }) => quantity).sort(), [3, 4])
        assert.equal(new Set(goods.flatMap(({ place, stands }) => [place, stands])).size, 1)
      }),
      both[1],
    ]
  }))

test('a unit that is moved while goods are taken off it leaves none behind', () =>
  race(async n => {
    const [{ productId }, { productId: other }] = [await fresh(), await fresh()]
    const id = await pallet()
    const goods = await stored(3, { productId, logisticUnitId: id })
    await stored(4, { productId: other, logisticUnitId: id })
    const whole = () => tryMove(sides[n % 2] as Database, { logisticUnitId: id, toWarehouseLocationId: A2 })
    const part = () =>
      tryMove(sides[(n + 1) % 2] as Database, { warehouseProductId: goods, toWarehouseLocationId: B1 })
    const both = n % 3 ? [part(), whole()] : [whole(), part()]
    return [
      Promise.all(both).then(async refusals => {
        const [of] = [n % 3 ? refusals[0] : refusals[1]]
        const rows = await findStock(productId, other)
        assert.deepEqual(
          rows.map(({ place, unit: on }) => [place, on === null]),
          of === undefined
            ? [
                ['A-02', false],
                ['B-01', true],
              ]
            : [
                ['A-02', false],
                ['A-02', false],
              ],
          JSON.stringify([of, rows]),
        )
      }),
      Promise.resolve(),
    ]
  }))

test('an empty unit that two requests fill in two locations ends up with the goods of one', () =>
  race(async () => {
    const products = [await fresh(), await fresh()]
    const id = await pallet()
    const rows = [
      await stored(3, { ...products[0], warehouseLocationId: A2 }),
      await stored(4, { ...products[1], warehouseLocationId: B1 }),
    ]
    const fill = (i: 0 | 1, to: string) =>
      tryMove(sides[i], {
        ...{ warehouseProductId: rows[i] as string, toWarehouseLocationId: to },
        toLogisticUnit: { logisticUnitId: id },
      })
    const both = [fill(0, A2), fill(1, B1)] as const
    return [
      Promise.all(both).then(async refusals => {
        assert.equal(refusals.filter(refusal => refusal === undefined).length, 1)
        const goods = await findStock(...products.map(({ productId }) => productId))
        const [on] = goods.filter(({ unit: name }) => name !== null)
        assert.equal(on?.place, on?.stands)
        assert.deepEqual(goods.map(({ place }) => place).sort(), ['A-02', 'B-01'])
      }),
      both[1],
    ]
  }))

test('goods that are put on a unit while it is moved go with it, or are refused', () =>
  race(async n => {
    const [{ productId }, { productId: other }] = [await fresh(), await fresh()]
    const id = await pallet()
    await stored(3, { productId, logisticUnitId: id })
    const loose = await stored(4, { productId: other })
    const load = () =>
      tryMove(sides[n % 2] as Database, {
        ...{ warehouseProductId: loose, toLogisticUnit: { logisticUnitId: id } },
      })
    const go = () =>
      tryMove(sides[(n + 1) % 2] as Database, { logisticUnitId: id, toWarehouseLocationId: B1 })
    const both = n % 3 ? [load(), go()] : [go(), load()]
    return [
      Promise.all(both).then(async () => {
        const goods = await findStock(productId, other)
        const onUnit = goods.filter(({ unit: name }) => name !== null)
        assert.deepEqual(new Set(onUnit.flatMap(({ place, stands }) => [place, stands])), new Set(['B-01']))
        assert.deepEqual(goods.map(({ quantity }) => quantity).sort(), [3, 4])
      }),
      Promise.resolve(),
    ]
  }))

test('two requests that each move one unit and load the other do not deadlock', () =>
  race(async () => {
    const made = await Promise.all([fresh(), fresh(), fresh(), fresh()])
    const ids = [await pallet(), await pallet()] as const
    const [p, q, r, s] = made.map(({ productId }) => ({ productId }))
    await stored(1, { ...p, logisticUnitId: ids[0] })
    await stored(1, { ...q, logisticUnitId: ids[1] })
    const loose = [await stored(1, r), await stored(1, s)] as const
    const swap = (i: 0 | 1) =>
      tryMove(
        sides[i],
        { logisticUnitId: ids[i], toWarehouseLocationId: A2 },
        { warehouseProductId: loose[i], toLogisticUnit: { logisticUnitId: ids[1 - i] as string } },
      )
    return [swap(0), swap(1)]
  }))
