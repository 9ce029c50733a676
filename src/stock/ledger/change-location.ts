// What becomes of the stock in a location when the location changes. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { LocationType, WarehouseStatus } from '../../warehouses/enumerations.ts'
import { lockWarehouseStock } from './stock-lock.ts'

/** A location of a warehouse. */
interface Location {
  organisationId: string
  warehouseId: string
  warehouseLocationId: string
}

/**
 * Puts the stock of a location into quarantine or takes it out, as the location's new type says, with all
 * stock of the warehouse locked. 400 where stock that is allocated would go into quarantine, and where a
 * location with stock in it would become Inactive. Does nothing where neither type nor status is to change.
 */
export async function applyLocationChange(
  tx: Tx,
  { organisationId, warehouseId, warehouseLocationId }: Location,
  { type, status }: { type?: number; status?: number },
): Promise<void> {
  if (type === undefined && status === undefined) return
  await lockWarehouseStock(tx, organisationId, warehouseId)
  const isHere = sql`organisation_id = ${organisationId} and warehouse_id = ${warehouseId}
    and warehouse_location_id = ${warehouseLocationId}`
  const found = await tx.row<{ rows: number; allocated: number }>(sql`
    select count(*) as rows, coalesce(sum(allocated_quantity), 0) as allocated from warehouse_product
    where ${isHere} and not is_depleted`)
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
      where ${isHere} and is_quarantined <> ${isQuarantine}`)
}
