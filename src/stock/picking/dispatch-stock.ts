// Dispatches picked goods with their consignment, and undoes a dispatch, which brings the goods back to the
// dock. Spec 2.14, 3.

import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { newId } from '../../platform/new-id.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { WarehouseStatus } from '../../vocabulary/warehouses.ts'
import { identityOf, readStockRowsById, type StockRow } from '../commands/read-stock-rows.ts'
import { type MovementSource, oneItem, overrideFields, type StockMove } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { allocationChangesFor, readPickedStock } from './picked-stock.ts'

interface DispatchContext {
  source: MovementSource
  /** the instant at which the goods left; null for now */
  occurredUtc: string | null
}

/** Dispatches all picked stock of a consignment. Returns false if there is none. */
export async function dispatchStock(
  tx: Tx,
  locked: LockedStock,
  { source, occurredUtc }: DispatchContext,
  consignmentId: string,
): Promise<boolean> {
  const parts = await readPickedStock(tx, locked.organisationId, [consignmentId])
  const movementId = newId()
  const moves = parts.map((part): StockMove => {
    const items = part.items.map(({ id }) => id)
    const endedQuantity = { quantity: part.quantity, items }
    return {
      movementId,
      type: TransactionType.Dispatch,
      from: part.row.id,
      to: null,
      quantity: part.quantity,
      items,
      allocations: allocationChangesFor(part, endedQuantity, { at: 'from', isPicked: true, sign: -1n }),
      consignmentId,
      consignmentProductId: part.consignmentProductId,
      occurredUtc,
      ...(part.isOverride ? overrideFields : {}),
    }
  })
  await post(tx, locked, source, moves)
  return moves.length > 0
}

/** The goods of a line that were dispatched from one stock row. */
interface DispatchedQuantity {
  warehouseProductId: string
  consignmentProductId: string
  quantity: bigint
  weightKG: number
  volumeM3: number
  isOverride: boolean
  movementId: string
}

/** Reads what left with the last dispatch of a consignment; empty if that was undone. */
async function readLastDispatch(
  db: Db,
  organisationId: string,
  consignmentId: string,
): Promise<DispatchedQuantity[]> {
  const rows = await db.rows<Omit<DispatchedQuantity, 'quantity'> & { quantity: number }>(sql`
    with line as (
      select * from inventory_transaction
      where organisation_id = ${organisationId} and consignment_id = ${consignmentId}
        and type = ${TransactionType.Dispatch}
    ), last as (
      select movement_id from line order by recorded_utc desc, movement_id desc limit 1
    )
    select warehouse_product_id, consignment_product_id, -quantity as quantity, -weight_kg as weight_kg,
      -volume_m3 as volume_m3, cause = ${MovementCause.Override} as is_override, movement_id
    from line
    where quantity < 0 and movement_id = (select movement_id from last)
    order by 1, 2`)
  return rows.map(row => ({ ...row, quantity: scale(4, row.quantity) }))
}

/** Finds the ids of the rows from which the last dispatch of a consignment took goods; empty if undone. */
export const findDispatchedRows = async (
  db: Db,
  organisationId: string,
  consignmentId: string,
): Promise<string[]> =>
  (await readLastDispatch(db, organisationId, consignmentId)).map(
    ({ warehouseProductId }) => warehouseProductId,
  )

/** Reads the serials that left with a dispatch, with their line and the row that they left. */
const readDispatchedSerials = (db: Db, organisationId: string, movementId: string) =>
  db.rows<{
    id: string
    serial: string
    consignmentProductId: string
    rowId: string
    hasReturned: boolean
  }>(sql`
    select i.id, i.serial, t.consignment_product_id, t.warehouse_product_id as row_id,
      i.warehouse_product_id is not null or i.consignment_product_id is distinct from t.consignment_product_id
        as has_returned
    from inventory_transaction t
    join inventory_transaction_item x on x.organisation_id = t.organisation_id
      and x.warehouse_product_id = t.warehouse_product_id and x.version = t.version
    join warehouse_product_item i
      on i.organisation_id = x.organisation_id and i.id = x.warehouse_product_item_id
    where t.organisation_id = ${organisationId} and t.movement_id = ${movementId}
      and t.type = ${TransactionType.Dispatch} and t.quantity < 0
    order by i.id`)

/**
 * Undoes the dispatch of a consignment: the goods are in their former location again, as picked stock. They
 * are loose if their unit has moved elsewhere meanwhile. Returns false if nothing was dispatched.
 * @throws 400 if a return of them is open, if any are in stock again, or if their former location is in
 * quarantine now.
 */
export async function undoDispatch(
  tx: Tx,
  locked: LockedStock,
  source: MovementSource,
  consignmentId: string,
): Promise<boolean> {
  const { organisationId } = locked
  const dispatched = await readLastDispatch(tx, organisationId, consignmentId)
  const [first] = dispatched
  if (first === undefined) return false
  const serials = await readDispatchedSerials(tx, organisationId, first.movementId)
  const rowIds = dispatched.map(({ warehouseProductId }) => warehouseProductId)
  const rows = await readStockRowsById(tx, organisationId, rowIds)
  await refuseReturnedGoods(tx, organisationId, consignmentId, serials, [...rows.values()])
  refuseOtherTracking(dispatched, serials, rows)
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    await returnIdentities(
      tx,
      organisationId,
      dispatched.map(({ warehouseProductId }) => rows.get(warehouseProductId) as StockRow),
    ),
  )
  const movementId = newId()
  const moves = dispatched.map((goods, n) => ({
    ...toReturnMove(consignmentId, goods, serials, targets[n] as string),
    movementId,
  }))
  await post(tx, locked, source, moves)
  return true
}

/** The move that brings goods back, picked as they were. */
function toReturnMove(
  consignmentId: string,
  { warehouseProductId, consignmentProductId, quantity, weightKG, volumeM3, isOverride }: DispatchedQuantity,
  serials: Awaited<ReturnType<typeof readDispatchedSerials>>,
  to: string,
) {
  const items = serials
    .filter(one => one.consignmentProductId === consignmentProductId && one.rowId === warehouseProductId)
    .map(({ id }) => id)
  const picked = { at: 'to', consignmentId, consignmentProductId, isPicked: true, isOverride } as const
  const allocations =
    items.length === 0
      ? [{ ...picked, quantity }]
      : items.map(itemId => ({ ...picked, itemId, quantity: oneItem }))
  return {
    ...{ type: TransactionType.Dispatch, cause: MovementCause.DispatchUndone, reason: 'Dispatch undone' },
    causeId: to === warehouseProductId ? null : warehouseProductId,
    ...{ from: null, to, quantity, weightKG, volumeM3, items, allocations },
    ...{ consignmentId, consignmentProductId },
  }
}

/** Refuses (400) goods that come back another way, and rows in which nothing can be allocated. */
async function refuseReturnedGoods(
  tx: Tx,
  organisationId: string,
  consignmentId: string,
  serials: readonly { serial: string; hasReturned: boolean }[],
  rows: readonly StockRow[],
): Promise<void> {
  const returns = await tx.rows<{ consignmentNumber: string; isReceived: boolean }>(sql`
    select c.consignment_number, back.is_received from consignment c
    cross join lateral (
      select exists (
        select from consignment_product l where l.organisation_id = c.organisation_id
          and l.consignment_id = c.id and l.received_quantity > 0
      ) as is_received
    ) back
    where c.organisation_id = ${organisationId} and c.return_of_consignment_id = ${consignmentId}
      and (back.is_received or c.status not in (${ConsignmentStatus.Void},
        ${ConsignmentStatus.Complete}, ${ConsignmentStatus.Closed}))
    order by c.number`)
  const locationIds = [...new Set(rows.map(({ warehouseLocationId }) => warehouseLocationId))]
  const inactive = await tx.rows<{ name: string }>(sql`
    select l.name from warehouse_location l
    where l.organisation_id = ${organisationId} and l.status = ${WarehouseStatus.Inactive}
      and l.id = any(${locationIds})
    order by l.name`)
  const faults = [
    ...returns.map(({ consignmentNumber, isReceived }) =>
      isReceived
        ? `goods of it came back with ${consignmentNumber}`
        : `its return ${consignmentNumber} is open; void that first`,
    ),
    ...serials
      .filter(({ hasReturned }) => hasReturned)
      .map(({ serial }) => `the serial ${serial} is in stock again`),
    ...rows
      .filter(({ isQuarantined }) => isQuarantined)
      .map(({ locationName }) => `${locationName}, which the goods left from, is in quarantine`),
    ...inactive.map(({ name }) => `${name}, which the goods left from, is Inactive`),
  ]
  if (faults.length > 0)
    throw verificationFailed(...faults.map(fault => `The dispatch cannot be undone: ${fault}.`))
}

/** Refuses (400) goods that left with serials, or without, of products that are kept otherwise since. */
function refuseOtherTracking(
  dispatched: readonly DispatchedQuantity[],
  serials: readonly { consignmentProductId: string; rowId: string }[],
  rows: ReadonlyMap<string, StockRow>,
): void {
  const changed = dispatched.filter(({ warehouseProductId, consignmentProductId, quantity }) => {
    const { serialTrackingMode } = rows.get(warehouseProductId) as StockRow
    const count = serials.filter(
      serial => serial.rowId === warehouseProductId && serial.consignmentProductId === consignmentProductId,
    ).length
    if (serialTrackingMode === SerialTrackingMode.None) return count > 0
    return BigInt(count) * oneItem !== quantity
  })
  const codes = changed.map(({ warehouseProductId }) => rows.get(warehouseProductId)?.productCode)
  if (codes.length > 0)
    throw verificationFailed(
      ...[...new Set(codes)].map(
        code => `The dispatch cannot be undone: serials of ${code} are tracked in another way since it left.`,
      ),
    )
}

/** Returns the row identities that goods return to: those that they left, without units that have moved. */
async function returnIdentities(tx: Tx, organisationId: string, rows: readonly StockRow[]) {
  const ids = [...new Set(rows.flatMap(({ logisticUnitId }) => logisticUnitId ?? []))]
  const units = await tx.rows<{ id: string; warehouseLocationId: string }>(sql`
    select id, warehouse_location_id from logistic_unit
    where organisation_id = ${organisationId} and id = any(${ids}) order by id for no key update`)
  const locationOfUnit = new Map(units.map(({ id, warehouseLocationId }) => [id, warehouseLocationId]))
  return rows.map(row => ({
    ...identityOf(row),
    logisticUnitId:
      row.logisticUnitId !== null && locationOfUnit.get(row.logisticUnitId) === row.warehouseLocationId
        ? row.logisticUnitId
        : null,
  }))
}
