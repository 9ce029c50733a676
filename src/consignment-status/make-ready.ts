// Moves many consignments from Pending to ReadyToPick at once, with a single stock allocation for all of
// them. Open-points 4.

import { consignmentEvent } from '../consignments/consignment.ts'
import { type EventSource, emit } from '../events/emit.ts'
import { type LockedOutwards, lockStockOf, publishLineChanges } from '../floor/picking/outwards-lines.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { allocateLines } from '../stock/allocation/allocate-lines.ts'
import { readOutwardLines } from '../stock/allocation/outward-lines.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'

/**
 * Moves locked Pending consignments to ReadyToPick and allocates stock to their lines. They are served in the
 * given order, whatever their priorities. Raises events 108 and 112 for each. The transaction must not have
 * locked stock yet.
 */
export async function makeReadyToPick(
  tx: Tx,
  source: EventSource,
  consignments: readonly LockedOutwards[],
): Promise<void> {
  if (consignments.length === 0) return
  const { organisationId } = source
  const ids = consignments.map(({ id }) => id)
  const locked = await lockStockOf(tx, organisationId, ids, [])
  const before = await readOutwardLines(tx, organisationId, ids)
  const requests = ids.map(consignmentId => ({ consignmentId, source }))
  await allocateLines(tx, locked, requests, { isInGivenOrder: true, lines: Promise.resolve(before) })
  await publishLineChanges(tx, source, consignments, before)
  await tx.run(sql`
    update consignment set status = ${ConsignmentStatus.ReadyToPick}
    where organisation_id = ${organisationId} and id = any(${ids})`)
  await emit(
    tx,
    source,
    consignments.map(consignment =>
      consignmentEvent(
        EventType.ConsignmentStatusUpdated,
        { ...consignment, status: ConsignmentStatus.ReadyToPick },
        {
          previousStatus: consignment.status,
          changes: [{ field: 'status', from: consignment.status, to: ConsignmentStatus.ReadyToPick }],
        },
      ),
    ),
  )
}
