// Updates the stock in a location when the location's type or status changes. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { LocationType, WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { lockWarehouseStock } from './stock-lock.ts'

interface Location {
  organisationId: string
  warehouseId: string
  warehouseLocationId: string
}

/**
 * Puts the stock of a location into quarantine, or takes it out, according to the location's new type. Locks
 * all stock of the warehouse first. Does nothing if neither type nor status changes.
 * @throws 400 if allocated stock would go into quarantine, or if a location that holds stock would become
 *   Inactive.
 */
export async function applyLocationChange(
  tx: Tx,
  { organisationId, warehouseId, warehouseLocationId }: Location,
  { type, status }: { type?: number; status?: number },
): Promise<void> {
  if (type === undefined && status === undefined) return
  await lockWarehouseStock(tx, organisationId, warehouseId)
  const inLocation = sql`organisation_id = ${organisationId} and warehouse_id = ${warehouseId}
    and warehouse_location_id = ${warehouseLocationId}`
  const found = await tx.row<{ rows: number; allocated: number }>(sql`
    select count(*) as rows, coalesce(sum(allocated_quantity), 0) as allocated from warehouse_product
    where ${inLocation} and not is_depleted`)
  const isQuarantine = type === LocationType.Quarantine
  const faults = [
    ...(isQuarantine && found.allocated > 0
      ? [faultAt('type', `must not be Quarantine: ${found.allocated} in the location are allocated`, 'state')]
      : []),
    ...(status === WarehouseStatus.Inactive && found.rows > 0
      ? [faultAt('status', 'must not be Inactive: there is stock in the location', 'state')]
      : []),
  ]
  if (faults.length > 0) throw verificationFailed(...faults)
  if (type !== undefined)
    await tx.run(sql`
      update warehouse_product set is_quarantined = ${isQuarantine}
      where ${inLocation} and is_quarantined <> ${isQuarantine}`)
}
