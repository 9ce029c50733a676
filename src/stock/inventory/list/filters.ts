// The filters of a list of stock, as conditions in SQL. Spec 4.13.

import { empty, join, type Sql, sql } from '../../../platform/database/db.ts'
import { contains } from '../../../platform/http/paging.ts'
import type { HoldKind } from '../../../vocabulary/stock.ts'

/** The filters of a list of stock. An undefined one does not filter. */
export interface InventoryFilters {
  partnerId?: string | undefined
  productId?: string | undefined
  warehouseId?: string | undefined
  zoneId?: string | undefined
  locationId?: string | undefined
  logisticUnitId?: string | undefined
  hazardClassId?: string | undefined
  hazardCategoryId?: string | undefined
  /** exactly this batch, regardless of case */
  batch?: string | undefined
  holdKind?: HoldKind | undefined
  /** the last day on which it may expire or be best before, YYYY-MM-DD */
  expiryTo?: string | undefined
  /** part of a product's code, name or barcode, or of a batch or an SSCC */
  searchText?: string | undefined
  /** also list stock of which nothing is left */
  includeDepleted: boolean
}

const andAll = (conditions: (Sql | false)[]): Sql => {
  const given = conditions.filter(condition => condition !== false)
  return given.length === 0 ? empty : sql`and ${join(given, ' and ')}`
}

/** Conditions on client, warehouse and location of `l`, a row of the listing or of stock; not on the zone. */
export const placeConditions = ({ partnerId, warehouseId, locationId }: InventoryFilters): Sql =>
  andAll([
    partnerId !== undefined && sql`l.partner_id = ${partnerId}`,
    warehouseId !== undefined && sql`l.warehouse_id = ${warehouseId}`,
    locationId !== undefined && sql`l.warehouse_location_id = ${locationId}`,
  ])

/** The locations of a zone. */
const locationsOf = (organisationId: string, zoneId: string): Sql => sql`select z.id from warehouse_location z
  where z.organisation_id = ${organisationId} and z.warehouse_zone_id = ${zoneId}`

/** The condition on the zone of `l`, for rows that are found by another condition. */
export const zoneCondition = (organisationId: string, { zoneId }: InventoryFilters): Sql =>
  andAll([zoneId !== undefined && sql`l.warehouse_location_id in (${locationsOf(organisationId, zoneId)})`])

/**
 * The condition on the zone of `l`, written so that its rows are found by the zone. With a warehouse filter,
 * only locations of that warehouse count.
 */
export const zoneKeyCondition = (
  organisationId: string,
  { zoneId, warehouseId }: Pick<InventoryFilters, 'zoneId' | 'warehouseId'>,
): Sql =>
  andAll([
    zoneId !== undefined &&
      sql`l.warehouse_location_id = any(array(${locationsOf(organisationId, zoneId)}
        ${warehouseId === undefined ? empty : sql`and z.warehouse_id = ${warehouseId}`}))`,
  ])

/** Selects the products with a hazard class and category; undefined if neither is filtered by. */
export function dangerousProducts(
  organisationId: string,
  { hazardClassId, hazardCategoryId }: InventoryFilters,
): Sql | undefined {
  const having = (condition: Sql) =>
    sql`select k.product_id from product_dg_hazard_class k
      where k.organisation_id = ${organisationId} and ${condition}`
  const given = [
    ...(hazardClassId === undefined ? [] : [having(sql`k.dg_hazard_class_id = ${hazardClassId}`)]),
    ...(hazardCategoryId === undefined ? [] : [having(sql`k.dg_hazard_category_id = ${hazardCategoryId}`)]),
  ]
  return given.length === 0 ? undefined : join(given, ' intersect ')
}

/** Conditions on the product with the given id. */
export function productConditions(organisationId: string, filters: InventoryFilters, id: Sql): Sql {
  const { productId } = filters
  const dangerous = dangerousProducts(organisationId, filters)
  return andAll([
    productId !== undefined && sql`${id} = ${productId}`,
    dangerous !== undefined && sql`${id} in (${dangerous})`,
  ])
}

/** Selects the products whose code, name or barcode contains the text. */
export const searchedProducts = (organisationId: string, text: string): Sql => sql`select f.id from product f
  where f.organisation_id = ${organisationId} and ${contains(sql`f.search_text`, text)}`

/** Selects the units whose SSCC contains the text. The index covers their other numbers, too. */
export const searchedUnits = (organisationId: string, text: string): Sql => sql`select f.id
  from logistic_unit f where f.organisation_id = ${organisationId}
    and ${contains(sql`f.search_text`, text)} and strpos(f.sscc_number, ${text}) > 0`

/**
 * Conditions on the batch, dates and hold of a row of stock `s`. The earlier date is written as in its index.
 */
const ofRow = (organisationId: string, { batch, holdKind, expiryTo }: InventoryFilters): Sql =>
  andAll([
    expiryTo !== undefined && sql`least(s.expiry_date, s.best_before_date) <= ${expiryTo}::date`,
    batch !== undefined && sql`lower(s.batch) = lower(${batch})`,
    holdKind !== undefined &&
      sql`s.inventory_hold_id = any(array(select x.id from inventory_hold x
        where x.organisation_id = ${organisationId} and x.kind = ${holdKind}))`,
  ])

/**
 * Conditions that a row of stock `s` must meet for its entry to be listed, and to be shown in it. `offset 0`
 * makes the database look up the unit of each row; without it, the plan may read the table of all units.
 */
export function rowConditions(organisationId: string, filters: InventoryFilters): Sql {
  const { searchText } = filters
  return sql`${productConditions(organisationId, filters, sql`s.product_id`)}
    ${ofRow(organisationId, filters)}
    ${
      searchText === undefined
        ? empty
        : sql`and (s.product_id in (${searchedProducts(organisationId, searchText)})
          or strpos(lower(s.batch), lower(${searchText})) > 0
          or exists (select from logistic_unit x where x.organisation_id = s.organisation_id
            and x.id = s.logistic_unit_id and strpos(x.sscc_number, ${searchText}) > 0 offset 0))`
    }`
}
