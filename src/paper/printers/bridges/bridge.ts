// The printer bridge that makes a request, recognised by the app that it signs in as. Spec 4.15.

import type { Actor } from '../../../access/actor.ts'
import { type Db, sql } from '../../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../../platform/http/refusal.ts'
import { SetUpStatus } from '../../../vocabulary/reference-data.ts'
import type { BridgeKey } from '../../print-jobs/print-queue.ts'
import { isCallersApp, joinApp } from '../printer.ts'

/** The bridge that makes the request. */
export interface CallingBridge extends BridgeKey {
  warehouseId: string
  isActive: boolean
}

/** Returns the bridge in the path if the token belongs to its own app; refuses any other token (404). */
export async function findCallingBridge(
  db: Db,
  actor: Actor,
  printerBridgeId: string,
): Promise<CallingBridge> {
  const bridge = await db.maybe<Omit<CallingBridge, keyof BridgeKey>>(sql`
    select b.warehouse_id, b.status = ${SetUpStatus.Active} as is_active from printer_bridge b ${joinApp}
    where b.organisation_id = ${actor.organisationId} and b.id = ${printerBridgeId}
      and ${isCallersApp(actor)}`)
  if (bridge === undefined) throw notFound('Printer bridge')
  return { organisationId: actor.organisationId, id: printerBridgeId, ...bridge }
}

/**
 * Like `findCallingBridge`, but refuses (400) an inactive bridge, which may not announce printers or claim.
 */
export async function findActiveBridge(
  db: Db,
  actor: Actor,
  printerBridgeId: string,
): Promise<CallingBridge> {
  const bridge = await findCallingBridge(db, actor, printerBridgeId)
  if (!bridge.isActive) throw verificationFailed('The printer bridge is inactive.')
  return bridge
}
