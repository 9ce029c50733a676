// Moves many consignments from Pending to ReadyToPick at once, with a single stock allocation for all of
// them. Decision 4.

import type { EventOrigin } from '../events/emit.ts'
import {
  type LockedOutwardsConsignment,
  lockStockForPicking,
  publishLineChanges,
} from '../floor/picking/outwards-consignment.ts'
import type { Tx } from '../platform/database/db.ts'
import { allocateLines } from '../stock/allocation/allocate-lines.ts'
import { readOutboundLines } from '../stock/allocation/outbound-lines.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { storeMoves } from './store-moves.ts'

/**
 * Moves locked Pending consignments to ReadyToPick and allocates stock to their lines. They are served in the
 * given order, whatever their priorities. Raises events 108 and 112 for each. The transaction must not have
 * locked stock yet.
 */
export async function makeReadyToPick(
  tx: Tx,
  source: EventOrigin,
  consignments: readonly LockedOutwardsConsignment[],
): Promise<void> {
  if (consignments.length === 0) return
  const { organisationId } = source
  const ids = consignments.map(({ id }) => id)
  const locked = await lockStockForPicking(tx, organisationId, ids, [])
  const before = await readOutboundLines(tx, organisationId, ids)
  const requests = ids.map(consignmentId => ({ consignmentId, source }))
  await allocateLines(tx, locked, requests, { isInGivenOrder: true, lines: Promise.resolve(before) })
  await publishLineChanges(tx, source, consignments, before)
  const moves = consignments.map(from => ({ from, to: ConsignmentStatus.ReadyToPick }))
  await storeMoves(tx, source, moves)
}
