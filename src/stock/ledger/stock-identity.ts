// Stock rows: what goods must have in common to share a row, and finding or creating the row. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { newId } from '../../platform/new-id.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import type { LockedStock } from './stock-lock.ts'

/** The fields that describe stock, apart from its attributes. */
export const descriptionFieldNames = [
  'batch',
  'bestBeforeDate',
  'expiryDate',
  'packagingDate',
  'productionDate',
  'sellByDate',
] as const
export type DescriptionField = (typeof descriptionFieldNames)[number]

/** The description of goods in stock. Goods that differ in any of it are in different rows. */
export interface StockDescription {
  batch: string | null
  /** plain dates, YYYY-MM-DD */
  bestBeforeDate: string | null
  expiryDate: string | null
  packagingDate: string | null
  productionDate: string | null
  sellByDate: string | null
  /** sorted by id */
  attributes: readonly { productAttributeId: string; description: string | null }[]
}

/** The identity of a stock row, which never changes, unlike its quantities. */
export interface StockIdentity extends StockDescription {
  warehouseId: string
  partnerId: string
  productId: string
  warehouseLocationId: string
  logisticUnitId: string | null
  inventoryHoldId: string | null
  /** YYYY-MM-DD */
  receivedDate: string
}

const identityFields = {
  ...{ n: 'integer', id: 'uuid', warehouseId: 'uuid', partnerId: 'uuid', productId: 'uuid' },
  ...{ warehouseLocationId: 'uuid', logisticUnitId: 'uuid', inventoryHoldId: 'uuid', batch: 'text' },
  ...{ bestBeforeDate: 'date', expiryDate: 'date', packagingDate: 'date', productionDate: 'date' },
  ...{ sellByDate: 'date', receivedDate: 'date', attributes: 'jsonb' },
}

/**
 * Finds the row of each identity, or creates an empty one. Returns their ids in the order of the identities.
 * @throws Error if the stock is not locked.
 */
export async function findOrCreateStockRows(
  tx: Tx,
  locked: LockedStock,
  identities: readonly StockIdentity[],
): Promise<string[]> {
  if (identities.length === 0) return []
  const unlocked = identities.find(identity => !locked.covers(identity))
  if (unlocked) throw new Error(`Stock of product ${unlocked.productId} is not locked.`)
  const { organisationId } = locked
  const rowInputs = identities.map((identity, n) => ({
    ...identity,
    attributes: JSON.stringify(identity.attributes),
    n,
    id: newId(),
  }))
  const rows = await tx.rows<{ n: number; id: string }>(sql`
    with wanted as materialized (
      select g.*, stock_identity("warehouseLocationId", "logisticUnitId", "inventoryHoldId", batch,
        "bestBeforeDate", "expiryDate", "packagingDate", "productionDate", "sellByDate", "receivedDate",
        attributes) as identity
      from ${tableOf('g', identityFields, rowInputs)}
    ), found as materialized (
      select g.n, p.id from wanted g join warehouse_product p
        on p.organisation_id = ${organisationId} and p.product_id = g."productId" and p.identity = g.identity
    ), created as (
      insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
        warehouse_location_id, logistic_unit_id, inventory_hold_id, batch, best_before_date, expiry_date,
        packaging_date, production_date, sell_by_date, received_date, attributes, is_quarantined)
      select distinct on (g."productId", g.identity) ${organisationId}, g.id, g."warehouseId", g."partnerId",
        g."productId", g."warehouseLocationId", g."logisticUnitId", g."inventoryHoldId", g.batch,
        g."bestBeforeDate", g."expiryDate", g."packagingDate", g."productionDate", g."sellByDate",
        g."receivedDate", g.attributes, l.type = ${LocationType.Quarantine}
      from wanted g join warehouse_location l
        on l.organisation_id = ${organisationId} and l.id = g."warehouseLocationId"
      where not exists (select from found f where f.n = g.n)
      order by g."productId", g.identity, g.n
      returning id, product_id, identity
    )
    select g.n, coalesce(f.id, c.id) as id from wanted g
    left join found f on f.n = g.n
    left join created c on c.product_id = g."productId" and c.identity = g.identity`)
  const ids = new Map(rows.map(({ n, id }) => [n, id]))
  return identities.map((_, n) => ids.get(n) as string)
}
