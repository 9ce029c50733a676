// Reads the rows of stock that a command works on. Spec 2.14.

import { type Db, join, type Sql, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import type { SerialTrackingMode } from '../../vocabulary/partners.ts'
import type { LocationType } from '../../vocabulary/warehouses.ts'
import type { StockIdentity } from '../ledger/stock-identity.ts'

/** A row of stock as it is now, with the names that messages need. Quantities are exact. */
export interface StockRow extends StockIdentity {
  id: string
  /** ten-thousandths */
  onHand: bigint
  allocated: bigint
  available: bigint
  onHandWeightKG: number
  onHandVolumeM3: number
  isQuarantined: boolean
  locationName: string
  locationType: (typeof LocationType)[keyof typeof LocationType]
  logisticUnitNumber: string | null
  productCode: string
  serialTrackingMode: (typeof SerialTrackingMode)[keyof typeof SerialTrackingMode]
}

/** How much a person may move: on hand and not allocated, including held stock. In ten-thousandths. */
export const movableQuantity = ({ onHand, allocated }: StockRow): bigint => onHand - allocated

/** The identity of a row, without its quantities. */
export const identityOf = (row: StockIdentity): StockIdentity => ({
  warehouseId: row.warehouseId,
  partnerId: row.partnerId,
  productId: row.productId,
  warehouseLocationId: row.warehouseLocationId,
  logisticUnitId: row.logisticUnitId,
  inventoryHoldId: row.inventoryHoldId,
  batch: row.batch,
  bestBeforeDate: row.bestBeforeDate,
  expiryDate: row.expiryDate,
  packagingDate: row.packagingDate,
  productionDate: row.productionDate,
  sellByDate: row.sellByDate,
  attributes: row.attributes,
  receivedDate: row.receivedDate,
})

type StoredRow = Omit<StockRow, 'onHand' | 'allocated' | 'available'> &
  Record<'onHandQuantity' | 'allocatedQuantity' | 'availableQuantity', number>

const columns = sql`p.id, p.warehouse_id, p.partner_id, p.product_id, p.warehouse_location_id,
  p.logistic_unit_id, p.inventory_hold_id, p.batch, p.best_before_date, p.expiry_date, p.packaging_date,
  p.production_date, p.sell_by_date, p.received_date, p.attributes, p.is_quarantined, p.on_hand_quantity,
  p.allocated_quantity, p.available_quantity, p.on_hand_weight_kg, p.on_hand_volume_m3,
  l.name as location_name, l.type as location_type, u.logistic_unit_number, d.code as product_code,
  d.serial_tracking_mode`

/** Reads the rows of an organisation that meet a condition on `warehouse_product p`, ordered by id. */
export async function readStockRows(db: Db, organisationId: string, where: Sql): Promise<StockRow[]> {
  const rows = await db.rows<StoredRow>(sql`
    select ${columns} from warehouse_product p
    join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where p.organisation_id = ${organisationId} and ${where} order by p.id`)
  return rows.map(({ onHandQuantity, allocatedQuantity, availableQuantity, ...row }) => ({
    ...row,
    onHand: scale(4, onHandQuantity),
    allocated: scale(4, allocatedQuantity),
    available: scale(4, availableQuantity),
  }))
}

/** Reads rows of an organisation by id. Ids without a row are missing from the map. */
export async function readStockRowsById(
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, StockRow>> {
  const rows = ids.length === 0 ? [] : await readStockRows(db, organisationId, sql`p.id = any(${ids})`)
  return new Map(rows.map(row => [row.id, row]))
}

/** Finds the products and warehouses of rows and of units, which must be locked before the rows are read. */
export const findLockTargets = (
  db: Db,
  organisationId: string,
  stock: { warehouseProductIds: readonly string[]; logisticUnitIds?: readonly string[] },
): Promise<{ warehouseId: string; productId: string }[]> =>
  db.rows(
    join(
      [
        sql`select warehouse_id, product_id from warehouse_product
          where organisation_id = ${organisationId} and id = any(${stock.warehouseProductIds})`,
        sql`select warehouse_id, product_id from warehouse_product
          where organisation_id = ${organisationId} and not is_depleted
            and logistic_unit_id = any(${stock.logisticUnitIds ?? []})`,
      ],
      ' union ',
    ),
  )
