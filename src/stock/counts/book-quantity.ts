// The book quantity that a count is compared with: what should have been in stock when it was counted. It is
// always summed from the ledger, because work goes on during a count and operations may be recorded late.

import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { StockCountLineStatus, StockCountStatus, TransactionType } from '../../vocabulary/stock.ts'

/** The appearance of the stock row `alias`. Rows with the same appearance cannot be told apart by eye. */
export const likenessOf = (alias: string): Sql => {
  const of = raw(alias)
  return sql`stock_likeness(${of}.warehouse_location_id, ${of}.logistic_unit_id, ${of}.batch,
    ${of}.best_before_date, ${of}.expiry_date, ${of}.packaging_date, ${of}.production_date,
    ${of}.sell_by_date, ${of}.attributes)`
}

/**
 * The condition that row `s` has no line of its own, neither in the count of line `l` nor in another open
 * count. Two conditions, so that each can use an index.
 */
const hasNoLine = sql`not exists (
  select from stock_count_line o where o.organisation_id = l.organisation_id
    and o.stock_count_id = l.stock_count_id and o.warehouse_product_id = s.id
) and not exists (
  select from stock_count_line o where o.organisation_id = l.organisation_id
    and o.warehouse_product_id = s.id and o.is_open
)`

/**
 * The line in the count of line `l` whose row has the appearance of row `s`, preferably with the same
 * received date.
 */
const matchingLine = sql`(
  select o.id from stock_count_line o
  join warehouse_product c on c.organisation_id = o.organisation_id and c.id = o.warehouse_product_id
  where o.organisation_id = l.organisation_id and o.stock_count_id = l.stock_count_id
    and c.product_id = s.product_id and ${likenessOf('c')} = ${likenessOf('s')}
  order by c.received_date = s.received_date desc, o.id limit 1
)`

/**
 * The rows that goods of the rows `from` were moved to because their description changed after count `k` was
 * created: they are in the same location, with another batch, date or attribute.
 */
const correctedRows = (from: Sql): Sql => sql`
  inventory_transaction t
  join inventory_transaction i on i.organisation_id = t.organisation_id and i.movement_id = t.movement_id
    and i.type = t.type and i.quantity = -t.quantity
  join warehouse_product r on r.organisation_id = t.organisation_id and r.id = t.warehouse_product_id
  join warehouse_product d on d.organisation_id = i.organisation_id and d.id = i.warehouse_product_id
    and d.product_id = r.product_id and d.warehouse_location_id = r.warehouse_location_id
    and d.logistic_unit_id is not distinct from r.logistic_unit_id
  where t.organisation_id = k.organisation_id and ${from} and t.type = ${TransactionType.Adjustment}
    and t.quantity < 0 and t.stock_count_line_id is null and t.recorded_utc > k.created_utc`

/**
 * The stock rows that were counted with line `l`: its own row, and rows of the same appearance that were
 * created in its location after the count was, for example because a part was put on hold or because found
 * goods were recorded late. Also the rows of goods whose description has changed since, as they are the same
 * goods. Each row belongs to exactly one line. `offset 0` makes the planner find rows of the same appearance
 * by their index first, whatever its statistics.
 */
export const coveredRows = sql`(
  select l.warehouse_product_id as id
  union all
  select s.id
  from warehouse_product r
  cross join lateral (
    select s.* from warehouse_product s
    where s.organisation_id = r.organisation_id and s.product_id = r.product_id
      and ${likenessOf('s')} = ${likenessOf('r')} and s.id <> r.id offset 0
  ) s
  where r.organisation_id = l.organisation_id and r.id = l.warehouse_product_id
    and ${hasNoLine} and l.id = ${matchingLine}
  union all
  select s.id
  from stock_count k cross join lateral (
    select distinct d.* from ${correctedRows(sql`t.warehouse_product_id = l.warehouse_product_id`)}
  ) s
  where k.organisation_id = l.organisation_id and k.id = l.stock_count_id
    and ${hasNoLine} and ${matchingLine} is null
    and l.id = (
      select min(o.id::text)::uuid
      from stock_count_line o cross join lateral (
        select from ${correctedRows(sql`t.warehouse_product_id = o.warehouse_product_id and d.id = s.id`)}
        limit 1
      ) is_of
      where o.organisation_id = l.organisation_id and o.stock_count_id = l.stock_count_id
    )
)`

/** Joins, as `a`, the stock count line that caused a ledger line `t`, if there is one. */
export const joinCountLine = sql`left join stock_count_line a
  on a.organisation_id = t.organisation_id and a.id = t.stock_count_line_id`

/**
 * When a ledger line `t` counts as happened; needs `joinCountLine`. An adjustment by a stock count counts
 * from when the goods were counted, not from when the count was approved.
 */
export const effectiveUtcOfLine = sql`coalesce(a.counted_utc, t.effective_utc)`

/** What should have been in the rows of line `l` at an instant, in items. */
export const bookQuantityAt = (instant: Sql): Sql => sql`(
  select coalesce(sum(t.quantity), 0)
  from ${coveredRows} s
  join inventory_transaction t on t.organisation_id = l.organisation_id and t.warehouse_product_id = s.id
  ${joinCountLine}
  where ${effectiveUtcOfLine} <= ${instant})`

/**
 * Joins, as `e`, the latest count of the current round of line `l`; none if it is still to be counted. A
 * count that was made earlier may arrive later, from a device that was offline.
 */
export const joinLastCount = sql`left join lateral (
  select x.counted_quantity, x.counted_utc, x.serials, x.user_id, x.user_name
  from stock_count_entry x
  where x.organisation_id = l.organisation_id and x.stock_count_line_id = l.id and x.round = l.round
    and l.status <> ${StockCountLineStatus.Recount}
  order by x.counted_utc desc, x.ordinal desc limit 1
) e on true`

const { Counted, Approved, Cancelled } = StockCountStatus

/**
 * Whether the book quantity of line `l` of count `c` may be shown. In a blind count people who count see
 * neither that nor earlier entries.
 */
export const isBookVisible = sql`(not c.is_blind or l.status = ${StockCountLineStatus.Approved}
  or c.status = any(${[Counted, Approved, Cancelled]}) and l.status <> ${StockCountLineStatus.Recount})`

/**
 * The stored book quantity of line `l`, or that at its last count (needs `joinLastCount`), or the current
 * one.
 */
export const bookQuantity = sql`coalesce(l.book_quantity,
  ${bookQuantityAt(sql`coalesce(e.counted_utc, now())`)})`
