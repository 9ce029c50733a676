// Stock position: every row of stock, with its location. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { HoldKind } from '../vocabulary/stock.ts'
import { date, enumeration, figures, flag, integer, nullableColumn, quantity, text } from './columns.ts'
import { locationFilter, stockFilters, zoneFilter } from './filters.ts'
import { report } from './report.ts'
import {
  attributesColumn,
  attributesValue,
  batchAndDateColumns,
  batchAndDateValues,
  clientColumns,
  clientValues,
  isCritical,
  locationColumns,
  locationJoins,
  locationValues,
  productColumns,
  productValues,
  stockDay,
  stockJoins,
  stockRows,
  unitColumns,
  unitValues,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

export const stockPosition = report({
  name: 'stock-position',
  title: 'Stock position',
  chapter: 'stock',
  description: 'Stock by location and logistic unit: one row for all identical goods.',
  partners: 'all',
  filters: { ...stockFilters, ...zoneFilter, ...locationFilter },
  columns: {
    ...warehouseColumns,
    ...locationColumns,
    ...unitColumns,
    ...clientColumns,
    ...productColumns,
    ...batchAndDateColumns,
    attributes: attributesColumn,
    receivedDate: date('Received'),
    receivedAgeDays: integer('Age in days'),
    isQuarantined: flag('Quarantined'),
    holdKind: nullableColumn(enumeration('Hold', HoldKind)),
    holdReason: nullableColumn(text('Hold reason', 24)),
    isCritical: flag('Critical'),
    ...figures('onHand', 'On hand'),
    availableQuantity: quantity('Available'),
    allocatedQuantity: quantity('Allocated'),
    heldQuantity: quantity('Held'),
  },
  rows: request => sql`
    select ${warehouseValues}, ${locationValues}, ${unitValues}, ${clientValues}, ${productValues},
      ${batchAndDateValues}, ${attributesValue} as attributes, s.received_date,
      ${stockDay(request)} - s.received_date as received_age_days, s.is_quarantined, h.kind as hold_kind,
      h.reason as hold_reason, ${isCritical(stockDay(request))} as is_critical, s.on_hand_quantity,
      s.on_hand_weight_kg, s.on_hand_volume_m3, s.available_quantity, s.allocated_quantity,
      case when h.id is null then 0 else s.on_hand_quantity end as held_quantity, l.walking_order,
      s.id as row_id
    from ${stockRows(request)} s ${stockJoins} ${locationJoins}
    left join inventory_hold h on h.organisation_id = s.organisation_id and h.id = s.inventory_hold_id`,
  order: sql`warehouse_name, walking_order nulls last, warehouse_location_name, partner_product_code, row_id`,
})
