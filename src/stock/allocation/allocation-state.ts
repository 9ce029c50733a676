// The allocation state of consignment lines after stock was allocated or released, as the API returns it.
// Decision 4.

import { numberOf } from '../commands/quantities.ts'
import type { PostedMovement, StockMove } from '../ledger/movement.ts'
import { type OutboundLine, shortageOf } from './outbound-lines.ts'

/** The allocation state of a line. Quantities are in the product's stocked unit. */
export interface LineAllocation {
  consignmentProductId: string
  expected: number
  /** allocated and not yet picked */
  allocated: number
  picked: number
  /** neither allocated, picked nor dispatched */
  short: number
}

/** The allocation state of a consignment after a change. */
export interface ConsignmentAllocation {
  consignmentId: string
  /** null if nothing changed */
  movementId: string | null
  effectiveUtc: string | null
  /** sorted by ordinal */
  lines: LineAllocation[]
}

/** Returns the lines with the allocation changes of the moves applied. */
export function applyMovesToLines(
  lines: readonly OutboundLine[],
  moves: readonly Pick<StockMove, 'allocations'>[],
): OutboundLine[] {
  const changes = new Map<string, Record<'allocated' | 'picked', bigint>>()
  for (const { allocations = [] } of moves) {
    for (const { consignmentProductId, isPicked, quantity } of allocations) {
      const change = changes.get(consignmentProductId) ?? { allocated: 0n, picked: 0n }
      change[isPicked ? 'picked' : 'allocated'] += quantity
      changes.set(consignmentProductId, change)
    }
  }
  return lines.map(line => {
    const { allocated, picked } = changes.get(line.id) ?? { allocated: 0n, picked: 0n }
    return { ...line, allocated: line.allocated + allocated, picked: line.picked + picked }
  })
}

/** Returns the allocation state of consignments after the moves were posted. */
export function summariseAllocations(
  consignments: readonly { consignmentId: string }[],
  lines: readonly OutboundLine[],
  moves: readonly StockMove[],
  posted: readonly PostedMovement[],
): ConsignmentAllocation[] {
  const movements = new Map(
    moves.flatMap(({ movementId, allocations = [] }) =>
      allocations.map(({ consignmentId }) => [consignmentId, movementId] as const),
    ),
  )
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  const linesOf = Map.groupBy(applyMovesToLines(lines, moves), ({ consignmentId }) => consignmentId)
  return consignments.map(({ consignmentId }) => {
    const movementId = movements.get(consignmentId) ?? null
    return {
      consignmentId,
      movementId,
      effectiveUtc: times.get(movementId ?? '') ?? null,
      lines: (linesOf.get(consignmentId) ?? []).map(toLineAllocation),
    }
  })
}

const toLineAllocation = (line: OutboundLine): LineAllocation => ({
  consignmentProductId: line.id,
  expected: numberOf(line.expected),
  allocated: numberOf(line.allocated),
  picked: numberOf(line.picked),
  short: numberOf(shortageOf(line)),
})
