// What commands that allocate and release have in common: whose stock may be allocated, how it is answered,
// and who is told. Open-points 4, 6.

import { type EventSource, emit, type NewEvent } from '../events/emit.ts'
import { EventType } from '../events/event.ts'
import type { Tx } from '../platform/database/db.ts'
import { named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import type { ConsignmentAllocation } from '../stock/allocation/allocated-lines.ts'
import { consignmentEvent, type LockedConsignment } from './consignment.ts'
import { statusName } from './consignment-status.ts'
import { ConsignmentStatus } from './enumerations.ts'
import { LineFigures } from './picking/outwards-lines.ts'

/** What a command answers that allocates or releases: every line as it is then. */
export const allocationFields = {
  movementId: nullable({ ...Uuid, description: 'null where nothing changed' }),
  effectiveUtc: nullable(UtcTime),
  lines: Type.Array(LineFigures),
}
export const AllocationAnswer = named('Allocation', Type.Object(allocationFields))
export type AllocationAnswer = Static<typeof AllocationAnswer>

/** Why stock cannot be allocated to a consignment, as a sentence; null where it can. */
export const refusalOfAllocation = ({ status, consignmentNumber }: LockedConsignment): string | null =>
  status === ConsignmentStatus.ReadyToPick
    ? null
    : `Consignment ${consignmentNumber} is ${statusName(status)}; stock is allocated while it is ReadyToPick.`

/** The answer about one consignment. */
export const answerOf = ({ consignmentId: _, ...answer }: ConsignmentAllocation): AllocationAnswer => answer

/** Tells of the consignments whose lines changed. */
export const emitAllocationEvents = (
  tx: Tx,
  source: EventSource,
  consignments: readonly LockedConsignment[],
  outcomes: readonly ConsignmentAllocation[],
): Promise<void> => {
  const changed = new Set(
    outcomes.filter(({ movementId }) => movementId !== null).map(({ consignmentId }) => consignmentId),
  )
  return emit(tx, source, consignments.filter(({ id }) => changed.has(id)).map(linesChangedEvent))
}

/** That lines of a consignment changed. */
export const linesChangedEvent = (consignment: LockedConsignment): NewEvent =>
  consignmentEvent(EventType.ConsignmentProductsUpdated, consignment)
