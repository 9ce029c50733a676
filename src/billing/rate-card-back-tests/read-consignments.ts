// What Closed consignments of a period were charged by and what they were billed, read a page at a time as
// columns. Open-points 7.

import { ConsignmentStatus } from '../../consignments/enumerations.ts'
import { Relationship } from '../../partners/enumerations.ts'
import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import type { SnapshotReader } from '../../platform/database/shared-snapshot.ts'
import { workDoneAt } from '../charges/charge-inputs.ts'
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
  /** earlier back-tests adjusted something */
  isAdjusted: boolean
}

/** Columns by their names, as texts. */
export type Columns = Record<string, string | null>

/** What an earlier back-test adjusted. The amount is a decimal as text. */
export interface EarlierAdjustment {
  consignmentId: string
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

/** The closings `i` that count after a position, which is a date and an id. */
const closingsAfter = (query: ReadQuery, [date, id]: readonly [string, string]): Sql => {
  const { name } = sideOf(query.relationship)
  return sql`
    select i.*, i.${name}_id as partner_id, i.${name}_amounts as amounts,
      concat(i.${name}_id, ' ', i.${name}_version_id, ' ', i.${name}_faf_percent, ' ',
        i.${name}_freight_resolution) as terms
    from charge_input i
    where i.organisation_id = ${query.organisationId}
      and i.${name}_id = any(${query.partnerIds as string[]})
      and (i.charge_date, i.consignment_id) > (${date}::date, ${id}::uuid)
      and i.charge_date between ${query.dateFrom} and ${query.dateTo}
      and not exists (
        select from undone_closing u
        where u.organisation_id = i.organisation_id and u.consignment_id = i.consignment_id
          and u.closing_number = i.closing_number)
    order by i.charge_date, i.consignment_id limit ${raw(String(pageSize))}`
}

/** Texts of closings `i`, one below the other in the order of the page. */
const below = (text: Sql): Sql => sql`string_agg(${text}, E'\n' order by i.charge_date, i.consignment_id)`

/** The kind of rate that a transaction `t` follows from. */
const kindOfTransaction = raw(`case when t.charge_type < ${ChargeType.ClientFreightAdhoc} then
    ${RateKind.Activity} when t.charge_type < ${ChargeType.CarrierFreightAdhoc} then
    ${RateKind.ClientFreight} else ${RateKind.CarrierFreight} end`)

/** What earlier back-tests adjusted of a closing `i`. */
const adjusted = sql`
  select json_agg(json_build_object('consignmentId', t.consignment_id, 'kind', ${kindOfTransaction},
    'activityTypeId', a.id, 'taxRateId', t.tax_rate_id, 'amount', t.amount_excl_tax::text)
    order by t.id) as amounts
  from schedule_transaction t
  left join activity_type a on a.organisation_id = t.organisation_id
    and lower(a.code) = lower(t.activity_code)
  where t.organisation_id = i.organisation_id and t.consignment_id = i.consignment_id
    and t.partner_id = i.partner_id
    and t.rate_card_back_test_id is not null and t.status <> ${ScheduleTransactionStatus.Void}`

// In the order of the index: the aggregates need no sort.
const readPage = (
  reader: SnapshotReader,
  query: ReadQuery,
  after: readonly [string, string],
): Promise<Columns> =>
  reader.textRow(sql`
    select ${below(sql`i.consignment_id::text`)} as ids, max(i.charge_date) as last_date,
      ${below(
        sql`concat(i.closing_number, ' ', floor(date_part('epoch', i.charge_utc) * 1000)::bigint)`,
      )} as numbers,
      ${below(sql`i.selector_facts`)} as facts, ${below(sql`i.terms`)} as terms,
      case when bool_or(i.origin_place_facts_id is not null or i.destination_place_facts_id is not null) then
        ${below(sql`concat(i.origin_place_facts_id, ' ', i.destination_place_facts_id)`)}
      end as places,
      ${below(sql`i.part_subjects`)} as subjects, ${below(sql`i.part_figures`)} as figures,
      ${below(sql`i.amounts`)} as amounts,
      ${query.isAdjusted ? sql`json_agg(t.amounts) filter (where t.amounts is not null)` : sql`null`}
        as adjusted
    from (${closingsAfter(query, after)}) i
      ${query.isAdjusted ? sql`cross join lateral (${adjusted}) t` : empty}`)

/** The last of the ids of a page, and how many there are. */
const idLength = 36
const lastId = (ids: string): string => ids.slice(-idLength)
const countOf = (ids: string): number => (ids.length + 1) / (idLength + 1)

/** The pages of a query, by charge date. The next one is under way while one is looked at. */
export async function* pagesOf(reader: SnapshotReader, query: ReadQuery): AsyncGenerator<Columns> {
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
  reader: SnapshotReader,
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
export const readAdhocTotal = async (
  reader: SnapshotReader,
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
  reader: SnapshotReader,
  { organisationId, relationship, partnerIds, dateFrom, dateTo }: ReadQuery,
): Promise<number> => {
  const { count } = await reader.row<{ count: number }>(sql`
    select count(*) as count from consignment c
    where c.organisation_id = ${organisationId} and c.status = ${ConsignmentStatus.Closed}
      and c.${sideOf(relationship).name}_id = any(${partnerIds as string[]})
      and coalesce((${workDoneAt})::date, c.closed_transaction_date) between ${dateFrom} and ${dateTo}
      and not exists (
        select from charge_input i
        where i.organisation_id = c.organisation_id and i.consignment_id = c.id)`)
  return count
}
