// Finds a page of the stock that contains a text, and the exact total. A word in product names may occur in a
// third of all stock. Entries with such a frequent text are counted by the count cells of their products, and
// the list is scanned in order until the page is full. Entries with a rarer text are all read. Spec 4.13.

import { empty, type Sql, sql } from '../../../platform/database/db.ts'
import { contains } from '../../../platform/http/paging.ts'
import { dangerousProducts, type InventoryFilters, searchedProducts, searchedUnits } from './filters.ts'
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

/** Finds the entries with a text in a product, in a batch, or in the SSCC of the unit. */
export function findByText(
  organisationId: string,
  filters: InventoryFilters,
  text: string,
  page: PageRequest,
): EntryQuery {
  const { productId, zoneId, locationId, logisticUnitId } = filters
  const hasProduct = productId !== undefined || dangerousProducts(organisationId, filters) !== undefined
  const others = entriesByBatchOrSscc(organisationId, filters, text, hasProduct)
  if (hasProduct || zoneId !== undefined || locationId !== undefined || logisticUnitId !== undefined)
    return countedEntries(
      sql`select l.entry_id ${listingRowsOfProducts(organisationId, filters)}
        and l.product_id in (${searchedProducts(organisationId, text)}) union ${others}`,
      page,
    )
  return entriesByProductText(organisationId, filters, { text, others }, page)
}

/** Selects the entries with the text in a batch, or in the SSCC of the unit. */
const entriesByBatchOrSscc = (
  organisationId: string,
  filters: InventoryFilters,
  text: string,
  hasProduct: boolean,
): Sql => sql`
  ${entriesByRows(
    organisationId,
    { ...filters, searchText: undefined },
    sql`and s.batch is not null and ${contains(sql`lower(s.batch)`, text)}`,
  )}
  union
  select l.entry_id ${listingRowsOfProducts(organisationId, filters)}
    ${hasProduct ? empty : sql`and l.product_id = ${nilUuid}`}
    and l.entry_id in (${searchedUnits(organisationId, text)})`

/**
 * Finds the entries with the text in a product. If h of e entries have the text, filling a page that ends at
 * entry n by scanning the list in order takes about n × e / h lookups. Reading one of the h entries directly
 * costs half as much as a lookup, so the list is scanned if h × h > 2 × n × e.
 */
function entriesByProductText(
  organisationId: string,
  filters: InventoryFilters,
  { text, others }: { text: string; others: Sql },
  page: PageRequest,
): EntryQuery {
  const reach = page.offset + page.limit
  const hasText = sql`l.product_id in (select id from searched)`
  const isFrequent = sql`(select is_frequent from hits)`
  return {
    ctes: [
      sql`searched as materialized (${searchedProducts(organisationId, text)})`,
      sql`hits as materialized (
        select alone, n, entries, n * n > 2 * ${reach}::numeric * entries as is_frequent
        from (
          select coalesce(sum(l.n) filter (where not l.is_mixed), 0) as alone, coalesce(sum(l.n), 0) as n
          from ${countCells(organisationId, filters)} and ${hasText}
        ) n cross join (
          select coalesce(sum(l.n), 0) as entries
          from ${countCells(organisationId, filters)} and l.product_id = ${nilUuid}
        ) e)`,
      sql`other as materialized (${others})`,
      sql`further as materialized (
        select o.entry_id from other o where ${isFrequent} and not exists (${matchingProduct(
          organisationId,
          filters,
          sql`o.entry_id`,
        )}))`,
      sql`found as materialized (
        select l.entry_id ${listingRows(organisationId, filters)} and not ${isFrequent} and ${hasText}
        union
        select entry_id from other where not ${isFrequent})`,
    ],
    // If all products have the text, for instance a company's prefix, then all entries have it.
    total: sql`(
      select case when not is_frequent then (select count(*) from found)
        when hits.n = (
          select sum(l.n) from ${countCells(organisationId, filters)} and l.product_id <> ${nilUuid}
        ) then entries
        else alone + (select count(*) from further) + (
          select count(*) from (
            select distinct l.entry_id ${listingRows(organisationId, filters)} and l.is_mixed and ${hasText}
          ) mixed) end
      from hits)`,
    page: pageOfEntries(
      sql`(
        table found
        union all
        (select entry_id from further order by entry_id limit ${reach}::bigint)
        union all
        ${unionOfLiveAndDepleted(
          filters,
          isDepleted => sql`
          select l.entry_id ${listingRows(organisationId, { ...filters, includeDepleted: true })}
            and l.product_id = ${nilUuid} and l.is_depleted = ${isDepleted} and ${isFrequent}
            and exists (${matchingProduct(organisationId, filters, sql`l.entry_id`)})
          order by l.entry_id limit ${reach}::bigint`,
        )})`,
      page,
    ),
  }
}

/**
 * Selects a row if an entry has a product with the text, by reading the entry's own few rows of the listing.
 * `offset 0` and `is true` prevent a join with all rows that have the text.
 */
const matchingProduct = (
  organisationId: string,
  { includeDepleted }: InventoryFilters,
  entryId: Sql,
): Sql => sql`
  select from inventory_listing x
  where x.organisation_id = ${organisationId} and x.entry_id = ${entryId}
    ${includeDepleted ? empty : sql`and not x.is_depleted`}
    and (x.product_id in (select id from searched)) is true offset 0`
