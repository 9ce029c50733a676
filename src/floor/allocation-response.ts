// What the commands that allocate and release stock share: when they are allowed, their response and their
// events. Decisions 4, 6.

import { consignmentEvent, type LockedConsignment } from '../consignments/consignment.ts'
import { consignmentStatusName } from '../consignments/consignment-status.ts'
import { type EventOrigin, emit, type NewEvent } from '../events/emit.ts'
import type { Tx } from '../platform/database/db.ts'
import { named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import type { ConsignmentAllocation } from '../stock/allocation/allocation-state.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'
import { LineFigures } from './picking/outwards-consignment.ts'

/** The response of a command that allocates or releases stock: every line in its new state. */
export const allocationFields = {
  movementId: nullable({ ...Uuid, description: 'null if nothing changed' }),
  effectiveUtc: nullable(UtcTime),
  lines: Type.Array(LineFigures),
}
export const AllocationResponse = named('Allocation', Type.Object(allocationFields))
export type AllocationResponse = Static<typeof AllocationResponse>

/** Why stock cannot be allocated to a consignment, as a sentence; null if it can. */
export const allocationRefusal = ({ status, consignmentNumber }: LockedConsignment): string | null =>
  status === ConsignmentStatus.ReadyToPick
    ? null
    : `Consignment ${consignmentNumber} is ${consignmentStatusName(status)}; stock is allocated while ` +
      'it is Ready to pick.'

/** The response for one consignment. */
export const toAllocationResponse = ({
  consignmentId: _,
  ...answer
}: ConsignmentAllocation): AllocationResponse => answer

/** Raises event 108 for the consignments with changed lines. */
export const raiseAllocationEvents = (
  tx: Tx,
  source: EventOrigin,
  consignments: readonly LockedConsignment[],
  outcomes: readonly ConsignmentAllocation[],
): Promise<void> => {
  const changed = new Set(
    outcomes.filter(({ movementId }) => movementId !== null).map(({ consignmentId }) => consignmentId),
  )
  return emit(tx, source, consignments.filter(({ id }) => changed.has(id)).map(linesChangedEvent))
}

/** Event 108: lines of a consignment changed. */
export const linesChangedEvent = (consignment: LockedConsignment): NewEvent =>
  consignmentEvent(EventType.ConsignmentProductsUpdated, consignment)
