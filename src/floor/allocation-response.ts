// What the commands that allocate and release stock share: when they are allowed, their response and their
// events. Decisions 4, 6.

import { consignmentEvent, type LockedConsignment } from '../consignments/consignment.ts'
import { consignmentStatusName } from '../consignments/consignment-status.ts'
import { type EventOrigin, emit, type NewEvent } from '../events/emit.ts'
import type { Tx } from '../platform/database/db.ts'
import { named, nullable, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import type { ConsignmentAllocation } from '../stock/allocation/allocation-state.ts'
import type { OutboundLine } from '../stock/allocation/outbound-lines.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'
import { figuresInHistory, LineFigures } from './picking/outwards-consignment.ts'

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

/**
 * Raises event 108 for the consignments with changed lines. `before` has their lines as they were before the
 * command.
 */
export function raiseAllocationEvents(
  tx: Tx,
  source: EventOrigin,
  consignments: readonly LockedConsignment[],
  outcomes: readonly ConsignmentAllocation[],
  before: readonly OutboundLine[],
): Promise<void> {
  const previous = new Map(before.map(line => [line.id, figuresInHistory(line)]))
  const byId = new Map(consignments.map(consignment => [consignment.id, consignment]))
  const events = outcomes.flatMap(({ consignmentId, movementId, lines }): NewEvent[] => {
    const consignment = byId.get(consignmentId)
    if (consignment === undefined || movementId === null) return []
    const changes = lines.flatMap(({ consignmentProductId, allocated, picked }) => {
      const from = previous.get(consignmentProductId)
      if (from?.allocatedQuantity === allocated && from.pickedQuantity === picked) return []
      const to = { ...from, allocatedQuantity: allocated, pickedQuantity: picked }
      return [{ field: 'products', from, to }]
    })
    return [consignmentEvent(EventType.ConsignmentProductsUpdated, consignment, { changes })]
  })
  return emit(tx, source, events)
}
