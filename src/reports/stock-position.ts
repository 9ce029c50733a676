// Stock position: what lies where, row by row. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { HoldKind } from '../stock/enumerations.ts'
import { date, enumeration, figures, flag, maybe, quantity, text, whole } from './columns.ts'
import { locationFilter, stockFilters, zoneFilter } from './filters.ts'
import { report } from './report.ts'
import {
  attributesColumn,
  attributesOf,
  clientColumns,
  clientValues,
  dayOfStock,
  describedColumns,
  describedValues,
  isCritical,
  locationColumns,
  locationValues,
  placeNames,
  productColumns,
  productValues,
  stock,
  stockNames,
  unitColumns,
  unitValues,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

export const stockPosition = report({
  name: 'stock-position',
  title: 'Stock position',
  chapter: 'stock',
  description: 'What lies in which location, on which logistic unit: a row for all that is alike.',
  partners: 'all',
  filters: { ...stockFilters, ...zoneFilter, ...locationFilter },
  columns: {
    ...warehouseColumns,
    ...locationColumns,
    ...unitColumns,
    ...clientColumns,
    ...productColumns,
    ...describedColumns,
    attributes: attributesColumn,
    receivedDate: date('Received'),
    receivedAgeDays: whole('Age in days'),
    isQuarantined: flag('Quarantined'),
    holdKind: maybe(enumeration('Hold', HoldKind)),
    holdReason: maybe(text('Hold reason', 24)),
    isCritical: flag('Critical'),
    ...figures('onHand', 'On hand'),
    availableQuantity: quantity('Available'),
    allocatedQuantity: quantity('Allocated'),
    heldQuantity: quantity('Held'),
  },
  rows: asked => sql`
    select ${warehouseValues}, ${locationValues}, ${unitValues}, ${clientValues}, ${productValues},
      ${describedValues}, ${attributesOf} as attributes, s.received_date,
      ${dayOfStock(asked)} - s.received_date as received_age_days, s.is_quarantined, h.kind as hold_kind,
      h.reason as hold_reason, ${isCritical(dayOfStock(asked))} as is_critical, s.on_hand_quantity,
      s.on_hand_weight_kg, s.on_hand_volume_m3, s.available_quantity, s.allocated_quantity,
      case when h.id is null then 0 else s.on_hand_quantity end as held_quantity, l.walking_order,
      s.id as row_id
    from ${stock(asked)} s ${stockNames} ${placeNames}
    left join inventory_hold h on h.organisation_id = s.organisation_id and h.id = s.inventory_hold_id`,
  order: sql`warehouse_name, walking_order nulls last, warehouse_location_name, partner_product_code, row_id`,
})
