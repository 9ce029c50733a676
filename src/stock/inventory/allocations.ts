// The allocations of rows of stock, which commands have to respect, move along or name in a refusal. Spec
// 2.14.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { scale } from '../../platform/decimal.ts'
import type { AllocationChange } from '../ledger/movement.ts'

/** An allocation of a row of stock to a line of a consignment. */
export interface Allocation {
  id: string
  warehouseProductId: string
  consignmentId: string
  consignmentNumber: string
  consignmentProductId: string
  /** the serial item, if one is allocated by name */
  itemId: string | null
  isPicked: boolean
  isOverride: boolean
  /** ten-thousandths */
  quantity: bigint
}

/** Looks up the allocations of a row; none if it has none or was not read. */
export type AllocationLookup = (warehouseProductId: string) => readonly Allocation[]

/** Reads all allocations of rows, ordered by consignment number. Call it under the stock lock. */
export const readAllocations = async (
  db: Db,
  organisationId: string,
  warehouseProductIds: readonly string[],
): Promise<AllocationLookup> =>
  warehouseProductIds.length === 0
    ? () => []
    : readByRow(
        db,
        sql`select a.* from inventory_allocation a where a.organisation_id = ${organisationId}
          and a.warehouse_product_id = any(${warehouseProductIds})`,
      )

/** A line of a consignment and a row from which goods are taken for it. */
export type LineAndRow = Record<'lineId' | 'warehouseProductId', string>

/**
 * Reads the allocations of rows to the given lines, and every allocation of a serial by name in these rows.
 * It does not read the others, because a row of a popular product may be allocated to thousands of lines.
 */
export const readAllocationsOfLines = (
  db: Db,
  organisationId: string,
  pairs: readonly LineAndRow[],
): Promise<AllocationLookup> =>
  readByRow(
    db,
    sql`
      select a.* from ${tableOf('g', { lineId: 'uuid', warehouseProductId: 'uuid' }, pairs)}
      cross join lateral (
        select * from inventory_allocation a where a.organisation_id = ${organisationId}
          and a.consignment_product_id = g."lineId" and a.warehouse_product_id = g."warehouseProductId"
        offset 0
      ) a
      union
      select a.* from ${tableOf(
        'g',
        { warehouseProductId: 'uuid' },
        pairs.map(({ warehouseProductId }) => ({ warehouseProductId })),
      )}
      cross join lateral (
        select * from inventory_allocation a where a.organisation_id = ${organisationId}
          and a.warehouse_product_id = g."warehouseProductId" and a.warehouse_product_item_id is not null
        offset 0
      ) a`,
  )

async function readByRow(db: Db, allocations: Sql): Promise<AllocationLookup> {
  const rows = await db.rows<Omit<Allocation, 'quantity'> & { quantity: number }>(sql`
    select a.id, a.warehouse_product_id, a.consignment_id, c.consignment_number, a.consignment_product_id,
      a.warehouse_product_item_id as item_id, a.is_picked, a.is_override, a.quantity
    from (${allocations}) a
    join consignment c on c.organisation_id = a.organisation_id and c.id = a.consignment_id
    order by c.number, a.id`)
  const allocationsByRow = Map.groupBy(
    rows.map(row => ({ ...row, quantity: scale(4, row.quantity) })),
    ({ warehouseProductId }) => warehouseProductId,
  )
  return id => allocationsByRow.get(id) ?? []
}

/** How many consignments a message lists. */
const maxListed = 5

/** Lists the numbers of the consignments of allocations, for a message: `A, B and 3 more`. */
export function listConsignmentNumbers(allocations: readonly Allocation[]): string {
  const numbers = [...new Set(allocations.map(({ consignmentNumber }) => consignmentNumber))]
  const further = numbers.length - maxListed
  return numbers.slice(0, maxListed).join(', ') + (further > 0 ? ` and ${further} more` : '')
}

/** The changes that carry allocations from the row that a move empties to the row that it fills. */
export const moveAllocations = (allocations: readonly Allocation[]): AllocationChange[] =>
  allocations.flatMap(({ consignmentId, consignmentProductId, itemId, isPicked, isOverride, quantity }) => {
    const allocation = { consignmentId, consignmentProductId, itemId, isPicked, isOverride }
    return [
      { ...allocation, at: 'from' as const, quantity: -quantity },
      { ...allocation, at: 'to' as const, quantity },
    ]
  })
