// Consignment products: every line, with what was expected of it and what came of that. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { CriticalStockStatus } from '../stock/enumerations.ts'
import { count, enumeration, figures, maybe, maybes, quantity, text, whole } from './columns.ts'
import {
  consignmentColumns,
  consignmentConditions,
  consignmentNames,
  consignmentValues,
  enteredInPeriod,
  lineColumns,
  lineDescribedValues,
  lineProduct,
  lineProductValues,
  lineUnitValues,
  ofProduct,
  shortOf,
} from './consignment-lines.ts'
import { consignmentFilters } from './filters.ts'
import { report } from './report.ts'
import { describedColumns, unitColumns } from './stock.ts'

export const consignmentProductDetail = report({
  name: 'consignment-product-detail',
  title: 'Consignment products',
  chapter: 'consignments',
  description: 'Every line of consignments, with what was expected of it and what came of that.',
  partners: 'all',
  filters: consignmentFilters(),
  columns: {
    ...consignmentColumns,
    lineNumber: whole('Line'),
    ...lineColumns,
    goodsDescription: maybe(text('Goods', 30)),
    ...describedColumns,
    packageTypeCode: maybe(text('Package', 10)),
    ...unitColumns,
    criticalStockStatus: maybe(enumeration('Critical stock', CriticalStockStatus)),
    ...maybes(figures('expected', 'Expected')),
    allocatedQuantity: quantity('Allocated'),
    pickedQuantity: quantity('Picked'),
    ...figures('received', 'Received'),
    ...figures('dispatched', 'Dispatched'),
    shortQuantity: maybe(quantity('Short')),
    serialCount: count('Serials'),
  },
  rows: asked => sql`
    select ${consignmentValues}, r.ordinal + 1 as line_number, ${lineProductValues}, r.goods_description,
      ${lineDescribedValues}, g.code as package_type_code, ${lineUnitValues}, r.critical_stock_status,
      r.expected_quantity, r.expected_weight_kg, r.expected_volume_m3, r.allocated_quantity,
      r.picked_quantity, r.received_quantity, r.received_weight_kg, r.received_volume_m3,
      r.dispatched_quantity, r.dispatched_weight_kg, r.dispatched_volume_m3, ${shortOf} as short_quantity, (
        select count(i.serial) from consignment_product_item i
        where i.organisation_id = r.organisation_id and i.consignment_product_id = r.id
      ) as serial_count
    from consignment c ${consignmentNames}
    join consignment_product r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
    ${lineProduct}
    left join package_type g on g.organisation_id = r.organisation_id and g.id = r.package_type_id
    where ${consignmentConditions(asked)} ${enteredInPeriod(asked)} ${ofProduct(asked)}`,
  order: sql`date_entered, ordinal, line_number`,
})
