// The lock that every change of stock holds until its commit: one for each product in a warehouse, taken
// before the first read of stock, all at once and in one order. What is read under it nobody else changes,
// so nothing has to be tried again, and no two transactions can wait for each other.

import { type Db, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { planWithIndexes } from '../../platform/database/plan-with-indexes.ts'
import { tableOf } from '../../platform/database/table-of.ts'

/** A product in a warehouse. */
export interface LockTarget {
  warehouseId: string
  productId: string
}

/** What a transaction has locked of an organisation's stock. */
export interface LockedStock {
  readonly organisationId: string
  covers(place: LockTarget): boolean
}

// With more products than this the whole warehouse is locked: a transaction has room for so many locks only.
const maxProducts = 200

const locking = new WeakSet<Tx>()

/**
 * Locks the stock of these products in these warehouses until the transaction ends, waiting for whoever has
 * it. Throws when the transaction has locked stock before: a second lock could be out of order.
 */
export const lockStock = (
  tx: Tx,
  organisationId: string,
  places: readonly LockTarget[],
): Promise<LockedStock> =>
  lockQueriedStock(
    tx,
    organisationId,
    sql`select "warehouseId" as warehouse_id, "productId" as product_id
      from ${tableOf('p', { warehouseId: 'uuid', productId: 'uuid' }, places)}`,
  )

/**
 * The same for what a query finds, in the same statement: `places` selects warehouse_id and product_id.
 */
export async function lockQueriedStock(tx: Tx, organisationId: string, places: Sql): Promise<LockedStock> {
  if (locking.has(tx)) throw new Error('A transaction locks all the stock that it needs at once.')
  locking.add(tx)
  // The shared lock of the warehouse keeps whoever locks it whole waiting.
  const { found } = await tx.row<{ found: LockTarget[] }>(sql`
    with place as materialized (
      select distinct warehouse_id, product_id from (${places}) p
    ), wanted as (
      select 'stock ' || ${organisationId}::uuid || ' ' || warehouse_id as name,
        (select count(*) from place) <= ${maxProducts} as is_shared
      from place
      union
      select 'stock ' || warehouse_id || ' ' || product_id, false from place
      where (select count(*) from place) <= ${maxProducts}
    ), locked as materialized (
      select case when is_shared then pg_advisory_xact_lock_shared(key) else pg_advisory_xact_lock(key) end
      from (
        select is_shared, hashtextextended(name, 0) as key from wanted order by is_shared desc, key
      ) keys
    )
    select ${planWithIndexes}, (select count(*) from locked) as locked, (
      select coalesce(json_agg(json_build_object('warehouseId', warehouse_id, 'productId', product_id)), '[]')
      from place
    ) as found`)
  const warehouses = new Set(found.map(({ warehouseId }) => warehouseId))
  const products = new Set(found.map(nameOf))
  const isWhole = products.size > maxProducts
  return {
    organisationId,
    covers: place => (isWhole ? warehouses.has(place.warehouseId) : products.has(nameOf(place))),
  }
}

/** Locks all stock of a warehouse. */
export async function lockWarehouseStock(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
): Promise<LockedStock> {
  if (locking.has(tx)) throw new Error('A transaction locks all the stock that it needs at once.')
  locking.add(tx)
  await tx.run(sql`select ${planWithIndexes}, pg_advisory_xact_lock(hashtextextended(
    'stock ' || ${organisationId}::uuid || ' ' || ${warehouseId}::uuid, 0))`)
  return { organisationId, covers: place => place.warehouseId === warehouseId }
}

const nameOf = ({ warehouseId, productId }: LockTarget) => `${warehouseId} ${productId}`

/**
 * Whether a transaction that began at an instant or before has stock of the organisation locked: what it
 * writes may be recorded before the instant, and nobody sees it yet.
 */
export async function isStockChanging(db: Db, organisationId: string, since: string): Promise<boolean> {
  const { isChanging } = await db.row<{ isChanging: boolean }>(sql`
    select exists (
      select from pg_locks k left join pg_stat_activity a on a.pid = k.pid
      where k.locktype = 'advisory' and k.objsubid = 1 and k.granted
        and k.database = (select oid from pg_database where datname = current_database())
        and (k.classid::bigint << 32 | k.objid::bigint) in (
          select hashtextextended('stock ' || organisation_id || ' ' || id, 0) from warehouse
          where organisation_id = ${organisationId}
        )
        and coalesce(a.xact_start, '-infinity') <= ${since}::timestamptz
    ) as is_changing`)
  return isChanging
}
