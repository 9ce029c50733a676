// The data for the benchmarks of writing stock: an organisation with stock, and consignments that receive or
// need stock.

import { createConsignments } from '../src/consignments/create-consignment.ts'
import { sql } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/new-id.ts'
import type { Store } from '../src/process/store.ts'
import { post } from '../src/stock/ledger/post.ts'
import { findOrCreateStockRows } from '../src/stock/ledger/stock-identity.ts'
import { lockWarehouseStock } from '../src/stock/ledger/stock-lock.ts'
import { ConsignmentStatus, ConsignmentType } from '../src/vocabulary/consignments.ts'
import { TransactionType } from '../src/vocabulary/stock.ts'
import { prepareOrganisation } from './import-requests.ts'

const noActor = { connectionId: null, userId: null, requestId: null }

/** Creates an organisation with `rows` stock rows of each of its products. */
export async function prepareStock(store: Store, { rows, quantity }: Record<'rows' | 'quantity', number>) {
  const { database } = store
  const made = await prepareOrganisation(store, 0)
  const { organisationId, clientId, warehouseId, products } = made
  const locationId = newId()
  await database.atomically(async tx => {
    await tx.run(sql`insert into warehouse_location (organisation_id, id, warehouse_id, name, type)
      values (${organisationId}, ${locationId}, ${warehouseId}, 'A-01', 1)`)
    await tx.run(sql`update product set rotation_method = 2 where organisation_id = ${organisationId}`)
  })
  for (const { id: productId } of products) {
    await database.atomically(async tx => {
      const locked = await lockWarehouseStock(tx, organisationId, warehouseId)
      const identities = Array.from({ length: rows }, (_, n) => ({
        ...{ warehouseId, partnerId: clientId, productId, warehouseLocationId: locationId },
        ...{ logisticUnitId: null, inventoryHoldId: null, batch: `B${n}`, bestBeforeDate: null },
        ...{ packagingDate: null, productionDate: null, sellByDate: null, attributes: [] },
        expiryDate: new Date(Date.UTC(2030, 0, 1 + (n % 300))).toISOString().slice(0, 10),
        receivedDate: '2026-01-01',
      }))
      const ids = await findOrCreateStockRows(tx, locked, identities)
      const movementId = newId()
      await post(
        tx,
        locked,
        noActor,
        ids.map(to => ({
          ...{ movementId, type: TransactionType.Adjustment, from: null, to },
          quantity: BigInt(quantity) * 10_000n,
        })),
      )
    })
  }
  return made
}

type WantedLine = readonly (readonly { productId: string; code: string; quantity: number }[])[]
type StockPlace = Record<'organisationId' | 'clientId' | 'warehouseId', string>

/** Creates consignments that are ReadyToPick with these lines, each a product and a quantity. */
export const readyToPick = (store: Store, place: StockPlace, wanted: WantedLine): Promise<string[]> =>
  consignmentsOf(store, place, wanted, {
    type: ConsignmentType.Outwards,
    status: ConsignmentStatus.ReadyToPick,
  })

/** Creates consignments that are ReadyToReceive with these lines. */
export const readyToReceive = (store: Store, place: StockPlace, wanted: WantedLine): Promise<string[]> =>
  consignmentsOf(store, place, wanted, {
    type: ConsignmentType.Inwards,
    status: ConsignmentStatus.ReadyToReceive,
  })

async function consignmentsOf(
  { database }: Store,
  { organisationId, clientId, warehouseId }: StockPlace,
  wanted: WantedLine,
  kind: { type: ConsignmentType; status: ConsignmentStatus },
): Promise<string[]> {
  const source = { ...noActor, organisationId }
  const ids: string[] = []
  for (let from = 0; from < wanted.length; from += 1_000) {
    const made = wanted.slice(from, from + 1_000).map(lines => {
      const id = newId()
      ids.push(id)
      return {
        consignment: {
          ...{ id, ...kind, clientId, warehouseId },
          ...{ dateEntered: '2026-11-01T08:00:00', destinationAuthorityToLeave: false },
        },
        lines: lines.map(({ productId, code, quantity }, ordinal) => ({
          ...{ id: newId(), consignmentId: id, ordinal, productId, productCode: code },
          expectedQuantity: quantity,
        })),
        ...{ items: [], serviceTypes: [], tasks: [], notes: [], attachments: [], source },
      }
    })
    await database.atomically(tx => createConsignments(tx, organisationId, made))
  }
  await database.inOneStatement(tx => tx.run(sql`analyze`))
  return ids
}
