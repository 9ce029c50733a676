// Stock summary: the stock of each client in each warehouse. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { count, figures, quantity } from './columns.ts'
import { stockFilters } from './filters.ts'
import { report } from './report.ts'
import {
  clientColumns,
  clientValues,
  isCritical,
  onHandSums,
  stockDay,
  stockJoins,
  stockRows,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

export const stockSummary = report({
  name: 'stock-summary',
  title: 'Stock summary',
  chapter: 'stock',
  description:
    'The stock of each client in each warehouse, and how much of it is allocated, held or critical.',
  partners: 'all',
  filters: stockFilters,
  columns: {
    ...warehouseColumns,
    ...clientColumns,
    productCount: count('Products'),
    logisticUnitCount: count('Logistic units'),
    locationCount: count('Locations'),
    ...figures('onHand', 'On hand'),
    availableQuantity: quantity('Available'),
    allocatedQuantity: quantity('Allocated'),
    heldQuantity: quantity('Held'),
    quarantinedQuantity: quantity('Quarantined'),
    criticalQuantity: quantity('Critical'),
  },
  rows: request => sql`
    select ${warehouseValues}, ${clientValues}, count(distinct s.product_id) as product_count,
      count(distinct s.logistic_unit_id) as logistic_unit_count,
      count(distinct s.warehouse_location_id) as location_count, ${onHandSums},
      sum(s.available_quantity) as available_quantity, sum(s.allocated_quantity) as allocated_quantity,
      coalesce(sum(s.on_hand_quantity) filter (where s.inventory_hold_id is not null), 0) as held_quantity,
      coalesce(sum(s.on_hand_quantity) filter (where s.is_quarantined), 0) as quarantined_quantity,
      coalesce(sum(s.on_hand_quantity) filter (where ${isCritical(stockDay(request))}), 0)
        as critical_quantity
    from ${stockRows(request)} s ${stockJoins}
    group by w.organisation_id, w.id, p.organisation_id, p.id`,
  order: sql`warehouse_name, partner_name, partner_id, warehouse_id`,
})
