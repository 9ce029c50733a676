// The building blocks of queries for a page of stock: rows of the listing, of its counts, and of stock.
// Migration 016 has the tables.

import { empty, join, type Sql, sql } from '../../../platform/database/db.ts'
import {
  dangerousProducts,
  type InventoryFilters,
  placeConditions,
  productConditions,
  rowConditions,
  zoneCondition,
  zoneKeyCondition,
} from './filters.ts'

/** A query for entries: common table expressions, the total, and the page's entries (`entry_id`). */
export interface EntryQuery {
  ctes: Sql[]
  total: Sql
  page: Sql
}

export interface PageRequest {
  limit: number
  offset: number
}

/**
 * The product id of those rows of the listing that stand for the entries themselves. It is a literal, not a
 * parameter, because only then can a generic plan use the partial indexes on these rows.
 */
export const nilUuid = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** The values of `is_depleted` that are listed. Each has its own partial index. */
const statesOf = ({ includeDepleted }: InventoryFilters) => (includeDepleted ? [false, true] : [false])

/**
 * The rows `l` of the listing that meet the filters on its columns, except that of the product. With a zone,
 * the warehouse is checked on the zone's locations, which an index covers, and not on the rows.
 */
export const listingRows = (organisationId: string, filters: InventoryFilters): Sql => sql`
  from inventory_listing l
  where l.organisation_id = ${organisationId}
    ${placeConditions(filters.zoneId === undefined ? filters : { ...filters, warehouseId: undefined })}
    ${zoneKeyCondition(organisationId, filters)}
    ${filters.includeDepleted ? empty : sql`and not l.is_depleted`}
    ${filters.logisticUnitId === undefined ? empty : sql`and l.entry_id = ${filters.logisticUnitId}`}`

/**
 * The rows of the listing that meet the filters, including those on products. In a zone, whose locations an
 * index has by product, dangerous ones are looked up in it, and not picked out of all that the zone has.
 */
export function listingRowsOfProducts(organisationId: string, filters: InventoryFilters): Sql {
  const rows = listingRows(organisationId, filters)
  const dangerous = dangerousProducts(organisationId, filters)
  if (filters.zoneId === undefined || dangerous === undefined)
    return sql`${rows} ${productConditions(organisationId, filters, sql`l.product_id`)}`
  const { productId } = filters
  return sql`${rows} and l.product_id = any(array(${dangerous}))
    ${productId === undefined ? empty : sql`and l.product_id = ${productId}`}`
}

/** The page and total of a query for entries that are few enough to be counted. */
export const countedEntries = (entries: Sql, page: PageRequest): EntryQuery => ({
  ctes: [sql`found as materialized (${entries})`],
  total: sql`(select count(*) from found)`,
  page: pageOfEntries(sql`found`, page),
})

/** The page of a query that returns no entry twice. */
export const pageOfEntries = (entries: Sql, { limit, offset }: PageRequest): Sql =>
  sql`select entry_id from ${entries} t order by entry_id limit ${limit} offset ${offset}::bigint`

/** Combines the results of `query` for each listed value of `is_depleted`. */
export const unionOfLiveAndDepleted = (filters: InventoryFilters, query: (isDepleted: boolean) => Sql): Sql =>
  join(
    statesOf(filters).map(isDepleted => sql`(${query(isDepleted)})`),
    ' union all ',
  )

/** Selects entries by their rows of stock: by batch, by kind of hold, or by a `further` condition. */
export function entriesByRows(organisationId: string, filters: InventoryFilters, further: Sql = empty): Sql {
  const rows = sql`from warehouse_product s
    where s.organisation_id = ${organisationId} ${rowConditions(organisationId, filters)} ${further}`
  const { includeDepleted, logisticUnitId } = filters
  // A row with stock is where its unit is. The unit of a depleted row may have moved since.
  const found = includeDepleted
    ? sql`
      select l.* from (
        select coalesce(s.logistic_unit_id, s.id) as entry_id, s.product_id ${rows} offset 0
      ) s cross join lateral (
        select * from inventory_listing l where l.organisation_id = ${organisationId}
          and l.entry_id = s.entry_id and l.product_id = s.product_id offset 0
      ) l`
    : sql`
      select coalesce(s.logistic_unit_id, s.id) as entry_id, s.partner_id, s.warehouse_id,
        s.warehouse_location_id
      ${rows} and not s.is_depleted offset 0`
  return sql`
    select distinct l.entry_id from (${found}) l
    where true ${placeConditions(filters)} ${zoneCondition(organisationId, filters)}
      ${logisticUnitId === undefined ? empty : sql`and l.entry_id = ${logisticUnitId}`}`
}

/**
 * The count cells `l` of a client and a warehouse: the text that follows `from`. Without a condition on
 * `l.product_id` they include those of every product and those of the entries themselves.
 */
export const countCells = (
  organisationId: string,
  { partnerId, warehouseId, includeDepleted }: InventoryFilters,
): Sql => sql`inventory_count l where l.organisation_id = ${organisationId}
  ${placeConditions({ partnerId, warehouseId, includeDepleted })}
  ${includeDepleted ? empty : sql`and not l.is_depleted`}`
