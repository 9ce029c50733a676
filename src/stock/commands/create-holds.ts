// Creates holds, the records of why stock is held. Only the ledger puts stock into a hold or takes it out.
// Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import type { HoldKind } from '../../vocabulary/stock.ts'

export interface HoldInput {
  kind: HoldKind
  reason: string
  reference?: string | null
  /** the consignment line that the goods are received for, if they are held on receipt */
  consignmentProductId?: string | null
}

/** Creates holds without any stock. Returns their ids in the order of the holds. */
export async function createHolds(
  tx: Tx,
  organisationId: string,
  holds: readonly (HoldInput & { createdBy: string | null })[],
): Promise<string[]> {
  const rows = holds.map(hold => ({ ...hold, id: newId() }))
  if (rows.length > 0)
    await tx.run(sql`
      insert into inventory_hold (organisation_id, id, kind, reason, reference, consignment_product_id,
        created_by, created_by_name)
      select ${organisationId}, id, kind, reason, reference, "consignmentProductId", "createdBy",
        user_name(${organisationId}, "createdBy")
      from json_to_recordset(${JSON.stringify(rows)}) as h (id uuid, kind smallint, reason text,
        reference text, "consignmentProductId" uuid, "createdBy" uuid)`)
  return rows.map(({ id }) => id)
}
