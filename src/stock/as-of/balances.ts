// Computes the balances of rows of stock as of two instants: the nearest usable checkpoint, plus the lines of
// the ledger that had happened and been recorded by then and are not in it, less those that are in it and
// happened later. Spec 2.14.

import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import type { AsOf } from './as-of.ts'

// The figures of a row of stock and of a checkpoint, each with its column in the ledger.
const figures = {
  on_hand_quantity: 'quantity',
  allocated_quantity: 'allocated_quantity',
  on_hand_weight_kg: 'weight_kg',
  on_hand_volume_m3: 'volume_m3',
} as const
export type StockFigure = keyof typeof figures

export const allStockFigures = Object.keys(figures) as StockFigure[]

/** Rows of stock: a query for `product_id` and `id`, and whether it returns no more rows than fit a page. */
export interface StockRows {
  rows: Sql
  areFew: boolean
}

/** The condition that a line `t` of `inventory_transaction` had happened and been recorded by then. */
export const asOfCondition = ({ asOf, knownAt }: AsOf): Sql =>
  sql`t.effective_utc <= ${asOf}::timestamptz and t.recorded_utc <= ${knownAt}::timestamptz`

/** The condition that a line `t` belongs to one of the rows. With an array, few rows are found by the key. */
const linesOf = ({ rows, areFew }: StockRows): Sql =>
  areFew
    ? sql`and t.warehouse_product_id = any(array(select id from (${rows}) o))`
    : sql`and t.warehouse_product_id in (select id from (${rows}) o)`

/**
 * Returns a query for the balances as of two instants, of every row that had lines or of the `only` rows. Its
 * columns are `warehouse_product_id`, `product_id`, `entry_id`, `warehouse_location_id` and the requested
 * figures. Rows that were empty then are included only where lines lie between then and the checkpoint.
 */
export function balancesAt(
  organisationId: string,
  asOf: AsOf,
  requested: readonly StockFigure[],
  only?: StockRows,
): Sql {
  const { checkpoint } = asOf
  const eachFigure = (text: (name: StockFigure) => string): Sql => raw(requested.map(text).join(', '))
  const linesWhere = (condition: Sql, sign = ''): Sql => sql`
    select t.warehouse_product_id, ${eachFigure(name => `${sign}t.${figures[name]} as ${name}`)}
    from inventory_transaction t
    where t.organisation_id = ${organisationId} and ${condition}
      ${only === undefined ? empty : linesOf(only)}`
  const summed = (parts: Sql): Sql => sql`select warehouse_product_id,
      ${eachFigure(name => `sum(${name}) as ${name}`)}
    from (${parts}) part group by warehouse_product_id`
  const place = sql`coalesce(p.logistic_unit_id, p.id) as entry_id, p.product_id, p.warehouse_location_id`
  if (checkpoint === null)
    return sql`select t.*, ${place} from (${summed(linesWhere(asOfCondition(asOf)))}) t
      join warehouse_product p on p.organisation_id = ${organisationId} and p.id = t.warehouse_product_id`
  const at = sql`${checkpoint.instant}::timestamptz`
  const wasSo = asOfCondition(asOf)
  const isInCheckpoint = sql`t.effective_utc <= ${at} and t.recorded_utc <= ${at}`
  const between = checkpoint.isLater
    ? linesWhere(sql`t.effective_utc > ${asOf.asOf}::timestamptz and ${isInCheckpoint}`, '-')
    : linesWhere(sql`${wasSo} and t.effective_utc > ${at}`)
  const isRecordedLater = sql`t.is_late and tstzrange(t.effective_utc, t.recorded_utc) @> ${at}`
  const since = sql`${between} union all ${linesWhere(sql`${wasSo} and ${isRecordedLater}`)}`
  // The place is looked up only for rows that the checkpoint does not have.
  return sql`
    select coalesce(r.warehouse_product_id, t.warehouse_product_id) as warehouse_product_id,
      coalesce(r.entry_id, p.entry_id) as entry_id, coalesce(r.product_id, p.product_id) as product_id,
      coalesce(r.warehouse_location_id, p.warehouse_location_id) as warehouse_location_id,
      ${eachFigure(name => `coalesce(r.${name}, 0) + coalesce(t.${name}, 0) as ${name}`)}
    from (
      select r.* from inventory_checkpoint_row r
      ${
        only === undefined
          ? empty
          : sql`join (${only.rows}) o on o.product_id = r.product_id and o.id = r.warehouse_product_id`
      }
      where r.organisation_id = ${organisationId} and r.effective_utc = ${at}
    ) r
    full join (${summed(since)}) t on t.warehouse_product_id = r.warehouse_product_id
    left join lateral (
      select ${place} from warehouse_product p
      where p.organisation_id = ${organisationId} and p.id = t.warehouse_product_id
        and r.warehouse_product_id is null offset 0
    ) p on true`
}
