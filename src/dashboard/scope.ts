// Which records a dashboard is about.

import type { Actor } from '../access/actor.ts'
import type { ConsignmentFilters } from '../consignments/list/filters.ts'
import { filtersFor } from '../consignments/list/list-query.ts'
import { type Static, Type, Uuid } from '../platform/http/schema.ts'

export const dashboardQuery = Type.Object({
  WarehouseId: Type.Optional(Uuid),
  ClientId: Type.Optional(Uuid),
  Days: Type.Integer({
    minimum: 7,
    maximum: 90,
    default: 30,
    description: 'How many days the series have.',
  }),
})
export type DashboardQuery = Static<typeof dashboardQuery>

/** The filters of the consignments that a dashboard is about; null if the actor may see none of them. */
export const scopeFilters = (
  actor: Actor,
  { WarehouseId, ClientId }: DashboardQuery,
): ConsignmentFilters | null =>
  filtersFor(actor, {
    ...(WarehouseId === undefined ? {} : { WarehouseId: [WarehouseId] }),
    ...(ClientId === undefined ? {} : { ClientId: [ClientId] }),
  })
