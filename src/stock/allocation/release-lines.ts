// Releases stock that is allocated to consignment lines; the goods stay where they are. Decision 4.

import { type Db, empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { scale, smaller } from '../../platform/decimal.ts'
import { collectEntryFaults, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { numberOf } from '../commands/quantities.ts'
import {
  type MovementSource,
  noSharedSource,
  oneItem,
  type StockMove,
  unpickedFields,
} from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { type ConsignmentAllocation, summariseAllocations } from './allocation-state.ts'
import { type OutboundLine, readOutboundLines } from './outbound-lines.ts'

/** A part of the stock that is allocated to a line. */
export interface ReleasePart {
  consignmentProductId: string
  /** the stock row; by default any, the latest allocation first */
  warehouseProductId?: string | null | undefined
  /** ten-thousandths; by default everything */
  quantity?: bigint | null | undefined
}

/** A request to release stock of a consignment. */
export interface ReleaseRequest {
  consignmentId: string
  /** by default everything */
  parts?: readonly ReleasePart[] | undefined
  /** who releases */
  source: MovementSource
  /** when it happened; defaults to now */
  occurredUtc?: string | null
}

interface Allocation {
  consignmentId: string
  consignmentProductId: string
  warehouseProductId: string
  itemId: string | null
  isPicked: boolean
  /** whether its serial was captured when it was picked */
  isCaptured: boolean
  /** ten-thousandths */
  quantity: bigint
}

/**
 * A query of the allocated products and their warehouses, which must be locked before they are released.
 */
export const lockTargetsOfAllocations = (
  organisationId: string,
  consignmentIds: readonly string[],
): Sql => sql`
    select p.warehouse_id, p.product_id from inventory_allocation a
    join warehouse_product p on p.organisation_id = a.organisation_id and p.id = a.warehouse_product_id
    where a.organisation_id = ${organisationId} and a.consignment_id = any(${consignmentIds})`

/** The lines of consignments, and their allocations by consignment. */
export interface ReleasableLines {
  lines: readonly OutboundLine[]
  allocations: ReadonlyMap<string, readonly Allocation[]>
}

/** Reads what can be released of consignments. Call it under the stock lock. */
export async function readReleasable(
  db: Db,
  organisationId: string,
  ids: readonly string[],
  { includesPicked = false } = {},
): Promise<ReleasableLines> {
  const [lines, allocations] = await Promise.all([
    readOutboundLines(db, organisationId, ids),
    readAllocations(db, organisationId, ids, includesPicked),
  ])
  return { lines, allocations: Map.groupBy(allocations, ({ consignmentId }) => consignmentId) }
}

/** The moves that release what a request names of the allocations of its consignment. */
export function planRelease(
  { consignmentId, parts, source, occurredUtc = null }: ReleaseRequest,
  allocated: readonly Allocation[] = [],
  refuse: ReportEntryFault = () => {},
): StockMove[] {
  const released = parts === undefined ? allocated : takeParts(allocated, parts, refuse)
  const facts = { movementId: newId(), consignmentId, occurredUtc, source }
  return toReleaseMoves(released).map(move => ({ ...facts, ...move }))
}

/** Posts planned releases. Returns the new state of each consignment in the order of the requests. */
export async function postReleases(
  tx: Tx,
  locked: LockedStock,
  requests: readonly Pick<ReleaseRequest, 'consignmentId'>[],
  { lines }: Pick<ReleasableLines, 'lines'>,
  moves: readonly StockMove[],
): Promise<ConsignmentAllocation[]> {
  const posted = await post(tx, locked, noSharedSource, moves)
  return summariseAllocations(requests, lines, moves, posted)
}

/**
 * Releases stock that is allocated to a consignment: allocations that are not picked, or with
 * `includesPicked` all of them. The transaction must have locked the consignment and its stock.
 * @throws 400 if a part is more than what is allocated; the fault path of the first part is `lines[0]`.
 */
export async function releaseLines(
  tx: Tx,
  locked: LockedStock,
  request: ReleaseRequest,
  { includesPicked = false } = {},
): Promise<void> {
  const { consignmentId } = request
  const found = await readReleasable(tx, locked.organisationId, [consignmentId], { includesPicked })
  const faults = collectEntryFaults('lines')
  const moves = planRelease(request, found.allocations.get(consignmentId), faults.refuse)
  faults.throwIfAny()
  await postReleases(tx, locked, [request], found, moves)
}

type ReleaseMove = Omit<StockMove, 'movementId'>

/**
 * Returns the moves that release allocations. Serials that were captured when the goods were picked are
 * removed, as free stock of such products has no serials; they can be captured again.
 */
function toReleaseMoves(allocations: readonly Allocation[]): ReleaseMove[] {
  const captured = allocations.filter(({ isCaptured }) => isCaptured)
  const others = allocations.filter(({ isCaptured }) => !isCaptured)
  const groups = Map.groupBy(
    captured,
    ({ consignmentProductId, warehouseProductId }) => `${consignmentProductId} ${warehouseProductId}`,
  )
  return [...others.map(toReleaseMove), ...[...groups.values()].map(toSerialRemoval)]
}

const toReleaseMove = ({
  warehouseProductId: to,
  quantity,
  isCaptured: _,
  ...allocation
}: Allocation): ReleaseMove => ({
  type: TransactionType.Allocation,
  from: null,
  to,
  quantity: 0n,
  consignmentProductId: allocation.consignmentProductId,
  allocations: [{ ...allocation, at: 'to', quantity: -quantity }],
})

/** Returns the move that releases the captured serials of one line in one row. */
function toSerialRemoval(allocations: Allocation[]): ReleaseMove {
  const { warehouseProductId, consignmentProductId } = allocations[0] as Allocation
  return {
    type: TransactionType.Pick,
    from: warehouseProductId,
    to: warehouseProductId,
    quantity: BigInt(allocations.length) * oneItem,
    consignmentProductId,
    ...unpickedFields,
    retiredItems: allocations.map(({ itemId }) => itemId as string),
    allocations: allocations.map(({ warehouseProductId: _, isCaptured: __, quantity, ...allocation }) => ({
      ...allocation,
      at: 'from',
      quantity: -quantity,
    })),
  }
}

/** Returns the allocations that the parts name. What one part takes is not available to the next. */
function takeParts(
  allocations: readonly Allocation[],
  parts: readonly ReleasePart[],
  refuse: ReportEntryFault,
): Allocation[] {
  const left = allocations.map(allocation => ({ allocation, quantity: allocation.quantity }))
  for (const [i, { consignmentProductId, warehouseProductId, quantity }] of parts.entries()) {
    const matching = left.filter(
      ({ allocation }) =>
        allocation.consignmentProductId === consignmentProductId &&
        (!warehouseProductId || allocation.warehouseProductId === warehouseProductId),
    )
    const allocated = matching.reduce((sum, part) => sum + part.quantity, 0n)
    const requested = quantity ?? allocated
    if (allocated === 0n) refuse(i, 'nothing is allocated there that is not picked', 'not_here')
    else if (requested > allocated)
      refuse(
        i,
        `only ${numberOf(allocated)} of ${numberOf(requested)} are allocated there and not picked`,
        'insufficient_stock',
      )
    let remaining = requested
    for (const part of matching) {
      const taken = smaller(part.quantity, remaining)
      part.quantity -= taken
      remaining -= taken
    }
  }
  return left
    .map(({ allocation, quantity }) => ({ ...allocation, quantity: allocation.quantity - quantity }))
    .filter(({ quantity }) => quantity > 0n)
}

async function readAllocations(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
  includesPicked: boolean,
): Promise<Allocation[]> {
  const rows = await db.rows<Omit<Allocation, 'quantity'> & { quantity: number }>(sql`
    select a.consignment_id, a.consignment_product_id, a.warehouse_product_id,
      a.warehouse_product_item_id as item_id, a.is_picked, a.quantity,
      a.is_picked and a.warehouse_product_item_id is not null
        and d.serial_tracking_mode = ${SerialTrackingMode.ReleaseCapture} as is_captured
    from inventory_allocation a
    join warehouse_product p on p.organisation_id = a.organisation_id and p.id = a.warehouse_product_id
    join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
    where a.organisation_id = ${organisationId} and a.consignment_id = any(${consignmentIds})
      ${includesPicked ? empty : sql`and not a.is_picked`}
    order by a.created_utc desc, a.id desc`)
  return rows.map(row => ({ ...row, quantity: scale(4, row.quantity) }))
}
