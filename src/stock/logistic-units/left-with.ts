// With which consignment a logistic unit left. A unit that left with the last of its goods keeps the place
// from which it left, but does not stand there any more. Spec 2.14.

import { type Sql, sql } from '../../platform/database/db.ts'
import { TransactionType } from '../../vocabulary/stock.ts'

/** Whether nothing is on unit `u`. */
export const isEmptyUnit: Sql = sql`not exists (select from warehouse_product s
  where s.organisation_id = u.organisation_id and s.logistic_unit_id = u.id and not s.is_depleted)`

/**
 * The id of the consignment with which unit `u` left; null while it is here. What leaves without having been
 * picked is picked in the same transaction, of which the dispatch is the last.
 */
export const leftWithId: Sql = sql`(
  select case when t.type = ${TransactionType.Dispatch} then t.consignment_id end
  from warehouse_product p
  join inventory_transaction t on t.organisation_id = p.organisation_id and t.warehouse_product_id = p.id
  where p.organisation_id = u.organisation_id and p.logistic_unit_id = u.id and t.quantity <> 0
    and ${isEmptyUnit}
  order by t.recorded_utc desc, (t.type = ${TransactionType.Dispatch}) desc, t.version desc limit 1)`
