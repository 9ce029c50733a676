// Which consignments goods may be received for, and taken back from. Spec 2.3.

import { type LockedConsignment, requireOpen } from '../../consignments/consignment.ts'
import { consignmentStatusName } from '../../consignments/consignment-status.ts'
import { verificationFailed, wrongStatus } from '../../platform/http/refusal.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'

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
