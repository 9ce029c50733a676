// Reads the picked and the still open allocations of consignments, with rows and serials. Spec 2.14.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { readStockRowsById, type StockRow } from '../commands/read-stock-rows.ts'
import { type AllocationChange, oneItem } from '../ledger/movement.ts'

/** Picked goods of one line in one row. */
export interface PickedStock {
  row: StockRow
  consignmentId: string
  consignmentNumber: string
  consignmentProductId: string
  ordinal: number
  productCode: string
  /** ten-thousandths */
  quantity: bigint
  /** their serials, if allocated by serial */
  items: { id: string; serial: string }[]
  isOverride: boolean
}

type PickedStockRow = Omit<PickedStock, 'row' | 'quantity' | 'items'> & {
  warehouseProductId: string
  quantity: number
  items: { id: string; serial: string }[] | null
}

// `offset 0` makes the database look up the allocations of each consignment, and the line of each allocation,
// by their keys: before its first analysis it expects one row everywhere, and reads all lines for each
// consignment of the organisation.
const allocationsOf = (organisationId: string, consignmentIds: readonly string[], condition: Sql) => sql`
  unnest(${consignmentIds}::uuid[]) as wanted (consignment_id)
  cross join lateral (
    select a.* from inventory_allocation a
    where a.organisation_id = ${organisationId} and a.consignment_id = wanted.consignment_id and ${condition}
    offset 0
  ) a
  cross join lateral (
    select l.ordinal, l.product_code from consignment_product l
    where l.organisation_id = a.organisation_id and l.id = a.consignment_product_id offset 0
  ) l`

/** Reads the picked stock of consignments by line and row. Call it under the stock lock. */
export async function readPickedStock(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
): Promise<PickedStock[]> {
  const parts = await db.rows<PickedStockRow>(sql`
    select a.warehouse_product_id, a.consignment_id, c.consignment_number, a.consignment_product_id,
      l.ordinal, l.product_code, sum(a.quantity) as quantity, bool_or(a.is_override) as is_override,
      json_agg(json_build_object('id', i.id, 'serial', i.serial) order by i.serial)
        filter (where i.id is not null) as items
    from ${allocationsOf(organisationId, consignmentIds, sql`a.is_picked`)}
    cross join lateral (
      select c.consignment_number, c.number from consignment c
      where c.organisation_id = a.organisation_id and c.id = a.consignment_id offset 0
    ) c
    left join warehouse_product_item i
      on i.organisation_id = a.organisation_id and i.id = a.warehouse_product_item_id
    group by a.warehouse_product_id, a.consignment_id, c.consignment_number, c.number,
      a.consignment_product_id, l.ordinal, l.product_code
    order by c.number, l.ordinal, a.warehouse_product_id`)
  const ids = [...new Set(parts.map(({ warehouseProductId }) => warehouseProductId))]
  const rows = await readStockRowsById(db, organisationId, ids)
  return parts.map(({ warehouseProductId, quantity, items, ...part }) => ({
    ...part,
    row: rows.get(warehouseProductId) as StockRow,
    quantity: scale(4, quantity),
    items: items ?? [],
  }))
}

/**
 * Returns the allocation changes for picked goods, one for each serial if they have any. `sign` -1n ends
 * them.
 */
export function allocationChangesFor(
  { consignmentId, consignmentProductId, isOverride }: PickedStock,
  { quantity, items }: { quantity: bigint; items: readonly string[] },
  change: { at: 'from' | 'to'; isPicked: boolean; sign: 1n | -1n },
): AllocationChange[] {
  const { at, isPicked, sign } = change
  const allocation = { at, isPicked, consignmentId, consignmentProductId, isOverride }
  if (items.length === 0) return quantity === 0n ? [] : [{ ...allocation, quantity: sign * quantity }]
  return items.map(itemId => ({ ...allocation, itemId, quantity: sign * oneItem }))
}

/** What is allocated to a line in a row and not picked, with its known serials. */
export interface OpenAllocation {
  row: StockRow
  consignmentProductId: string
  /** ten-thousandths */
  quantity: bigint
  /** serials allocated by name; for products captured on release, serials that the consignment announced */
  serials: string[]
}

/** Reads the open allocations of consignments by line and row. Call it under the stock lock. */
export async function readOpenAllocations(
  db: Db,
  organisationId: string,
  consignmentIds: readonly string[],
): Promise<OpenAllocation[]> {
  const allocations = await db.rows<{
    warehouseProductId: string
    consignmentProductId: string
    quantity: number
    serials: string[]
    announced: string[]
  }>(sql`
    select a.warehouse_product_id, a.consignment_product_id, sum(a.quantity) as quantity,
      coalesce(array_agg(i.serial order by i.serial) filter (where i.id is not null), '{}') as serials,
      array(
        select s.serial from consignment_product_item s where s.organisation_id = a.organisation_id
          and s.consignment_product_id = a.consignment_product_id and s.serial <> '' order by s.ordinal
      ) as announced
    from ${allocationsOf(organisationId, consignmentIds, sql`not a.is_picked`)}
    left join warehouse_product_item i
      on i.organisation_id = a.organisation_id and i.id = a.warehouse_product_item_id
    group by a.organisation_id, a.warehouse_product_id, a.consignment_product_id, l.ordinal
    order by l.ordinal, a.warehouse_product_id`)
  const ids = [...new Set(allocations.map(({ warehouseProductId }) => warehouseProductId))]
  const rows = await readStockRowsById(db, organisationId, ids)
  const usedOfLine = new Map<string, number>()
  return allocations.map(({ warehouseProductId, consignmentProductId, quantity, serials, announced }) => {
    const row = rows.get(warehouseProductId) as StockRow
    const offset = usedOfLine.get(consignmentProductId) ?? 0
    usedOfLine.set(consignmentProductId, offset + quantity)
    const isCapturedOnRelease = row.serialTrackingMode === SerialTrackingMode.ReleaseCapture
    return {
      row,
      consignmentProductId,
      quantity: scale(4, quantity),
      serials: isCapturedOnRelease ? announced.slice(offset, offset + quantity) : serials,
    }
  })
}
