// Takes allocations away from consignment lines because their stock is put on hold or is missing. The lines
// become short, and events report this. Picked stock keeps its allocations. Spec 2.14, 6.1.

import { type ConsignmentFacts, consignmentEvent } from '../../consignments/consignment.ts'
import type { NewEvent } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import { smaller } from '../../platform/decimal.ts'
import { EventType } from '../../vocabulary/events.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import type { TakeRequest } from '../commands/plan-take.ts'
import { numberOf, toItems } from '../commands/quantities.ts'
import { findProducts } from '../commands/stock-products.ts'
import type { Allocation, AllocationLookup } from '../inventory/allocations.ts'
import type { StockMove } from '../ledger/movement.ts'

/** The consignments to which rows are allocated, by id, locked by this transaction. */
export type AllocatedConsignments = ReadonlyMap<string, ConsignmentFacts>

/** An allocation that is released in whole or in part. */
export interface ReleasedAllocation {
  allocation: Allocation
  /** ten-thousandths */
  quantity: bigint
}

/** The allocations to release, and those that remain on a row. */
export interface ReleaseSelection {
  released: readonly ReleasedAllocation[]
  remaining(warehouseProductId: string): readonly Allocation[]
}

/** Locks the consignments to which rows are allocated, in order of id. Call it before the stock is locked. */
export async function lockAllocatedConsignments(
  tx: Tx,
  organisationId: string,
  warehouseProductIds: readonly string[],
): Promise<AllocatedConsignments> {
  const rows = await tx.rows<ConsignmentFacts>(sql`
    select organisation_id, id, consignment_number, reference_number, client_id, carrier_id, type, status
    from consignment where organisation_id = ${organisationId} and id in (
      select consignment_id from inventory_allocation
      where organisation_id = ${organisationId} and warehouse_product_id = any(${warehouseProductIds}))
    order by id for no key update`)
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Chooses which allocations to release so that the requested parts of rows become free: first those of the
 * requested serials, then those of the youngest consignments until enough is free. Restarts the transaction
 * if a consignment that loses an allocation is not locked.
 */
export async function chooseAllocationsToRelease(
  tx: Tx,
  organisationId: string,
  requests: readonly TakeRequest[],
  allocationsOf: AllocationLookup,
  locked: AllocatedConsignments,
): Promise<ReleaseSelection> {
  const remaining = new Map<string, readonly Allocation[]>()
  const released: ReleasedAllocation[] = []
  const products = await findProducts(
    tx,
    organisationId,
    requests.flatMap(({ row, part }) => (part.unitTypeId ? [row.productId] : [])),
  )
  const requestedItems = await findRequestedItems(tx, organisationId, requests)
  for (const [id, parts] of Map.groupBy(requests, ({ row }) => row.id)) {
    const { row } = parts[0] as TakeRequest
    const allocations = allocationsOf(id)
    // How much more has to become free before the requested parts can be taken.
    let missing = -row.onHand + sumOf(allocations)
    for (const { part } of parts) {
      const product = products.get(row.productId) ?? { code: row.productCode, chain: [] }
      missing += part.quantity
        ? (toItems(product, { ...part, quantity: part.quantity }, () => {}) ?? 0n)
        : row.onHand
    }
    const isRequested = ({ itemId }: Allocation) => itemId !== null && requestedItems.has(itemId)
    const others = allocations.filter(allocation => !isRequested(allocation))
    const kept: Allocation[] = []
    for (const allocation of [...allocations.filter(isRequested), ...others.toReversed()]) {
      const quantity =
        allocation.isPicked || (missing <= 0n && !isRequested(allocation))
          ? 0n
          : allocation.itemId
            ? allocation.quantity
            : smaller(missing, allocation.quantity)
      missing -= quantity
      if (quantity > 0n) released.push({ allocation, quantity })
      if (quantity < allocation.quantity)
        kept.push({ ...allocation, quantity: allocation.quantity - quantity })
    }
    remaining.set(id, kept)
  }
  if (!released.every(({ allocation }) => locked.has(allocation.consignmentId)))
    throw new TransactionRestart()
  return { released, remaining: id => remaining.get(id) ?? [] }
}

const sumOf = (allocations: readonly Allocation[]) =>
  allocations.reduce((sum, { quantity }) => sum + quantity, 0n)

/** Finds the ids of the items whose serials are requested. */
async function findRequestedItems(
  tx: Tx,
  organisationId: string,
  requests: readonly TakeRequest[],
): Promise<Set<string>> {
  const named = requests.flatMap(({ row, part }) =>
    (part.serials ?? []).map(serial => ({ id: row.id, serial })),
  )
  if (named.length === 0) return new Set()
  const rows = await tx.rows<{ id: string }>(sql`
    select i.id from json_to_recordset(${JSON.stringify(named)}) as g (id uuid, serial text)
    join warehouse_product_item i on i.organisation_id = ${organisationId} and i.warehouse_product_id = g.id
      and i.serial = g.serial`)
  return new Set(rows.map(({ id }) => id))
}

export const releaseMoves = (
  released: readonly ReleasedAllocation[],
  facts: Pick<StockMove, 'movementId' | 'occurredUtc' | 'reason'>,
): StockMove[] =>
  released.map(({ allocation, quantity }) => {
    const { consignmentId, consignmentProductId, itemId, isPicked, warehouseProductId } = allocation
    return {
      ...facts,
      type: TransactionType.Allocation,
      from: null,
      to: warehouseProductId,
      quantity: 0n,
      consignmentId,
      consignmentProductId,
      allocations: [{ at: 'to', consignmentId, consignmentProductId, itemId, isPicked, quantity: -quantity }],
    }
  })

/** One event for each consignment with released allocations. It tells how much each line has lost. */
export const releaseEvents = (
  released: readonly ReleasedAllocation[],
  consignments: AllocatedConsignments,
): NewEvent[] =>
  [...Map.groupBy(released, ({ allocation }) => allocation.consignmentId)].map(
    ([consignmentId, ofConsignment]) =>
      consignmentEvent(
        EventType.ConsignmentProductsUpdated,
        consignments.get(consignmentId) as ConsignmentFacts,
        {
          changes: [...Map.groupBy(ofConsignment, ({ allocation }) => allocation.consignmentProductId)].map(
            ([id, ofLine]) => ({
              field: 'products',
              from: { id, releasedQuantity: 0 },
              to: {
                id,
                releasedQuantity: numberOf(ofLine.reduce((sum, { quantity }) => sum + quantity, 0n)),
              },
            }),
          ),
        },
      ),
  )
