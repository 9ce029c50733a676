// A row of stock: what makes goods alike, and the rows that hold them. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { newId } from '../../platform/new-id.ts'
import { LocationType } from '../../warehouses/enumerations.ts'
import type { LockedStock } from './stock-lock.ts'

/** What a product in stock is described by; goods that differ in any of it lie in different rows. */
export interface StockDescription {
  batch: string | null
  /** plain dates, YYYY-MM-DD */
  bestBeforeDate: string | null
  expiryDate: string | null
  packagingDate: string | null
  productionDate: string | null
  sellByDate: string | null
  /** in the order of the ids */
  attributes: readonly { productAttributeId: string; description: string | null }[]
}

/** What a row of stock is. Its quantities change; this never does. */
export interface StockIdentity extends StockDescription {
  warehouseId: string
  partnerId: string
  productId: string
  warehouseLocationId: string
  logisticUnitId: string | null
  inventoryHoldId: string | null
  receivedDate: string
}

const identityFields = {
  ...{ n: 'integer', id: 'uuid', warehouseId: 'uuid', partnerId: 'uuid', productId: 'uuid' },
  ...{ warehouseLocationId: 'uuid', logisticUnitId: 'uuid', inventoryHoldId: 'uuid', batch: 'text' },
  ...{ bestBeforeDate: 'date', expiryDate: 'date', packagingDate: 'date', productionDate: 'date' },
  ...{ sellByDate: 'date', receivedDate: 'date', attributes: 'jsonb' },
}

/**
 * Finds the row of each identity, or makes it with nothing in it. Returns their ids in the order of the
 * identities. Throws where the stock is not locked.
 */
export async function findOrMakeRows(
  tx: Tx,
  locked: LockedStock,
  identities: readonly StockIdentity[],
): Promise<string[]> {
  if (identities.length === 0) return []
  const loose = identities.find(identity => !locked.covers(identity))
  if (loose) throw new Error(`Stock of product ${loose.productId} is not locked.`)
  const { organisationId } = locked
  const given = identities.map((identity, n) => ({
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
      from ${tableOf('g', identityFields, given)}
    ), found as materialized (
      select g.n, p.id from wanted g join warehouse_product p
        on p.organisation_id = ${organisationId} and p.product_id = g."productId" and p.identity = g.identity
    ), made as (
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
    select g.n, coalesce(f.id, m.id) as id from wanted g
    left join found f on f.n = g.n
    left join made m on m.product_id = g."productId" and m.identity = g.identity`)
  const ids = new Map(rows.map(({ n, id }) => [n, id]))
  return identities.map((_, n) => ids.get(n) as string)
}
