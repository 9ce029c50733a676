// Allocated consignments for the benchmarks that pick them.

import { sql } from '../src/platform/database/db.ts'
import type { Store } from '../src/process/store.ts'
import { allocateLines } from '../src/stock/allocation/allocate-lines.ts'
import { lockTargetsOfConsignments } from '../src/stock/allocation/outbound-lines.ts'
import { lockQueriedStock } from '../src/stock/ledger/stock-lock.ts'
import { type prepareStock, readyToPick } from './moving-stock.ts'

type Stock = Awaited<ReturnType<typeof prepareStock>>

/**
 * Creates allocated consignments of one item each. Returns the requests that pick them, each into a new tote
 * (`intoTotes`) or onto the floor of the dock.
 */
export async function allocatePicks(
  store: Store,
  stock: Stock,
  products: readonly Stock['products'][0][],
  count: number,
  { intoTotes = false } = {},
) {
  const { organisationId } = stock
  const wanted = Array.from({ length: count }, (_, n) => {
    const { id: productId, code } = products[n % products.length] as Stock['products'][0]
    return [{ productId, code, quantity: 1 }]
  })
  const ids = await readyToPick(store, stock, wanted)
  const source = { connectionId: stock.connectionId, userId: stock.userId, requestId: 'bench' }
  for (let from = 0; from < count; from += 1_000) {
    const group = ids.slice(from, from + 1_000)
    await store.database.atomically(async tx => {
      const locked = await lockQueriedStock(
        tx,
        organisationId,
        lockTargetsOfConsignments(organisationId, group),
      )
      await allocateLines(
        tx,
        locked,
        group.map(consignmentId => ({ consignmentId, source })),
      )
    })
  }
  const promises = await store.database.db.rows<Record<'consignmentId' | 'line' | 'stock', string>>(sql`
    select consignment_id, consignment_product_id as line, warehouse_product_id as stock
    from inventory_allocation where organisation_id = ${organisationId} and not is_picked
      and consignment_id = any(${ids})`)
  return promises.map(({ consignmentId, line, stock }) => ({
    path: `/v1/consignments/${consignmentId}/pick`,
    body: JSON.stringify({
      picks: [
        {
          ...{ consignmentProductId: line, warehouseProductId: stock, quantity: 1 },
          ...(intoTotes ? { toLogisticUnit: { isNew: true } } : {}),
        },
      ],
    }),
  }))
}
