// Products due: lines of open consignments that are not fully received or dispatched. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { figures, integer, localTime, nullableColumn, nullableColumns, quantity, text } from './columns.ts'
import {
  consignmentColumns,
  consignmentConditions,
  consignmentJoins,
  consignmentValues,
  inPeriod,
  lineBatchAndDateValues,
  lineColumns,
  lineProductJoin,
  lineProductValues,
  lineUnitValues,
  ofProduct,
  overdueDays,
  shareOf,
} from './consignment-lines.ts'
import { consignmentFilters } from './filters.ts'
import { report } from './report.ts'
import { batchAndDateColumns, unitColumns } from './stock.ts'

const { Inwards, Outwards } = ConsignmentType
const { Void, Complete, Closed, InTransit } = ConsignmentStatus

const processed = sql`case c.type when ${Inwards} then r.received_quantity
  when ${Outwards} then r.dispatched_quantity else 0 end`
const due = sql`(r.expected_quantity - ${processed})`
const dueTime = sql`case c.type when ${Inwards} then c.expected_arrival_date_time
  else c.expected_dispatch_date_time end`

export const consignmentProductDue = report({
  name: 'consignment-product-due',
  title: 'Products due',
  chapter: 'consignments',
  description:
    'Lines of open consignments that are not fully received or dispatched; of inwards consignments unless ' +
    'another type is asked for. The dates are those of the expected arrival, or of the expected ' +
    'dispatch for other types.',
  partners: 'all',
  filters: consignmentFilters('Due'),
  columns: {
    ...consignmentColumns,
    dueDateTime: nullableColumn(localTime('Due at')),
    overdueDays: nullableColumn(integer('Days overdue')),
    containerNumber: nullableColumn(text('Container', 14)),
    ...lineColumns,
    ...batchAndDateColumns,
    ...unitColumns,
    ...nullableColumns(figures('expected', 'Expected')),
    processedQuantity: quantity('Done'),
    ...nullableColumns(figures('due', 'Due')),
  },
  rows: request => {
    const { consignmentType = Inwards } = request.filters
    const narrowedRequest = { ...request, filters: { ...request.filters, consignmentType } }
    return sql`
      select ${consignmentValues}, ${dueTime} as due_date_time,
        ${overdueDays(dueTime, sql`null`)} as overdue_days, c.container_number,
        ${lineProductValues}, ${lineBatchAndDateValues}, ${lineUnitValues}, r.expected_quantity,
        r.expected_weight_kg, r.expected_volume_m3, ${processed} as processed_quantity,
        ${due} as due_quantity, ${shareOf(sql`r.expected_weight_kg`, due, 4)} as due_weight_kg,
        ${shareOf(sql`r.expected_volume_m3`, due, 6)} as due_volume_m3, r.ordinal as line
      from consignment c ${consignmentJoins}
      join consignment_product r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
      ${lineProductJoin}
      where ${consignmentConditions(narrowedRequest)}
        and c.status not in (${Void}, ${Complete}, ${Closed}, ${InTransit})
        ${inPeriod(dueTime, request.filters)} ${ofProduct(sql`r.product_id`, request)} and ${due} > 0`
  },
  order: sql`due_date_time nulls last, ordinal, line`,
})
