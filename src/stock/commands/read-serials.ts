// The serials in rows of stock. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'

export interface SerialInRow {
  id: string
  warehouseProductId: string
  serial: string
  /** the number of the consignment that it is allocated to by name */
  allocatedTo: string | null
  /** its own weight and volume, where they are known */
  weightKG: number | null
  volumeM3: number | null
}

/** Reads the serials in rows, in order, and returns them by row. Call it under the stock lock. */
export async function readSerialsByRow(
  db: Db,
  organisationId: string,
  warehouseProductIds: readonly string[],
): Promise<(warehouseProductId: string) => readonly SerialInRow[]> {
  const rows = await db.rows<SerialInRow>(sql`
    select i.id, i.warehouse_product_id, i.serial, c.consignment_number as allocated_to,
      i.weight_kg, i.volume_m3
    from warehouse_product_item i
    left join inventory_allocation a on a.organisation_id = i.organisation_id
      and a.warehouse_product_item_id = i.id
    left join consignment c on c.organisation_id = a.organisation_id and c.id = a.consignment_id
    where i.organisation_id = ${organisationId} and i.warehouse_product_id = any(${warehouseProductIds})
    order by i.warehouse_product_id, i.serial`)
  const byRow = Map.groupBy(rows, ({ warehouseProductId }) => warehouseProductId)
  return id => byRow.get(id) ?? []
}
