// Releasing: what is promised to lines of consignments is free again, where it stands. Open-points 4.

import { type Db, empty, sql, type Tx } from '../../platform/database/db.ts'
import { scale, smaller } from '../../platform/decimal.ts'
import { faultsIn, type Refuse } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../enumerations.ts'
import { numberOf } from '../inventory/quantities.ts'
import type { StockMove, StockSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { type AllocatedConsignment, figuresAfter, nobody } from './allocated-lines.ts'
import { readOutwardLines } from './outward-lines.ts'

/** A part of what is promised to a line. */
export interface ReleasedPart {
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
  parts?: readonly ReleasedPart[] | undefined
  /** on whose behalf */
  source: StockSource
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
  /** ten-thousandths */
  quantity: bigint
}

/** The products and warehouses of what is promised to consignments: what is locked before it is released. */
export const placesOfAllocations = (
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
): Promise<AllocatedConsignment[]> {
  const { organisationId } = locked
  const ids = requests.map(({ consignmentId }) => consignmentId)
  const [lines, allocations] = await Promise.all([
    readOutwardLines(tx, organisationId, ids),
    readAllocations(tx, organisationId, ids, isPickedToo),
  ])
  const all = Map.groupBy(allocations, ({ consignmentId }) => consignmentId)
  const faults = faultsIn('lines')
  const moves = requests.flatMap(({ consignmentId, parts, source, occurredUtc }): StockMove[] => {
    const promised = all.get(consignmentId) ?? []
    const released = parts === undefined ? promised : partsOf(promised, parts, faults.refuse)
    const movementId = newId()
    return released.map(({ warehouseProductId, quantity, ...allocation }) => ({
      movementId,
      type: TransactionType.Allocation,
      from: null,
      to: warehouseProductId,
      quantity: 0n,
      consignmentId,
      consignmentProductId: allocation.consignmentProductId,
      occurredUtc: occurredUtc ?? null,
      source,
      allocations: [{ ...allocation, at: 'to', quantity: -quantity }],
    }))
  })
  faults.throwIfAny()
  const posted = await post(tx, locked, nobody, moves)
  return figuresAfter(requests, lines, moves, posted)
}

/** What of the promises the parts name. What one part takes is not there for the next. */
function partsOf(
  promised: readonly Allocation[],
  parts: readonly ReleasedPart[],
  refuse: Refuse,
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
    select consignment_id, consignment_product_id, warehouse_product_id, warehouse_product_item_id as item_id,
      is_picked, quantity
    from inventory_allocation
    where organisation_id = ${organisationId} and consignment_id = any(${consignmentIds})
      ${isPickedToo ? empty : sql`and not is_picked`}
    order by created_utc desc, id desc`)
  return rows.map(row => ({ ...row, quantity: scale(4, row.quantity) }))
}
