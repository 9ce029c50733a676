// Pages far down a list: the week counts say which weeks hold the rows of a page, so that the rows before
// them are not read. Migration 008 has the counts.

import { type Sql, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type ConsignmentFilters, equalityFilters, isDated, nilId } from './filters.ts'

// Before this offset it is faster to read the rows than to look the weeks up.
const minOffset = 200

/** The values of `filter` whose week counts add up to those of the filters; null where there are none. */
export function weekFilterOf(filters: ConsignmentFilters): string[] | null {
  const [first, ...others] = equalityFilters(filters)
  if (others.length > 0 || isDated(filters) || filters.searchText !== undefined) return null
  return first === undefined ? [''] : first.values.map(value => `${first.field} ${value}`)
}

/** Whether a page is to be found by weeks: far down, with at most one filter, which is an equality. */
export const isDeep = (filters: ConsignmentFilters, offset: number): boolean =>
  offset >= minOffset && filters.ediStatus === undefined && weekFilterOf(filters) !== null

/**
 * Finds the weeks that rows `offset` to `offset + limit` belong to. `cte` has them as `reached_week`, each
 * with how many rows of the list are `later`; `skipped` is how many rows are later than all of these weeks,
 * and `reach` how many rows of these weeks there are up to the end of the page. /
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
          and t.filter = any(${weekFilterOf(filters)})
        group by t.week
      ) w where later < ${offset + limit}::bigint and later + n > ${offset}::bigint)`,
    skipped,
    reach: sql`${offset + limit}::bigint - ${skipped}`,
  }
}
