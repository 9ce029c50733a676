// Where a line of the ledger counts that tells what came or left. Spec 2.14.

import { type Sql, sql } from '../../platform/database/db.ts'

/**
 * The row of stock in which a line `t` of a receipt or a dispatch counts. Goods of an undone dispatch that
 * came back into another row, because their unit stands elsewhere, count against the row that they left.
 */
export const countedRowId: Sql = sql`coalesce(t.cause_id, t.warehouse_product_id)`
