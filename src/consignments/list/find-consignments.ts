// Finds a page of consignments and the exact total in one statement. Its work does not grow with the number
// of consignments. Spec 4.2; migration 008 defines the tables and explains them.
//
// A page is made of the newest rows of its sources, of which there are three kinds:
// - cells: the combinations of the filtered fields that have rows according to the count table, with the
//   newest
//   rows of each. The total is exact and the work is bounded.
// - cells of rows that the connection has not marked: all rows except the marked ones.
// - matches: rows that a text, an external id or consignment numbers select, found by an index. These are few
//   enough to count.

import type { Actor } from '../../access/actor.ts'
import { empty, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { contains } from '../../platform/http/paging.ts'
import { cellSources, cellsInWeeks } from './cells.ts'
import { isDeep, reachedWeeks } from './deep-pages.ts'
import {
  type ConsignmentFilters,
  dateConditions,
  equalityConditions,
  equalityFilters,
  firstOf,
  isDated,
  newestFirst,
  nilId,
  nothing,
  type PageSource,
  type Reach,
} from './filters.ts'
import { namedClients } from './named-clients.ts'

/**
 * The statement for rows `offset` to `offset + limit` of the matching consignments, newest or oldest first,
 * with their `total`. `columns` and `joins` define a row, with the consignment as `c`. For an empty page, the
 * statement returns one row with a null `is_row`.
 */
export function findConsignments(
  actor: Actor,
  filters: ConsignmentFilters,
  { limit, offset }: { limit: number; offset: number },
  { columns, joins }: { columns: Sql; joins: Sql },
  isOldestFirst = false,
): Sql {
  const sources =
    !isOldestFirst && isDeep(filters, offset)
      ? [weekSource(actor, filters, { limit, offset })]
      : pageSources(actor, filters, { limit: offset + limit, isOldestFirst })
  const direction = raw(isOldestFirst ? 'asc' : 'desc')
  const rows = join(
    sources.map(source => source.rows),
    ' union all ',
  )
  const [{ skipped = sql`0` } = {}] = sources
  const page = sql`page as (
      select number from (${rows}) as found
      order by date_entered ${direction}, number ${direction}
      limit ${limit} offset ${offset}::bigint - ${skipped})`
  return sql`
    with ${join([...sources.flatMap(source => source.ctes), page])}
    select counted.total, listed.*
    from (select ${totalOf(sources)}) as counted (total)
    left join lateral (
      select true as is_row, ${columns}
      from page join consignment c on c.organisation_id = ${actor.organisationId} and c.number = page.number
        ${joins}
      order by c.date_entered ${direction}, c.number ${direction}
    ) listed on true`
}

const totalOf = (sources: readonly PageSource[]): Sql =>
  join(
    sources.map(source => source.total),
    ' + ',
  )

/** The matching consignments: their common table expressions, their total, and as many rows as asked for. */
export function findSources(actor: Actor, filters: ConsignmentFilters, reach: Reach) {
  const sources = pageSources(actor, filters, reach)
  const rows = join(
    sources.map(source => source.rows),
    ' union all ',
  )
  return { ctes: sources.flatMap(source => source.ctes), total: totalOf(sources), rows }
}

function pageSources(actor: Actor, filters: ConsignmentFilters, reach: Reach): PageSource[] {
  const { searchText, ediStatus } = filters
  if (filters.externalId !== undefined || filters.consignmentNumbers !== undefined)
    return [matchingRows(actor, filters, reach)]
  if (searchText !== undefined)
    return [matchingRows(actor, filters, reach), ...cellSources(actor, filters, reach)]
  if (ediStatus === undefined && equalityFilters(filters).length === 0)
    return [allRows(actor, filters, reach)]
  return cellSources(actor, filters, reach)
}

/** The source for a page far down the list: the weeks of its rows. */
function weekSource(
  actor: Actor,
  filters: ConsignmentFilters,
  page: { limit: number; offset: number },
): PageSource {
  const { cte, skipped, reach } = reachedWeeks(actor, filters, page)
  if (equalityFilters(filters).length > 0) {
    const { ctes, total, rows } = cellsInWeeks(actor, filters, reach)
    return { ctes: [...ctes, cte], total, rows, skipped }
  }
  const { total } = allRows(actor, filters, nothing)
  const rows = sql`(
      select found.* from reached_week
      cross join lateral (
        select t.date_entered, t.number from consignment_listing t
        where t.organisation_id = ${actor.organisationId} and t.identity_connection_id = ${nilId}
          and t.edi_status = 0 and t.date_entered >= week and t.date_entered < week + 7
        ${newestFirst(reach)}) found)`
  return { ctes: [cte], total, rows, skipped }
}

/** The source for a list without filters, or with date filters only. */
function allRows(actor: Actor, filters: ConsignmentFilters, reach: Reach): PageSource {
  const from = sql`consignment_listing t where t.organisation_id = ${actor.organisationId}
    and t.identity_connection_id = ${nilId} and t.edi_status = 0 ${dateConditions(filters)}`
  const countQuery = sql`select coalesce(sum(t.n), 0) from consignment_count t
    where t.organisation_id = ${actor.organisationId} and t.level = 2 and t.identity_connection_id = ${nilId}`
  return {
    ctes: [],
    total: sql`(${isDated(filters) ? sql`select count(*) from ${from}` : countQuery})`,
    rows: sql`(select t.date_entered, t.number from ${from} ${firstOf(reach)})`,
  }
}

/**
 * The source for rows that a selective filter finds. Consignments of clients that SearchText finds by name
 * are left to the cells, unless there is another selective filter.
 */
function matchingRows(actor: Actor, filters: ConsignmentFilters, reach: Reach): PageSource {
  const { externalId, consignmentNumbers, searchText, ediStatus } = filters
  const isTextOnly = externalId === undefined && consignmentNumbers === undefined
  const matchesText = searchText === undefined ? empty : contains(sql`t.search_text`, searchText)
  const isOfNamedClient = sql`t.client_id in (select id from named_client)`
  const textCondition = isTextOnly
    ? sql`and ${matchesText} and not ${isOfNamedClient}`
    : sql`and (${matchesText} or ${isOfNamedClient})`
  const found = sql`found as materialized (
    select t.date_entered, t.number from consignment t where t.organisation_id = ${actor.organisationId}
    ${externalId === undefined ? empty : sql`and t.external_id = ${externalId}`}
    ${consignmentNumbers === undefined ? empty : sql`and t.consignment_number = any(${consignmentNumbers})`}
    ${searchText === undefined ? empty : textCondition}
    ${equalityConditions(filters)} ${dateConditions(filters)})`
  const matching = ediStatus === undefined ? sql`table found` : foundWithMark(actor, ediStatus)
  return {
    ctes: [
      ...(searchText === undefined
        ? []
        : [sql`named_client as materialized (${namedClients(actor, searchText)})`]),
      found,
      sql`matching as materialized (${matching})`,
    ],
    total: sql`(select count(*) from matching)`,
    rows: sql`(select t.date_entered, t.number from matching t ${firstOf(reach)})`,
  }
}

/** Selects the found rows that the calling connection has given one of these marks. */
function foundWithMark(actor: Actor, ediStatus: (number | null)[]): Sql {
  const marks = ediStatus.filter(status => status !== null)
  const orUnmarked = ediStatus.includes(null)
  return sql`
    select t.* from found t ${orUnmarked ? sql`left` : empty} join consignment_listing m
      on m.organisation_id = ${actor.organisationId} and m.number = t.number
        and m.identity_connection_id = ${actor.connectionId}
    where m.edi_status = any(${marks}) ${orUnmarked ? sql`or m.edi_status is null` : empty}`
}
