// What is in stock of products, for refusals: how much, and where.

import { type Db, type Sql, sql } from '../platform/database/db.ts'

const maxListed = 3

interface StockInWarehouse {
  quantity: number
  productCode: string
  warehouseCode: string
  locationName: string
  locationCount: number
}

/**
 * Describes the stock on hand that meets a condition on `warehouse_product p`, as the end of a sentence: `12
 * of APPLE are in AKL (A-01 and 2 more locations)`; null if there is none.
 */
export async function describeStockOnHand(
  db: Db,
  organisationId: string,
  condition: Sql,
): Promise<string | null> {
  const found = await db.rows<StockInWarehouse & { groups: number }>(sql`
    select sum(p.on_hand_quantity) as quantity, d.code as product_code, w.code as warehouse_code,
      min(l.name) as location_name, count(distinct l.id) as location_count, count(*) over () as groups
    from warehouse_product p
    join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
    join warehouse w on w.organisation_id = p.organisation_id and w.id = p.warehouse_id
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    where p.organisation_id = ${organisationId} and not p.is_depleted and ${condition}
    group by d.id, d.code, w.id, w.code order by d.code, w.code limit ${maxListed}`)
  const [first] = found
  if (first === undefined) return null
  const more = first.groups > found.length ? [`more of ${first.groups - found.length} other kinds`] : []
  const parts = [...found.map(describe), ...more]
  const verb = first.quantity === 1 && parts.length === 1 ? 'is' : 'are'
  return `${parts.join(', ')} ${verb} in stock`
}

const describe = ({
  quantity,
  productCode,
  warehouseCode,
  locationName,
  locationCount,
}: StockInWarehouse) => {
  const others = locationCount - 1
  const more = others === 0 ? '' : ` and ${others} more location${others === 1 ? '' : 's'}`
  return `${quantity} of ${productCode} (${warehouseCode}, ${locationName}${more})`
}
