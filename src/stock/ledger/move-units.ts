// Moves logistic units. A unit is always in the same location as the stock on it, so only the ledger moves
// it.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { LockedStock } from './stock-lock.ts'

/** Puts units into locations. `post` must move the stock on them in the same transaction. */
export async function moveUnits(
  tx: Tx,
  { organisationId }: LockedStock,
  units: readonly { logisticUnitId: string; warehouseId: string; warehouseLocationId: string }[],
): Promise<void> {
  if (units.length === 0) return
  await tx.run(sql`
    update logistic_unit u
    set warehouse_id = g."warehouseId", warehouse_location_id = g."warehouseLocationId"
    from json_to_recordset(${JSON.stringify(units)}) as g ("logisticUnitId" uuid, "warehouseId" uuid,
      "warehouseLocationId" uuid)
    where u.organisation_id = ${organisationId} and u.id = g."logisticUnitId"`)
}
