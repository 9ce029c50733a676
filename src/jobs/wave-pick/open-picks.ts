// The picks that a wave pick still has open. Spec 2.14, 2.15.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'

/** An allocation of a consignment in the job that is not picked yet. */
export interface OpenPick {
  inventoryAllocationId: string
  warehouseProductId: string
  consignmentId: string
  consignmentProductId: string
  /** the product that the line asks for */
  productId: string
  /** the serial that is allocated, if one is */
  serial: string | null
  /** ten-thousandths */
  quantity: bigint
}

/**
 * Reads the open picks of a job for these allocations and rows of stock, by the positions of the consignments
 * and the ordinals of their lines. Call it under the lock of the stock to rely on the result.
 */
export async function readOpenPicks(
  db: Db,
  organisationId: string,
  jobId: string,
  selection: { allocationIds: readonly string[]; warehouseProductIds: readonly string[] },
): Promise<OpenPick[]> {
  const rows = await db.rows<Omit<OpenPick, 'quantity'> & { quantity: number }>(sql`
    select a.id as inventory_allocation_id, a.warehouse_product_id, a.consignment_id,
      a.consignment_product_id, l.product_id, i.serial, a.quantity
    from job_consignment m
    join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
    join inventory_allocation a on a.organisation_id = m.organisation_id
      and a.consignment_id = m.consignment_id
    join consignment_product l on l.organisation_id = a.organisation_id and l.id = a.consignment_product_id
    left join warehouse_product_item i on i.organisation_id = a.organisation_id
      and i.id = a.warehouse_product_item_id
    where m.organisation_id = ${organisationId} and m.job_id = ${jobId} and m.is_picking
      and c.status = ${ConsignmentStatus.ReadyToPick} and not a.is_picked
      and (a.id = any(${selection.allocationIds})
        or a.warehouse_product_id = any(${selection.warehouseProductIds}))
    order by m.position, l.ordinal, i.serial, a.id`)
  return rows.map(row => ({ ...row, quantity: scale(4, row.quantity) }))
}

/** Goods of an ended job that are to be picked again. */
interface UnpickedGoods {
  consignmentNumber: string
  productCode: string
  quantity: number
}

/** Reads what is allocated to consignments of an ended job and not picked, as after an unpick. */
export const readUnpickedGoods = (db: Db, organisationId: string, jobId: string): Promise<UnpickedGoods[]> =>
  db.rows<UnpickedGoods>(sql`
    select c.consignment_number, d.code as product_code, sum(a.quantity) as quantity
    from job_consignment m
    join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
    join inventory_allocation a on a.organisation_id = m.organisation_id
      and a.consignment_id = m.consignment_id and not a.is_picked
    join warehouse_product p on p.organisation_id = a.organisation_id and p.id = a.warehouse_product_id
    join product d on d.organisation_id = p.organisation_id and d.id = p.product_id
    where m.organisation_id = ${organisationId} and m.job_id = ${jobId}
      and c.status in (${ConsignmentStatus.ReadyToPick}, ${ConsignmentStatus.ReadyToDispatch})
    group by m.position, c.consignment_number, d.id, d.code
    order by m.position, d.code`)

/**
 * Whether a job has anything left to pick: an allocation that is not picked, or a consignment that is not yet
 * ReadyToPick.
 */
export async function hasOpenPicks(db: Db, organisationId: string, jobId: string): Promise<boolean> {
  const { isLeft } = await db.row<{ isLeft: boolean }>(sql`
    select exists (
      select from job_consignment m
      join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
      where m.organisation_id = ${organisationId} and m.job_id = ${jobId} and m.is_picking
        and (
          c.status in (${ConsignmentStatus.Draft}, ${ConsignmentStatus.Pending})
          or (c.status = ${ConsignmentStatus.ReadyToPick} and exists (
            select from inventory_allocation a
            where a.organisation_id = m.organisation_id and a.consignment_id = m.consignment_id
              and not a.is_picked
          ))
        )
    ) as is_left`)
  return isLeft
}
