// Products due: lines of open consignments of which something is still to come or to go. Spec 4.16.

import { ConsignmentStatus, ConsignmentType } from '../consignments/enumerations.ts'
import { sql } from '../platform/database/db.ts'
import { figures, localTime, maybe, maybes, quantity, text, whole } from './columns.ts'
import {
  consignmentColumns,
  consignmentConditions,
  consignmentNames,
  consignmentValues,
  inPeriod,
  lineColumns,
  lineDescribedValues,
  lineProduct,
  lineProductValues,
  lineUnitValues,
  ofProduct,
  overdueDays,
  shareOf,
} from './consignment-lines.ts'
import { consignmentFilters } from './filters.ts'
import { report } from './report.ts'
import { describedColumns, unitColumns } from './stock.ts'

const { Inwards, Outwards } = ConsignmentType
const { Complete, Closed, InTransit } = ConsignmentStatus

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
    'Lines of open consignments of which something is still to come or to go; inwards unless another type ' +
    'is asked for. The dates are of the expected arrival or, for what goes out, of the expected dispatch.',
  partners: 'all',
  filters: consignmentFilters('Due'),
  columns: {
    ...consignmentColumns,
    dueDateTime: maybe(localTime('Due')),
    overdueDays: maybe(whole('Days overdue')),
    containerNumber: maybe(text('Container', 14)),
    ...lineColumns,
    ...describedColumns,
    ...unitColumns,
    ...maybes(figures('expected', 'Expected')),
    processedQuantity: quantity('Done'),
    ...maybes(figures('due', 'Due')),
  },
  rows: asked => {
    const { consignmentType = Inwards } = asked.filters
    const narrowed = { ...asked, filters: { ...asked.filters, consignmentType } }
    return sql`
      select ${consignmentValues}, ${dueTime} as due_date_time,
        ${overdueDays(dueTime, sql`null`)} as overdue_days, c.container_number,
        ${lineProductValues}, ${lineDescribedValues}, ${lineUnitValues}, r.expected_quantity,
        r.expected_weight_kg, r.expected_volume_m3, ${processed} as processed_quantity,
        ${due} as due_quantity, ${shareOf(sql`r.expected_weight_kg`, due, 4)} as due_weight_kg,
        ${shareOf(sql`r.expected_volume_m3`, due, 6)} as due_volume_m3, r.ordinal as line
      from consignment c ${consignmentNames}
      join consignment_product r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
      ${lineProduct}
      where ${consignmentConditions(narrowed)} and c.status not in (${Complete}, ${Closed}, ${InTransit})
        ${inPeriod(dueTime, asked.filters)} ${ofProduct(asked)} and ${due} > 0`
  },
  order: sql`due_date_time nulls last, ordinal, line`,
})
