// Inward consignments: the expected and the received quantities of each. Spec 4.16.

import { empty, type Sql, sql } from '../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType, ContainerSize } from '../vocabulary/consignments.ts'
import { InwardSummaryMode } from '../vocabulary/reports.ts'
import {
  count,
  enumeration,
  figures,
  integer,
  localTime,
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
  inPeriod,
  overdueDays,
} from './consignment-lines.ts'
import { enumerationFilter, summaryFilters } from './filters.ts'
import { report } from './report.ts'

const { Complete, Closed } = ConsignmentStatus
const { DateEntered, ActualReceivedDate, NotYetReceived } = InwardSummaryMode

/** The quantity on hold from the lines of `c`. */
const heldQuantity = sql`(
  select coalesce(sum(s.on_hand_quantity), 0)
  from consignment_product r
  join inventory_hold h on h.organisation_id = r.organisation_id and h.consignment_product_id = r.id
    and h.released_utc is null
  join warehouse_product s on s.organisation_id = h.organisation_id and s.inventory_hold_id = h.id
    and not s.is_depleted
  where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

const lineSums = sql`(
  select count(*) as line_count, sum(r.expected_quantity) as expected_quantity,
    sum(r.expected_weight_kg) as expected_weight_kg, sum(r.expected_volume_m3) as expected_volume_m3,
    coalesce(sum(r.received_quantity), 0) as received_quantity,
    coalesce(sum(r.received_weight_kg), 0) as received_weight_kg,
    coalesce(sum(r.received_volume_m3), 0) as received_volume_m3,
    sum(r.received_quantity - r.expected_quantity) as difference_quantity
  from consignment_product r where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

/** For each mode, the condition on its consignments and the date that the period restricts. */
const modes: Record<number, { condition: Sql; time: Sql }> = {
  [DateEntered]: { condition: empty, time: sql`c.date_entered` },
  [ActualReceivedDate]: {
    condition: sql`and c.actual_receive_date_time is not null`,
    time: sql`c.actual_receive_date_time`,
  },
  [NotYetReceived]: {
    condition: sql`and c.status not in (${Complete}, ${Closed})`,
    time: sql`c.expected_arrival_date_time`,
  },
}

export const inwardConsignmentSummary = report({
  name: 'inward-consignment-summary',
  title: 'Inward consignments',
  chapter: 'consignments',
  description: 'The expected and the received quantities of each inwards consignment.',
  partners: 'all',
  filters: {
    ...summaryFilters,
    modeType: enumerationFilter(
      'Mode',
      InwardSummaryMode,
      'Which consignments to list, and which of their dates the period restricts. Default 1.',
    ),
  },
  columns: {
    ...consignmentColumns,
    ...nullableColumns({
      containerNumber: text('Container', 14),
      containerSize: enumeration('Container size', ContainerSize),
      vesselName: text('Vessel', 20),
      expectedArrivalDateTime: localTime('Expected arrival'),
      actualReceiveDateTime: localTime('Received at'),
    }),
    lineCount: count('Lines'),
    ...nullableColumns(figures('expected', 'Expected')),
    ...figures('received', 'Received'),
    differenceQuantity: nullableColumn(quantity('Difference')),
    holdQuantity: quantity('Held'),
    overdueDays: nullableColumn(integer('Days overdue')),
  },
  rows: request => {
    const { modeType = DateEntered, ...filters } = request.filters
    const { condition, time } = modes[modeType] as { condition: Sql; time: Sql }
    const narrowedRequest = {
      actor: request.actor,
      filters: { ...filters, consignmentType: ConsignmentType.Inwards },
    }
    return sql`
      select ${consignmentValues}, c.container_number, c.container_size,
        c.container_vessel_name as vessel_name, c.expected_arrival_date_time, c.actual_receive_date_time, l.*,
        ${heldQuantity} as hold_quantity,
        ${overdueDays(sql`c.expected_arrival_date_time`, sql`c.actual_receive_date_time`)} as overdue_days,
        ${time} as mode_time
      from consignment c ${consignmentJoins} cross join lateral ${lineSums} l
      where ${consignmentConditions(narrowedRequest)} ${condition}
        ${modeType === DateEntered ? enteredInPeriod(narrowedRequest) : inPeriod(time, filters)}`
  },
  order: sql`mode_time nulls last, ordinal`,
})
