// Counts the matching consignments by a field without reading them all, for most filters: from the table of
// counts, with dates from the weekly ones, and with a text from the few rows that match it.

import type { Actor } from '../../access/actor.ts'
import { empty, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { contains } from '../../platform/http/paging.ts'
import { countedCells } from './cells.ts'
import { filterOfCell } from './deep-pages.ts'
import { type ConsignmentFilters, dateConditions, equalityConditions, isDated, nilId } from './filters.ts'
import { matchingConsignments } from './find-in-order.ts'
import { namedClients } from './named-clients.ts'

/** The columns by which consignments are counted. */
export type CountedColumn = 'status' | 'type' | 'client_id' | 'carrier_id' | 'warehouse_id'

/** A statement for how many of the matching consignments, as `n`, have which `value` in a column. */
export function countBy(actor: Actor, filters: ConsignmentFilters, column: CountedColumn): Sql {
  const { dateFrom, dateTo, searchText, externalId, consignmentNumbers, ediStatus, work } = filters
  const isPlain = [externalId, consignmentNumbers, ediStatus, work].every(filter => filter === undefined)
  if (isPlain && searchText !== undefined) return countedMatches(actor, filters, searchText, column)
  const undated = { ...filters, dateFrom: undefined, dateTo: undefined }
  const hasWeeks = filters.carrierId === undefined && !['client_id', 'carrier_id'].includes(column)
  if (isPlain && isDated(filters) && hasWeeks)
    return countedWeeks(actor, undated, column, { from: dateFrom, to: dateTo })
  return (
    countedCells(actor, filters, column) ??
    sql`select t.${raw(column)} as value, count(*) as n
      from ${matchingConsignments(actor, filters)} group by 1`
  )
}

/** Of a period: whole weeks from the weekly counts, and the days before and after them by counting rows. */
function countedWeeks(
  { organisationId }: Actor,
  filters: ConsignmentFilters,
  column: CountedColumn,
  { from, to }: { from: string | undefined; to: string | undefined },
): Sql {
  const ofClients = filters.clientId !== undefined
  const fields = raw(`${ofClients ? 't.client_id, ' : ''}t.type, t.status, t.warehouse_id`)
  const rows = sql`select count(*) as n from consignment_listing t
    where t.organisation_id = ${organisationId} and t.identity_connection_id = ${nilId} and t.edi_status = 0
      ${ofClients ? sql`and t.client_id = cell.client_id` : empty}
      and t.type = cell.type and t.status = cell.status and t.warehouse_id = cell.warehouse_id`
  const period = sql`(
    select ${from ?? null}::date as first,
      date_trunc('week', ${from ?? null}::date + 6)::date as first_monday,
      ${to ?? null}::date + 1 as past, date_trunc('week', ${to ?? null}::date + 1)::date as last_monday
  ) period`
  const weeks = sql`select sum(w.n) as n from consignment_week_count w
    where w.organisation_id = ${organisationId} and w.identity_connection_id = ${nilId}
      and w.filter = ${filterOfCell(ofClients ? sql`cell.client_id` : null)}
      ${from === undefined ? empty : sql`and w.week >= first_monday`}
      ${to === undefined ? empty : sql`and w.week < last_monday`}`
  const parts = [
    weeks,
    ...(from === undefined
      ? []
      : [sql`${rows} and t.date_entered >= first and t.date_entered < least(first_monday, past)`]),
    ...(to === undefined
      ? []
      : [sql`${rows} and t.date_entered >= greatest(first_monday, last_monday) and t.date_entered < past`]),
  ]
  return sql`
    select cell.${raw(column)} as value, sum(counted.n) as n
    from (
      select ${fields} from consignment_count t
      where t.organisation_id = ${organisationId} and t.level = ${ofClients ? 0 : 2}
        and t.identity_connection_id = ${nilId} and t.edi_status = 0 ${equalityConditions(filters)}
      group by ${fields} having sum(t.n) > 0
    ) cell cross join ${period}
    cross join lateral (select sum(part.n) as n from (${join(parts, ' union all ')}) part) counted
    group by 1 having sum(counted.n) > 0`
}

/** With a text: the rows that match it, and all of the clients whose name does. */
function countedMatches(actor: Actor, filters: ConsignmentFilters, text: string, column: CountedColumn): Sql {
  const { organisationId } = actor
  const value = sql`coalesce(t.${raw(column)}, ${column.endsWith('_id') ? sql`${nilId}::uuid` : sql`null`})`
  const ofClients = sql`t.client_id in (select id from named_client)`
  const listed = sql`t.organisation_id = ${organisationId} and t.identity_connection_id = ${nilId}
    and t.edi_status = 0 and ${ofClients} ${equalityConditions(filters)}`
  return sql`
    with named_client as materialized (${namedClients(actor, text)})
    select value, sum(n) as n from (
      select ${value} as value, count(*) as n from consignment t
      where t.organisation_id = ${organisationId} and ${contains(sql`t.search_text`, text)}
        and not ${ofClients}
        ${equalityConditions(filters)} ${dateConditions(filters)}
      group by 1
      union all
      ${
        isDated(filters)
          ? sql`select ${value}, count(*) from consignment_listing t
              where ${listed} ${dateConditions(filters)} group by 1`
          : sql`select ${value}, sum(t.n) from consignment_count t where ${listed} and t.level = 0 group by 1`
      }
    ) found group by 1 having sum(n) > 0`
}
