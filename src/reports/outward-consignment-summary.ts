// Outward consignments: the expected and the dispatched quantities of each, and its tracking status. Spec
// 4.16.

import { empty, type Sql, sql } from '../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType, TrackingStatus } from '../vocabulary/consignments.ts'
import { JobStatus } from '../vocabulary/jobs.ts'
import { OutwardSummaryMode } from '../vocabulary/reports.ts'
import {
  count,
  enumeration,
  figures,
  instant,
  integer,
  localTime,
  nullableColumn,
  nullableColumns,
  quantity,
  text,
} from './columns.ts'
import {
  consigneeValues,
  consignmentColumns,
  consignmentConditions,
  consignmentJoins,
  consignmentValues,
  enteredInPeriod,
  inPeriod,
  lastTrackingJoin,
  overdueDays,
} from './consignment-lines.ts'
import { enumerationFilter, summaryFilters } from './filters.ts'
import { report } from './report.ts'

const { Complete, Closed, InTransit } = ConsignmentStatus
const { DateEntered, ActualDispatchDate, NotYetDispatched } = OutwardSummaryMode

const lineSums = sql`(
  select count(*) as line_count, sum(r.expected_quantity) as expected_quantity,
    sum(r.expected_weight_kg) as expected_weight_kg, sum(r.expected_volume_m3) as expected_volume_m3,
    coalesce(sum(r.dispatched_quantity), 0) as dispatched_quantity,
    coalesce(sum(r.dispatched_weight_kg), 0) as dispatched_weight_kg,
    coalesce(sum(r.dispatched_volume_m3), 0) as dispatched_volume_m3,
    coalesce(sum(greatest(0, r.expected_quantity - r.allocated_quantity - r.picked_quantity
      - r.dispatched_quantity)), 0) as short_quantity
  from consignment_product r where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

// A cancelled job counts if it was picked in part: the goods were moved by it.
const jobNumber = sql`(
  select j.job_number from job_consignment i
  join job j on j.organisation_id = i.organisation_id and j.id = i.job_id
  where i.organisation_id = c.organisation_id and i.consignment_id = c.id and (
    j.status <> ${JobStatus.Cancelled} or exists (
      select from inventory_transaction t where t.organisation_id = c.organisation_id
        and t.consignment_id = c.id and t.job_id = j.id))
  order by j.number desc limit 1)`

/** For each mode, the condition on its consignments and the date that the period restricts. */
const modes: Record<number, { condition: Sql; time: Sql }> = {
  [DateEntered]: { condition: empty, time: sql`c.date_entered` },
  [ActualDispatchDate]: {
    condition: sql`and c.actual_dispatch_date_time is not null`,
    time: sql`c.actual_dispatch_date_time`,
  },
  [NotYetDispatched]: {
    condition: sql`and c.status not in (${InTransit}, ${Complete}, ${Closed})`,
    time: sql`c.expected_dispatch_date_time`,
  },
}

export const outwardConsignmentSummary = report({
  name: 'outward-consignment-summary',
  title: 'Outward consignments',
  chapter: 'consignments',
  description:
    'The expected and the dispatched quantities of each outwards consignment, its tracking status, and the ' +
    'last job that was not cancelled or moved goods of it.',
  partners: 'all',
  filters: {
    ...summaryFilters,
    modeType: enumerationFilter(
      'Mode',
      OutwardSummaryMode,
      'Which consignments to list, and which of their dates the period restricts. Default 1.',
    ),
  },
  columns: {
    ...consignmentColumns,
    ...nullableColumns({
      consigneeName: text('Consignee', 26),
      consigneeCity: text('City', 16),
      consigneeState: text('State', 12),
      expectedDispatchDateTime: localTime('Expected dispatch'),
      actualDispatchDateTime: localTime('Dispatched at'),
      expectedDeliveryDateTime: localTime('Expected delivery'),
      deliveredUtc: instant('Delivered'),
      trackingStatus: enumeration('Tracking', TrackingStatus),
      trackingNumber: text('Tracking number', 18),
      jobNumber: text('Job', 12),
    }),
    lineCount: count('Lines'),
    ...nullableColumns(figures('expected', 'Expected')),
    ...figures('dispatched', 'Dispatched'),
    shortQuantity: quantity('Short'),
    overdueDays: nullableColumn(integer('Days overdue')),
  },
  rows: request => {
    const { modeType = DateEntered, ...filters } = request.filters
    const { condition, time } = modes[modeType] as { condition: Sql; time: Sql }
    const narrowedRequest = {
      actor: request.actor,
      filters: { ...filters, consignmentType: ConsignmentType.Outwards },
    }
    return sql`
      select ${consignmentValues}, ${consigneeValues}, c.expected_dispatch_date_time,
        c.actual_dispatch_date_time, c.expected_delivery_date_time, (
          select max(d.event_utc) from consignment_pod d
          where d.organisation_id = c.organisation_id and d.consignment_id = c.id
        ) as delivered_utc, x.status as tracking_status, x.tracking_number, ${jobNumber} as job_number, l.*,
        ${overdueDays(sql`c.expected_dispatch_date_time`, sql`c.actual_dispatch_date_time`)} as overdue_days,
        ${time} as mode_time
      from consignment c ${consignmentJoins} ${lastTrackingJoin} cross join lateral ${lineSums} l
      where ${consignmentConditions(narrowedRequest)} ${condition}
        ${modeType === DateEntered ? enteredInPeriod(narrowedRequest) : inPeriod(time, filters)}`
  },
  order: sql`mode_time nulls last, ordinal`,
})
