// When a consignment is due and whether it is late, as SQL about `t`, the table of consignments.

import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { nilId } from './filters.ts'

const { Pending, ReadyToPick, ReadyToDispatch, ReadyToReceive, InProgress, InTransit, Draft } =
  ConsignmentStatus

/**
 * When the consignment `t` is due: expected arrival (inwards), dispatch or else delivery (outwards), delivery
 * (point to point). Written as in the index of migration 025, so that PostgreSQL uses it.
 */
export const dueDateTime = raw(`(case t.type
  when ${ConsignmentType.Inwards} then t.expected_arrival_date_time
  when ${ConsignmentType.Outwards} then coalesce(t.expected_dispatch_date_time, t.expected_delivery_date_time)
  else t.expected_delivery_date_time end)`)

/** Joins `clock` to the consignment `t`: the local time of its warehouse, or else of the organisation. */
export const joinClock = (organisationId: string): Sql => sql`join (
    select w.id as warehouse_id, timezone(w.timezone_id, now()) as local_now
    from warehouse w where w.organisation_id = ${organisationId}
    union all
    select ${nilId}, timezone(o.timezone_id, now()) from organisation o where o.id = ${organisationId}
  ) clock on clock.warehouse_id = coalesce(t.warehouse_id, ${nilId})`

const beforeItsStep = [Draft, Pending, ReadyToReceive, ReadyToPick, ReadyToDispatch, InProgress]

/**
 * Whether the consignment `t` is late by its `clock`: it was due, and the step that was due is not done.
 * Goods in transit are late only for a delivery.
 */
export const isLate = sql`(${dueDateTime} < clock.local_now and (t.status = any(${beforeItsStep})
  or (t.status = ${InTransit} and t.expected_dispatch_date_time is null)))`

/** The statuses in which an outwards consignment has stock or lacks it. */
const pickingStatuses = [ReadyToPick, ReadyToDispatch]

/** Whether lines of the consignment `t` may lack stock: nothing is allocated in other statuses. */
export const isPicking = sql`(t.type = ${ConsignmentType.Outwards} and t.status = any(${pickingStatuses}))`

/** What a line `q` of a consignment that `isPicking` lacks. */
export const lineShortQuantity = sql`greatest(q.expected_quantity - q.allocated_quantity - q.picked_quantity
  - q.dispatched_quantity, 0)`
