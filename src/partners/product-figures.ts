// What is in stock of a product, for lists of products: all of it, and what is free. Spec 2.12.

import { empty, type Sql, sql } from '../platform/database/db.ts'
import { Type } from '../platform/http/schema.ts'

/** The fields that `Include=figures` adds to a product. */
export const productStockFields = {
  onHandQuantity: Type.Number({ description: 'How much of it is in stock.' }),
  availableQuantity: Type.Number({
    description: 'How much of that is free: not allocated, held or in quarantine.',
  }),
}

/** The figures of product `d` as columns, read only for the products of the page. */
export function productStockColumns(warehouseId: string | undefined): Sql {
  // By warehouse, as the indexes of what is in stock are: goods that are gone are not read.
  const stock = sql`from warehouse w join warehouse_product s on s.organisation_id = w.organisation_id
      and s.warehouse_id = w.id and s.product_id = d.id and not s.is_depleted
    where w.organisation_id = d.organisation_id
      ${warehouseId === undefined ? empty : sql`and w.id = ${warehouseId}`}`
  return sql`
    (select coalesce(sum(s.on_hand_quantity), 0) ${stock}) as on_hand_quantity,
    (select coalesce(sum(s.available_quantity), 0) ${stock}) as available_quantity`
}
