// What was received for consignments and can be taken back. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import type { ReceivedGoods, ReceivedIntoRow } from './take-back.ts'

/** Reads what was received for consignments into rows, by consignment. Call it under the stock lock. */
export async function readReceivedGoods(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
  rowIds: readonly string[],
): Promise<(consignmentId: string) => ReceivedGoods> {
  const [received, lines] = await Promise.all([
    readQuantities(db, organisationId, consignmentIds, rowIds),
    readLinesOfSerials(db, organisationId, consignmentIds, rowIds),
  ])
  return id => ({
    byRow: Map.groupBy(received.get(id) ?? [], ({ warehouseProductId }) => warehouseProductId),
    lineOfSerial: new Map((lines.get(id) ?? []).map(({ itemId, lineId }) => [itemId, lineId])),
  })
}

/**
 * The quantities in rows of stock that were received for each line and not taken back, last line first, by
 * consignment.
 */
async function readQuantities(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
  rowIds: readonly string[],
) {
  const rows = await db.rows<
    Omit<ReceivedIntoRow, 'quantity'> & {
      consignmentId: string
      warehouseProductId: string
      quantity: number
    }
  >(sql`
    select t.consignment_id, t.warehouse_product_id, r.id as line_id, sum(t.quantity) as quantity
    from inventory_transaction t
    join consignment_product r on r.organisation_id = t.organisation_id and r.id = t.consignment_product_id
    where t.organisation_id = ${organisationId} and t.consignment_id = any(${consignmentIds})
      and t.type = ${TransactionType.Receive} and t.warehouse_product_id = any(${rowIds})
    group by t.consignment_id, t.warehouse_product_id, r.id, r.ordinal having sum(t.quantity) > 0
    order by r.ordinal desc`)
  return Map.groupBy(
    rows.map(row => ({ ...row, quantity: scale(4, row.quantity) })),
    ({ consignmentId }) => consignmentId,
  )
}

/** The line that each serial in rows was last received for, by consignment. */
async function readLinesOfSerials(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
  rowIds: readonly string[],
) {
  const rows = await db.rows<Record<'consignmentId' | 'itemId' | 'lineId', string>>(sql`
    select distinct on (t.consignment_id, i.id) t.consignment_id, i.id as item_id,
      t.consignment_product_id as line_id
    from warehouse_product_item i
    join inventory_transaction_item x on x.organisation_id = i.organisation_id
      and x.warehouse_product_item_id = i.id
    join inventory_transaction t on t.organisation_id = x.organisation_id
      and t.warehouse_product_id = x.warehouse_product_id and t.version = x.version
    where i.organisation_id = ${organisationId} and i.warehouse_product_id = any(${rowIds})
      and t.consignment_id = any(${consignmentIds}) and t.type = ${TransactionType.Receive} and t.quantity > 0
    order by t.consignment_id, i.id, t.recorded_utc desc, t.version desc`)
  return Map.groupBy(rows, ({ consignmentId }) => consignmentId)
}
