// Pages of consignments, read by cell. A cell is a combination of client, carrier, type, status and warehouse
// for which the count table has rows. One index returns the newest rows of a cell in order, so the work is
// bounded by the number of cells. Migration 008 defines the tables.

import type { Actor } from '../../access/actor.ts'
import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import { weekFilterValues } from './deep-pages.ts'
import {
  type ConsignmentFilters,
  dateConditions,
  equalityConditions,
  firstOf,
  isDated,
  isSeveral,
  newestFirst,
  nilId,
  nothing,
  type PageSource,
  type Reach,
} from './filters.ts'

/**
 * The sources for equality filters, date filters and, with a SearchText, for the clients found by name
 * (`named_client`).
 */
export function cellSources(actor: Actor, filters: ConsignmentFilters, reach: Reach): PageSource[] {
  const { ediStatus } = filters
  if (ediStatus === undefined) return [listedSource('listed', actor, filters, reach, nilId, [0])]
  const marks = ediStatus.filter(status => status !== null)
  return [
    ...(marks.length > 0 ? [listedSource('marked', actor, filters, reach, actor.connectionId, marks)] : []),
    ...(ediStatus.includes(null) ? [unmarkedSource(actor, filters, reach)] : []),
  ]
}

/** The source for a list without ediStatus and SearchText, for a page within the weeks of `reached_week`. */
export function cellsInWeeks(actor: Actor, filters: ConsignmentFilters, limit: Sql): PageSource {
  const { ctes, total } = listedSource('listed', actor, filters, nothing, nilId, [0])
  const rows = rowsOfCell(actor, filters, [...indexFields(filters), 'edi_status'], nilId)
  return {
    ctes,
    total,
    rows: sql`(
      select found.* from listed_cell cell cross join reached_week
      cross join lateral (
        select t.date_entered, t.number from ${rows}
          and t.date_entered >= week and t.date_entered < week + 7
        ${newestFirst(limit)}) found)`,
  }
}

/**
 * The fields of the index between the filtered ones and the date. Rows that agree in all of them come in list
 * order.
 */
const indexFields = ({ clientId, carrierId, searchText }: ConsignmentFilters) => [
  ...(searchText === undefined && !isSeveral(clientId) ? [] : ['client_id']),
  ...(clientId === undefined && searchText === undefined && !isSeveral(carrierId) ? [] : ['carrier_id']),
  'type',
  'status',
  'warehouse_id',
]

/** The coarsest level of the count table that has the filtered fields. See migration 008. */
const countLevel = ({ clientId, carrierId, searchText }: ConsignmentFilters) =>
  clientId !== undefined || searchText !== undefined ? 0 : carrierId !== undefined ? 1 : 2

const columns = (fields: string[]) => raw(fields.map(field => `t.${field}`).join(', '))

/** The rows of the listing that belong to `cell`, as the part of a query after `from`. */
function rowsOfCell(actor: Actor, filters: ConsignmentFilters, fields: string[], connectionId: string): Sql {
  const { clientId, carrierId } = filters
  return sql`consignment_listing t where t.organisation_id = ${actor.organisationId}
    and t.identity_connection_id = ${connectionId}
    ${fields.includes('client_id') ? empty : equalityConditions({ clientId })}
    ${fields.includes('carrier_id') ? empty : equalityConditions({ carrierId })}
    and ${raw(fields.map(field => `t.${field} = cell.${field}`).join(' and '))} ${dateConditions(filters)}`
}

const ofNamedClients = ({ searchText }: ConsignmentFilters) =>
  searchText === undefined ? empty : sql`and t.client_id in (select id from named_client)`

/**
 * The number of rows in all cells. The count table has no dates, so with date filters the index is counted.
 */
const totalOfCells = (cells: Sql, filters: ConsignmentFilters, rows: Sql) =>
  isDated(filters)
    ? sql`(select coalesce(sum(counted.n), 0) from ${cells} cell
        cross join lateral (select count(*) as n from ${rows}) counted)`
    : sql`(select coalesce(sum(cell.n), 0) from ${cells} cell)`

/** The rows of the count table of these filters; null if it cannot tell, as one is none of its columns. */
function countedRows(actor: Actor, filters: ConsignmentFilters, column?: string): Sql | null {
  const { clientId, carrierId, warehouseId, type, status, ...others } = filters
  if (Object.values(others).some(value => value !== undefined)) return null
  const ofClients = column === 'client_id' || clientId !== undefined
  const ofCarriers = column === 'carrier_id' || carrierId !== undefined
  return sql`consignment_count t
    where t.organisation_id = ${actor.organisationId} and t.level = ${ofClients ? 0 : ofCarriers ? 1 : 2}
      and t.identity_connection_id = ${nilId} and t.edi_status = 0 ${equalityConditions(filters)}`
}

/**
 * A statement for how many of the consignments have which `value` in a column; null if the count table cannot
 * tell.
 */
export function countedCells(actor: Actor, filters: ConsignmentFilters, column: string): Sql | null {
  const rows = countedRows(actor, filters, column)
  if (rows === null) return null
  return sql`select t.${raw(column)} as value, sum(t.n) as n from ${rows} group by 1 having sum(t.n) > 0`
}

/** A statement for how many consignments match, as `count`; null if the count table cannot tell. */
export function countedTotal(actor: Actor, filters: ConsignmentFilters): Sql | null {
  const rows = countedRows(actor, filters)
  return rows === null ? null : sql`select coalesce(sum(t.n), 0) as count from ${rows}`
}

/**
 * The source for the rows that are listed for a connection with one of these marks. For the nil connection
 * and the mark 0, these are all consignments.
 */
function listedSource(
  name: string,
  actor: Actor,
  filters: ConsignmentFilters,
  reach: Reach,
  connectionId: string,
  marks: number[],
): PageSource {
  const cells = raw(`${name}_cell`)
  const fields = [...indexFields(filters), 'edi_status']
  const rows = rowsOfCell(actor, filters, fields, connectionId)
  return {
    ctes: [
      sql`${cells} as (
        select ${columns(fields)}, sum(t.n) as n from consignment_count t
        where t.organisation_id = ${actor.organisationId} and t.level = ${countLevel(filters)}
          and t.identity_connection_id = ${connectionId} and t.edi_status = any(${marks})
          ${equalityConditions(filters)} ${ofNamedClients(filters)}
        group by ${columns(fields)} having sum(t.n) > 0)`,
    ],
    total: totalOfCells(cells, filters, rows),
    rows: sql`(select found.* from ${cells} cell
      cross join lateral (select t.date_entered, t.number from ${rows} ${firstOf(reach)}) found)`,
  }
}

/**
 * The source for the consignments that the calling connection has not marked: all except those listed for it.
 * Reading has to step over the marked ones. The week counts keep that short: with at most one equality filter
 * they give the number of unmarked consignments in each week, so only the weeks of the page are read.
 */
function unmarkedSource(actor: Actor, filters: ConsignmentFilters, reach: Reach): PageSource {
  const { organisationId, connectionId } = actor
  const fields = indexFields(filters)
  const difference = sql`sum(case t.identity_connection_id when ${nilId} then t.n else -t.n end)`
  const ofBothConnections = sql`t.organisation_id = ${organisationId}
    and t.identity_connection_id in (${nilId}, ${connectionId})`
  const rows = sql`${rowsOfCell(actor, filters, fields, nilId)} and t.edi_status = 0 and not exists (
    select from consignment_listing m
    where m.organisation_id = ${organisationId} and m.number = t.number
      and m.identity_connection_id = ${connectionId})`
  const cells = sql`unmarked_cell as (
    select ${columns(fields)}, ${difference} as n from consignment_count t
    where ${ofBothConnections} and t.level = ${countLevel(filters)} ${equalityConditions(filters)}
      ${ofNamedClients(filters)}
    group by ${columns(fields)} having ${difference} > 0)`
  const weekFilter = weekFilterValues(filters)
  const direction = raw(reach.isOldestFirst ? 'asc' : 'desc')
  const weeks = sql`unmarked_week as (
    select week from (
      select t.week, sum(${difference}) over (order by t.week ${direction}) - ${difference} as later
      from consignment_week_count t
      where ${ofBothConnections} and t.filter = any(${weekFilter})
      group by t.week having ${difference} > 0
    ) w where later < ${reach.limit})`
  return {
    ctes: weekFilter === null ? [cells] : [cells, weeks],
    total: totalOfCells(raw('unmarked_cell'), filters, rows),
    rows: sql`(
      select found.* from unmarked_cell cell ${weekFilter === null ? empty : sql`cross join unmarked_week`}
      cross join lateral (
        select t.date_entered, t.number from ${rows}
          ${weekFilter === null ? empty : sql`and t.date_entered >= week and t.date_entered < week + 7`}
        ${firstOf(reach)}) found)`,
  }
}
