// Consignment metrics: how much of each consignment was expected, allocated, picked, received and dispatched,
// and when. Spec 4.16.

import { figures as actualFigures } from '../billing/charges/read-billable-consignments.ts'
import { raw, type Sql, sql } from '../platform/database/db.ts'
import { countedRowId } from '../stock/ledger/counted-row.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { count, figures, flag, localTime, nullableColumn, nullableColumns } from './columns.ts'
import {
  consignmentColumns,
  consignmentConditions,
  consignmentJoins,
  consignmentValues,
  enteredInPeriod,
  hasProduct,
  shareOf,
  shortQuantity,
} from './consignment-lines.ts'
import { consignmentFilters } from './filters.ts'
import { report } from './report.ts'

/**
 * The weight or volume of the stock allocated to consignment `c`, either picked or not picked: the share of
 * each allocation in its row of stock.
 */
const allocatedFigure = (isPicked: boolean, figure: string, places: number): Sql => sql`coalesce((
  select sum(round(${raw(`s.on_hand_${figure}`)} * a.quantity / s.on_hand_quantity, ${places}))
  from inventory_allocation a
  join warehouse_product s on s.organisation_id = a.organisation_id and s.id = a.warehouse_product_id
  where a.organisation_id = c.organisation_id and a.consignment_id = c.id and a.is_picked = ${isPicked}
    and s.on_hand_quantity > 0), 0)`

/** Whether something was done when it was due. A due time of midnight is the whole day. */
const isInTime = (done: string, due: string): Sql => sql`case when ${raw(due)}::time = '00:00'
  then ${raw(done)}::date <= ${raw(due)}::date else ${raw(done)} <= ${raw(due)} end`

/** The number of logistic units on which the goods of consignment `c` came or left; null before that. */
const movedUnits = sql`(
  select case when f.takes_actual then (
    select count(distinct u.logistic_unit_id)
    from (
      select s.logistic_unit_id
      from inventory_transaction t
      join warehouse_product s on s.organisation_id = t.organisation_id and s.id = ${countedRowId}
      where t.organisation_id = c.organisation_id and t.consignment_id = c.id and t.type = f.movement_type
      group by t.consignment_product_id, s.logistic_unit_id having sum(f.sign * t.quantity) > 0
    ) u
  ) end
  from (${actualFigures}) f)`

const lineSums = sql`(
  select count(*) as line_count,
    coalesce(${movedUnits}, count(distinct coalesce(nullif(r.logistic_unit_sscc_number, ''),
      nullif(r.logistic_unit_reference_number, '')))) as logistic_unit_count,
    sum(r.expected_quantity) as expected_quantity, sum(r.expected_weight_kg) as expected_weight_kg,
    sum(r.expected_volume_m3) as expected_volume_m3, sum(r.allocated_quantity) as allocated_quantity,
    sum(r.picked_quantity) as picked_quantity, sum(r.received_quantity) as received_quantity,
    sum(r.received_weight_kg) as received_weight_kg, sum(r.received_volume_m3) as received_volume_m3,
    sum(r.dispatched_quantity) as dispatched_quantity, sum(r.dispatched_weight_kg) as dispatched_weight_kg,
    sum(r.dispatched_volume_m3) as dispatched_volume_m3, sum(${shortQuantity}) as short_quantity,
    sum(${shareOf(sql`r.expected_weight_kg`, shortQuantity, 4)}) as short_weight_kg,
    sum(${shareOf(sql`r.expected_volume_m3`, shortQuantity, 6)}) as short_volume_m3
  from consignment_product r where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

export const consignmentMetrics = report({
  name: 'consignment-metrics',
  title: 'Consignment metrics',
  chapter: 'consignments',
  description:
    'How much of each consignment was expected, allocated, picked, received and dispatched, and when. ' +
    'logisticUnitCount counts the announced units or, once goods came or left, theirs. ' +
    'isOnTime compares receipt or dispatch with the expected time; midnight means the whole day.',
  partners: 'all',
  filters: consignmentFilters(),
  columns: {
    ...consignmentColumns,
    lineCount: count('Lines'),
    logisticUnitCount: count('Logistic units'),
    ...nullableColumns(figures('expected', 'Expected')),
    ...nullableColumns(figures('allocated', 'Allocated')),
    ...nullableColumns(figures('picked', 'Picked')),
    ...nullableColumns(figures('received', 'Received')),
    ...nullableColumns(figures('dispatched', 'Dispatched')),
    ...nullableColumns(figures('short', 'Short')),
    ...nullableColumns({
      expectedArrivalDateTime: localTime('Expected arrival'),
      expectedDispatchDateTime: localTime('Expected dispatch'),
      expectedDeliveryDateTime: localTime('Expected delivery'),
      actualReceiveDateTime: localTime('Received at'),
      actualDispatchDateTime: localTime('Dispatched at'),
    }),
    isOnTime: nullableColumn(flag('On time')),
  },
  rows: request => sql`
    select ${consignmentValues}, l.*, ${allocatedFigure(false, 'weight_kg', 4)} as allocated_weight_kg,
      ${allocatedFigure(false, 'volume_m3', 6)} as allocated_volume_m3,
      ${allocatedFigure(true, 'weight_kg', 4)} as picked_weight_kg,
      ${allocatedFigure(true, 'volume_m3', 6)} as picked_volume_m3,
      c.expected_arrival_date_time, c.expected_dispatch_date_time, c.expected_delivery_date_time,
      c.actual_receive_date_time, c.actual_dispatch_date_time,
      case c.type when ${ConsignmentType.Inwards}
        then ${isInTime('c.actual_receive_date_time', 'c.expected_arrival_date_time')}
        else ${isInTime('c.actual_dispatch_date_time', 'c.expected_dispatch_date_time')} end as is_on_time
    from consignment c ${consignmentJoins} cross join lateral ${lineSums} l
    where ${consignmentConditions(request)} ${enteredInPeriod(request)} ${hasProduct(request)}`,
  order: sql`date_entered, ordinal`,
})
