// Reads stays: how long each position held which quantity at the end of days.

import { type Db, empty, type Sql, sql } from '../../platform/database/db.ts'
import { type ExactInteger, wholeOf } from '../evaluator/exact.ts'
import { type Days, dateOf, dayOf } from './local-days.ts'
import type { Position } from './stock-history.ts'

/** Consecutive days at the end of which a position held the same quantity. */
export interface Stay extends Days {
  /** in units of 10^-4 */
  quantity: ExactInteger
  /** whether its weight, and its volume, is known */
  isWeighed: boolean
  isMeasured: boolean
}

/** A position of a client in a warehouse, with its stays. */
export interface GoodsStays {
  clientId: string
  warehouseId: string
  position: Position
  stays: readonly Stay[]
}

/** Selects stock. A field that is absent does not restrict it. */
export interface StockFilter {
  clientId?: string | undefined
  warehouseId?: string | undefined
}

/** SQL: stock rows `s` in warehouses `w` that held something on a day or later. */
const stockSince = (organisationId: string, { clientId, warehouseId }: StockFilter, from: number): Sql => sql`
  warehouse_product s
  join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
  where s.organisation_id = ${organisationId}
    ${clientId === undefined ? empty : sql`and s.partner_id = ${clientId}`}
    ${warehouseId === undefined ? empty : sql`and s.warehouse_id = ${warehouseId}`}
    and (not s.is_depleted
      or s.last_effective_utc >= ${dateOf(from)}::timestamp at time zone w.timezone_id - interval '1 day')`

/** Lists the products with stock on a day or later; those of one client are adjacent. */
export const listStoredProducts = async (
  db: Db,
  organisationId: string,
  at: StockFilter,
  from: number,
): Promise<string[]> =>
  (
    await db.rows<{ productId: string }>(sql`
      select s.partner_id, s.product_id from ${stockSince(organisationId, at, from)}
      group by 1, 2 order by 1, 2`)
  ).map(({ productId }) => productId)

interface StayRow extends Omit<Position, 'receivedDay'> {
  clientId: string
  warehouseId: string
  receivedDate: string
  stays: [from: string, to: string, quantity: string, isWeighed: boolean, isMeasured: boolean][]
}

/**
 * Reads the stays of some products on some days and the day before the first, by the local days of each
 * warehouse that are over. Earlier balances are computed backwards from the current stock, so that old ledger
 * lines are not read.
 */
export async function readStays(
  db: Db,
  organisationId: string,
  at: StockFilter,
  productIds: readonly string[],
  { from, to }: Days,
): Promise<GoodsStays[]> {
  const first = sql`${dateOf(from)}::date`
  const rows = await db.rows<StayRow>(sql`
    with stock as materialized (
      select s.id, s.partner_id as client_id, s.warehouse_id, s.product_id,
        s.warehouse_location_id as location_id, s.logistic_unit_id, s.attributes, s.received_date,
        s.on_hand_quantity as quantity, s.on_hand_weight_kg as weight, s.on_hand_volume_m3 as volume,
        w.timezone_id, least(${dateOf(to)}::date, (now() at time zone w.timezone_id)::date - 1) as last_day
      from ${stockSince(organisationId, at, from)} and s.product_id = any(${productIds})
    ), change as (
      select s.id, d.day, sum(t.quantity) as quantity, sum(t.weight_kg) as weight, sum(t.volume_m3) as volume
      from stock s
      join inventory_transaction t on t.organisation_id = ${organisationId}
        and t.warehouse_product_id = s.id and t.type <> 0
        and t.effective_utc >= ${first}::timestamp at time zone s.timezone_id - interval '1 day'
      cross join lateral (select (t.effective_utc at time zone s.timezone_id)::date as day) d
      where d.day >= ${first}
      group by s.id, d.day
      union all
      select id, ${first} - 1, 0, 0, 0 from stock
    ), closing as (
      select s.id, c.day as from_day,
        least(s.last_day, lead(c.day) over (partition by s.id order by c.day) - 1) as to_day,
        s.quantity - coalesce(sum(c.quantity) over later, 0) as quantity,
        s.weight - coalesce(sum(c.weight) over later, 0) as weight,
        s.volume - coalesce(sum(c.volume) over later, 0) as volume
      from stock s join change c on c.id = s.id
      window later as (partition by s.id order by c.day desc
        rows between unbounded preceding and 1 preceding)
    )
    select s.id, s.client_id, s.warehouse_id, s.product_id, s.location_id, s.logistic_unit_id, s.attributes,
      s.received_date, json_agg(json_build_array(c.from_day, c.to_day, c.quantity::text, c.weight <> 0,
        c.volume <> 0) order by c.from_day) as stays
    from stock s join closing c on c.id = s.id
    where c.quantity > 0 and c.from_day <= c.to_day
    group by s.id, s.client_id, s.warehouse_id, s.product_id, s.location_id, s.logistic_unit_id, s.attributes,
      s.received_date
    order by s.client_id, s.warehouse_id, s.product_id, s.id`)
  return rows.map(({ clientId, warehouseId, receivedDate, stays, ...position }) => ({
    ...{ clientId, warehouseId, position: { ...position, receivedDay: dayOf(receivedDate) } },
    stays: stays.map(([begins, ends, quantity, isWeighed, isMeasured]) => ({
      ...{ from: dayOf(begins), to: dayOf(ends), quantity: wholeOf(4, quantity), isWeighed, isMeasured },
    })),
  }))
}
