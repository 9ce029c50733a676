// Pages far down a list. The week counts tell which weeks have the rows of a page, so that the rows before
// them need not be read. Migration 008 defines the counts.

import type { Actor } from '../../access/actor.ts'
import { empty, type Sql, sql } from '../../platform/database/db.ts'
import { type ConsignmentFilters, equalityFilters, isDated, isSeveral, nilId } from './filters.ts'

// Up to this offset, reading the rows is faster than looking up the weeks.
const minOffset = 200

/**
 * The values of `filter` with week counts that add up to those of the filters; null if the counts do not
 * apply.
 */
export function weekFilterValues(filters: ConsignmentFilters): string[] | null {
  const [first, ...others] = equalityFilters(filters)
  if (others.length > 0 || isDated(filters) || filters.searchText !== undefined) return null
  return first === undefined ? [''] : first.values.map(value => `${first.field} ${value}`)
}

/**
 * SQL: the value of `filter` with the week counts of a row of cells, `cell`; of a client, if one is given.
 * See migration 041.
 */
export const filterOfCell = (clientId: Sql | null): Sql =>
  sql`'cell ' || cell.type || ' ' || cell.status || ' ' || cell.warehouse_id
    ${clientId === null ? empty : sql`|| ' ' || ${clientId}`}`

/** Whether the week counts of cells add up to those of the filters. No carrier's are counted. */
const haveCellsWeeks = (filters: ConsignmentFilters): boolean => {
  const { clientId, warehouseId, type, status, ...others } = filters
  return Object.values(others).every(value => value === undefined)
}

/** The values of `filter` whose week counts add up to those of the filters, as SQL; needs `listed_cell`. */
function deepFilterValues(filters: ConsignmentFilters): Sql {
  const values = weekFilterValues(filters)
  if (values !== null) return sql`${values}`
  const { clientId } = filters
  const client =
    clientId === undefined
      ? null
      : isSeveral(clientId)
        ? sql`cell.client_id`
        : sql`${[clientId].flat()[0]}::uuid`
  return sql`array(select ${filterOfCell(client)} from listed_cell cell)`
}

/** Whether to find a page by weeks: it is far down the list, and the week counts tell of its filters. */
export const isDeep = (filters: ConsignmentFilters, offset: number): boolean =>
  offset >= minOffset &&
  filters.ediStatus === undefined &&
  (weekFilterValues(filters) !== null || haveCellsWeeks(filters))

/**
 * Finds the weeks of the rows `offset` to `offset + limit`. `cte` defines them as `reached_week`, each with
 * the number of `later` rows in the list. `skipped` is the number of rows later than all of these weeks, and
 * `reach` the number of rows from the start of these weeks to the end of the page.
 */
export function reachedWeeks(
  actor: Actor,
  filters: ConsignmentFilters,
  { limit, offset }: { limit: number; offset: number },
): { cte: Sql; skipped: Sql; reach: Sql } {
  const skipped = sql`(select coalesce(min(later), 0) from reached_week)`
  return {
    cte: sql`reached_week as materialized (
      select week, later from (
        select t.week, sum(t.n) as n, sum(sum(t.n)) over (order by t.week desc) - sum(t.n) as later
        from consignment_week_count t
        where t.organisation_id = ${actor.organisationId} and t.identity_connection_id = ${nilId}
          and t.filter = any(${deepFilterValues(filters)})
        group by t.week
      ) w where later < ${offset + limit}::bigint and later + n > ${offset}::bigint)`,
    skipped,
    reach: sql`${offset + limit}::bigint - ${skipped}`,
  }
}
