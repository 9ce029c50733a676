// Reads the frozen inputs and the bills of the Closed consignments of a period, in pages, as columns.
// Decision 7.

import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import type { SnapshotReader } from '../../platform/database/shared-snapshot.ts'
import { ChargeType, RateKind, ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'

import type { Booking } from './bill.ts'

/** Consignments per page. A back-test holds a few pages in memory, however long its period is. */
const pageSize = 1_000

/** Selects the consignments of some partners with a charge date in a period. */
export interface ReadQuery {
  organisationId: string
  relationship: number
  partnerIds: readonly string[]
  /** local dates, both included */
  dateFrom: string
  dateTo: string
  /** whether differences of earlier back-tests were billed */
  isAdjusted: boolean
}

/** The columns of a page as texts, by their names. */
export type Columns = Record<string, string | null>

/** A billed difference of an earlier back-test. The amount is a decimal as text. */
export interface EarlierAdjustment {
  consignmentId: string
  kind: RateKind
  activityTypeId: string | null
  booking: Booking
  amount: string
}

const { ClientActivityAdhoc, ClientFreightAdhoc, CarrierFreightAdhoc } = ChargeType

/** The columns of each side of a consignment, and the condition and types of its charges. */
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

/** SQL: the next closings `i` that are in force, after a charge date and consignment id. */
const closingsAfter = (query: ReadQuery, [date, id]: readonly [string, string]): Sql => {
  const { name } = sideOf(query.relationship)
  return sql`
    select i.*, i.${name}_id as partner_id, i.${name}_amounts as amounts,
      concat(i.${name}_id, ' ', i.${name}_version_id, ' ', i.${name}_faf_percent, ' ',
        i.${name}_freight_resolution, ' ', i.evaluator_version) as terms
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

/** SQL: the texts of closings `i` as lines, in the order of the page. */
const linesOf = (text: Sql): Sql => sql`string_agg(${text}, E'\n' order by i.charge_date, i.consignment_id)`

/** SQL: the kind of rate of a transaction `t`. */
const kindOfTransaction = raw(`case when t.charge_type < ${ChargeType.ClientFreightAdhoc} then
    ${RateKind.Activity} when t.charge_type < ${ChargeType.CarrierFreightAdhoc} then
    ${RateKind.ClientFreight} else ${RateKind.CarrierFreight} end`)

/** SQL: the billed differences of earlier back-tests for a closing `i`. */
const adjusted = sql`
  select json_agg(json_build_object('consignmentId', t.consignment_id, 'kind', ${kindOfTransaction},
    'activityTypeId', a.id, 'amount', t.amount_excl_tax::text, 'booking', json_build_object(
      'revenueAccountId', t.revenue_account_id, 'costCentreId', t.cost_centre_id,
      'taxRateId', t.tax_rate_id, 'taxRateName', t.tax_rate_name,
      'taxRatePercent', t.tax_rate_percent::text)) order by t.id) as amounts
  from schedule_transaction t
  left join activity_type a on a.organisation_id = t.organisation_id
    and lower(a.code) = lower(t.activity_code)
  where t.organisation_id = i.organisation_id and t.consignment_id = i.consignment_id
    and t.partner_id = i.partner_id
    and t.rate_card_back_test_id is not null and t.status <> ${ScheduleTransactionStatus.Void}`

// The closings come in the order of an index, so the aggregates need no sort.
const readPage = (
  reader: SnapshotReader,
  query: ReadQuery,
  after: readonly [string, string],
): Promise<Columns> =>
  reader.textRow(sql`
    select ${linesOf(sql`i.consignment_id::text`)} as ids, max(i.charge_date) as last_date,
      ${linesOf(
        sql`concat(i.closing_number, ' ', floor(date_part('epoch', i.charge_utc) * 1000)::bigint)`,
      )} as numbers,
      ${linesOf(sql`i.selector_facts`)} as facts, ${linesOf(sql`i.terms`)} as terms,
      case when bool_or(i.origin_place_facts_id is not null or i.destination_place_facts_id is not null) then
        ${linesOf(sql`concat(i.origin_place_facts_id, ' ', i.destination_place_facts_id)`)}
      end as places,
      ${linesOf(sql`i.part_subjects`)} as subjects, ${linesOf(sql`i.part_figures`)} as figures,
      ${linesOf(sql`i.amounts`)} as amounts,
      ${query.isAdjusted ? sql`json_agg(t.amounts) filter (where t.amounts is not null)` : sql`null`}
        as adjusted
    from (${closingsAfter(query, after)}) i
      ${query.isAdjusted ? sql`cross join lateral (${adjusted}) t` : empty}`)

/** The last id in the lines of ids of a page, and the number of ids. */
const idLength = 36
const lastId = (ids: string): string => ids.slice(-idLength)
const countOf = (ids: string): number => (ids.length + 1) / (idLength + 1)

/** Reads the pages of a query, by charge date. The next page is read while the current one is processed. */
export async function* pagesOf(reader: SnapshotReader, query: ReadQuery): AsyncGenerator<Columns> {
  const beginning = [query.dateFrom, '00000000-0000-0000-0000-000000000000'] as const
  let reading: Promise<Columns> | undefined = readPage(reader, query, beginning)
  while (reading !== undefined) {
    const page: Columns = await reading
    if (page.ids === null || page.ids === undefined) return
    const isFull = countOf(page.ids) === pageSize
    reading = isFull ? readPage(reader, query, [page.last_date as string, lastId(page.ids)]) : undefined
    // If the caller stops early, nobody awaits this page, so a failure of it must not go unhandled.
    reading?.catch(() => {})
    yield page
  }
}

/** A charge row as it was billed. */
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

/** Reads the billed rows of consignments. Needed only for those whose derivation differs from their bill. */
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

/** Reads the sum of the included charges that were entered by hand for consignments: a decimal as text. */
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
