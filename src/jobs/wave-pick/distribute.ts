// Distributes goods that were picked for a whole wave among its consignments, in the order of their
// positions. Pure. Spec 2.15.

import { smaller } from '../../platform/decimal.ts'
import { oneItem } from '../../stock/ledger/movement.ts'

/** What a line of a consignment still needs from a row of stock. */
export interface LineDemand {
  consignmentProductId: string
  /** ten-thousandths */
  quantity: bigint
  /** serials that are allocated to the line and not picked yet */
  allocatedSerials: readonly string[]
}

/** What a line gets. The quantity is in ten-thousandths. */
export interface PickShare {
  consignmentProductId: string
  quantity: bigint
  serials: string[]
}

/**
 * Distributes a quantity among lines, none of which gets more than it needs. Serials go first to the lines
 * that they are allocated to; the rest of the quantity and of the serials goes to one line after the other.
 * If there is not enough, the last lines get less or nothing. There must be as many serials as the quantity,
 * or none.
 */
export function distributePicks(
  quantity: bigint,
  serials: readonly string[],
  demands: readonly LineDemand[],
): PickShare[] {
  const lineBySerial = new Map(
    demands.flatMap(({ allocatedSerials, consignmentProductId }) =>
      allocatedSerials.map(serial => [serial, consignmentProductId] as const),
    ),
  )
  const freeSerials = serials.filter(serial => !lineBySerial.has(serial))
  const serialsByLine = new Map(
    demands.map(({ consignmentProductId: id }) => [
      id,
      serials.filter(serial => lineBySerial.get(serial) === id),
    ]),
  )
  let rest = quantity - oneItem * BigInt(serials.length - freeSerials.length)
  return demands.map(({ consignmentProductId, quantity: needed }) => {
    const ownSerials = serialsByLine.get(consignmentProductId) ?? []
    const fixed = oneItem * BigInt(ownSerials.length)
    const more = rest > 0n && needed > fixed ? smaller(rest, needed - fixed) : 0n
    rest -= more
    return {
      consignmentProductId,
      quantity: fixed + more,
      serials: [...ownSerials, ...freeSerials.splice(0, Number(more / oneItem))],
    }
  })
}
