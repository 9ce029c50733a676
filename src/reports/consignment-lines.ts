// What consignment reports have in common: the consignments that the caller may see, their lines, and the
// goods that the ledger recorded as received or dispatched for them.

import type { Actor } from '../access/actor.ts'
import { visibleConsignments } from '../consignments/consignment.ts'
import { nilId } from '../consignments/list/filters.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import { countedRowId } from '../stock/ledger/counted-row.ts'
import { ConsignmentStatus, ConsignmentStatusFilter, ConsignmentType } from '../vocabulary/consignments.ts'
import type { TransactionType } from '../vocabulary/stock.ts'
import { type Columns, enumeration, id, localTime, nullableColumn, nullableColumns, text } from './columns.ts'
import { equal } from './conditions.ts'

/** The request of a consignment report, as far as it restricts the consignments. */
export interface ConsignmentReportRequest {
  readonly actor: Actor
  readonly filters: {
    readonly warehouseId?: string
    readonly partnerId?: string
    readonly partnerProductId?: string
    readonly dateFrom?: string
    readonly dateTo?: string
    readonly consignmentType?: number
    readonly status?: number
    readonly carrierId?: string
  }
}

const { Void, Closed } = ConsignmentStatus

/** Restricts a local time or a date to the period of the request. */
export const inPeriod = (column: Sql, { dateFrom, dateTo }: ConsignmentReportRequest['filters']): Sql => sql`
  ${dateFrom === undefined ? empty : sql`and ${column} >= ${dateFrom}::date`}
  ${dateTo === undefined ? empty : sql`and ${column} < ${dateTo}::date + 1`}`

const inStatus = (status: number | undefined): Sql => {
  if (status === undefined) return sql`and c.status <> ${Void}`
  if (status === ConsignmentStatusFilter.Open) return sql`and c.status not in (${Void}, ${Closed})`
  return sql`and c.status = ${status}`
}

/**
 * The conditions on consignments `c`: what the caller may see, and the filters by warehouse, partner, type
 * and status.
 */
export const consignmentConditions = ({ actor, filters }: ConsignmentReportRequest): Sql => sql`
  ${visibleConsignments(actor)} ${inStatus(filters.status)}
  ${equal(sql`c.warehouse_id`, filters.warehouseId)} ${equal(sql`c.client_id`, filters.partnerId)}
  ${equal(sql`c.carrier_id`, filters.carrierId)} ${equal(sql`c.type`, filters.consignmentType)}`

/** Restricts consignments `c` to those with a line of the requested product. */
export const hasProduct = ({ filters: { partnerProductId } }: ConsignmentReportRequest): Sql =>
  partnerProductId === undefined
    ? empty
    : sql`and exists (
        select from consignment_product x where x.organisation_id = c.organisation_id
          and x.consignment_id = c.id and x.product_id = ${partnerProductId})`

/** Restricts rows with a product in this column to those of the requested product. */
export const ofProduct = (productId: Sql, { filters }: ConsignmentReportRequest): Sql =>
  equal(productId, filters.partnerProductId)

/**
 * Restricts consignments `c` to those entered in the period of the request, which the narrow table
 * `consignment_listing` finds quickly.
 */
export const enteredInPeriod = ({ actor, filters }: ConsignmentReportRequest): Sql =>
  filters.dateFrom === undefined && filters.dateTo === undefined
    ? empty
    : sql`and c.number in (
        select i.number from consignment_listing i
        where i.organisation_id = ${actor.organisationId} and i.identity_connection_id = ${nilId}
          and i.edi_status = 0 ${inPeriod(sql`i.date_entered`, filters)})`

/**
 * Joins client `k`, carrier `v` and warehouse `w` to consignments `c`, and the local date as `clock.today`.
 */
export const consignmentJoins: Sql = sql`
  join organisation o on o.id = c.organisation_id
  join partner k on k.organisation_id = c.organisation_id and k.id = c.client_id
  left join partner v on v.organisation_id = c.organisation_id and v.id = c.carrier_id
  left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
  cross join lateral (
    select (now() at time zone coalesce(w.timezone_id, o.timezone_id))::date as today
  ) clock`

export const consignmentColumns: Columns = {
  consignmentId: id,
  consignmentNumber: text('Consignment', 16),
  referenceNumber: nullableColumn(text('Reference', 18)),
  consignmentType: enumeration('Type', ConsignmentType),
  status: enumeration('Status', ConsignmentStatus),
  dateEntered: localTime('Entered'),
  clientCode: text('Client code', 12),
  clientName: text('Client', 26),
  ...nullableColumns({
    carrierCode: text('Carrier code', 12),
    carrierName: text('Carrier', 22),
    warehouseName: text('Warehouse', 22),
  }),
}

/** The values of `consignmentColumns`, with `consignmentJoins`, and `ordinal` to order by. */
export const consignmentValues: Sql = sql`c.id as consignment_id, c.consignment_number, c.number as ordinal,
  c.reference_number, c.type as consignment_type, c.status, c.date_entered, k.code as client_code,
  k.name as client_name, v.code as carrier_code, v.name as carrier_name, w.name as warehouse_name`

/** Joins product `d` to lines `r`. A line that is not linked to a product has only the code that was sent. */
export const lineProductJoin: Sql = sql`
  left join product d on d.organisation_id = r.organisation_id and d.id = r.product_id`
export const lineProductValues: Sql = sql`d.id as partner_product_id,
  coalesce(d.code, r.product_code) as partner_product_code, d.name as partner_product_name`

/** Restricts ledger lines `t` to the period of the request, by the wall clock of warehouse `w`. */
const happenedInPeriod = ({ dateFrom, dateTo }: ConsignmentReportRequest['filters']): Sql => sql`
  ${
    dateFrom === undefined
      ? empty
      : sql`and t.effective_utc >= (${dateFrom}::date - 1)::timestamptz
          and (t.effective_utc at time zone w.timezone_id)::date >= ${dateFrom}::date`
  }
  ${
    dateTo === undefined
      ? empty
      : sql`and t.effective_utc < (${dateTo}::date + 2)::timestamptz
          and (t.effective_utc at time zone w.timezone_id)::date <= ${dateTo}::date`
  }`

/**
 * The columns that distinguish goods of a line: product, logistic unit, batch, dates and hold. The product is
 * the one that moved, which may be a substitute of the one that the line asks for.
 */
const goodsColumns = sql`consignment_id, consignment_product_id, product_id, logistic_unit_id, batch,
  best_before_date, expiry_date, packaging_date, production_date, sell_by_date, hold_kind`

/**
 * The goods received or dispatched for lines, by `goodsColumns`: the sums of `quantity`, `weight_kg` and
 * `volume_m3` over the ledger lines of one type, multiplied by `sign`, their `serials`, and `moved_at`, the
 * local time at which the last of them moved.
 */
export const movedGoods = (
  request: ConsignmentReportRequest,
  type: TransactionType,
  sign: 1 | -1,
): Sql => sql`(
  with line as materialized (
    select t.consignment_id, t.consignment_product_id, s.product_id, s.logistic_unit_id, s.batch,
      s.best_before_date, s.expiry_date, s.packaging_date, s.production_date, s.sell_by_date,
      h.kind as hold_kind, t.organisation_id, t.warehouse_product_id, t.version,
      t.quantity * ${sign}::integer as quantity, t.weight_kg * ${sign}::integer as weight_kg,
      t.volume_m3 * ${sign}::integer as volume_m3,
      case when t.quantity * ${sign}::integer > 0
        then date_trunc('second', t.effective_utc at time zone w.timezone_id) end as moved_at
    from inventory_transaction t
    join consignment c on c.organisation_id = t.organisation_id and c.id = t.consignment_id
    join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    join warehouse_product s on s.organisation_id = t.organisation_id and s.id = ${countedRowId}
    left join inventory_hold h on h.organisation_id = s.organisation_id and h.id = s.inventory_hold_id
    where t.organisation_id = ${request.actor.organisationId} and t.type = ${type}
      and ${consignmentConditions(request)} ${ofProduct(sql`s.product_id`, request)}
      ${happenedInPeriod(request.filters)}
  )
  select ${goodsColumns}, sum(quantity) as quantity, sum(weight_kg) as weight_kg, sum(volume_m3) as volume_m3,
    max(moved_at) as moved_at,
    coalesce(array_agg(serial order by serial) filter (where serial_count > 0), '{}') as serials
  from (
    select ${goodsColumns}, null as serial, 0 as serial_count, sum(quantity) as quantity,
      sum(weight_kg) as weight_kg, sum(volume_m3) as volume_m3, max(moved_at) as moved_at
    from line group by ${goodsColumns}
    union all
    select ${goodsColumns}, i.serial, sum(sign(line.quantity)), 0, 0, 0, null
    from line cross join lateral (
      select i.serial from inventory_transaction_item x
      join warehouse_product_item i on i.organisation_id = x.organisation_id
        and i.id = x.warehouse_product_item_id
      where x.organisation_id = line.organisation_id and x.warehouse_product_id = line.warehouse_product_id
        and x.version = line.version
    ) i
    group by ${goodsColumns}, i.serial
  ) part
  group by ${goodsColumns} having sum(quantity) <> 0)`

/** The short quantity of line `r` of consignment `c`; null for a point-to-point consignment. */
export const shortQuantity: Sql = sql`case c.type
  when ${ConsignmentType.Inwards} then greatest(0, r.expected_quantity - r.received_quantity)
  when ${ConsignmentType.Outwards} then greatest(0, r.expected_quantity - r.allocated_quantity
    - r.picked_quantity - r.dispatched_quantity) end`

/** The share of an expected weight or volume of line `r` for a part of its quantity. */
export const shareOf = (column: Sql, part: Sql, places: number): Sql =>
  sql`case when r.expected_quantity > 0 then round(${column} * ${part} / r.expected_quantity, ${places}) end`

/** The product of a line, with `lineProductJoin`. */
export const lineColumns: Columns = {
  partnerProductId: nullableColumn(id),
  partnerProductCode: text('Product', 18),
  partnerProductName: nullableColumn(text('Description', 40)),
}
/** Batch and dates that line `r` asks for. */
export const lineBatchAndDateValues: Sql = sql`r.batch, r.best_before_date::date, r.expiry_date::date,
  r.packaging_date::date, r.production_date::date, r.sell_by_date::date`
/** The logistic unit that line `r` names, with its number if the unit exists. */
export const lineUnitValues: Sql = sql`(
    select u.logistic_unit_number from logistic_unit u
    where u.organisation_id = r.organisation_id and u.sscc_number = r.logistic_unit_sscc_number
  ) as logistic_unit_number, r.logistic_unit_reference_number, r.logistic_unit_sscc_number`

/** The consignee of consignments `c`. */
export const consigneeValues: Sql = sql`c.destination_address ->> 'name' as consignee_name,
  c.destination_address ->> 'city' as consignee_city, c.destination_address ->> 'state' as consignee_state`

/** Joins the latest tracking record `x` to consignments `c`. */
export const lastTrackingJoin: Sql = sql`left join lateral (
    select x.status, x.tracking_number from consignment_tracking x
    where x.organisation_id = c.organisation_id and x.consignment_id = c.id
    order by x.created_utc desc, x.id desc limit 1
  ) x on true`

/** By how many days something was done after it was due, or is overdue today if it is not done. */
export const overdueDays = (due: Sql, done: Sql): Sql => sql`case when ${due} is not null
  then greatest(0, coalesce((${done})::date, clock.today) - (${due})::date) end`
