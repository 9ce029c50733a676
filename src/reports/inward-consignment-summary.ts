// Inward consignments: what was expected of each, and what came. Spec 4.16.

import { ConsignmentStatus, ConsignmentType, ContainerSize } from '../consignments/enumerations.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import { count, enumeration, figures, localTime, maybe, maybes, quantity, text, whole } from './columns.ts'
import {
  consignmentColumns,
  consignmentConditions,
  consignmentNames,
  consignmentValues,
  enteredInPeriod,
  inPeriod,
  overdueDays,
} from './consignment-lines.ts'
import { InwardSummaryMode } from './enumerations.ts'
import { choice, summaryFilters } from './filters.ts'
import { report } from './report.ts'

const { Complete, Closed } = ConsignmentStatus
const { DateEntered, ActualReceivedDate, NotYetReceived } = InwardSummaryMode

/** What of the lines of `c` is held. */
const held = sql`(
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

/** Which consignments a mode has, and the time that its dates are about. */
const modes: Record<number, { which: Sql; time: Sql }> = {
  [DateEntered]: { which: empty, time: sql`c.date_entered` },
  [ActualReceivedDate]: {
    which: sql`and c.actual_receive_date_time is not null`,
    time: sql`c.actual_receive_date_time`,
  },
  [NotYetReceived]: {
    which: sql`and c.status not in (${Complete}, ${Closed})`,
    time: sql`c.expected_arrival_date_time`,
  },
}

export const inwardConsignmentSummary = report({
  name: 'inward-consignment-summary',
  title: 'Inward consignments',
  chapter: 'consignments',
  description: 'Inwards consignments: what was expected of each, and what came.',
  partners: 'all',
  filters: {
    ...summaryFilters,
    modeType: choice(
      'Mode',
      InwardSummaryMode,
      'Which consignments, and what the dates are about; default 1.',
    ),
  },
  columns: {
    ...consignmentColumns,
    ...maybes({
      containerNumber: text('Container', 14),
      containerSize: enumeration('Container size', ContainerSize),
      vesselName: text('Vessel', 20),
      expectedArrivalDateTime: localTime('Expected arrival'),
      actualReceiveDateTime: localTime('Received at'),
    }),
    lineCount: count('Lines'),
    ...maybes(figures('expected', 'Expected')),
    ...figures('received', 'Received'),
    differenceQuantity: maybe(quantity('Difference')),
    holdQuantity: quantity('Held'),
    overdueDays: maybe(whole('Days overdue')),
  },
  rows: asked => {
    const { modeType = DateEntered, ...filters } = asked.filters
    const { which, time } = modes[modeType] as { which: Sql; time: Sql }
    const narrowed = { actor: asked.actor, filters: { ...filters, consignmentType: ConsignmentType.Inwards } }
    return sql`
      select ${consignmentValues}, c.container_number, c.container_size,
        c.container_vessel_name as vessel_name, c.expected_arrival_date_time, c.actual_receive_date_time, l.*,
        ${held} as hold_quantity,
        ${overdueDays(sql`c.expected_arrival_date_time`, sql`c.actual_receive_date_time`)} as overdue_days,
        ${time} as of_mode
      from consignment c ${consignmentNames} cross join lateral ${lineSums} l
      where ${consignmentConditions(narrowed)} ${which}
        ${modeType === DateEntered ? enteredInPeriod(narrowed) : inPeriod(time, filters)}`
  },
  order: sql`of_mode nulls last, ordinal`,
})
