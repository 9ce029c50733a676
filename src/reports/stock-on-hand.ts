// Stock on hand by product, batch and expiry. Spec 2.18, 4.16.

import { sql } from '../platform/database/db.ts'
import { date, figures, nullableColumns, quantity, text } from './columns.ts'
import { booleanFilter, stockFilters } from './filters.ts'
import { report } from './report.ts'
import {
  clientColumns,
  clientValues,
  onHandSums,
  productColumns,
  productValues,
  stockGroupKeys,
  stockJoins,
  stockRows,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

export const stockOnHand = report({
  name: 'stock-on-hand',
  title: 'Stock on hand',
  chapter: 'stock',
  description: 'Stock on hand in each warehouse, by product, batch and expiry date.',
  partners: 'all',
  filters: {
    ...stockFilters,
    includeZeroQuantity: booleanFilter(
      'Include zero quantity',
      'Whether to include stock that is used up. Default false.',
    ),
  },
  columns: {
    ...warehouseColumns,
    ...clientColumns,
    ...productColumns,
    ...nullableColumns({ batch: text('Batch', 14), expiryDate: date('Expiry') }),
    ...figures('onHand', 'On hand'),
    availableQuantity: quantity('Available'),
    allocatedQuantity: quantity('Allocated'),
  },
  rows: request => {
    const includeDepleted = request.filters.includeZeroQuantity ?? false
    return sql`
      select ${warehouseValues}, ${clientValues}, ${productValues}, s.batch, s.expiry_date, ${onHandSums},
        sum(s.available_quantity) as available_quantity, sum(s.allocated_quantity) as allocated_quantity
      from ${stockRows(request, { includeDepleted })} s ${stockJoins}
      group by ${stockGroupKeys}, s.batch, s.expiry_date`
  },
  order: sql`warehouse_name, partner_name, partner_product_code, expiry_date nulls last, batch nulls last,
    partner_product_id, warehouse_id`,
})
