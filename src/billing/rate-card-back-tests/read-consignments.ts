// What Closed consignments of a period were charged by and what they were billed, read a page at a time as
// columns. Open-points 7.

import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { Relationship } from '../../partners/enumerations.ts'
import { raw, type Sql, sql } from '../../platform/database/db.ts'
import type { MomentReader } from '../../platform/database/moment.ts'
import { workDone } from '../charges/charge-inputs.ts'
import { ChargeType, RateKind, ScheduleTransactionStatus } from '../enumerations.ts'
import { maxRows } from '../rate-cards/array-columns.ts'

/** Consignments at a time: what a test holds in memory is a few of such pages, however long its period. */
const pageSize = 2_000

/** Which consignments: those with a charge date in the period, of these partners. */
export interface ReadQuery {
  organisationId: string
  relationship: number
  partnerIds: readonly string[]
  /** local dates, both included */
  dateFrom: string
  dateTo: string
}

/** Columns by their names, as texts. */
export type Columns = Record<string, string | null>

/** A charge that is left out by hand, of the consignment with this number in its page. */
export interface LeftOut {
  n: number
  rateChargeId: string
  partKey: string
}

/** What an earlier back-test adjusted. The amount is a decimal as text. */
export interface Adjusted {
  n: number
  kind: RateKind
  activityTypeId: string | null
  taxRateId: string
  amount: string
}

const { ClientActivityAdhoc, ClientFreightAdhoc, CarrierFreightAdhoc } = ChargeType
const { ClientActivityMetricRate, ClientActivityProductRate } = ChargeType
const { ClientFreightMetricRate, ClientFreightProductRate } = ChargeType
const { CarrierFreightMetricRate, CarrierFreightProductRate } = ChargeType

/** The columns of one side of a consignment, and the kinds of charges that are its. */
const sides = {
  [Relationship.Client]: {
    name: raw('client'),
    chargeTypes: raw(
      [
        ...[ClientActivityMetricRate, ClientActivityProductRate],
        ...[ClientFreightMetricRate, ClientFreightProductRate],
      ].join(', '),
    ),
    byHand: [ClientActivityAdhoc, ClientFreightAdhoc],
  },
  [Relationship.Carrier]: {
    name: raw('carrier'),
    chargeTypes: raw([CarrierFreightMetricRate, CarrierFreightProductRate].join(', ')),
    byHand: [CarrierFreightAdhoc],
  },
}

const sideOf = (relationship: number) => sides[relationship as keyof typeof sides]

/** A list of ids as one item of a column. */
const joined = (ids: Sql): Sql => sql`nullif(array_to_string(${ids}, '+'), '')`

/** The consignments `page` after a position: a date and an id. */
const pageAfter = (query: ReadQuery, [date, id]: readonly [string, string]): Sql => {
  const { name } = sideOf(query.relationship)
  return sql`page as materialized (
    select (row_number() over (order by i.charge_date, i.consignment_id) - 1)::integer as n, i.*
    from (
      select i.consignment_id, i.closing_number, i.charge_date, i.charge_utc, i.${name}_id as partner_id,
        i.${name}_version_id as version_id, i.${name}_faf_percent as faf,
        i.${name}_freight_resolution as freight_resolution, i.carrier_id, i.warehouse_id,
        i.consignment_type, i.priority, i.is_containerised, i.container_size, i.container_type,
        i.service_type_ids, i.origin_place_facts_id, i.destination_place_facts_id, i.origin_locality_ids,
        i.destination_locality_ids
      from charge_input i
      join consignment c on c.organisation_id = i.organisation_id and c.id = i.consignment_id
        and c.status = ${ConsignmentStatus.Closed}
      where i.organisation_id = ${query.organisationId}
        and i.${name}_id = any(${query.partnerIds as string[]})
        and (i.charge_date, i.consignment_id) > (${date}::date, ${id}::uuid)
        and i.charge_date between ${query.dateFrom} and ${query.dateTo}
        and not exists (
          select from charge_input l
          where l.organisation_id = i.organisation_id and l.consignment_id = i.consignment_id
            and l.closing_number > i.closing_number)
      order by i.charge_date, i.consignment_id limit ${pageSize}
    ) i
  )`
}

const headers = sql`
  select array_agg(consignment_id) as ids, array_agg(closing_number) as closing_numbers,
    array_agg(charge_date) as dates, array_agg(charge_date - date '2000-01-01') as days,
    array_agg(floor(date_part('epoch', charge_utc) * 1000)::bigint) as instants,
    array_agg(partner_id) as partner_ids, array_agg(version_id) as version_ids, array_agg(faf) as fafs,
    array_agg(freight_resolution) as freight_resolutions, array_agg(carrier_id) as carrier_ids,
    array_agg(warehouse_id) as warehouse_ids, array_agg(consignment_type) as types,
    array_agg(priority) as priorities, array_agg(is_containerised::integer) as are_containerised,
    array_agg(container_size) as container_sizes, array_agg(container_type) as container_types,
    array_agg(${joined(sql`service_type_ids`)}) as service_types,
    array_agg(origin_place_facts_id) as origins, array_agg(destination_place_facts_id) as destinations,
    array_agg(${joined(sql`origin_locality_ids`)}) as origin_localities,
    array_agg(${joined(sql`destination_locality_ids`)}) as destination_localities
  from (select * from page order by n) p`

/** The place of a row: the number of its consignment in the page, and its own. */
const place = (ordinal: Sql): Sql => sql`p.n::bigint * ${raw(String(maxRows))} + ${ordinal}`

// A row says where it belongs, so that nothing has to be sorted.
const parts = (organisationId: string): Sql => sql`
  select array_agg(${place(sql`r.ordinal`)}) as part_places, array_agg(r.kind) as part_kinds,
    array_agg(coalesce(r.type_id, r.product_id)) as part_ids, array_agg(r.product_facts_id) as part_facts,
    array_agg(r.quantity) as quantities, array_agg(r.weight_kg::numeric(28, 4)) as weights,
    array_agg(r.volume_m3::numeric(28, 6)) as volumes, array_agg(r.logistic_units) as logistic_units,
    array_agg(r.serials) as serials,
    json_agg(json_build_array(${place(sql`r.ordinal`)}, r.attributes, r.package_type_code))
      filter (where r.package_type_code is not null or r.attributes <> '[]') as part_texts
  from page p
  join charge_input_part r on r.organisation_id = ${organisationId}
    and r.consignment_id = p.consignment_id and r.closing_number = p.closing_number`

const billed = ({ organisationId, relationship }: ReadQuery): Sql => sql`
  select array_agg(${place(sql`h.ordinal`)}) as billed_places, array_agg(h.amount_excl_tax) as billed_amounts,
    json_agg(json_build_object('n', p.n, 'rateChargeId', h.rate_charge_id, 'partKey', h.part_key))
      filter (where not h.is_included) as left_out
  from page p
  join consignment_charge h on h.organisation_id = ${organisationId}
    and h.consignment_id = p.consignment_id and h.closing_number = p.closing_number
    and h.charge_type in (${sideOf(relationship).chargeTypes})`

/** The kind of rate that a transaction `t` follows from. */
const kindOfTransaction = raw(`case when t.charge_type < ${ChargeType.ClientFreightAdhoc} then
    ${RateKind.Activity} when t.charge_type < ${ChargeType.CarrierFreightAdhoc} then
    ${RateKind.ClientFreight} else ${RateKind.CarrierFreight} end`)

const adjusted = (organisationId: string): Sql => sql`
  select json_agg(json_build_object('n', p.n, 'kind', ${kindOfTransaction}, 'activityTypeId', a.id,
    'taxRateId', t.tax_rate_id, 'amount', t.amount_excl_tax::text) order by t.id) as adjusted
  from page p
  join schedule_transaction t on t.organisation_id = ${organisationId}
    and t.consignment_id = p.consignment_id and t.partner_id = p.partner_id
    and t.rate_card_back_test_id is not null and t.status <> ${ScheduleTransactionStatus.Void}
  left join activity_type a on a.organisation_id = t.organisation_id
    and lower(a.code) = lower(t.activity_code)`

const readPage = (
  reader: MomentReader,
  query: ReadQuery,
  after: readonly [string, string],
): Promise<Columns> =>
  reader.texts(sql`
    with ${pageAfter(query, after)}
    select h.*, p.*, b.*, a.*
    from (${headers}) h, (${parts(query.organisationId)}) p, (${billed(query)}) b,
      (${adjusted(query.organisationId)}) a`)

/** The last item of an array. */
const lastItem = (column: string): string => column.slice(column.lastIndexOf(',') + 1, -1).replace('{', '')
const countOf = (column: string): number => column.split(',').length

/** The pages of a query, by charge date. The next one is under way while one is looked at. */
export async function* pagesOf(reader: MomentReader, query: ReadQuery): AsyncGenerator<Columns> {
  const beginning = [query.dateFrom, '00000000-0000-0000-0000-000000000000'] as const
  let reading: Promise<Columns> | undefined = readPage(reader, query, beginning)
  while (reading !== undefined) {
    const page: Columns = await reading
    if (page.ids === null || page.ids === undefined || page.dates === null) return
    const isFull = countOf(page.ids) === pageSize
    reading = isFull
      ? readPage(reader, query, [lastItem(page.dates as string), lastItem(page.ids)])
      : undefined
    // Whoever stops looking at pages does not wait for this one.
    reading?.catch(() => {})
    yield page
  }
}

/** A row of a charge as it was billed. */
export interface BilledRow {
  consignmentId: string
  rateId: string
  rateChargeId: string
  partKey: string
  kind: RateKind
  activityTypeId: string | null
  taxRateId: string
  isIncluded: boolean
  /** a decimal as text */
  amount: string
}

/** What consignments were billed, row by row: of those that do not come to the same when derived again. */
export const readBilled = (
  reader: MomentReader,
  { organisationId, relationship }: ReadQuery,
  ids: readonly string[],
): Promise<BilledRow[]> =>
  reader.rows<BilledRow>(sql`
    select h.consignment_id, h.rate_id, h.rate_charge_id, h.part_key, h.activity_type_id, h.tax_rate_id,
      h.is_included, h.amount_excl_tax::text as amount,
      case when h.charge_type < ${ChargeType.ClientFreightAdhoc} then ${RateKind.Activity}::integer
        when h.charge_type < ${ChargeType.CarrierFreightAdhoc} then ${RateKind.ClientFreight}::integer
        else ${RateKind.CarrierFreight}::integer end as kind
    from consignment_charge h
    where h.organisation_id = ${organisationId} and h.consignment_id = any(${ids as string[]})
      and h.charge_type in (${sideOf(relationship).chargeTypes})
      and h.closing_number = (
        select max(i.closing_number) from charge_input i
        where i.organisation_id = h.organisation_id and i.consignment_id = h.consignment_id)
    order by h.consignment_id, h.ordinal`)

/** What was entered by hand for consignments and counts, in all: a decimal as text. */
export const readByHand = async (
  reader: MomentReader,
  { organisationId, relationship }: ReadQuery,
  ids: readonly string[],
): Promise<string> => {
  const { amount } = await reader.row<{ amount: string }>(sql`
    select coalesce(sum(h.amount_excl_tax), 0)::text as amount
    from consignment_charge h
    where h.organisation_id = ${organisationId} and h.consignment_id = any(${ids as string[]})
      and h.closing_number is null and h.is_included
      and h.charge_type = any(${sideOf(relationship).byHand as number[]})`)
  return amount
}

/** How many consignments of a query are Closed with nothing frozen: an earlier version Closed them. */
export const countNotFrozen = async (
  reader: MomentReader,
  { organisationId, relationship, partnerIds, dateFrom, dateTo }: ReadQuery,
): Promise<number> => {
  const { count } = await reader.row<{ count: number }>(sql`
    select count(*) as count from consignment c
    where c.organisation_id = ${organisationId} and c.status = ${ConsignmentStatus.Closed}
      and c.${sideOf(relationship).name}_id = any(${partnerIds as string[]})
      and coalesce((${workDone})::date, c.closed_transaction_date) between ${dateFrom} and ${dateTo}
      and not exists (
        select from charge_input i
        where i.organisation_id = c.organisation_id and i.consignment_id = c.id)`)
  return count
}
