// Moves picked goods: back to the shelf, or between docks and onto units. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { moveUnits } from '../ledger/move-units.ts'
import { type MovementSource, type StockMove, unpickedFields } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { createAndMoveUnits } from '../logistic-units/destination-units.ts'
import { allocationChangesFor, type PickedStock } from './picked-stock.ts'
import { type RowTransfer, readUnitContents, targetIdentityOf, wholeUnitsOf } from './whole-units.ts'

/** A quantity of picked goods, with its serials, and its destination. */
export interface PickedTransfer extends RowTransfer {
  part: PickedStock
  items: readonly string[]
}

export interface MoveResult {
  movementId: string
  /** when the movement counts as happened */
  effectiveUtc: string | null
  /** the rows that hold the goods now */
  warehouseProductIds: string[]
}

interface PickedGoodsContext {
  source: MovementSource
  occurredUtc: string | null
  reason?: string | null
}

/** What becomes of the allocation of moved goods: still picked, to be picked again, or released. */
type AllocationAfter = 'picked' | 'unpicked' | 'released'

/**
 * Moves picked goods between docks or onto units; they stay picked. The caller must have checked everything
 * under the stock lock.
 */
export const stagePickedGoods = (
  tx: Tx,
  locked: LockedStock,
  context: PickedGoodsContext,
  goods: readonly PickedTransfer[],
): Promise<MoveResult> =>
  movePicked(
    tx,
    locked,
    context,
    TransactionType.Transfer,
    goods.map(transfer => ({ ...transfer, allocationAfter: 'picked' })),
  )

/**
 * Puts picked goods back. They stay allocated to their line, to be picked again, unless they are released.
 * Serials that were captured when the goods were picked are removed.
 */
export const putBackPickedGoods = (
  tx: Tx,
  locked: LockedStock,
  context: PickedGoodsContext,
  goods: readonly (PickedTransfer & { isReleased: boolean })[],
): Promise<MoveResult> =>
  movePicked(
    tx,
    locked,
    context,
    TransactionType.Pick,
    goods.map(transfer => ({ ...transfer, allocationAfter: transfer.isReleased ? 'released' : 'unpicked' })),
  )

async function movePicked(
  tx: Tx,
  locked: LockedStock,
  { source, occurredUtc, reason = null }: PickedGoodsContext,
  type: TransactionType,
  goods: readonly (PickedTransfer & { allocationAfter: AllocationAfter })[],
): Promise<MoveResult> {
  const wholeUnits = wholeUnitsOf(goods, await readUnitContents(tx, locked.organisationId, goods))
  const units = await createAndMoveUnits(tx, locked, new Set(goods.flatMap(({ unit }) => unit ?? [])))
  await moveUnits(tx, locked, [...wholeUnits.values()])
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    goods.map(transfer => targetIdentityOf(transfer, units, wholeUnits)),
  )
  const movementId = newId()
  const posted = await post(
    tx,
    locked,
    source,
    goods.map((transfer, n): StockMove => {
      const { part, row, quantity, items, allocationAfter } = transfer
      const isRetired =
        allocationAfter !== 'picked' && row.serialTrackingMode === SerialTrackingMode.ReleaseCapture
      return {
        movementId,
        type,
        from: row.id,
        to: targets[n] as string,
        quantity,
        ...(isRetired ? { retiredItems: items } : { items }),
        allocations: [
          ...allocationChangesFor(part, { quantity, items }, { at: 'from', isPicked: true, sign: -1n }),
          ...allocationsAtTarget(transfer),
        ],
        consignmentId: part.consignmentId,
        consignmentProductId: part.consignmentProductId,
        occurredUtc,
        reason,
        ...(allocationAfter === 'picked' ? {} : unpickedFields),
      }
    }),
  )
  return { movementId, effectiveUtc: posted[0]?.effectiveUtc ?? null, warehouseProductIds: targets }
}

/** Returns the allocations at the destination. Goods to be picked again are not allocated by serial. */
function allocationsAtTarget({
  part,
  quantity,
  items,
  allocationAfter,
}: PickedTransfer & { allocationAfter: AllocationAfter }) {
  if (allocationAfter === 'released') return []
  const isPicked = allocationAfter === 'picked'
  return allocationChangesFor(
    part,
    { quantity, items: isPicked ? items : [] },
    { at: 'to', isPicked, sign: 1n },
  )
}
