// The place that a request names for everything that it receives.

import type { LockedConsignment } from '../../consignments/consignment.ts'
import type { Tx } from '../../platform/database/db.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { findLocations, hasLocation, unknownLocation } from '../../stock/commands/location-reference.ts'
import type { Receipt } from './receive-goods.ts'

/** The place that a request names for all goods. Throws 400 if the warehouse has no such location. */
export async function findReceivingPlace(
  tx: Tx,
  { organisationId, warehouseId }: LockedConsignment,
  { warehouseLocationId, locationName }: Receipt['location'],
): Promise<Receipt['location']> {
  const reference = { warehouseId: warehouseId as string, warehouseLocationId, locationName }
  if (!hasLocation(reference)) return {}
  const place = (await findLocations(tx, organisationId, [reference]))(reference)
  if (place !== undefined) return { warehouseLocationId: place.id }
  const [problem, code] = unknownLocation(reference)
  throw verificationFailed({
    path: warehouseLocationId ? 'warehouseLocationId' : 'locationName',
    code,
    message: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
  })
}
