// Picked goods that go on: back to a shelf, or from dock to dock and onto units. Spec 2.14.

import { SerialTrackingMode } from '../../partners/enumerations.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../enumerations.ts'
import { type MovementSource, type StockMove, unpicked } from '../ledger/movement.ts'
import { placeUnits } from '../ledger/place-units.ts'
import { post } from '../ledger/post.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { findOrCreateRows } from '../ledger/stock-row.ts'
import { createAndPlaceUnits } from '../logistic-units/target-units.ts'
import { allocationChangesFor, type PickedStock } from './picked-stock.ts'
import { findWholeUnits, type RowTransfer, targetIdentityOf } from './whole-units.ts'

/** A quantity of picked goods that goes to a place, with its serials. */
export interface PickedTransfer extends RowTransfer {
  part: PickedStock
  items: readonly string[]
}

/** What was moved: the movement, when it counts as happened, and the rows that hold the goods now. */
export interface MoveResult {
  movementId: string
  effectiveUtc: string | null
  warehouseProductIds: string[]
}

interface Context {
  source: MovementSource
  occurredUtc: string | null
  reason?: string | null
}

/** How promises go on: with the goods, picked or to be picked again, or not at all. */
type Promises = 'picked' | 'unpicked' | 'released'

/**
 * Moves picked goods between docks or onto units; they stay picked. Everything was checked under the lock.
 */
export const stagePicked = (
  tx: Tx,
  locked: LockedStock,
  context: Context,
  goods: readonly PickedTransfer[],
): Promise<MoveResult> =>
  movePicked(
    tx,
    locked,
    context,
    TransactionType.Transfer,
    goods.map(going => ({ ...going, promises: 'picked' })),
  )

/**
 * Puts picked goods back: they are promised to their line again, unless that is released. Serials that were
 * captured when the goods were picked are forgotten.
 */
export const unpick = (
  tx: Tx,
  locked: LockedStock,
  context: Context,
  goods: readonly (PickedTransfer & { isReleased: boolean })[],
): Promise<MoveResult> =>
  movePicked(
    tx,
    locked,
    context,
    TransactionType.Pick,
    goods.map(going => ({ ...going, promises: going.isReleased ? 'released' : 'unpicked' })),
  )

async function movePicked(
  tx: Tx,
  locked: LockedStock,
  { source, occurredUtc, reason = null }: Context,
  type: TransactionType,
  goods: readonly (PickedTransfer & { promises: Promises })[],
): Promise<MoveResult> {
  const along = await findWholeUnits(tx, locked.organisationId, goods)
  const units = await createAndPlaceUnits(tx, locked, new Set(goods.flatMap(({ unit }) => unit ?? [])))
  await placeUnits(tx, locked, [...along.values()])
  const targets = await findOrCreateRows(
    tx,
    locked,
    goods.map(going => targetIdentityOf(going, units, along)),
  )
  const movementId = newId()
  const posted = await post(
    tx,
    locked,
    source,
    goods.map((going, n): StockMove => {
      const { part, row, quantity, items, promises } = going
      const isRetired = promises !== 'picked' && row.serialTrackingMode === SerialTrackingMode.ReleaseCapture
      return {
        movementId,
        type,
        from: row.id,
        to: targets[n] as string,
        quantity,
        ...(isRetired ? { retiredItems: items } : { items }),
        allocations: [
          ...allocationChangesFor(part, { quantity, items }, { at: 'from', isPicked: true, sign: -1n }),
          ...promisesThere(going),
        ],
        consignmentId: part.consignmentId,
        consignmentProductId: part.consignmentProductId,
        occurredUtc,
        reason,
        particulars: promises === 'picked' ? null : unpicked,
      }
    }),
  )
  return { movementId, effectiveUtc: posted[0]?.effectiveUtc ?? null, warehouseProductIds: targets }
}

/** What is promised at the place that goods go to. What is to be picked again may be any of the row. */
function promisesThere({ part, quantity, items, promises }: PickedTransfer & { promises: Promises }) {
  if (promises === 'released') return []
  const isPicked = promises === 'picked'
  return allocationChangesFor(
    part,
    { quantity, items: isPicked ? items : [] },
    { at: 'to', isPicked, sign: 1n },
  )
}

/** Where goods of lines were picked from last, by line: the location and the unit. */
export async function findPickOrigins(
  tx: Tx,
  organisationId: string,
  consignmentProductIds: readonly string[],
): Promise<Map<string, { warehouseLocationId: string; logisticUnitId: string | null }>> {
  const rows = await tx.rows<{
    consignmentProductId: string
    warehouseLocationId: string
    logisticUnitId: string | null
  }>(sql`
    select distinct on (t.consignment_product_id) t.consignment_product_id, p.warehouse_location_id,
      case when u.warehouse_location_id = p.warehouse_location_id then u.id end as logistic_unit_id
    from inventory_transaction t
    join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where t.organisation_id = ${organisationId} and t.type = ${TransactionType.Pick} and t.quantity < 0
      and t.consignment_product_id = any(${consignmentProductIds})
      and t.particulars is distinct from ${unpicked}
    order by t.consignment_product_id, t.recorded_utc desc, t.version desc`)
  return new Map(rows.map(({ consignmentProductId, ...place }) => [consignmentProductId, place]))
}
