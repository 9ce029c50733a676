// Moves picked goods: back to the shelf, or between docks and onto units. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { moveUnits } from '../ledger/move-units.ts'
import {
  type AllocationChange,
  type MovementSource,
  noSharedSource,
  type StockMove,
  unpickedFields,
} from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { createAndMoveUnits } from '../logistic-units/destination-units.ts'
import { allocationChangesFor, type PickedStock } from './picked-stock.ts'
import { type RowTransfer, targetIdentityOf, type WholeUnitMove } from './whole-units.ts'

/** What becomes of the allocation of moved goods: still picked, to be picked again, or released. */
export type AllocationAfter = 'picked' | 'unpicked' | 'released'

/** A quantity of picked goods, with its serials, and its destination. */
export interface PickedTransfer extends RowTransfer {
  part: PickedStock
  items: readonly string[]
  allocationAfter: AllocationAfter
}

/** A request that moves picked goods, planned and not yet written. */
export interface PickedMove {
  source: MovementSource
  occurredUtc: string | null
  reason: string | null
  goods: readonly PickedTransfer[]
  wholeUnits: ReadonlyMap<string, WholeUnitMove>
}

export interface MoveResult {
  movementId: string
  /** when the movement counts as happened */
  effectiveUtc: string | null
  /** the rows that hold the goods now */
  warehouseProductIds: string[]
}

/**
 * Moves picked goods back to the shelf, or between docks and onto units, each request in a movement of its
 * own. Goods that are put back stay allocated to their line, to be picked again, unless they are released;
 * serials that were captured when they were picked are removed. The caller must have checked everything under
 * the stock lock.
 */
export async function movePicked(
  tx: Tx,
  locked: LockedStock,
  requests: readonly PickedMove[],
): Promise<MoveResult[]> {
  const all = requests.flatMap(({ goods, wholeUnits, ...context }) => {
    const facts = { ...context, movementId: newId() }
    return goods.map(transfer => ({ transfer, wholeUnits, facts }))
  })
  const filled = new Set(all.flatMap(({ transfer: { unit } }) => unit ?? []))
  const units = await createAndMoveUnits(tx, locked, filled)
  const wholeUnits = requests.flatMap(request => [...request.wholeUnits.values()])
  await moveUnits(tx, locked, wholeUnits)
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    all.map(one => targetIdentityOf(one.transfer, units, one.wholeUnits)),
  )
  const moves = all.map(({ transfer, facts }, i) => ({ ...facts, ...toMove(transfer, targets[i] as string) }))
  const posted = await post(tx, locked, noSharedSource, moves)
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  const remaining = moves.values()
  return requests.map(({ goods }) => {
    const own = [...remaining.take(goods.length)]
    const movementId = own[0]?.movementId ?? newId()
    return {
      movementId,
      effectiveUtc: times.get(movementId) ?? null,
      warehouseProductIds: own.map(({ to }) => to),
    }
  })
}

function toMove(transfer: PickedTransfer, to: string) {
  const { part, row, quantity, items, allocationAfter } = transfer
  const isStaged = allocationAfter === 'picked'
  const isRetired = !isStaged && row.serialTrackingMode === SerialTrackingMode.ReleaseCapture
  return {
    type: isStaged ? TransactionType.Transfer : TransactionType.Pick,
    ...{ from: row.id, to, quantity },
    ...(isRetired ? { retiredItems: items } : { items }),
    allocations: allocationsAfter(transfer),
    consignmentId: part.consignmentId,
    consignmentProductId: part.consignmentProductId,
    ...(isStaged ? {} : unpickedFields),
  } satisfies Omit<StockMove, 'movementId'>
}

/**
 * What becomes of the allocations of moved goods. Goods to be picked again are not allocated by serial.
 */
export function allocationsAfter({
  part,
  quantity,
  items,
  allocationAfter,
}: Pick<PickedTransfer, 'part' | 'quantity' | 'items' | 'allocationAfter'>): AllocationChange[] {
  const before = allocationChangesFor(part, { quantity, items }, { at: 'from', isPicked: true, sign: -1n })
  if (allocationAfter === 'released') return before
  const isPicked = allocationAfter === 'picked'
  const kept = { quantity, items: isPicked ? items : [] }
  return [...before, ...allocationChangesFor(part, kept, { at: 'to', isPicked, sign: 1n })]
}
