// Reads the lines of a stock count for commands.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import type { SerialTrackingMode } from '../../vocabulary/partners.ts'
import type { StockCountLineStatus } from '../../vocabulary/stock.ts'
import { joinLastCount } from './book-quantity.ts'
import type { LockedStockCount } from './stock-count.ts'

/** A line with the last entry of its current round. */
export interface CountLine {
  id: string
  status: StockCountLineStatus
  round: number
  warehouseProductId: string
  warehouseId: string
  productId: string
  productCode: string
  serialTrackingMode: (typeof SerialTrackingMode)[keyof typeof SerialTrackingMode]
  locationName: string
  /** null if it is still to be counted */
  countedQuantity: number | null
  countedUtc: string | null
  countedBy: string | null
  serials: string[] | null
}

/** Reads the lines of a count that meet a condition on `stock_count_line l`, in the order of their ids. */
export const readCountLines = (
  db: Db,
  { organisationId, id }: Pick<LockedStockCount, 'organisationId' | 'id'>,
  where: Sql,
): Promise<CountLine[]> =>
  db.rows(sql`
    select l.id, l.status, l.round, l.warehouse_product_id, s.warehouse_id, s.product_id,
      d.code as product_code, d.serial_tracking_mode, w.name as location_name, e.counted_quantity,
      e.counted_utc, e.user_id as counted_by, e.serials
    from stock_count_line l
    join warehouse_product s on s.organisation_id = l.organisation_id and s.id = l.warehouse_product_id
    join product d on d.organisation_id = s.organisation_id and d.id = s.product_id
    join warehouse_location w on w.organisation_id = s.organisation_id and w.id = s.warehouse_location_id
    ${joinLastCount}
    where l.organisation_id = ${organisationId} and l.stock_count_id = ${id} and ${where} order by l.id`)

/** How messages refer to a line. */
export const describeCountLine = ({ productCode, locationName }: CountLine): string =>
  `${productCode} in ${locationName}`
