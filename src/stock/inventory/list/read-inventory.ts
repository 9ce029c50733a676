// Reads a page of stock in one statement: its entries, each with the rows that match, and the exact total.
// Spec 2.14, 4.13.

import { type Db, empty, join, type Sql, sql } from '../../../platform/database/db.ts'
import { named, nullable, type Static, Type } from '../../../platform/http/schema.ts'
import {
  availableVolume,
  availableWeight,
  InventoryProduct,
  InventoryUnit,
  itemCount,
  productJoins,
  productJson,
  type StoredProduct,
  toProduct,
} from '../inventory-product.ts'
import { type InventoryFilters, rowConditions } from './filters.ts'
import { findEntries } from './find-entries.ts'
import type { EntryQuery, PageRequest } from './listing.ts'

/** An entry of the list: a logistic unit with the rows on it, or one row of loose stock. */
export const InventoryEntry = named(
  'InventoryEntry',
  Type.Object({ logisticUnit: nullable(InventoryUnit), products: Type.Array(InventoryProduct) }),
)
export type InventoryEntry = Static<typeof InventoryEntry>

/** The queries by which the list reads stock, either as it is now or as it was. */
export interface StockQuery {
  entries: EntryQuery
  /** the rows of stock of the entries in `page`: `entry_id` and the columns of `warehouse_product` */
  stock: Sql
  /** how many serials are in a row `s` */
  items: Sql
}

/** Reads stock as it is now. */
export function currentStock(
  organisationId: string,
  filters: InventoryFilters,
  page: PageRequest,
): StockQuery {
  const live = filters.includeDepleted ? empty : sql`and not p.is_depleted`
  return {
    entries: findEntries(organisationId, filters, page),
    stock: sql`
      select e.entry_id, p.* from page e join warehouse_product p
        on p.organisation_id = ${organisationId} and p.logistic_unit_id = e.entry_id ${live}
      union all
      select e.entry_id, p.* from page e join warehouse_product p
        on p.organisation_id = ${organisationId} and p.id = e.entry_id and p.logistic_unit_id is null`,
    items: itemCount,
  }
}

/** The logistic unit of an entry `g` as JSON; null for loose stock. */
const unitJson = sql`case when u.id is not null then json_build_object('warehouseLogisticUnitId', u.id,
  'partnerId', c.id, 'partnerName', c.name, 'logisticUnitNumber', u.logistic_unit_number,
  'referenceNumber', u.reference_number, 'ssccNumber', u.sscc_number,
  'warehouseLocationId', l.id, 'warehouseLocationName', l.name, 'warehouseLocationType', l.type,
  'warehouseId', w.id, 'warehouseName', w.name,
  'availableQuantity', g.available_quantity, 'availableVolumeM3', g.available_volume_m3,
  'availableWeightKG', g.available_weight_kg, 'onHandQuantity', g.on_hand_quantity,
  'onHandVolumeM3', g.on_hand_volume_m3, 'onHandWeightKG', g.on_hand_weight_kg) end`

/** Reads the page of entries that `StockQuery` describes, and the total. */
export async function readInventory(
  db: Db,
  organisationId: string,
  filters: InventoryFilters,
  { entries, stock, items }: StockQuery,
): Promise<{ total: number; inventory: InventoryEntry[] }> {
  const rows = await db.rows<{
    total: number
    logisticUnit: InventoryEntry['logisticUnit']
    products: StoredProduct[] | null
  }>(sql`
    with ${join([...entries.ctes, sql`page as materialized (${entries.page})`])},
    stock as materialized (${stock}),
    grouped as (
      select s.entry_id,
        (array_agg(s.warehouse_location_id) filter (where not s.is_depleted))[1] as location_id,
        sum(s.available_quantity) as available_quantity, sum(${availableVolume}) as available_volume_m3,
        sum(${availableWeight}) as available_weight_kg, sum(s.on_hand_quantity) as on_hand_quantity,
        sum(s.on_hand_volume_m3) as on_hand_volume_m3, sum(s.on_hand_weight_kg) as on_hand_weight_kg
      from stock s group by s.entry_id
    ), shown as (
      select s.entry_id, json_agg(${productJson(items)}
        order by d.code, s.expiry_date, s.batch, s.id) as products
      from stock s ${productJoins}
      where true ${rowConditions(organisationId, filters)} group by s.entry_id
    )
    select counted.total, listed.* from (select ${entries.total}) as counted (total)
    left join lateral (
      select g.entry_id, ${unitJson} as logistic_unit, shown.products
      from grouped g join shown using (entry_id)
      left join logistic_unit u on u.organisation_id = ${organisationId} and u.id = g.entry_id
      left join partner c on c.organisation_id = u.organisation_id and c.id = u.partner_id
      left join warehouse_location l on l.organisation_id = u.organisation_id
        and l.id = coalesce(g.location_id, u.warehouse_location_id)
      left join warehouse w on w.organisation_id = l.organisation_id and w.id = l.warehouse_id
      order by g.entry_id
    ) listed on true`)
  return {
    total: rows[0]?.total ?? 0,
    inventory: rows.flatMap(({ logisticUnit, products }) =>
      products === null ? [] : [{ logisticUnit, products: products.map(toProduct) }],
    ),
  }
}
