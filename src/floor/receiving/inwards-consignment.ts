// Locks inwards consignments for commands that receive goods, or take back what was received. Spec 2.3.

import type { Actor } from '../../access/actor.ts'
import { type LockedConsignment, lockConsignment, requireOpen } from '../../consignments/consignment.ts'
import { consignmentStatusName } from '../../consignments/consignment-status.ts'
import type { Tx } from '../../platform/database/db.ts'
import { verificationFailed, wrongStatus } from '../../platform/http/refusal.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'

/**
 * Locks an inwards consignment for which goods may be received. Throws 404 if the actor cannot see it, and
 * 400 if goods cannot be received for it.
 */
export const lockConsignmentToReceive = async (
  tx: Tx,
  actor: Actor,
  consignmentId: string,
): Promise<LockedConsignment> => requireReceivable(await lockConsignment(tx, actor, consignmentId))

/** Throws 400 if goods cannot be received for a locked consignment. */
export function requireReceivable(consignment: LockedConsignment): LockedConsignment {
  requireOpen(consignment)
  const { type, status, consignmentNumber } = consignment
  if (type !== ConsignmentType.Inwards)
    throw verificationFailed(`Consignment ${consignmentNumber} is not Inwards: nothing is received for it.`)
  if (status !== ConsignmentStatus.ReadyToReceive)
    throw wrongStatus(
      `Consignment ${consignmentNumber} is ${consignmentStatusName(status)}; goods are received ` +
        'while it is Ready to receive.',
    )
  return consignment
}
