// The lock that every change of stock holds until its commit: one for each product in a warehouse, taken
// before the first read of stock, all at once and in one order. What is read under it nobody else changes,
// so nothing has to be tried again, and no two transactions can wait for each other.

import { type Db, sql, type Tx } from '../../platform/database/db.ts'

/** A product in a warehouse. */
export interface StockPlace {
  warehouseId: string
  productId: string
}

/** What a transaction has locked of an organisation's stock. */
export interface LockedStock {
  readonly organisationId: string
  covers(place: StockPlace): boolean
}

// With more products than this the whole warehouse is locked: a transaction has room for so many locks only.
const maxProducts = 200

const locking = new WeakSet<Tx>()

/**
 * What follows in the transaction is planned to look rows up by their keys. A plan is kept for as long as its
 * connection is: one that reads whole tables, made while they were empty, would be slow once they are not.
 */
const planForGrowth = sql`set_config('enable_seqscan', 'off', true)`

/**
 * Locks the stock of these products in these warehouses until the transaction ends, waiting for whoever has
 * it. Throws when the transaction has locked stock before: a second lock could be out of order.
 */
export async function lockStock(
  tx: Tx,
  organisationId: string,
  places: readonly StockPlace[],
): Promise<LockedStock> {
  if (locking.has(tx)) throw new Error('A transaction locks all the stock that it needs at once.')
  locking.add(tx)
  const warehouses = new Set(places.map(({ warehouseId }) => warehouseId))
  const products = new Set(places.map(nameOf))
  const isWhole = products.size > maxProducts
  // The shared lock of the warehouse keeps whoever locks it whole waiting.
  await tx.run(sql`
    select ${planForGrowth},
      case when is_shared then pg_advisory_xact_lock_shared(key) else pg_advisory_xact_lock(key) end
    from (
      select distinct is_shared, hashtextextended(name, 0) as key
      from json_to_recordset(${JSON.stringify([
        ...[...warehouses].map(id => ({ name: `stock ${organisationId} ${id}`, is_shared: !isWhole })),
        ...(isWhole ? [] : [...products].map(name => ({ name: `stock ${name}`, is_shared: false }))),
      ])}) as l (name text, is_shared boolean)
      order by is_shared desc, key
    ) keys`)
  return {
    organisationId,
    covers: place => (isWhole ? warehouses.has(place.warehouseId) : products.has(nameOf(place))),
  }
}

/** Locks all stock of a warehouse. */
export async function lockWarehouse(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
): Promise<LockedStock> {
  if (locking.has(tx)) throw new Error('A transaction locks all the stock that it needs at once.')
  locking.add(tx)
  const name = `stock ${organisationId} ${warehouseId}`
  await tx.run(sql`select ${planForGrowth}, pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  return { organisationId, covers: place => place.warehouseId === warehouseId }
}

const nameOf = ({ warehouseId, productId }: StockPlace) => `${warehouseId} ${productId}`

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
