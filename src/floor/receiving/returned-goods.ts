// No more of a dispatched consignment comes back than left. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import type { FaultCollector } from '../../platform/http/entry-faults.ts'
import { numberOf } from '../../stock/commands/quantities.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import type { InwardsLine } from './inwards-line.ts'

/** What left with a line of a dispatched consignment, of one product, and what came back. */
interface ReturnableProduct {
  lineId: string
  productId: string
  sent: bigint
  /** received with any return */
  back: bigint
}

/** What left with a dispatched consignment, and what of it came back. */
export interface Returnable {
  /** the number of that consignment */
  sentWith: string
  products: ReturnableProduct[]
}

/**
 * Reads what left with the consignment of which this one returns goods; empty if it is not a return. Call it
 * with the stock locked.
 */
export async function readReturnable(db: Db, organisationId: string, returnId: string): Promise<Returnable> {
  const rows = await db.rows<{
    sentWith: string
    lineId: string
    productId: string
    sent: number
    back: number
  }>(sql`
    select o.consignment_number as sent_with, gone.line_id, gone.product_id, gone.quantity as sent, coalesce((
      select sum(b.received_quantity) from consignment_product b
      where b.organisation_id = o.organisation_id and b.return_of_consignment_product_id = gone.line_id
        and b.product_id = gone.product_id), 0) as back
    from consignment c
    join consignment o on o.organisation_id = c.organisation_id and o.id = c.return_of_consignment_id
    cross join lateral (
      select t.consignment_product_id as line_id, p.product_id, -sum(t.quantity) as quantity
      from inventory_transaction t
      join warehouse_product p
        on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
      where t.organisation_id = o.organisation_id and t.consignment_id = o.id
        and t.type = ${TransactionType.Dispatch}
      group by t.consignment_product_id, p.product_id having sum(t.quantity) < 0
    ) gone
    where c.organisation_id = ${organisationId} and c.id = ${returnId}
    order by gone.line_id`)
  return {
    sentWith: rows[0]?.sentWith ?? '',
    products: rows.map(row => ({ ...row, sent: scale(4, row.sent), back: scale(4, row.back) })),
  }
}

/**
 * Adds a fault for each receipt of a return that exceeds what left with its line less what came back. Goods
 * that the return did not announce count for a line with which their product left.
 */
export function refuseMoreThanSent(
  { sentWith, products }: Returnable,
  receipts: readonly { name: string; line: InwardsLine; quantity: bigint }[],
  faults: FaultCollector,
): void {
  for (const { name, line, quantity } of receipts) {
    const ofProduct = products.filter(({ productId }) => productId === line.productId)
    if (line.isNew)
      line.returnOfConsignmentProductId ??=
        (ofProduct.find(({ sent, back }) => sent - back >= quantity) ?? ofProduct[0])?.lineId ?? null
    if (line.returnOfConsignmentProductId === null) continue
    const sentLine = ofProduct.find(({ lineId }) => lineId === line.returnOfConsignmentProductId)
    const left = sentLine === undefined ? 0n : sentLine.sent - sentLine.back
    if (quantity > left)
      faults.add(
        name,
        `only ${numberOf(left > 0n ? left : 0n)} of the ${numberOf(sentLine?.sent ?? 0n)} ` +
          `${line.productCode} that left with ${sentWith} can still come back, not ${numberOf(quantity)}`,
        'insufficient_stock',
      )
    if (sentLine) sentLine.back += quantity
  }
}
