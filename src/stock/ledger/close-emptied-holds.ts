// Closes holds that nothing is left in, whatever took the last of it: a release, a write-off or a count.

import { sql, type Tx } from '../../platform/database/db.ts'

/**
 * Closes those of the holds in which no stock is left. They are locked first: of two transactions that empty
 * rows of different products at once, the second one sees that it was the last.
 */
export async function closeEmptiedHolds(
  tx: Tx,
  organisationId: string,
  inventoryHoldIds: readonly string[],
): Promise<void> {
  if (inventoryHoldIds.length === 0) return
  const holds = sql`h.organisation_id = ${organisationId} and h.id = any(${inventoryHoldIds})`
  await tx.run(sql`select from inventory_hold h where ${holds} order by h.id for no key update`)
  await tx.run(sql`
    update inventory_hold h set released_utc = now()
    where ${holds} and h.released_utc is null
      and not exists (select from warehouse_product p where p.organisation_id = h.organisation_id
        and p.inventory_hold_id = h.id and not p.is_depleted)`)
}
