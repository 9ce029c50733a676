// Outward consignments: what was expected of each, what left, and how far it has come. Spec 4.16.

import { ConsignmentStatus, ConsignmentType, TrackingStatus } from '../consignments/enumerations.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import {
  count,
  enumeration,
  figures,
  instant,
  localTime,
  maybe,
  maybes,
  quantity,
  text,
  whole,
} from './columns.ts'
import {
  consigneeValues,
  consignmentColumns,
  consignmentConditions,
  consignmentNames,
  consignmentValues,
  enteredInPeriod,
  inPeriod,
  lastTracking,
  overdueDays,
} from './consignment-lines.ts'
import { OutwardSummaryMode } from './enumerations.ts'
import { choice, summaryFilters } from './filters.ts'
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

/** Which consignments a mode has, and the time that its dates are about. */
const modes: Record<number, { which: Sql; time: Sql }> = {
  [DateEntered]: { which: empty, time: sql`c.date_entered` },
  [ActualDispatchDate]: {
    which: sql`and c.actual_dispatch_date_time is not null`,
    time: sql`c.actual_dispatch_date_time`,
  },
  [NotYetDispatched]: {
    which: sql`and c.status not in (${InTransit}, ${Complete}, ${Closed})`,
    time: sql`c.expected_dispatch_date_time`,
  },
}

export const outwardConsignmentSummary = report({
  name: 'outward-consignment-summary',
  title: 'Outward consignments',
  chapter: 'consignments',
  description: 'Outwards consignments: what was expected of each, what left, and how far it has come.',
  partners: 'all',
  filters: {
    ...summaryFilters,
    modeType: choice(
      'Mode',
      OutwardSummaryMode,
      'Which consignments, and what the dates are about; default 1.',
    ),
  },
  columns: {
    ...consignmentColumns,
    ...maybes({
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
    ...maybes(figures('expected', 'Expected')),
    ...figures('dispatched', 'Dispatched'),
    shortQuantity: quantity('Short'),
    overdueDays: maybe(whole('Days overdue')),
  },
  rows: asked => {
    const { modeType = DateEntered, ...filters } = asked.filters
    const { which, time } = modes[modeType] as { which: Sql; time: Sql }
    const narrowed = {
      actor: asked.actor,
      filters: { ...filters, consignmentType: ConsignmentType.Outwards },
    }
    return sql`
      select ${consignmentValues}, ${consigneeValues}, c.expected_dispatch_date_time,
        c.actual_dispatch_date_time, c.expected_delivery_date_time, (
          select max(d.event_utc) from consignment_pod d
          where d.organisation_id = c.organisation_id and d.consignment_id = c.id
        ) as delivered_utc, x.status as tracking_status, x.tracking_number, (
          select j.job_number from job_consignment i
          join job j on j.organisation_id = i.organisation_id and j.id = i.job_id
          where i.organisation_id = c.organisation_id and i.consignment_id = c.id
          order by j.number desc limit 1
        ) as job_number, l.*,
        ${overdueDays(sql`c.expected_dispatch_date_time`, sql`c.actual_dispatch_date_time`)} as overdue_days,
        ${time} as of_mode
      from consignment c ${consignmentNames} ${lastTracking} cross join lateral ${lineSums} l
      where ${consignmentConditions(narrowed)} ${which}
        ${modeType === DateEntered ? enteredInPeriod(narrowed) : inPeriod(time, filters)}`
  },
  order: sql`of_mode nulls last, ordinal`,
})
