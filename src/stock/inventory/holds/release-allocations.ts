// Taking promises back from lines of consignments because their stock is held: the lines become short, and
// whoever follows the consignments is told. Picked stock is left alone. Spec 2.14, 6.1.

import { type ConsignmentFacts, consignmentEvent } from '../../../consignments/consignment.ts'
import type { NewEvent } from '../../../events/emit.ts'
import { EventType } from '../../../events/event.ts'
import { sql, type Tx } from '../../../platform/database/db.ts'
import { TransactionRestart } from '../../../platform/database/errors.ts'
import { TransactionType } from '../../enumerations.ts'
import type { StockMove } from '../../ledger/movement.ts'
import type { Allocation } from '../allocations.ts'
import { numberOf, toItems } from '../quantities.ts'
import { findProducts } from '../stock-products.ts'
import type { TakeRequest } from '../take.ts'

/** Consignments that are locked, by id. */
export type LockedConsignments = ReadonlyMap<string, ConsignmentFacts>

/** A promise that is taken back, whole or in part. */
export interface ReleasedAllocation {
  allocation: Allocation
  /** ten-thousandths */
  quantity: bigint
}

/** Which promises are taken back, and which are left of a row. */
export interface ReleaseSelection {
  released: readonly ReleasedAllocation[]
  left(warehouseProductId: string): readonly Allocation[]
}

/** Locks the consignments that rows are promised to, by id. Call it before the stock is locked. */
export async function lockAllocatedConsignments(
  tx: Tx,
  organisationId: string,
  warehouseProductIds: readonly string[],
): Promise<LockedConsignments> {
  const rows = await tx.rows<ConsignmentFacts>(sql`
    select organisation_id, id, consignment_number, reference_number, client_id, carrier_id, type, status
    from consignment where organisation_id = ${organisationId} and id in (
      select consignment_id from inventory_allocation
      where organisation_id = ${organisationId} and warehouse_product_id = any(${warehouseProductIds}))
    order by id for no key update`)
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Chooses the promises that give way to what is wanted of their rows: those of the serials that are named,
 * and then the youngest consignments', until there is enough. Starts over where a consignment is not locked.
 */
export async function chooseAllocationsToRelease(
  tx: Tx,
  organisationId: string,
  wanted: readonly TakeRequest[],
  promisesOf: (warehouseProductId: string) => readonly Allocation[],
  locked: LockedConsignments,
): Promise<ReleaseSelection> {
  const left = new Map<string, readonly Allocation[]>()
  const released: ReleasedAllocation[] = []
  const products = await findProducts(
    tx,
    organisationId,
    wanted.flatMap(({ row, part }) => (part.unitTypeId ? [row.productId] : [])),
  )
  const serials = await itemIds(tx, organisationId, wanted)
  for (const [id, parts] of Map.groupBy(wanted, ({ row }) => row.id)) {
    const { row } = parts[0] as TakeRequest
    const all = promisesOf(id)
    let missing = -row.onHand + sumOf(all)
    for (const { part } of parts) {
      const product = products.get(row.productId) ?? { code: row.productCode, chain: [] }
      missing += part.quantity
        ? (toItems(product, { ...part, quantity: part.quantity }, () => {}) ?? 0n)
        : row.onHand
    }
    const isNamed = ({ itemId }: Allocation) => itemId !== null && serials.has(itemId)
    const kept: Allocation[] = []
    for (const promise of [...all.filter(isNamed), ...all.filter(one => !isNamed(one)).toReversed()]) {
      const gives =
        promise.isPicked || (missing <= 0n && !isNamed(promise))
          ? 0n
          : promise.itemId
            ? promise.quantity
            : least(missing, promise.quantity)
      missing -= gives
      if (gives > 0n) released.push({ allocation: promise, quantity: gives })
      if (gives < promise.quantity) kept.push({ ...promise, quantity: promise.quantity - gives })
    }
    left.set(id, kept)
  }
  if (!released.every(({ allocation: promise }) => locked.has(promise.consignmentId)))
    throw new TransactionRestart()
  return { released, left: id => left.get(id) ?? [] }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const sumOf = (promises: readonly Allocation[]) => promises.reduce((sum, { quantity }) => sum + quantity, 0n)

/** The items of the serials that entries name. */
async function itemIds(tx: Tx, organisationId: string, wanted: readonly TakeRequest[]): Promise<Set<string>> {
  const named = wanted.flatMap(({ row, part }) =>
    (part.serials ?? []).map(serial => ({ id: row.id, serial })),
  )
  if (named.length === 0) return new Set()
  const rows = await tx.rows<{ id: string }>(sql`
    select i.id from json_to_recordset(${JSON.stringify(named)}) as g (id uuid, serial text)
    join warehouse_product_item i on i.organisation_id = ${organisationId} and i.warehouse_product_id = g.id
      and i.serial = g.serial`)
  return new Set(rows.map(({ id }) => id))
}

/** The moves that take promises back. */
export const releaseMoves = (
  released: readonly ReleasedAllocation[],
  facts: Pick<StockMove, 'movementId' | 'occurredUtc' | 'reason'>,
): StockMove[] =>
  released.map(({ allocation: promise, quantity }) => {
    const { consignmentId, consignmentProductId, itemId, isPicked, warehouseProductId } = promise
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

/** One event for each consignment whose lines have become short, with how much each line has lost. */
export const releaseEvents = (
  released: readonly ReleasedAllocation[],
  consignments: LockedConsignments,
): NewEvent[] =>
  [...Map.groupBy(released, ({ allocation: promise }) => promise.consignmentId)].map(([consignmentId, its]) =>
    consignmentEvent(
      EventType.ConsignmentProductsUpdated,
      consignments.get(consignmentId) as ConsignmentFacts,
      {
        changes: [...Map.groupBy(its, ({ allocation: promise }) => promise.consignmentProductId)].map(
          ([id, ofLine]) => ({
            field: 'products',
            from: { id, releasedQuantity: 0 },
            to: { id, releasedQuantity: numberOf(ofLine.reduce((sum, { quantity }) => sum + quantity, 0n)) },
          }),
        ),
      },
    ),
  )
