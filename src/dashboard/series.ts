// How many consignments were entered and dispatched on each of the last days.

import type { Actor } from '../access/actor.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import { equalityConditions } from '../consignments/list/filters.ts'
import { matchingConsignments } from '../consignments/list/find-in-order.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { PlainDate, type Static, Type } from '../platform/http/schema.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { type DashboardQuery, scopeFilters } from './scope.ts'

const keys = ['inwards', 'outwards', 'pointToPoint', 'dispatched'] as const

export const DaySeries = Type.Object({
  key: Type.Enum([...keys], { description: 'Entered consignments by type, or dispatched outwards ones.' }),
  points: Type.Array(Type.Object({ date: PlainDate, value: Type.Integer() })),
})
type DaySeries = Static<typeof DaySeries>

const { Inwards, Outwards, PointToPoint } = ConsignmentType

export async function readSeries(db: Db, actor: Actor, query: DashboardQuery): Promise<DaySeries[]> {
  const filters = scopeFilters(actor, query)
  if (filters === null || !hasRequiredScope(actor, 'consignment.read')) return []
  const rows = await db.rows<Record<(typeof keys)[number], number> & { date: string }>(sql`
    with today as materialized (
      select timezone(timezone_id, now())::date as day from organisation where id = ${actor.organisationId}
    ), entered as materialized (
      select t.type, t.date_entered::date as day, count(*) as n
      from ${matchingConsignments(actor, filters)}
        and t.date_entered >= (select day from today) - ${query.Days}::int + 1
      group by 1, 2
    ), dispatched as materialized (
      select t.actual_dispatch_date_time::date as day, count(*) as n
      from consignment t
      where t.organisation_id = ${actor.organisationId} and t.type = ${Outwards}
        ${equalityConditions(filters)}
        and t.actual_dispatch_date_time >= (select day from today) - ${query.Days}::int + 1
      group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as date,
      coalesce(sum(e.n) filter (where e.type = ${Inwards}), 0) as inwards,
      coalesce(sum(e.n) filter (where e.type = ${Outwards}), 0) as outwards,
      coalesce(sum(e.n) filter (where e.type = ${PointToPoint}), 0) as point_to_point,
      coalesce((select n from dispatched where dispatched.day = d.day), 0) as dispatched
    from today, generate_series(0, ${query.Days}::int - 1) as back
    cross join lateral (select today.day - back as day) d
    left join entered e on e.day = d.day
    group by d.day order by d.day`)
  return keys.map(key => ({ key, points: rows.map(row => ({ date: row.date, value: row[key] })) }))
}
