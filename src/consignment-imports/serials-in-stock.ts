// Looks up in one query which serials of inwards imports are already in stock. Decision 5.

import { type Db, sql } from '../platform/database/db.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { SerialTrackingMode } from '../vocabulary/partners.ts'
import type { ImportRequest } from './import-request.ts'

export type SerialStockCheck = (productId: string, serial: string) => boolean

/** Finds the serials of inwards imports that are already in stock, and so cannot be received again. */
export async function findSerialsInStock<Import extends { request: ImportRequest }>(
  db: Db,
  organisationId: string,
  imports: readonly Import[],
  productOf: (pending: Import, code: string) => { id: string; serialTrackingMode: number } | undefined,
): Promise<SerialStockCheck> {
  const productIds: string[] = []
  const serials: string[] = []
  for (const pending of imports) {
    if (pending.request.consignmentType !== ConsignmentType.Inwards) continue
    for (const { productCode, items } of pending.request.products) {
      const product = productOf(pending, productCode)
      if (product?.serialTrackingMode !== SerialTrackingMode.FullCapture) continue
      for (const { serial } of items) {
        if (!serial) continue
        productIds.push(product.id)
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
  const inStock = new Set(found.map(({ productId, serial }) => `${productId} ${serial}`))
  return (productId, serial) => inStock.has(`${productId} ${serial}`)
}
