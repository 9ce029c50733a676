// Stock on hand: what is there, by batch and expiry. Spec 2.18, 4.16.

import { sql } from '../platform/database/db.ts'
import { date, figures, maybes, quantity, text } from './columns.ts'
import { stockFilters, yesOrNo } from './filters.ts'
import { report } from './report.ts'
import {
  clientColumns,
  clientValues,
  onHandSums,
  productColumns,
  productValues,
  stock,
  stockKeys,
  stockNames,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

export const stockOnHand = report({
  name: 'stock-on-hand',
  title: 'Stock on hand',
  chapter: 'stock',
  description: 'What is there, by product, batch and expiry in each warehouse.',
  partners: 'all',
  filters: {
    ...stockFilters,
    includeZeroQuantity: yesOrNo(
      'Include what is used up',
      'Also what was there and is not any more; default false.',
    ),
  },
  columns: {
    ...warehouseColumns,
    ...clientColumns,
    ...productColumns,
    ...maybes({ batch: text('Batch', 14), expiryDate: date('Expiry') }),
    ...figures('onHand', 'On hand'),
    availableQuantity: quantity('Available'),
    allocatedQuantity: quantity('Allocated'),
  },
  rows: asked => sql`
    select ${warehouseValues}, ${clientValues}, ${productValues}, s.batch, s.expiry_date, ${onHandSums},
      sum(s.available_quantity) as available_quantity, sum(s.allocated_quantity) as allocated_quantity
    from ${stock(asked, { withDepleted: asked.filters.includeZeroQuantity ?? false })} s ${stockNames}
    group by ${stockKeys}, s.batch, s.expiry_date`,
  order: sql`warehouse_name, partner_name, partner_product_code, expiry_date nulls last, batch nulls last,
    partner_product_id, warehouse_id`,
})
