// Reads open consignments with everything that determines their charges, in one statement, so that all of it
// is from the same moment, rate cards and exclusions included.

import { type Db, empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import { countedRowId } from '../../stock/ledger/counted-row.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { evaluatorVersion } from '../evaluator/evaluator-version.ts'
import type { Area } from '../evaluator/locality.ts'
import { versionInForce } from '../rate-cards/in-force.ts'
import {
  type BillableConsignment,
  type BillableLine,
  localitiesOf,
  type StoredProductFacts,
} from './billable-consignment.ts'

/**
 * A consignment as the statement returns it. Its localities are matched afterwards, and its lines still name
 * their logistic units. What many have in common is sent once: the first row carries the facts of
 * the products of all consignments, and the first row of each pair of cards the localities that these name.
 */
interface BillableRow
  extends Omit<
    BillableConsignment,
    'evaluatorVersion' | 'originLocalityIds' | 'destinationLocalityIds' | 'lines'
  > {
  lines: (Omit<BillableLine, 'logisticUnits' | 'facts'> & { units: string[] | null })[]
  localities: Localities | null
  products: Record<string, StoredProductFacts> | null
}

type Localities = { id: string; areas: Area[] }[]

const { Inwards, Outwards } = ConsignmentType

/** When the work of consignment `c` was done, in local time; null if not recorded. */
export const workDoneAt = sql`case c.type when ${Inwards} then c.actual_receive_date_time
  when ${Outwards} then c.actual_dispatch_date_time else c.date_entered end`

/**
 * Whether actual figures of consignment `c` are charged, and the type of the movements that they come from:
 * for Inwards from Complete, for Outwards from dispatch. `offset 0` makes the database evaluate this once per
 * consignment instead of once per line.
 */
export const figures = sql`
  select is_actual and not has_actual as is_by_expected, is_actual and has_actual as takes_actual,
    case when is_actual and has_actual then
      case c.type when ${Inwards} then ${TransactionType.Receive}::integer
        else ${TransactionType.Dispatch} end
    end as movement_type, case c.type when ${Inwards} then 1 else -1 end as sign
  from (
    select case c.type
        when ${Inwards} then c.status in (${ConsignmentStatus.Complete}, ${ConsignmentStatus.Closed})
        when ${Outwards} then c.actual_dispatch_date_time is not null
        else false end as is_actual,
      exists (
        select from consignment_product l
        where l.organisation_id = c.organisation_id and l.consignment_id = c.id
          and case c.type when ${Inwards} then l.received_quantity else l.dispatched_quantity end > 0
      ) as has_actual
  ) actual offset 0`

/** The facts of product `p` that billing uses, as a query of one JSON object (a `StoredProductFacts`). */
export const productFacts = sql`
  select json_build_object(
    'productGroupId', p.product_group_id,
    'dgHazardClassIds', array(
      select h.dg_hazard_class_id from product_dg_hazard_class h
      where h.organisation_id = p.organisation_id and h.product_id = p.id order by 1),
    'steps', (
      select coalesce(json_agg(json_build_object(
        'inputMetricType', s.input_metric_type, 'inputUnitTypeId', s.input_unit_type_id,
        'inputUnitTypeName', u.name, 'outputMetricType', s.output_metric_type,
        'outputUnitTypeId', s.output_unit_type_id, 'conversionRate', s.conversion_rate::text)
        order by s.ordinal), '[]')
      from product_unit_conversion s
      left join unit_type u on u.organisation_id = s.organisation_id and u.id = s.input_unit_type_id
      where s.organisation_id = p.organisation_id and s.product_id = p.id))`

/**
 * What moved for the lines of consignment `c` by the ledger, if actual figures `f` are charged: each product
 * of a line, with the logistic units that it came or left on.
 */
export const moved = sql`(
  select u.line_id, u.product_id, sum(u.quantity) as quantity, sum(u.weight_kg) as weight_kg,
    sum(u.volume_m3) as volume_m3, json_agg(u.logistic_unit_id order by u.logistic_unit_id)
      filter (where u.logistic_unit_id is not null and u.quantity > 0) as units
  from (
    select t.consignment_product_id as line_id, s.product_id, s.logistic_unit_id,
      sum(f.sign * t.quantity) as quantity, sum(f.sign * t.weight_kg) as weight_kg,
      sum(f.sign * t.volume_m3) as volume_m3
    from inventory_transaction t
    join warehouse_product s on s.organisation_id = t.organisation_id and s.id = ${countedRowId}
    where t.organisation_id = c.organisation_id and t.consignment_id = c.id and t.type = f.movement_type
      and t.consignment_product_id is not null
    group by 1, 2, 3
  ) u
  group by 1, 2 having sum(u.quantity) > 0)`

/** The serials that moved for the lines of consignment `c`, like `moved`. */
const movedSerials = sql`(
  select i.line_id, i.product_id, count(*) as serials
  from (
    select t.consignment_product_id as line_id, s.product_id, x.warehouse_product_item_id
    from inventory_transaction t
    join inventory_transaction_item x on x.organisation_id = t.organisation_id
      and x.warehouse_product_id = t.warehouse_product_id and x.version = t.version
    join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
    where t.organisation_id = c.organisation_id and t.consignment_id = c.id and t.type = f.movement_type
    group by 1, 2, 3 having sum(f.sign * sign(t.quantity)) > 0
  ) i
  group by 1, 2)`

// The ledger records an unknown weight or volume as 0; the product's own figure is used then, if it has one.
// `offset 0` makes the database look up each product by its key: before its first analysis it expects one
// line, and would read all products of the organisation for every consignment.
const lines = sql`(
  select coalesce(json_agg(json_build_object(
    'id', l.id, 'productId', m.product_id, 'productCode', coalesce(p.code, l.product_code),
    'productName', coalesce(p.name, l.goods_description),
    'attributes', case when l.attributes <> '[]' then (
      select coalesce(json_agg(json_build_object('productAttributeId', a.id, 'description',
        line_attribute.value ->> 'description')), '[]')
      from jsonb_array_elements(l.attributes) line_attribute
      join product_attribute a on a.organisation_id = l.organisation_id
        and lower(a.name) = lower(line_attribute.value ->> 'name')
      where line_attribute.value ->> 'description' is not null) else '[]' end,
    'packageTypeCode', (select k.code from package_type k
      where k.organisation_id = l.organisation_id and k.id = l.package_type_id),
    'quantity', m.quantity::text,
    'weight', coalesce(m.weight_kg, round(m.quantity * p.weight_kg, 4))::text,
    'volume', coalesce(m.volume_m3, round(m.quantity * p.volume_m3, 6))::text,
    'units', m.units, 'serials', m.serials) order by l.ordinal, p.code), '[]')
  from consignment_product l
  left join ${moved} moved on moved.line_id = l.id
  left join ${movedSerials} s on s.line_id = moved.line_id and s.product_id = moved.product_id
  cross join lateral (
    select l.product_id, l.expected_quantity as quantity, l.expected_weight_kg as weight_kg,
      l.expected_volume_m3 as volume_m3,
      (
        select json_build_array(announced.unit)
        from (
          select coalesce(l.logistic_unit_sscc_number, l.logistic_unit_reference_number) as unit
        ) announced
        where announced.unit is not null
      ) as units, (
        select count(i.serial) from consignment_product_item i
        where i.organisation_id = l.organisation_id and i.consignment_product_id = l.id
      ) as serials
    where not f.takes_actual
    union all
    select moved.product_id, moved.quantity, nullif(moved.weight_kg, 0), nullif(moved.volume_m3, 0),
      moved.units, coalesce(s.serials, 0)
    where f.takes_actual and moved.line_id is not null
  ) m
  left join lateral (
    select p.code, p.name, p.weight_kg, p.volume_m3 from product p
    where p.organisation_id = l.organisation_id and p.id = m.product_id offset 0
  ) p on true
  where l.organisation_id = c.organisation_id and l.consignment_id = c.id)`

const values = (table: 'task' | 'consumable') => sql`(
  select coalesce(json_agg(json_build_object('typeId', t.id, 'name', t.name, 'quantity', r.value::text)
    order by t.name, t.id), '[]')
  from ${raw(`consignment_${table}`)} r
  join ${raw(`${table}_type`)} t on t.organisation_id = r.organisation_id
    and t.id = r.${raw(`${table}_type_id`)}
  where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

/** Joins the card of one side, with the FAF rate of the carrier at the charge instant. */
const card = (relationship: number, partner: Sql): Sql => sql`
  left join lateral (
    select v.id, v.locality_ids, json_build_object('rateCardVersionId', v.id, 'because', v.because,
      'fafPercent', r.faf_percent::text, 'fafProfileRateId', r.id) as facts
    from ${versionInForce({
      organisation: sql`c.organisation_id`,
      relationship: sql`${relationship}`,
      partner,
      date: sql`d.charge_date`,
    })} v
    left join lateral (
      select r.id, r.faf_percent from faf_profile_rate r
      where r.organisation_id = c.organisation_id and r.faf_profile_id = v.faf_profile_id
        and (r.carrier_id = c.carrier_id or r.carrier_id is null) and r.effective_from_utc <= d.charge_utc
      order by r.carrier_id is null, r.effective_from_utc desc limit 1
    ) r on true
  ) ${raw(relationship === Relationship.Client ? 'client_card' : 'carrier_card')} on true`

/** Which consignments to read, and by which date. */
export interface BillableQuery {
  /** a condition on `consignment c` */
  where: Sql
  /** the date of a closing, or a column of `c`: the charge date of work without a recorded date */
  closingDate?: Sql | string | null
}

/**
 * Reads consignments of one organisation with the current inputs of their charges, in the order of their ids.
 */
export const readBillableConsignments = (db: Db, query: BillableQuery): Promise<BillableConsignment[]> =>
  readBillableConsignmentsWith<object>(db, query, empty)

/**
 * Like `readBillableConsignments`, with extra columns read by the same statement. `more` begins with a comma.
 */
export async function readBillableConsignmentsWith<More extends object>(
  db: Db,
  query: BillableQuery,
  more: Sql,
): Promise<(BillableConsignment & More)[]> {
  const rows = await db.rows<BillableRow>(consignments(query, more))
  const productFactsById = rows[0]?.products ?? {}
  const localitiesByCards = new Map<string, Localities>()
  return rows.map(({ localities: sent, lines, products, ...row }) => {
    const cards = [row.clientCard, row.carrierCard].map(found => found?.rateCardVersionId).join(' ')
    const localities = sent ?? localitiesByCards.get(cards) ?? []
    localitiesByCards.set(cards, localities)
    const consignment: BillableConsignment = {
      ...row,
      evaluatorVersion,
      lines: linesOf(lines, productFactsById),
      originLocalityIds: localitiesOf(row.origin, localities),
      destinationLocalityIds: localitiesOf(row.destination, localities),
    }
    return consignment as BillableConsignment & More
  })
}

/**
 * Adds product facts to lines, lines of one product sharing one object. A logistic unit on several lines is
 * counted with the first.
 */
function linesOf(lines: BillableRow['lines'], products: Record<string, StoredProductFacts>): BillableLine[] {
  const seen = new Set<string>()
  return lines.map(({ units, ...line }) => {
    const before = seen.size
    for (const unit of units ?? []) seen.add(unit)
    const facts = products[line.productId ?? ''] ?? null
    return { ...line, facts, logisticUnits: units === null ? null : seen.size - before }
  })
}

// Thousands of lines may have few products, so the facts of each product are read only once.
const consignments = ({ where, closingDate = null }: BillableQuery, more: Sql): Sql => sql`
    with wanted as materialized (
      select c.organisation_id, c.id from consignment c where ${where}
    ), facts_of_products as materialized (
      select p.id, (${productFacts}) as facts
      from (
        select distinct l.organisation_id, l.product_id
        from wanted c
        join consignment_product l on l.organisation_id = c.organisation_id and l.consignment_id = c.id
        where l.product_id is not null
        union
        select t.organisation_id, s.product_id
        from wanted c
        join inventory_transaction t on t.organisation_id = c.organisation_id and t.consignment_id = c.id
          and t.type in (${TransactionType.Receive}, ${TransactionType.Dispatch})
        join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
      ) l
      join product p on p.organisation_id = l.organisation_id and p.id = l.product_id
    )
    select c.organisation_id, c.id, c.consignment_number, c.reference_number, c.container_number, c.status,
      c.type as consignment_type, c.client_id, c.carrier_id, carrier.name as carrier_name, c.warehouse_id,
      w.revenue_account_id as warehouse_revenue_account_id, w.cost_centre_id as warehouse_cost_centre_id,
      c.priority, c.container_number is not null or c.container_size is not null as is_containerised,
      c.container_size, c.container_type, d.charge_date, d.charge_utc,
      extract(isodow from d.charge_date)::integer as weekday, f.is_by_expected,
      case when c.type = ${Outwards} then w.address else c.origin_address end as origin,
      case when c.type = ${Inwards} then w.address else c.destination_address end as destination,
      array(
        select s.service_type_id from consignment_service_type s
        where s.organisation_id = c.organisation_id and s.consignment_id = c.id order by 1
      )::text[] as service_type_ids,
      ${lines} as lines, ${values('task')} as tasks, ${values('consumable')} as consumables,
      client_card.facts as client_card, carrier_card.facts as carrier_card,
      client.freight_resolution as client_freight_resolution,
      coalesce(carrier.freight_resolution, 0) as carrier_freight_resolution,
      client.freight_warning_type, client.freight_warning_threshold::text as freight_warning_threshold,
      case when row_number() over (partition by client_card.id, carrier_card.id order by c.id) = 1 then (
        select coalesce(json_agg(json_build_object('id', y.id, 'areas', y.areas) order by y.id), '[]')
        from locality y
        where y.organisation_id = c.organisation_id
          and (y.id = any(client_card.locality_ids) or y.id = any(carrier_card.locality_ids))
      ) end as localities,
      (
        select coalesce(json_agg(json_build_object(
          'rateChargeId', x.rate_charge_id, 'partKey', x.part_key)), '[]')
        from charge_exclusion x
        where x.organisation_id = c.organisation_id and x.consignment_id = c.id
      ) as exclusions,
      (
        select coalesce(max(i.closing_number), 0) from charge_input i
        where i.organisation_id = c.organisation_id and i.consignment_id = c.id
      ) as closings,
      case when row_number() over (order by c.id) = 1
        then (select json_object_agg(id, facts) from facts_of_products) end as products
      ${more}
    from wanted
    join consignment c on c.organisation_id = wanted.organisation_id and c.id = wanted.id
    join organisation o on o.id = c.organisation_id
    join partner client on client.organisation_id = c.organisation_id and client.id = c.client_id
    left join partner carrier on carrier.organisation_id = c.organisation_id and carrier.id = c.carrier_id
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    cross join lateral (
      select coalesce(done::date, ${closingDate}::date, (now() at time zone zone)::date) as charge_date,
        case when done is not null then done at time zone zone
          when ${closingDate}::date <> (now() at time zone zone)::date
            then ${closingDate}::date::timestamp at time zone zone
          else now() end as charge_utc
      from (
        select coalesce(w.timezone_id, o.timezone_id) as zone, ${workDoneAt} as done
      ) work offset 0
    ) d
    cross join lateral (${figures}) f
    ${card(Relationship.Client, sql`c.client_id`)}
    ${card(Relationship.Carrier, sql`c.carrier_id`)}
    order by c.id`
