// Finds the entries of a page of stock and their exact number, in the order of their ids, by the listing and
// its counts. Spec 4.13; migration 016 has the tables.

import { empty, join, type Sql, sql } from '../../../platform/database/db.ts'
import { contains } from '../../../platform/http/paging.ts'
import {
  dangerousProducts,
  type InventoryFilters,
  placeConditions,
  productConditions,
  rowConditions,
  searchedProducts,
  searchedUnits,
  zoneAsKey,
  zoneCondition,
} from './filters.ts'

/** Entries in a list: named subqueries, how many there are, and those of a page (`entry_id`). */
export interface Entries {
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
const nil = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** The entries that match. */
export function findEntries(organisationId: string, filters: InventoryFilters, page: Page): Entries {
  const { batch, holdKind, searchText } = filters
  if (batch !== undefined || holdKind !== undefined) return counted(byRows(organisationId, filters), page)
  if (searchText !== undefined) return counted(byText(organisationId, filters, searchText), page)
  if (dangerousProducts(organisationId, filters) !== undefined)
    return counted(sql`select distinct l.entry_id ${ofProducts(organisationId, filters)}`, page)
  return listed(organisationId, filters, page)
}

const states = ({ includeDepleted }: InventoryFilters) => (includeDepleted ? [false, true] : [false])

/** Rows of the listing `l` where the filters hold that it knows, save that of the product. */
const inListing = (organisationId: string, filters: InventoryFilters): Sql => sql`from inventory_listing l
  where l.organisation_id = ${organisationId} ${placeConditions(filters)}
    ${zoneAsKey(organisationId, filters)}
    ${filters.includeDepleted ? empty : sql`and not l.is_depleted`}
    ${filters.logisticUnitId === undefined ? empty : sql`and l.entry_id = ${filters.logisticUnitId}`}`

/** The rows of the listing that are of one of the products, which have a filter. */
const ofProducts = (organisationId: string, filters: InventoryFilters): Sql =>
  sql`${inListing(organisationId, filters)}
    ${productConditions(organisationId, filters, sql`l.product_id`)}`

/** The page of a query of entries that are few enough to be counted. */
export const counted = (entries: Sql, { limit, offset }: Page): Entries => ({
  ctes: [sql`found as materialized (${entries})`],
  total: sql`(select count(*) from found)`,
  page: sql`select entry_id from found order by entry_id limit ${limit} offset ${offset}::bigint`,
})

/** By what rows of stock have an index for: a batch, the kind of a hold, or `further`. They come first. */
const byRows = (organisationId: string, filters: InventoryFilters, further: Sql = empty): Sql => sql`
  select distinct l.entry_id
  from (
    select coalesce(s.logistic_unit_id, s.id) as entry_id, s.product_id
    from warehouse_product s
    where s.organisation_id = ${organisationId} ${rowConditions(organisationId, filters)} ${further}
      ${filters.includeDepleted ? empty : sql`and not s.is_depleted`}
    offset 0
  ) s cross join lateral (
    select * from inventory_listing l where l.organisation_id = ${organisationId}
      and l.entry_id = s.entry_id and l.product_id = s.product_id offset 0
  ) l
  where true ${placeConditions(filters)} ${zoneCondition(organisationId, filters)}
    ${filters.logisticUnitId === undefined ? empty : sql`and l.entry_id = ${filters.logisticUnitId}`}`

/** By a text: in a product, in a batch, or in the SSCC of the unit. */
function byText(organisationId: string, filters: InventoryFilters, text: string): Sql {
  const hasProduct =
    filters.productId !== undefined || dangerousProducts(organisationId, filters) !== undefined
  return sql`
    select l.entry_id ${ofProducts(organisationId, filters)}
      and l.product_id in (${searchedProducts(organisationId, text)})
    union
    ${byRows(
      organisationId,
      { ...filters, searchText: undefined },
      sql`and s.batch is not null and ${contains(sql`lower(s.batch)`, text)}`,
    )}
    union
    select l.entry_id ${ofProducts(organisationId, filters)}
      ${hasProduct ? empty : sql`and l.product_id = ${nil}`}
      and l.entry_id in (${searchedUnits(organisationId, text)})`
}

/** By place, client and product: the listing has the entries in order, and most of them are counted. */
function listed(organisationId: string, filters: InventoryFilters, { limit, offset }: Page): Entries {
  const { productId, logisticUnitId, zoneId, locationId, warehouseId, partnerId } = filters
  const product = sql`and l.product_id = ${productId ?? nil}`
  if (zoneId !== undefined)
    return counted(sql`select l.entry_id ${inListing(organisationId, filters)} ${product}`, { limit, offset })
  const isCounted = logisticUnitId === undefined && locationId === undefined
  const reach = sql`order by l.entry_id limit ${offset + limit}::bigint`
  // With a client, the cells do not say in which warehouses the product is.
  const byWarehouse = isCounted && productId && !warehouseId && !partnerId
  const ofState = (isDepleted: boolean) => {
    const entries = sql`${inListing(organisationId, { ...filters, includeDepleted: true })}
      ${product} and l.is_depleted = ${isDepleted}`
    return byWarehouse
      ? sql`(select t.entry_id from (${warehousesOf(organisationId, productId, isDepleted)}) cell
          cross join lateral (
            select l.entry_id ${entries} and l.warehouse_id = cell.warehouse_id ${reach}) t)`
      : sql`(select l.entry_id ${entries} ${reach})`
  }
  return {
    ctes: [],
    total: isCounted
      ? countOf(organisationId, filters)
      : sql`(select count(*) ${inListing(organisationId, filters)} ${product})`,
    page: sql`select entry_id from (${join(states(filters).map(ofState), ' union all ')}) t
      order by entry_id limit ${limit} offset ${offset}::bigint`,
  }
}

/** The warehouses in which a product has entries. */
const warehousesOf = (organisationId: string, productId: string, isDepleted: boolean): Sql => sql`
  select n.warehouse_id from inventory_count n where n.organisation_id = ${organisationId}
    and n.product_id = ${productId} and n.is_depleted = ${isDepleted} group by n.warehouse_id`

/** How many there are, as was counted when they changed. */
const countOf = (
  organisationId: string,
  { productId, partnerId, warehouseId, includeDepleted }: InventoryFilters,
): Sql => sql`(select coalesce(sum(l.n), 0) from inventory_count l where l.organisation_id = ${organisationId}
  and l.product_id = ${productId ?? nil} ${placeConditions({ partnerId, warehouseId, includeDepleted })}
  ${includeDepleted ? empty : sql`and not l.is_depleted`})`
