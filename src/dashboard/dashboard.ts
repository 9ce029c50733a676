// The figures of a day for the first page of the portal: what is to be done, what came and left, and where
// there is room. Each part is left out if the token may not read what it is made of.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import type { Db } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import { named, type Static, Type, UtcTime } from '../platform/http/schema.ts'
import { RecentMap } from '../platform/recent-map.ts'
import { DayFigure, readFigures } from './figures.ts'
import { type DashboardQuery, dashboardQuery } from './scope.ts'
import { DaySeries, readSeries } from './series.ts'
import { readWaves, Wave } from './waves.ts'
import { readZones, Zone } from './zones.ts'

const Dashboard = named(
  'Dashboard',
  Type.Object({
    asOfUtc: { ...UtcTime, description: 'When it was read: at most ten seconds ago.' },
    figures: Type.Array(DayFigure),
    series: Type.Array(DaySeries, { description: 'Consignments by day, the last of which is today.' }),
    waves: Type.Array(Wave, {
      description: 'Wave picks that are ReadyToStart or InProgress, most urgent first.',
    }),
    zones: Type.Array(Zone, { description: 'Zones with active locations, the fullest first.' }),
  }),
)
type Dashboard = Static<typeof Dashboard>

const keptMs = 10_000

/** The dashboards read last, by what they depend on, of each database. */
const recent = new WeakMap<Db, RecentMap<{ readMs: number; dashboard: Promise<Dashboard> }>>()

/** Reads a dashboard, or returns the one that somebody with the same rights read within ten seconds. */
function recentDashboard(db: Db, actor: Actor, query: DashboardQuery): Promise<Dashboard> {
  const dashboards = recent.get(db) ?? new RecentMap(500)
  recent.set(db, dashboards)
  const { organisationId, partnerId, scopes } = actor
  const key = JSON.stringify([organisationId, partnerId, [...scopes].toSorted(), query])
  const known = dashboards.get(key)
  if (known !== undefined && performance.now() - known.readMs < keptMs) return known.dashboard
  const dashboard = readDashboard(db, actor, query)
  dashboards.set(key, { readMs: performance.now(), dashboard })
  dashboard.catch(() => dashboards.delete(key))
  return dashboard
}

async function readDashboard(db: Db, actor: Actor, query: DashboardQuery): Promise<Dashboard> {
  const asOfUtc = new Date().toISOString()
  // On two connections, as the parts take similar times.
  const [[figures, waves], [series, zones]] = await Promise.all([
    readFigures(db, actor, query).then(async read => [read, await readWaves(db, actor, query)] as const),
    readSeries(db, actor, query).then(async read => [read, await readZones(db, actor, query)] as const),
  ])
  return { asOfUtc, figures, series, waves, zones }
}

export const dashboard = [
  endpoint({
    get: '/v1/dashboard',
    name: 'getDashboard',
    partners: 'all',
    scope: ['consignment.read', 'inventory.read', 'financial.read', 'job.read', 'warehouse.read'],
    extension: true,
    summary: 'Read what is to be done today, what came and left, and how full the zones are',
    description:
      'Kept for ten seconds. Parts that the scopes of the token do not include are left out. A token that ' +
      "belongs to a partner sees only the partner's own records, and no zones.",
    query: dashboardQuery,
    response: json(Dashboard),
    handle: ({ database, actor, query }) => recentDashboard(database.db, actor, query),
    ownTransactions: true,
  }),
]
