// What of rows of stock is promised to whom: what commands have to leave, to take along or to name. Spec
// 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import type { AllocationChange } from '../ledger/movement.ts'

/** An allocation of a row of stock, with the number of the consignment that it is for. */
export interface Promised {
  id: string
  warehouseProductId: string
  consignmentId: string
  consignmentNumber: string
  consignmentProductId: string
  /** the serial that is promised by name */
  itemId: string | null
  isPicked: boolean
  isOverride: boolean
  /** ten-thousandths */
  quantity: bigint
}

/** Rows of which only what is promised to certain lines is of interest, and serials that are by name. */
export type PromisedToLines = Readonly<Record<'warehouseProductIds' | 'lineIds', readonly string[]>>

/**
 * Reads the allocations of rows, by row, in the order of the consignments' numbers: all of the ones, and some
 * of the others. Ask under the lock.
 */
export async function promisesOf(
  db: Db,
  organisationId: string,
  warehouseProductIds: readonly string[],
  some: PromisedToLines = { warehouseProductIds: [], lineIds: [] },
): Promise<(warehouseProductId: string) => readonly Promised[]> {
  if (warehouseProductIds.length + some.warehouseProductIds.length === 0) return () => []
  const rows = await db.rows<Omit<Promised, 'quantity'> & { quantity: number }>(sql`
    select a.id, a.warehouse_product_id, a.consignment_id, c.consignment_number, a.consignment_product_id,
      a.warehouse_product_item_id as item_id, a.is_picked, a.is_override, a.quantity
    from inventory_allocation a
    join consignment c on c.organisation_id = a.organisation_id and c.id = a.consignment_id
    where a.organisation_id = ${organisationId} and (
      a.warehouse_product_id = any(${warehouseProductIds})
      or a.warehouse_product_id = any(${some.warehouseProductIds})
        and a.consignment_product_id = any(${some.lineIds})
      or a.warehouse_product_id = any(${some.warehouseProductIds})
        and a.warehouse_product_item_id is not null
    )
    order by c.number, a.id`)
  const byRow = Map.groupBy(
    rows.map(row => ({ ...row, quantity: scale(4, row.quantity) })),
    ({ warehouseProductId }) => warehouseProductId,
  )
  return id => byRow.get(id) ?? []
}

/** At most so many consignments are named in a message. */
const maxNamed = 5

/** The numbers of the consignments that something is promised to, as a list in a sentence. */
export function consignmentsIn(promises: readonly Promised[]): string {
  const numbers = [...new Set(promises.map(({ consignmentNumber }) => consignmentNumber))]
  const further = numbers.length - maxNamed
  return numbers.slice(0, maxNamed).join(', ') + (further > 0 ? ` and ${further} more` : '')
}

/** The same promises at another row: what goes there as a whole takes them along. */
export const takenAlong = (promises: readonly Promised[]): AllocationChange[] =>
  promises.flatMap(({ consignmentId, consignmentProductId, itemId, isPicked, isOverride, quantity }) => {
    const promise = { consignmentId, consignmentProductId, itemId, isPicked, isOverride }
    return [
      { ...promise, at: 'from' as const, quantity: -quantity },
      { ...promise, at: 'to' as const, quantity },
    ]
  })
