// What Closed consignments of a period were charged by and what they were billed, read a page at a time as
// columns. Open-points 7.

import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { Relationship } from '../../partners/enumerations.ts'
import { raw, type Sql, sql } from '../../platform/database/db.ts'
import type { MomentReader } from '../../platform/database/moment.ts'
import { workDone } from '../charges/charge-inputs.ts'
import { ChargeType, RateKind, ScheduleTransactionStatus } from '../enumerations.ts'

/** Consignments at a time: what a test holds in memory is a few of such pages, however long its period. */
const pageSize = 1_000

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

/** What an earlier back-test adjusted. The amount is a decimal as text. */
export interface Adjusted {
  n: number
  kind: RateKind
  activityTypeId: string | null
  taxRateId: string
  amount: string
}

const { ClientActivityAdhoc, ClientFreightAdhoc, CarrierFreightAdhoc } = ChargeType

/** The columns of one side of a consignment, and which charges are its. */
const sides = {
  [Relationship.Client]: {
    name: raw('client'),
    charges: raw(`h.charge_type < ${CarrierFreightAdhoc}`),
    byHand: [ClientActivityAdhoc, ClientFreightAdhoc],
  },
  [Relationship.Carrier]: {
    name: raw('carrier'),
    charges: raw(`h.charge_type >= ${CarrierFreightAdhoc}`),
    byHand: [CarrierFreightAdhoc],
  },
}

const sideOf = (relationship: number) => sides[relationship as keyof typeof sides]

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
      order by i.charge_date, i.consignment_id limit ${raw(String(pageSize))}
    ) i
  )`
}

/** What selectors look at, and who is charged how: few texts, which many consignments have. Null is empty. */
const facts = sql`concat(p.consignment_type, ' ', p.carrier_id, ' ', p.warehouse_id, ' ', p.priority, ' ',
  p.is_containerised, ' ', p.container_size, ' ', p.container_type, ' ', p.service_type_ids, ' ',
  p.origin_locality_ids, ' ', p.destination_locality_ids, ' ', extract(isodow from p.charge_date))`
const terms = sql`concat(p.partner_id, ' ', p.version_id, ' ', p.faf, ' ', p.freight_resolution)`

/** Texts one below the other, in the order of the page or of the rows of a consignment. */
const below = (text: Sql, order: Sql): Sql => sql`string_agg(${text}, E'\n' order by ${order})`
/** Numbers one beside the other. */
const beside = (text: Sql, order: Sql): Sql => sql`coalesce(string_agg(${text}, ' ' order by ${order}), '')`

/** A number that is unknown or does not count, among others. */
const noNumber = raw(`'x'`)

/** The parts of a consignment: what they are, which many have, and their figures. */
const parts = (organisationId: string): Sql => sql`
  select ${below(
    sql`concat(r.kind, ' ', coalesce(r.type_id, r.product_id), ' ', r.product_facts_id, ' ',
      case when r.attributes is not null or r.package_type_code is not null then
        json_build_array(r.attributes, r.package_type_code) end)`,
    sql`r.ordinal`,
  )} as subjects,
    ${beside(
      sql`concat_ws(' ', r.quantity, coalesce(r.weight_kg::numeric(28, 4)::text, ${noNumber}),
        coalesce(r.volume_m3::numeric(28, 6)::text, ${noNumber}), r.logistic_units, r.serials)`,
      sql`r.ordinal`,
    )} as figures
  from charge_input_part r
  where r.organisation_id = ${organisationId} and r.consignment_id = p.consignment_id
    and r.closing_number = p.closing_number`

/** What a consignment was billed, without an amount where a charge was left out by hand. */
const billed = ({ organisationId, relationship }: ReadQuery): Sql => sql`
  select ${beside(
    sql`case when h.is_included then h.amount_excl_tax::text else ${noNumber} end`,
    sql`h.ordinal`,
  )} as amounts
  from consignment_charge h
  where h.organisation_id = ${organisationId} and h.consignment_id = p.consignment_id
    and h.closing_number = p.closing_number and ${sideOf(relationship).charges}`

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
    select ${below(sql`p.consignment_id::text`, byNumber)} as ids, max(p.charge_date) as last_date,
      ${below(
        sql`concat(p.closing_number, ' ', floor(date_part('epoch', p.charge_utc) * 1000)::bigint)`,
        byNumber,
      )} as numbers,
      ${below(facts, byNumber)} as facts, ${below(terms, byNumber)} as terms,
      case when bool_or(p.origin_place_facts_id is not null or p.destination_place_facts_id is not null) then
        ${below(sql`concat(p.origin_place_facts_id, ' ', p.destination_place_facts_id)`, byNumber)}
      end as places,
      ${below(sql`r.subjects`, byNumber)} as subjects, ${below(sql`r.figures`, byNumber)} as figures,
      ${below(sql`b.amounts`, byNumber)} as amounts, (${adjusted(query.organisationId)}) as adjusted
    from page p cross join lateral (${parts(query.organisationId)}) r
      cross join lateral (${billed(query)}) b`)
const byNumber = sql`p.n`

/** The last of the ids of a page, and how many there are. */
const idLength = 36
const lastId = (ids: string): string => ids.slice(-idLength)
const countOf = (ids: string): number => (ids.length + 1) / (idLength + 1)

/** The pages of a query, by charge date. The next one is under way while one is looked at. */
export async function* pagesOf(reader: MomentReader, query: ReadQuery): AsyncGenerator<Columns> {
  const beginning = [query.dateFrom, '00000000-0000-0000-0000-000000000000'] as const
  let reading: Promise<Columns> | undefined = readPage(reader, query, beginning)
  while (reading !== undefined) {
    const page: Columns = await reading
    if (page.ids === null || page.ids === undefined) return
    const isFull = countOf(page.ids) === pageSize
    reading = isFull ? readPage(reader, query, [page.last_date as string, lastId(page.ids)]) : undefined
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
      and ${sideOf(relationship).charges}
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
