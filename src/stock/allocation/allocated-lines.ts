// What lines of consignments have of their stock after it was allocated or released, as the API tells it.
// Open-points 4.

import { numberOf } from '../inventory/quantities.ts'
import type { MovementSource, PostedMovement, StockMove } from '../ledger/movement.ts'
import { type OutwardLine, shortageOf } from './outward-lines.ts'

/** What a line has. Quantities are in the product's stocked unit. */
export interface LineAllocation {
  consignmentProductId: string
  expected: number
  /** promised and not picked */
  allocated: number
  picked: number
  /** what nothing is promised for */
  short: number
}

/** What became of a consignment. */
export interface ConsignmentAllocation {
  consignmentId: string
  /** null where nothing changed */
  movementId: string | null
  effectiveUtc: string | null
  /** in the order of their ordinals */
  lines: LineAllocation[]
}

/** The source of moves that each name their own. */
export const noSharedSource: MovementSource = { connectionId: null, userId: null, requestId: null }

/** Lines as they are once moves are made that change what is promised to them. */
export function applyMovesToLines(lines: readonly OutwardLine[], moves: readonly StockMove[]): OutwardLine[] {
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

/** The lines of consignments as they are once the moves are made. */
export function summariseAllocations(
  consignments: readonly { consignmentId: string }[],
  lines: readonly OutwardLine[],
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
      lines: (linesOf.get(consignmentId) ?? []).map(figuresOf),
    }
  })
}

const figuresOf = (line: OutwardLine): LineAllocation => ({
  consignmentProductId: line.id,
  expected: numberOf(line.expected),
  allocated: numberOf(line.allocated),
  picked: numberOf(line.picked),
  short: numberOf(shortageOf(line)),
})
