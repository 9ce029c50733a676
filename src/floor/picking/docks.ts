// The docks where picked goods are put down: the location that a consignment or its warehouse names, or one
// that is created for it. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { defaultLocationOf } from '../../stock/commands/default-locations.ts'
import { placementRefusal, type StockLocation } from '../../stock/commands/location-reference.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import type { LockedOutwardsConsignment } from './outwards-consignment.ts'

/**
 * The default dispatch location of a consignment: its own or else the warehouse's; null if neither is set.
 */
export interface ConfiguredDock {
  id: string
  locationId: string | null
}

/** Reads the default dispatch locations of consignments. */
export const readConfiguredDocks = (
  tx: Tx,
  organisationId: string,
  ids: readonly string[],
): Promise<ConfiguredDock[]> =>
  tx.rows(sql`
    select c.id, coalesce(c.default_dispatch_location_id, w.default_dispatch_location_id) as location_id
    from consignment c
    join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    where c.organisation_id = ${organisationId} and c.id = any(${ids})`)

/**
 * The dispatch location of each consignment, by consignment id. Creates a dispatch location if a consignment
 * and its warehouse have none, so the stock must not be locked yet.
 */
export async function findDocks(
  tx: Tx,
  consignments: readonly LockedOutwardsConsignment[],
  known?: readonly ConfiguredDock[],
): Promise<Map<string, string>> {
  const { organisationId, warehouseId } = consignments[0] as LockedOutwardsConsignment
  const ids = consignments.map(({ id }) => id)
  const docks = known ?? (await readConfiguredDocks(tx, organisationId, ids))
  const fallback = docks.every(({ locationId }) => locationId !== null)
    ? null
    : await defaultLocationOf(tx, organisationId, warehouseId, 'dispatch')
  return new Map(docks.map(({ id, locationId }) => [id, locationId ?? (fallback as string)]))
}

/** Why picked goods cannot be put into a location; null if they can. */
export const dockRefusal = (target: StockLocation, productId: string): string | null =>
  target.type === LocationType.Quarantine
    ? 'is in quarantine, where nothing can be promised'
    : placementRefusal(target, productId)
