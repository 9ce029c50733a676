// Pages far down a list. The week counts tell which weeks have the rows of a page, so that the rows before
// them need not be read. Migration 008 defines the counts.

import type { Actor } from '../../access/actor.ts'
import { type Sql, sql } from '../../platform/database/db.ts'
import { type ConsignmentFilters, equalityFilters, isDated, nilId } from './filters.ts'

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

/** Whether to find a page by weeks: it is far down the list, which has at most one filter, an equality. */
export const isDeep = (filters: ConsignmentFilters, offset: number): boolean =>
  offset >= minOffset && filters.ediStatus === undefined && weekFilterValues(filters) !== null

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
          and t.filter = any(${weekFilterValues(filters)})
        group by t.week
      ) w where later < ${offset + limit}::bigint and later + n > ${offset}::bigint)`,
    skipped,
    reach: sql`${offset + limit}::bigint - ${skipped}`,
  }
}
