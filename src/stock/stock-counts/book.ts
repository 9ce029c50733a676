// What a count compares with what was seen: what should have been there at that instant. It is summed from
// the ledger whenever it is asked for: work goes on during a count, and what is scanned late is in it.

import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { StockCountLineStatus } from '../enumerations.ts'

/** What a row of stock `alias` looks like: alike is what nobody can tell apart by looking. */
export const likenessOf = (alias: string): Sql => {
  const of = raw(alias)
  return sql`stock_likeness(${of}.warehouse_location_id, ${of}.logistic_unit_id, ${of}.batch,
    ${of}.best_before_date, ${of}.expiry_date, ${of}.packaging_date, ${of}.production_date,
    ${of}.sell_by_date, ${of}.attributes)`
}

/**
 * The rows of stock that whoever counted line `l` looked at: its own, and what came to lie there since the
 * count was made and looks the same. Part of it may have been put on hold meanwhile, or what was found be
 * scanned into the place late. Each such row belongs to one line: of several alike to that of its own day.
 */
export const coveredRows = sql`(
  select l.warehouse_product_id as id
  union all
  select s.id
  from warehouse_product r
  join warehouse_product s on s.organisation_id = r.organisation_id and s.product_id = r.product_id
    and ${likenessOf('s')} = ${likenessOf('r')} and s.id <> r.id
  where r.organisation_id = l.organisation_id and r.id = l.warehouse_product_id
    and not exists (
      select from stock_count_line o where o.organisation_id = l.organisation_id
        and o.warehouse_product_id = s.id and (o.is_open or o.stock_count_id = l.stock_count_id)
    )
    and l.id = (
      select o.id from stock_count_line o
      join warehouse_product c on c.organisation_id = o.organisation_id and c.id = o.warehouse_product_id
      where o.organisation_id = l.organisation_id and o.stock_count_id = l.stock_count_id
        and c.product_id = s.product_id and ${likenessOf('c')} = ${likenessOf('s')}
      order by c.received_date = s.received_date desc, o.id limit 1
    )
)`

/** The count that made a line `t` of the ledger, if one did. */
export const settledBy = sql`left join stock_count_line a
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
  ${settledBy}
  where ${happenedUtc} <= ${instant})`

/** The last word of the round of line `l`, as `e`: none where it is to be counted. */
export const lastEntry = sql`left join lateral (
  select x.counted_quantity, x.counted_utc, x.serials, x.user_id
  from stock_count_entry x
  where x.organisation_id = l.organisation_id and x.stock_count_line_id = l.id and x.round = l.round
    and l.status <> ${StockCountLineStatus.Recount}
  order by x.ordinal desc limit 1
) e on true`
