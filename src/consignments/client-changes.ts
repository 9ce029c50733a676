// What a client's own people may change of its consignments, and until when. Open-points 3 (what a partner's
// token may do).

import type { Actor } from '../platform/http/actor.ts'
import { forbidden, verificationFailed } from '../platform/http/refusal.ts'
import type { Change, LockedConsignment } from './consignment.ts'
import { statusName } from './consignment-status.ts'
import { ConsignmentStatus, ConsignmentType } from './enumerations.ts'

/** For the API document: the endpoints that `requireDraftOrPending` guards say it in the same words. */
export const draftOrPendingRule = 'People of the client may while the consignment is Draft or Pending.'

/**
 * Refuses (400) the change of a client's person once work on the consignment may have begun: what the
 * warehouse goes by does not change under its hands.
 */
export function requireDraftOrPending(
  actor: Actor,
  { consignmentNumber, status }: Pick<LockedConsignment, 'consignmentNumber' | 'status'>,
): void {
  const { Draft, Pending } = ConsignmentStatus
  if (actor.partnerKind !== 'client' || status === Draft || status === Pending) return
  throw verificationFailed(
    `Consignment ${consignmentNumber} is ${statusName(status)}; a token that belongs to a client can ` +
      'change it only while it is Draft or Pending.',
  )
}

const receiverFields = ['destinationAddress', 'destinationAddressAttention', 'destinationAuthorityToLeave']

/**
 * The consignee side of a route by the type of the consignment: its end at the client's own customer or
 * supplier, where the organisation does nothing. Outwards it is the receiver, with the authority to leave the
 * goods. Inwards the goods come to the warehouse, so it is the sender, who stands in the receiver's place.
 * Point to point it is the receiver: where the goods are fetched is agreed with the carrier. The carrier, the
 * warehouse, the run and the ports are the organisation's to choose.
 */
const consigneeFields: Readonly<Record<ConsignmentType, readonly string[]>> = {
  [ConsignmentType.Outwards]: receiverFields,
  [ConsignmentType.Inwards]: ['originAddress', 'originAddressAttention'],
  [ConsignmentType.PointToPoint]: receiverFields,
}

/** Refuses (403) changes of the route that a client's person may never make; fields sent as they are pass. */
export function requireConsigneeFieldsOnly(
  actor: Actor,
  { type }: Pick<LockedConsignment, 'type'>,
  changes: readonly Change[],
): void {
  if (actor.partnerKind !== 'client') return
  const own = consigneeFields[type]
  const refused = changes.filter(({ field }) => !own.includes(field)).map(({ field }) => field)
  if (refused.length === 0) return
  throw forbidden(
    `A token that belongs to a client cannot change ${refused.join(', ')}; of the route of this ` +
      `consignment it can change ${own.join(', ')}.`,
  )
}
