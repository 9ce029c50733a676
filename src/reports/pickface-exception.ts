// Pickface exceptions: faults of pickfaces. Spec 4.16, 2.13.

import { sql } from '../platform/database/db.ts'
import { PickfaceExceptionType } from '../vocabulary/reports.ts'
import { enumeration, nullableColumn, nullableColumns, quantity, text } from './columns.ts'
import { equal } from './conditions.ts'
import { warehouseFilter, zoneFilter } from './filters.ts'
import { pickfaces } from './pickfaces.ts'
import { report } from './report.ts'
import {
  clientColumns,
  clientValues,
  locationColumns,
  locationValues,
  productColumns,
  productValues,
  warehouseColumns,
  warehouseValues,
} from './stock.ts'

const type = PickfaceExceptionType

/** Every fault, and whether pickface `l` has it. */
const faults = sql`(values
  (${type.NoProduct}::smallint, l.product_id is null),
  (${type.Empty}, h.any_quantity = 0),
  (${type.BelowMin}, h.any_quantity > 0 and h.available_quantity < l.min_quantity),
  (${type.OtherProduct}, l.product_id is not null and h.found_product_code is not null),
  (${type.SeveralProducts}, h.product_count > 1),
  (${type.NothingAvailable}, h.any_quantity > 0 and h.usable_quantity = 0),
  (${type.NoTarget}, l.product_id is not null and l.target_quantity is null)) f (exception_type, is_present)`

export const pickfaceException = report({
  name: 'pickface-exception',
  title: 'Pickface exceptions',
  chapter: 'operations',
  description:
    'The faults of pickfaces, one row for each fault. An empty pickface is not also reported as below its ' +
    'minimum, nor one without a product as lacking a target.',
  partners: 'none',
  filters: { ...warehouseFilter, ...zoneFilter },
  columns: {
    ...warehouseColumns,
    ...locationColumns,
    exceptionType: enumeration('Fault', PickfaceExceptionType),
    ...nullableColumns({ ...clientColumns, ...productColumns }),
    foundProductCode: nullableColumn(text('Found product', 18)),
    ...nullableColumns({ minQuantity: quantity('Min'), targetQuantity: quantity('Target') }),
    onHandQuantity: quantity('On hand'),
    availableQuantity: quantity('Available'),
    elsewhereQuantity: quantity('Elsewhere'),
  },
  rows: ({ actor, filters }) => sql`
    select ${warehouseValues}, ${locationValues}, f.exception_type, ${clientValues}, ${productValues},
      h.found_product_code, l.min_quantity, l.target_quantity, h.on_hand_quantity, h.available_quantity, (
        select coalesce(sum(e.available_quantity), 0) from warehouse_product e
        where e.organisation_id = l.organisation_id and e.warehouse_id = l.warehouse_id
          and e.product_id = l.product_id and e.warehouse_location_id <> l.id and not e.is_depleted
      ) as elsewhere_quantity, l.walking_order
    from ${pickfaces(actor.organisationId)} cross join lateral ${faults}
    where f.is_present ${equal(sql`l.warehouse_id`, filters.warehouseId)}
      ${equal(sql`l.warehouse_zone_id`, filters.warehouseZoneId)}`,
  order: sql`walking_order nulls last, warehouse_location_name, warehouse_location_id, exception_type`,
})
