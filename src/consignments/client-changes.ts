// What a client's users may change in its consignments, and until when. Decision 3.

import type { Actor } from '../access/actor.ts'
import { forbidden, verificationFailed } from '../platform/http/refusal.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import type { Change, LockedConsignment } from './consignment.ts'
import { consignmentStatusName } from './consignment-status.ts'

/** The sentence in the API descriptions of all endpoints that `requireDraftOrPending` guards. */
export const draftOrPendingRule =
  "A client's users may do this only while the consignment is Draft or Pending."

/**
 * Throws 400 if a client's user wants to change a consignment that is neither Draft nor Pending. Later, the
 * warehouse may already be working from the consignment, so it must not change underneath.
 */
export function requireDraftOrPending(
  actor: Actor,
  { consignmentNumber, status }: Pick<LockedConsignment, 'consignmentNumber' | 'status'>,
): void {
  const { Draft, Pending } = ConsignmentStatus
  if (actor.partnerKind !== 'client' || status === Draft || status === Pending) return
  throw verificationFailed(
    `Consignment ${consignmentNumber} is ${consignmentStatusName(status)}; a token that belongs to a ` +
      'client can change it only while it is Draft or Pending.',
  )
}

const receiverFields = ['destinationAddress', 'destinationAddressAttention', 'destinationAuthorityToLeave']

/**
 * The route fields that a client's users may change, by type of consignment: those of the end at the client's
 * own customer or supplier. For Outwards and PointToPoint that is the receiver, with the authority to leave
 * the goods; for Inwards, where the warehouse receives, it is the sender. The organisation chooses the
 * carrier, the warehouse, the run and the ports.
 */
const consigneeFields: Readonly<Record<ConsignmentType, readonly string[]>> = {
  [ConsignmentType.Outwards]: receiverFields,
  [ConsignmentType.Inwards]: ['originAddress', 'originAddressAttention'],
  [ConsignmentType.PointToPoint]: receiverFields,
}

/**
 * Throws 403 for route changes that a client's users may never make. Unchanged fields are not in `changes`.
 */
export function requireConsigneeFieldsOnly(
  actor: Actor,
  { type }: Pick<LockedConsignment, 'type'>,
  changes: readonly Change[],
): void {
  if (actor.partnerKind !== 'client') return
  const allowed = consigneeFields[type]
  const refused = changes.filter(({ field }) => !allowed.includes(field)).map(({ field }) => field)
  if (refused.length === 0) return
  throw forbidden(
    `A token that belongs to a client cannot change ${refused.join(', ')}; of the route of this ` +
      `consignment it can change ${allowed.join(', ')}.`,
  )
}
