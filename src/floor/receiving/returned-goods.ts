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
 * Reads what left with dispatched consignments, and what of it came back, by their ids. Call it with the
 * stock locked of which goods come back.
 */
export async function readReturnable(
  db: Db,
  organisationId: string,
  sentIds: readonly string[],
): Promise<Map<string, Returnable>> {
  const returnable = new Map<string, Returnable>()
  if (sentIds.length === 0) return returnable
  const rows = await db.rows<{
    sentId: string
    sentWith: string
    lineId: string | null
    productId: string
    sent: number
    back: number
  }>(sql`
    select o.id as sent_id, o.consignment_number as sent_with, gone.line_id, gone.product_id,
      gone.quantity as sent, coalesce((
        select sum(b.received_quantity) from consignment_product b
        where b.organisation_id = o.organisation_id and b.return_of_consignment_product_id = gone.line_id
          and b.product_id = gone.product_id), 0) as back
    from consignment o
    left join lateral (
      select t.consignment_product_id as line_id, p.product_id, -sum(t.quantity) as quantity
      from inventory_transaction t
      join warehouse_product p
        on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
      where t.organisation_id = o.organisation_id and t.consignment_id = o.id
        and t.type = ${TransactionType.Dispatch}
      group by t.consignment_product_id, p.product_id having sum(t.quantity) < 0
    ) gone on true
    where o.organisation_id = ${organisationId} and o.id = any(${[...new Set(sentIds)]})
    order by gone.line_id`)
  for (const { sentId, sentWith, lineId, productId, sent, back } of rows) {
    const { products } = returnable.get(sentId) ?? { products: [] as ReturnableProduct[] }
    if (lineId !== null) products.push({ lineId, productId, sent: scale(4, sent), back: scale(4, back) })
    returnable.set(sentId, { sentWith, products })
  }
  return returnable
}

/**
 * Adds a fault for each receipt of a return that exceeds what left with its line less what came back. Goods
 * that the return did not announce count for a line with which their product left. Returns a function that
 * notes that the goods are back, for the returns after this one.
 */
export function refuseMoreThanSent(
  { sentWith, products }: Returnable,
  receipts: readonly { name: string; line: InwardsLine; quantity: bigint }[],
  faults: FaultCollector,
): () => void {
  const received = new Map<ReturnableProduct, bigint>()
  const leftOf = (product: ReturnableProduct) => product.sent - product.back - (received.get(product) ?? 0n)
  for (const { name, line, quantity } of receipts) {
    const ofProduct = products.filter(({ productId }) => productId === line.productId)
    if (line.isNew)
      line.returnOfConsignmentProductId ??=
        (ofProduct.find(product => leftOf(product) >= quantity) ?? ofProduct[0])?.lineId ?? null
    if (line.returnOfConsignmentProductId === null) continue
    const sentLine = ofProduct.find(({ lineId }) => lineId === line.returnOfConsignmentProductId)
    const left = sentLine === undefined ? 0n : leftOf(sentLine)
    if (quantity > left)
      faults.add(
        name,
        `only ${numberOf(left > 0n ? left : 0n)} of the ${numberOf(sentLine?.sent ?? 0n)} ` +
          `${line.productCode} that left with ${sentWith} can still come back, not ${numberOf(quantity)}`,
        'insufficient_stock',
      )
    if (sentLine) received.set(sentLine, (received.get(sentLine) ?? 0n) + quantity)
  }
  return () => {
    for (const [product, quantity] of received) product.back += quantity
  }
}
