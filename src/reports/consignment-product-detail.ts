// Consignment products: every line of consignments, with its expected and its processed quantities. Spec
// 4.16.

import { figures as actualFigures } from '../billing/charges/read-billable-consignments.ts'
import { sql } from '../platform/database/db.ts'
import { CriticalStockStatus } from '../vocabulary/stock.ts'
import {
  count,
  enumeration,
  figures,
  integer,
  nullableColumn,
  nullableColumns,
  quantity,
  text,
} from './columns.ts'
import {
  consignmentColumns,
  consignmentConditions,
  consignmentJoins,
  consignmentValues,
  enteredInPeriod,
  lineBatchAndDateValues,
  lineColumns,
  lineProductJoin,
  lineProductValues,
  lineUnitValues,
  ofProduct,
  shortQuantity,
} from './consignment-lines.ts'
import { consignmentFilters } from './filters.ts'
import { report } from './report.ts'
import { batchAndDateColumns, unitColumns } from './stock.ts'

/** The number of serials of line `r` that came or left; null before that. */
const movedSerials = sql`(
  select case when f.takes_actual then (
    select count(*)
    from (
      select from inventory_transaction t
      join inventory_transaction_item x on x.organisation_id = t.organisation_id
        and x.warehouse_product_id = t.warehouse_product_id and x.version = t.version
      where t.organisation_id = r.organisation_id and t.consignment_id = r.consignment_id
        and t.consignment_product_id = r.id and t.type = f.movement_type
      group by x.warehouse_product_item_id having sum(f.sign * sign(t.quantity)) > 0
    ) i
  ) end
  from (${actualFigures}) f)`

export const consignmentProductDetail = report({
  name: 'consignment-product-detail',
  title: 'Consignment products',
  chapter: 'consignments',
  description:
    'Every line of consignments, with its expected and its processed quantities. serialCount counts the ' +
    'serials of the order or, once goods came or left, theirs.',
  partners: 'all',
  filters: consignmentFilters(),
  columns: {
    ...consignmentColumns,
    lineNumber: integer('Line'),
    ...lineColumns,
    goodsDescription: nullableColumn(text('Goods', 30)),
    ...batchAndDateColumns,
    packageTypeCode: nullableColumn(text('Package', 10)),
    ...unitColumns,
    criticalStockStatus: nullableColumn(enumeration('Critical stock', CriticalStockStatus)),
    ...nullableColumns(figures('expected', 'Expected')),
    allocatedQuantity: quantity('Allocated'),
    pickedQuantity: quantity('Picked'),
    ...figures('received', 'Received'),
    ...figures('dispatched', 'Dispatched'),
    shortQuantity: nullableColumn(quantity('Short')),
    serialCount: count('Serials'),
  },
  rows: request => sql`
    select ${consignmentValues}, r.ordinal + 1 as line_number, ${lineProductValues}, r.goods_description,
      ${lineBatchAndDateValues}, g.code as package_type_code, ${lineUnitValues}, r.critical_stock_status,
      r.expected_quantity, r.expected_weight_kg, r.expected_volume_m3, r.allocated_quantity,
      r.picked_quantity, r.received_quantity, r.received_weight_kg, r.received_volume_m3,
      r.dispatched_quantity, r.dispatched_weight_kg, r.dispatched_volume_m3,
      ${shortQuantity} as short_quantity, coalesce(${movedSerials}, (
        select count(i.serial) from consignment_product_item i
        where i.organisation_id = r.organisation_id and i.consignment_product_id = r.id
      )) as serial_count
    from consignment c ${consignmentJoins}
    join consignment_product r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
    ${lineProductJoin}
    left join package_type g on g.organisation_id = r.organisation_id and g.id = r.package_type_id
    where ${consignmentConditions(request)} ${enteredInPeriod(request)}
      ${ofProduct(sql`r.product_id`, request)}`,
  order: sql`date_entered, ordinal, line_number`,
})
