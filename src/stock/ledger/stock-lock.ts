// The stock lock. Every transaction that changes stock takes one lock for each product in a warehouse, before
// it first reads stock, all at once and in a fixed order, and holds them until it ends. Nobody else changes
// what is read under the lock, so nothing has to be retried and no deadlock is possible.

import { type Db, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'

/** What one stock lock covers: a product in a warehouse. */
export interface LockTarget {
  warehouseId: string
  productId: string
}

/** The stock of an organisation that a transaction has locked. */
export interface LockedStock {
  readonly organisationId: string
  covers(target: LockTarget): boolean
}

// With more products than this the whole warehouse is locked, as the server's lock table is limited.
const maxProducts = 200

const lockedTransactions = new WeakSet<Tx>()

/**
 * Locks the stock of these products in these warehouses until the transaction ends. Waits for transactions
 * that hold any of the locks.
 * @throws Error if the transaction has locked stock before: a second lock could be out of order.
 */
export const lockStock = (
  tx: Tx,
  organisationId: string,
  targets: readonly LockTarget[],
): Promise<LockedStock> =>
  lockQueriedStock(
    tx,
    organisationId,
    sql`select "warehouseId" as warehouse_id, "productId" as product_id
      from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, targets)}`,
  )

/**
 * Locks the stock that a query finds, in one statement. `targets` selects warehouse_id and product_id.
 * @throws Error if the transaction has locked stock before.
 */
export async function lockQueriedStock(tx: Tx, organisationId: string, targets: Sql): Promise<LockedStock> {
  if (lockedTransactions.has(tx)) throw new Error('A transaction locks all the stock that it needs at once.')
  lockedTransactions.add(tx)
  // The shared lock of the warehouse makes a transaction that locks the whole warehouse wait.
  const { found } = await tx.row<{ found: LockTarget[] }>(sql`
    with target as materialized (
      select distinct warehouse_id, product_id from (${targets}) t
    ), wanted as (
      select 'stock ' || ${organisationId}::uuid || ' ' || warehouse_id as name,
        (select count(*) from target) <= ${maxProducts} as is_shared
      from target
      union
      select 'stock ' || warehouse_id || ' ' || product_id, false from target
      where (select count(*) from target) <= ${maxProducts}
    ), locked as materialized (
      select case when is_shared then pg_advisory_xact_lock_shared(key) else pg_advisory_xact_lock(key) end
      from (
        select is_shared, hashtextextended(name, 0) as key from wanted order by is_shared desc, key
      ) keys
    )
    select (select count(*) from locked) as locked, (
      select coalesce(json_agg(json_build_object('warehouseId', warehouse_id, 'productId', product_id)), '[]')
      from target
    ) as found`)
  const warehouses = new Set(found.map(({ warehouseId }) => warehouseId))
  const products = new Set(found.map(keyOf))
  const isWarehouseLocked = products.size > maxProducts
  return {
    organisationId,
    covers: target => (isWarehouseLocked ? warehouses.has(target.warehouseId) : products.has(keyOf(target))),
  }
}

/**
 * Locks all stock of a warehouse until the transaction ends.
 * @throws Error if the transaction has locked stock before.
 */
export async function lockWarehouseStock(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
): Promise<LockedStock> {
  if (lockedTransactions.has(tx)) throw new Error('A transaction locks all the stock that it needs at once.')
  lockedTransactions.add(tx)
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(
    'stock ' || ${organisationId}::uuid || ' ' || ${warehouseId}::uuid, 0))`)
  return { organisationId, covers: target => target.warehouseId === warehouseId }
}

const keyOf = ({ warehouseId, productId }: LockTarget) => `${warehouseId} ${productId}`

/**
 * Returns whether a transaction that began at or before an instant holds a lock on stock of the organisation.
 * It may still write ledger lines that are recorded before the instant and that nobody else sees yet.
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
