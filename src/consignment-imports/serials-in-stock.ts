// The serials of inwards imports that are in stock already, looked up in one query. Open-points 5.

import { ConsignmentType } from '../consignments/enumerations.ts'
import { SerialTrackingMode } from '../partners/enumerations.ts'
import { type Db, sql } from '../platform/database/db.ts'
import type { ImportRequest } from './import-request.ts'

/** Whether a serial of a product is in stock. */
export type SerialStockCheck = (productId: string, serial: string) => boolean

/** Finds those of the serials that inwards imports announce which are in stock, and cannot come in again. */
export async function serialsInStock<Import extends { request: ImportRequest }>(
  db: Db,
  organisationId: string,
  imports: readonly Import[],
  productOf: (one: Import, code: string) => { id: string; serialTrackingMode: number } | undefined,
): Promise<SerialStockCheck> {
  const productIds: string[] = []
  const serials: string[] = []
  for (const one of imports) {
    if (one.request.consignmentType !== ConsignmentType.Inwards) continue
    for (const { productCode, items } of one.request.products) {
      const found = productOf(one, productCode)
      if (found?.serialTrackingMode !== SerialTrackingMode.FullCapture) continue
      for (const { serial } of items) {
        if (!serial) continue
        productIds.push(found.id)
        serials.push(serial)
      }
    }
  }
  if (serials.length === 0) return () => false
  const found = await db.rows<{ productId: string; serial: string }>(sql`
    select i.product_id, i.serial
    from unnest(${productIds}::uuid[], ${serials}::text[]) as g (product_id, serial)
    join warehouse_product_item i on i.organisation_id = ${organisationId} and i.product_id = g.product_id
      and i.serial = g.serial and i.warehouse_product_id is not null`)
  const known = new Set(found.map(({ productId, serial }) => `${productId} ${serial}`))
  return (productId, serial) => known.has(`${productId} ${serial}`)
}
