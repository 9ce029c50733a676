// What of rows of stock is promised to whom: what commands have to leave, to take along or to name. Spec
// 2.14.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { scale } from '../../platform/decimal.ts'
import type { AllocationChange } from '../ledger/movement.ts'

/** An allocation of a row of stock, with the number of the consignment that it is for. */
export interface Allocation {
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

/** The promises of rows, by row. */
export type AllocationLookup = (warehouseProductId: string) => readonly Allocation[]

/** Reads the allocations of rows, by row, in the order of the consignments' numbers. Ask under the lock. */
export const readAllocations = async (
  db: Db,
  organisationId: string,
  warehouseProductIds: readonly string[],
): Promise<AllocationLookup> =>
  warehouseProductIds.length === 0
    ? () => []
    : byRow(
        db,
        sql`select a.* from inventory_allocation a where a.organisation_id = ${organisationId}
          and a.warehouse_product_id = any(${warehouseProductIds})`,
      )

/** A line and a row that goods are taken from for it. */
export type LineAndRow = Record<'lineId' | 'warehouseProductId', string>

/**
 * The same of what is promised to lines in rows, and of all serials of the rows that are promised by name: a
 * row of a product that is much asked for may be promised to thousands of lines.
 */
export const readAllocationsOfLines = (
  db: Db,
  organisationId: string,
  wanted: readonly LineAndRow[],
): Promise<AllocationLookup> =>
  byRow(
    db,
    sql`
      select a.* from ${tableOf('g', { lineId: 'uuid', warehouseProductId: 'uuid' }, wanted)}
      cross join lateral (
        select * from inventory_allocation a where a.organisation_id = ${organisationId}
          and a.consignment_product_id = g."lineId" and a.warehouse_product_id = g."warehouseProductId"
        offset 0
      ) a
      union
      select a.* from ${tableOf(
        'g',
        { warehouseProductId: 'uuid' },
        wanted.map(({ warehouseProductId }) => ({ warehouseProductId })),
      )}
      cross join lateral (
        select * from inventory_allocation a where a.organisation_id = ${organisationId}
          and a.warehouse_product_id = g."warehouseProductId" and a.warehouse_product_item_id is not null
        offset 0
      ) a`,
  )

async function byRow(db: Db, allocations: Sql): Promise<AllocationLookup> {
  const rows = await db.rows<Omit<Allocation, 'quantity'> & { quantity: number }>(sql`
    select a.id, a.warehouse_product_id, a.consignment_id, c.consignment_number, a.consignment_product_id,
      a.warehouse_product_item_id as item_id, a.is_picked, a.is_override, a.quantity
    from (${allocations}) a
    join consignment c on c.organisation_id = a.organisation_id and c.id = a.consignment_id
    order by c.number, a.id`)
  const found = Map.groupBy(
    rows.map(row => ({ ...row, quantity: scale(4, row.quantity) })),
    ({ warehouseProductId }) => warehouseProductId,
  )
  return id => found.get(id) ?? []
}

/** At most so many consignments are named in a message. */
const maxNamed = 5

/** The numbers of the consignments that something is promised to, as a list in a sentence. */
export function listConsignmentNumbers(promises: readonly Allocation[]): string {
  const numbers = [...new Set(promises.map(({ consignmentNumber }) => consignmentNumber))]
  const further = numbers.length - maxNamed
  return numbers.slice(0, maxNamed).join(', ') + (further > 0 ? ` and ${further} more` : '')
}

/** The same promises at another row: what goes there as a whole takes them along. */
export const moveAllocations = (promises: readonly Allocation[]): AllocationChange[] =>
  promises.flatMap(({ consignmentId, consignmentProductId, itemId, isPicked, isOverride, quantity }) => {
    const promise = { consignmentId, consignmentProductId, itemId, isPicked, isOverride }
    return [
      { ...promise, at: 'from' as const, quantity: -quantity },
      { ...promise, at: 'to' as const, quantity },
    ]
  })
