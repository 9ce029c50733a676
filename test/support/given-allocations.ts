// Allocations for tests that are not about choosing stock: an outwards consignment with one line, and an
// allocation of a stock row to it.

import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { TransactionType } from '../../src/vocabulary/stock.ts'
import { of, type openStock } from './given-stock.ts'

let last = 0

/** Allocates a quantity of a row to a line of a new consignment. Returns its id, number and line. */
export async function allocateRow(
  { database, admin, clientId, warehouseId, posted }: Awaited<ReturnType<typeof openStock>>,
  warehouseProductId: string,
  quantity: number,
  {
    itemId = null,
    line = {},
    isPicked = false,
  }: { itemId?: string | null; line?: { batch?: string }; isPicked?: boolean } = {},
): Promise<{ consignmentId: string; consignmentNumber: string; consignmentProductId: string }> {
  const { organisationId } = admin.actor
  const [consignmentId, consignmentProductId, number] = [newId(), newId(), ++last]
  const consignmentNumber = `TST-${String(number).padStart(6, '0')}-OUT`
  await database.atomically(async tx => {
    await tx.run(sql`insert into consignment (organisation_id, id, number, consignment_number, type, status,
        client_id, warehouse_id, date_entered)
      values (${organisationId}, ${consignmentId}, ${number}, ${consignmentNumber}, 2, 2, ${clientId},
        ${warehouseId}, '2026-01-01')`)
    await tx.run(sql`insert into consignment_product (organisation_id, id, consignment_id, ordinal, product_id,
        product_code, expected_quantity, batch)
      select ${organisationId}, ${consignmentProductId}, ${consignmentId}, 0, product_id, 'X', ${quantity},
        ${line.batch ?? null}
      from warehouse_product where organisation_id = ${organisationId} and id = ${warehouseProductId}`)
  })
  await posted([
    {
      movementId: newId(),
      type: TransactionType.Allocation,
      from: null,
      to: warehouseProductId,
      quantity: 0n,
      consignmentId,
      consignmentProductId,
      allocations: [
        { at: 'to', consignmentId, consignmentProductId, itemId, isPicked, quantity: of(quantity) },
      ],
    },
  ])
  return { consignmentId, consignmentNumber, consignmentProductId }
}
