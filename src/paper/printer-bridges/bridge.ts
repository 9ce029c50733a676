// What a printer bridge is, and how it is told by the app that it signs in as. Spec 4.15.

import { type Db, sql } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import type { BridgeKey } from './print-queue.ts'
import { isAppOf, joinApp } from './printer.ts'

/** A bridge whose own app asks. */
export interface OwnBridge extends BridgeKey {
  warehouseId: string
  isActive: boolean
}

/** The bridge that a path names, if the token is that of its own app: to any other it is not there (404). */
export async function ownBridge(db: Db, actor: Actor, printerBridgeId: string): Promise<OwnBridge> {
  const bridge = await db.maybe<Omit<OwnBridge, keyof BridgeKey>>(sql`
    select b.warehouse_id, b.status = ${SetUpStatus.Active} as is_active from printer_bridge b ${joinApp}
    where b.organisation_id = ${actor.organisationId} and b.id = ${printerBridgeId} and ${isAppOf(actor)}`)
  if (bridge === undefined) throw notFound('Printer bridge')
  return { organisationId: actor.organisationId, id: printerBridgeId, ...bridge }
}

/** The same for what an inactive bridge cannot do any more (400): announce printers and take work. */
export async function activeBridge(db: Db, actor: Actor, printerBridgeId: string): Promise<OwnBridge> {
  const bridge = await ownBridge(db, actor, printerBridgeId)
  if (!bridge.isActive) throw verificationFailed('The printer bridge is inactive.')
  return bridge
}
