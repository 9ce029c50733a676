// Releasing: what is promised to lines of consignments is free again, where it stands. Open-points 4.

import { SerialTrackingMode } from '../../partners/enumerations.ts'
import { type Db, empty, sql, type Tx } from '../../platform/database/db.ts'
import { scale, smaller } from '../../platform/decimal.ts'
import { collectEntryFaults, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../enumerations.ts'
import { numberOf } from '../inventory/quantities.ts'
import { type MovementSource, oneItem, type StockMove, unpicked } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { type ConsignmentAllocation, noSharedSource, summariseAllocations } from './allocated-lines.ts'
import { readOutwardLines } from './outward-lines.ts'

/** A part of what is promised to a line. */
export interface ReleasePart {
  consignmentProductId: string
  /** of this row of stock; of any, what was promised last first, where it is not said */
  warehouseProductId?: string | null | undefined
  /** ten-thousandths; all, where it is not said */
  quantity?: bigint | null | undefined
}

/** What is to be released of a consignment. */
export interface ReleaseRequest {
  consignmentId: string
  /** without it everything */
  parts?: readonly ReleasePart[] | undefined
  /** on whose behalf */
  source: MovementSource
  /** when, where that is not now */
  occurredUtc?: string | null
}

/** A promise, as it stands. */
interface Allocation {
  consignmentId: string
  consignmentProductId: string
  warehouseProductId: string
  itemId: string | null
  isPicked: boolean
  /** its serial came into being when it was picked */
  isCaptured: boolean
  /** ten-thousandths */
  quantity: bigint
}

/** The products and warehouses of what is promised to consignments: what is locked before it is released. */
export const lockTargetsOfAllocations = (
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
): Promise<{ warehouseId: string; productId: string }[]> =>
  db.rows(sql`
    select distinct p.warehouse_id, p.product_id from inventory_allocation a
    join warehouse_product p on p.organisation_id = a.organisation_id and p.id = a.warehouse_product_id
    where a.organisation_id = ${organisationId} and a.consignment_id = any(${consignmentIds})`)

/**
 * Releases what is promised to lines of consignments, whose rows the transaction holds, under the lock of
 * their stock: what is not picked, or with `isPickedToo` all. Returns what each consignment has then, in the
 * order of the requests. 400 where a part is not there to be released; `lines[0]` is the first part.
 */
export async function releaseLines(
  tx: Tx,
  locked: LockedStock,
  requests: readonly ReleaseRequest[],
  { isPickedToo = false } = {},
): Promise<ConsignmentAllocation[]> {
  const { organisationId } = locked
  const ids = requests.map(({ consignmentId }) => consignmentId)
  const [lines, allocations] = await Promise.all([
    readOutwardLines(tx, organisationId, ids),
    readAllocations(tx, organisationId, ids, isPickedToo),
  ])
  const all = Map.groupBy(allocations, ({ consignmentId }) => consignmentId)
  const faults = collectEntryFaults('lines')
  const moves = requests.flatMap(({ consignmentId, parts, source, occurredUtc }): StockMove[] => {
    const promised = all.get(consignmentId) ?? []
    const released = parts === undefined ? promised : partsOf(promised, parts, faults.refuse)
    const movementId = newId()
    const facts = { movementId, consignmentId, occurredUtc: occurredUtc ?? null, source }
    return releasesOf(released).map(move => ({ ...facts, ...move }))
  })
  faults.throwIfAny()
  const posted = await post(tx, locked, noSharedSource, moves)
  return summariseAllocations(requests, lines, moves, posted)
}

type Release = Omit<StockMove, 'movementId'>

/**
 * What releases promises. Goods whose serials were captured when they were picked are put back where they
 * stand: what is free has no serial yet, and one may be captured again.
 */
function releasesOf(allocations: readonly Allocation[]): Release[] {
  const [captured, others] = [true, false].map(is => allocations.filter(one => one.isCaptured === is))
  const together = Map.groupBy(captured ?? [], one => `${one.consignmentProductId} ${one.warehouseProductId}`)
  return [...(others ?? []).map(releaseOf), ...[...together.values()].map(forgetSerials)]
}

const releaseOf = ({ warehouseProductId: to, quantity, isCaptured: _, ...promise }: Allocation): Release => ({
  type: TransactionType.Allocation,
  from: null,
  to,
  quantity: 0n,
  consignmentProductId: promise.consignmentProductId,
  allocations: [{ ...promise, at: 'to', quantity: -quantity }],
})

/** The captured serials of one line in one row. */
function forgetSerials(allocations: Allocation[]): Release {
  const { warehouseProductId, consignmentProductId } = allocations[0] as Allocation
  return {
    type: TransactionType.Pick,
    from: warehouseProductId,
    to: warehouseProductId,
    quantity: BigInt(allocations.length) * oneItem,
    consignmentProductId,
    particulars: unpicked,
    retiredItems: allocations.map(({ itemId }) => itemId as string),
    allocations: allocations.map(({ warehouseProductId: _, isCaptured: __, quantity, ...promise }) => ({
      ...promise,
      at: 'from',
      quantity: -quantity,
    })),
  }
}

/** What of the promises the parts name. What one part takes is not there for the next. */
function partsOf(
  promised: readonly Allocation[],
  parts: readonly ReleasePart[],
  refuse: ReportEntryFault,
): Allocation[] {
  const left = promised.map(allocation => ({ allocation, quantity: allocation.quantity }))
  for (const [i, { consignmentProductId, warehouseProductId, quantity }] of parts.entries()) {
    const matching = left.filter(
      ({ allocation }) =>
        allocation.consignmentProductId === consignmentProductId &&
        (!warehouseProductId || allocation.warehouseProductId === warehouseProductId),
    )
    const there = matching.reduce((sum, part) => sum + part.quantity, 0n)
    const asked = quantity ?? there
    if (there === 0n) refuse(i, 'nothing is allocated there that is not picked', 'state')
    else if (asked > there)
      refuse(i, `only ${numberOf(there)} of ${numberOf(asked)} are allocated there and not picked`, 'state')
    let rest = asked
    for (const part of matching) {
      const taken = smaller(part.quantity, rest)
      part.quantity -= taken
      rest -= taken
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
  isPickedToo: boolean,
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
      ${isPickedToo ? empty : sql`and not a.is_picked`}
    order by a.created_utc desc, a.id desc`)
  return rows.map(row => ({ ...row, quantity: scale(4, row.quantity) }))
}
