// Finds the entries of a page of stock, ordered by id, and the exact total, by the listing and its counts.
// Spec 4.13; migration 012 has the tables.

import { type Sql, sql } from '../../../platform/database/db.ts'
import { dangerousProducts, type InventoryFilters } from './filters.ts'
import { findByText } from './find-by-text.ts'
import {
  countCells,
  countedEntries,
  type EntryQuery,
  entriesByRows,
  listingRows,
  listingRowsOfProducts,
  nilUuid,
  type PageRequest,
  pageOfEntries,
  unionOfLiveAndDepleted,
} from './listing.ts'

/** Finds the entries that match the filters. */
export function findEntries(
  organisationId: string,
  filters: InventoryFilters,
  page: PageRequest,
): EntryQuery {
  const { batch, holdKind, expiryTo, searchText } = filters
  if (batch !== undefined || holdKind !== undefined || expiryTo !== undefined)
    return countedEntries(entriesByRows(organisationId, filters), page)
  if (searchText !== undefined) return findByText(organisationId, filters, searchText, page)
  if (dangerousProducts(organisationId, filters) !== undefined)
    return countedEntries(
      sql`select distinct l.entry_id ${listingRowsOfProducts(organisationId, filters)}`,
      page,
    )
  return entriesByPlace(organisationId, filters, page)
}

/** Finds entries by place, client and product. The listing has them in order, and most totals are stored. */
function entriesByPlace(organisationId: string, filters: InventoryFilters, page: PageRequest): EntryQuery {
  const { productId, logisticUnitId, zoneId, locationId, warehouseId, partnerId } = filters
  const product = sql`and l.product_id = ${productId ?? nilUuid}`
  if (zoneId !== undefined)
    return countedEntries(sql`select l.entry_id ${listingRows(organisationId, filters)} ${product}`, page)
  const isCounted = logisticUnitId === undefined && locationId === undefined
  const reach = sql`order by l.entry_id limit ${page.offset + page.limit}::bigint`
  // With a client filter, the count cells do not tell which warehouses have the product.
  const byWarehouse = isCounted && productId && !warehouseId && !partnerId
  const ofState = (isDepleted: boolean) => {
    const entries = sql`${listingRows(organisationId, { ...filters, includeDepleted: true })}
      ${product} and l.is_depleted = ${isDepleted}`
    return byWarehouse
      ? sql`select t.entry_id from (${warehousesOf(organisationId, productId, isDepleted)}) cell
          cross join lateral (
            select l.entry_id ${entries} and l.warehouse_id = cell.warehouse_id ${reach}) t`
      : sql`select l.entry_id ${entries} ${reach}`
  }
  return {
    ctes: [],
    total: isCounted
      ? sql`(select coalesce(sum(l.n), 0) from ${countCells(organisationId, filters)} ${product})`
      : sql`(select count(*) ${listingRows(organisationId, filters)} ${product})`,
    page: pageOfEntries(sql`(${unionOfLiveAndDepleted(filters, ofState)})`, page),
  }
}

/** Selects the warehouses in which a product has entries. */
const warehousesOf = (organisationId: string, productId: string, isDepleted: boolean): Sql => sql`
  select n.warehouse_id from inventory_count n where n.organisation_id = ${organisationId}
    and n.product_id = ${productId} and n.is_depleted = ${isDepleted} group by n.warehouse_id`
