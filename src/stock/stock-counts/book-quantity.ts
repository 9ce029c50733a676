// What a count compares with what was seen: what should have been there at that instant. It is summed from
// the ledger whenever it is asked for: work goes on during a count, and what is scanned late is in it.

import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { StockCountLineStatus, StockCountStatus, TransactionType } from '../enumerations.ts'

/** What a row of stock `alias` looks like: alike is what nobody can tell apart by looking. */
export const likenessOf = (alias: string): Sql => {
  const of = raw(alias)
  return sql`stock_likeness(${of}.warehouse_location_id, ${of}.logistic_unit_id, ${of}.batch,
    ${of}.best_before_date, ${of}.expiry_date, ${of}.packaging_date, ${of}.production_date,
    ${of}.sell_by_date, ${of}.attributes)`
}

/**
 * That row `s` has no line of its own: in the count of line `l`, or in another that is open.
 * Each of the two has an index.
 */
const hasNoLine = sql`not exists (
  select from stock_count_line o where o.organisation_id = l.organisation_id
    and o.stock_count_id = l.stock_count_id and o.warehouse_product_id = s.id
) and not exists (
  select from stock_count_line o where o.organisation_id = l.organisation_id
    and o.warehouse_product_id = s.id and o.is_open
)`

/** The line of the count of line `l` whose row looks as row `s` does: of several that of the same day. */
const lineAlike = sql`(
  select o.id from stock_count_line o
  join warehouse_product c on c.organisation_id = o.organisation_id and c.id = o.warehouse_product_id
  where o.organisation_id = l.organisation_id and o.stock_count_id = l.stock_count_id
    and c.product_id = s.product_id and ${likenessOf('c')} = ${likenessOf('s')}
  order by c.received_date = s.received_date desc, o.id limit 1
)`

/**
 * The rows that goods of rows `from` have been put into because they are described otherwise since count `k`
 * was made: they lie where they lay, with another batch, date or attribute.
 */
const describedAgain = (from: Sql): Sql => sql`
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
 * The rows of stock that whoever counted line `l` looked at: its own, and what came to lie there since the
 * count was made and looks the same. Part of it may have been put on hold meanwhile, or what was found be
 * scanned into the place late. So it is with goods that are described otherwise since, which are the same
 * goods. Each such row belongs to one line. `offset 0` has what looks the same found by its index before
 * anything is asked of it, however little the planner knows of the tables.
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
    and ${hasNoLine} and l.id = ${lineAlike}
  union all
  select s.id
  from stock_count k cross join lateral (
    select distinct d.* from ${describedAgain(sql`t.warehouse_product_id = l.warehouse_product_id`)}
  ) s
  where k.organisation_id = l.organisation_id and k.id = l.stock_count_id
    and ${hasNoLine} and ${lineAlike} is null
    and l.id = (
      select min(o.id::text)::uuid
      from stock_count_line o cross join lateral (
        select from ${describedAgain(sql`t.warehouse_product_id = o.warehouse_product_id and d.id = s.id`)}
        limit 1
      ) is_of
      where o.organisation_id = l.organisation_id and o.stock_count_id = l.stock_count_id
    )
)`

/** The count that made a line `t` of the ledger, if one did. */
export const joinSettlingLine = sql`left join stock_count_line a
  on a.organisation_id = t.organisation_id and a.id = t.stock_count_line_id`

/**
 * When a line `t` of the ledger counts as happened, with `settledBy`: what a count put right was so when it
 * was seen, not only when somebody approved it.
 */
export const happenedUtc = sql`coalesce(a.counted_utc, t.effective_utc)`

/** What should have been in the rows of line `l` at an instant. */
export const bookAt = (instant: Sql): Sql => sql`(
  select coalesce(sum(t.quantity), 0)
  from ${coveredRows} s
  join inventory_transaction t on t.organisation_id = l.organisation_id and t.warehouse_product_id = s.id
  ${joinSettlingLine}
  where ${happenedUtc} <= ${instant})`

/** The last word of the round of line `l`, as `e`: none where it is to be counted. */
export const lastEntry = sql`left join lateral (
  select x.counted_quantity, x.counted_utc, x.serials, x.user_id
  from stock_count_entry x
  where x.organisation_id = l.organisation_id and x.stock_count_line_id = l.id and x.round = l.round
    and l.status <> ${StockCountLineStatus.Recount}
  order by x.ordinal desc limit 1
) e on true`

const { Counted, Approved, Cancelled } = StockCountStatus

/**
 * Whether what is expected of line `l` of count `c` may be told: who counts blind sees neither that nor what
 * others have counted before.
 */
export const isBookVisible = sql`(not c.is_blind or l.status = ${StockCountLineStatus.Approved}
  or c.status = any(${[Counted, Approved, Cancelled]}) and l.status <> ${StockCountLineStatus.Recount})`

/** What should have been in the rows of line `l` when it was last counted (`lastEntry`), or is there now. */
export const bookQuantity = sql`coalesce(l.book_quantity, ${bookAt(sql`coalesce(e.counted_utc, now())`)})`
