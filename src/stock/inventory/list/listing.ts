// The parts that queries of a page of stock are made of: rows of the listing and of its counts, and rows of
// stock. Migration 016 has the tables.

import { empty, join, type Sql, sql } from '../../../platform/database/db.ts'
import {
  type InventoryFilters,
  placeConditions,
  productConditions,
  rowConditions,
  zoneCondition,
  zoneKeyCondition,
} from './filters.ts'

/** Entries in a list: named subqueries, how many there are, and those of a page (`entry_id`). */
export interface EntryQuery {
  ctes: Sql[]
  total: Sql
  page: Sql
}

export interface Page {
  limit: number
  offset: number
}

/**
 * The product of the listing's rows for entries themselves. It is part of the text of a statement: only so
 * can a plan for all values use the indexes that are of these rows alone.
 */
export const nilUuid = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** Whether rows that are depleted are asked for: each state has its own part of an index. */
const statesOf = ({ includeDepleted }: InventoryFilters) => (includeDepleted ? [false, true] : [false])

/**
 * Rows of the listing `l` where the filters hold that it knows, save that of the product. With a zone, the
 * warehouse is asked of its locations, which an index has, and not of the rows.
 */
export const listingRows = (organisationId: string, filters: InventoryFilters): Sql => sql`
  from inventory_listing l
  where l.organisation_id = ${organisationId}
    ${placeConditions(filters.zoneId === undefined ? filters : { ...filters, warehouseId: undefined })}
    ${zoneKeyCondition(organisationId, filters)}
    ${filters.includeDepleted ? empty : sql`and not l.is_depleted`}
    ${filters.logisticUnitId === undefined ? empty : sql`and l.entry_id = ${filters.logisticUnitId}`}`

/** The rows of the listing that are of one of the products, which have a filter. */
export const listingRowsOfProducts = (organisationId: string, filters: InventoryFilters): Sql =>
  sql`${listingRows(organisationId, filters)}
    ${productConditions(organisationId, filters, sql`l.product_id`)}`

/** The page of a query of entries that are few enough to be counted. */
export const countedEntries = (entries: Sql, page: Page): EntryQuery => ({
  ctes: [sql`found as materialized (${entries})`],
  total: sql`(select count(*) from found)`,
  page: pageOfEntries(sql`found`, page),
})

/** The page of a query that has no entry twice. */
export const pageOfEntries = (entries: Sql, { limit, offset }: Page): Sql =>
  sql`select entry_id from ${entries} t order by entry_id limit ${limit} offset ${offset}::bigint`

/** What `query` has of each state that is asked for. */
export const unionOfStates = (filters: InventoryFilters, query: (isDepleted: boolean) => Sql): Sql =>
  join(
    statesOf(filters).map(isDepleted => sql`(${query(isDepleted)})`),
    ' union all ',
  )

/** By what rows of stock have an index for: a batch, the kind of a hold, or `further`. */
export function entriesByRows(organisationId: string, filters: InventoryFilters, further: Sql = empty): Sql {
  const rows = sql`from warehouse_product s
    where s.organisation_id = ${organisationId} ${rowConditions(organisationId, filters)} ${further}`
  const { includeDepleted, logisticUnitId } = filters
  // What is there lies where its unit does; what was there once may lie elsewhere.
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
 * The cells of the count that belong to a client and a warehouse: what follows `from`. Without a condition on
 * `l.product_id` they are of every product and of the entries themselves.
 */
export const countCells = (
  organisationId: string,
  { partnerId, warehouseId, includeDepleted }: InventoryFilters,
): Sql => sql`inventory_count l where l.organisation_id = ${organisationId}
  ${placeConditions({ partnerId, warehouseId, includeDepleted })}
  ${includeDepleted ? empty : sql`and not l.is_depleted`}`
