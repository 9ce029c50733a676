// Compares counted serials with the ledger, for products with full serial capture: which serials were in
// stock but not counted, and which were counted but not in stock. Serials that have moved since are left
// alone, as the ledger is more recent.

import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { coveredRows, effectiveUtcOfLine, joinCountLine, joinLastCount } from './book-quantity.ts'

/** A serial that was counted in a line, that should have been there, or both. */
export interface ComparedSerial {
  lineId: string
  serial: string
  /** whether it was counted */
  isSeen: boolean
  /** whether it was in the rows of the line, according to the ledger, when they were counted */
  wasThere: boolean
  /** whether it has moved, left or come in since; a hold or a new description does not count */
  hasMoved: boolean
  /** the row that it is in now; null if not in stock */
  warehouseProductId: string | null
}

/**
 * The condition that the serial `x` of ledger line `t` stays in its location, as with a hold or a new
 * description: nobody need have seen the serial for that.
 */
const staysThere = sql`exists (
  select from inventory_transaction_item y
  join inventory_transaction o on o.organisation_id = y.organisation_id
    and o.warehouse_product_id = y.warehouse_product_id and o.version = y.version
  join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
  join warehouse_product q on q.organisation_id = o.organisation_id and q.id = o.warehouse_product_id
    and q.warehouse_location_id = p.warehouse_location_id
    and q.logistic_unit_id is not distinct from p.logistic_unit_id
  where y.organisation_id = x.organisation_id
    and y.warehouse_product_item_id = x.warehouse_product_item_id and o.movement_id = t.movement_id
    and t.type in (${TransactionType.Adjustment}, ${TransactionType.Hold}) and o.quantity * t.quantity < 0)`

/** Compares the serials of counted lines. Returns them by line. Call it under the stock lock. */
export async function compareSerials(
  tx: Tx,
  organisationId: string,
  lineIds: readonly string[],
): Promise<(lineId: string) => readonly ComparedSerial[]> {
  if (lineIds.length === 0) return () => []
  const rows = await tx.rows<ComparedSerial>(sql`
    with line as materialized (
      select l.organisation_id, l.id, l.stock_count_id, l.warehouse_product_id, r.product_id,
        e.counted_utc as at, e.serials
      from stock_count_line l
      join warehouse_product r on r.organisation_id = l.organisation_id and r.id = l.warehouse_product_id
      ${joinLastCount}
      where l.organisation_id = ${organisationId} and l.id = any(${lineIds})
    ), there as (
      select l.id as line_id, x.warehouse_product_item_id as item_id
      from line l cross join lateral ${coveredRows} s
      join inventory_transaction t on t.organisation_id = l.organisation_id and t.warehouse_product_id = s.id
      join inventory_transaction_item x on x.organisation_id = t.organisation_id
        and x.warehouse_product_id = t.warehouse_product_id and x.version = t.version
      ${joinCountLine}
      where ${effectiveUtcOfLine} <= l.at
      group by l.id, x.warehouse_product_item_id having sum(sign(t.quantity)) > 0
    ), seen as (
      select l.id as line_id, g.serial, i.id as item_id
      from line l cross join lateral jsonb_array_elements_text(l.serials) as g (serial)
      left join warehouse_product_item i on i.organisation_id = l.organisation_id
        and i.product_id = l.product_id and i.serial = g.serial
    ), compared as (
      select coalesce(s.line_id, h.line_id) as line_id, coalesce(s.item_id, h.item_id) as item_id, s.serial,
        s.line_id is not null as is_seen, h.line_id is not null as was_there
      from seen s full join there h on h.line_id = s.line_id and h.item_id = s.item_id
    )
    select c.line_id, coalesce(c.serial, i.serial) as serial, c.is_seen, c.was_there, i.warehouse_product_id,
      exists (
        select from inventory_transaction_item x
        join inventory_transaction t on t.organisation_id = x.organisation_id
          and t.warehouse_product_id = x.warehouse_product_id and t.version = x.version
        ${joinCountLine}
        where x.organisation_id = l.organisation_id and x.warehouse_product_item_id = c.item_id
          and ${effectiveUtcOfLine} > l.at and not ${staysThere}
      ) as has_moved
    from compared c join line l on l.id = c.line_id
    left join warehouse_product_item i on i.organisation_id = l.organisation_id and i.id = c.item_id
    order by c.line_id, 2`)
  const byLine = Map.groupBy(rows, ({ lineId }) => lineId)
  return id => byLine.get(id) ?? []
}
