// Finds the entries of a page of stock that a text is in, and their exact number. A word of product names may
// be in a third of all stock: such entries are counted by the cells of their products, and looked for in the
// order of the list until the page is full. Only what is rarer is read whole. Spec 4.13.

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
  type Page,
  pageOfEntries,
  unionOfStates,
} from './listing.ts'

/** By a text: in a product, in a batch, or in the SSCC of the unit. */
export function findByText(
  organisationId: string,
  filters: InventoryFilters,
  text: string,
  page: Page,
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

/** Entries with the text in a batch, or in the SSCC of the unit. */
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
 * By the cells of the products that have the text. Finding a page of n entries among all in their order
 * takes as many looks as n times how rare the text is; where that is more than there are entries with the
 * text, these are read instead. A look costs twice what reading one does.
 */
function entriesByProductText(
  organisationId: string,
  filters: InventoryFilters,
  { text, others }: { text: string; others: Sql },
  page: Page,
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
    // Where all products have the text, as the code of a company, all entries have.
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
        ${unionOfStates(
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
 * Whether an entry has a product with the text: its own few rows of the listing are looked at. `offset 0` and
 * `is true` keep this from becoming a join with all that have the text.
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
