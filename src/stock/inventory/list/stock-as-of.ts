// Reads the list of stock as it was in the past. Spec 4.13.

import { empty, type Sql, sql } from '../../../platform/database/db.ts'
import type { AsOf } from '../../as-of/as-of.ts'
import { allStockFigures, asOfCondition, balancesAt, type StockRows } from '../../as-of/balances.ts'
import { joinQuarantine } from '../../as-of/quarantine.ts'
import { type InventoryFilters, rowConditions } from './filters.ts'
import { countedEntries, type PageRequest } from './listing.ts'
import type { StockQuery } from './read-inventory.ts'

/** The only rows that can be in the list, if a filter narrows them down cheaply. */
function candidateRows(
  organisationId: string,
  { productId, logisticUnitId }: InventoryFilters,
): StockRows | undefined {
  const rows = sql`select product_id, id from warehouse_product where organisation_id = ${organisationId}`
  if (logisticUnitId !== undefined)
    return { rows: sql`${rows} and logistic_unit_id = ${logisticUnitId}`, areFew: true }
  return productId === undefined
    ? undefined
    : { rows: sql`${rows} and product_id = ${productId}`, areFew: false }
}

/** Conditions on the client and place of a balance `b`, which follow from its product and location. */
function pastPlaceConditions(
  organisationId: string,
  { partnerId, warehouseId, zoneId, locationId }: InventoryFilters,
): Sql {
  const locations = sql`select x.id from warehouse_location x where x.organisation_id = ${organisationId}`
  return sql`
    ${
      partnerId === undefined
        ? empty
        : sql`and b.product_id in (select x.id from product x
          where x.organisation_id = ${organisationId} and x.partner_id = ${partnerId})`
    }
    ${
      warehouseId === undefined
        ? empty
        : sql`and b.warehouse_location_id in (${locations} and x.warehouse_id = ${warehouseId})`
    }
    ${
      zoneId === undefined
        ? empty
        : sql`and b.warehouse_location_id in (${locations} and x.warehouse_zone_id = ${zoneId})`
    }
    ${locationId === undefined ? empty : sql`and b.warehouse_location_id = ${locationId}`}`
}

/** Joins a balance `b` to its row of stock `s`, which only a filter of batch, date, hold or text needs. */
const joinStockRow = (
  organisationId: string,
  { batch, holdKind, expiryTo, searchText }: InventoryFilters,
): Sql =>
  [batch, holdKind, expiryTo, searchText].every(filter => filter === undefined)
    ? sql`cross join lateral (select b.product_id) s`
    : sql`join warehouse_product s on s.organisation_id = ${organisationId} and s.id = b.warehouse_product_id`

/**
 * Reads stock as it was in the past. Rows never change their location, so the list shows where they were
 * then, and what was quarantined then. Names, zones and types are today's.
 */
export function stockAsOf(
  organisationId: string,
  filters: InventoryFilters,
  page: PageRequest,
  asOf: AsOf,
): StockQuery {
  const { includeDepleted, logisticUnitId } = filters
  // A checkpoint omits rows without stock, which a list of depleted stock has to include.
  const since = includeDepleted ? { ...asOf, checkpoint: null } : asOf
  const live = includeDepleted ? empty : sql`and b.on_hand_quantity <> 0`
  const candidates = candidateRows(organisationId, filters)
  const entries = countedEntries(
    sql`
      select distinct b.entry_id
      from (${balancesAt(organisationId, since, ['on_hand_quantity'], candidates)}) b
      ${joinStockRow(organisationId, filters)}
      where true ${live} ${rowConditions(organisationId, filters)}
        ${pastPlaceConditions(organisationId, filters)}
        ${logisticUnitId === undefined ? empty : sql`and b.entry_id = ${logisticUnitId}`}`,
    page,
  )
  const onPage = sql`
    select p.product_id, p.id from page e join warehouse_product p
      on p.organisation_id = ${organisationId} and p.logistic_unit_id = e.entry_id
    union all
    select p.product_id, p.id from page e join warehouse_product p
      on p.organisation_id = ${organisationId} and p.id = e.entry_id and p.logistic_unit_id is null`
  return {
    entries,
    stock: sql`
      select b.entry_id, p.organisation_id, p.id, p.warehouse_id,
        p.partner_id, p.product_id, p.warehouse_location_id, p.logistic_unit_id, p.inventory_hold_id, p.batch,
        p.best_before_date, p.expiry_date, p.packaging_date, p.production_date, p.sell_by_date,
        p.received_date, p.attributes, was.quarantined as is_quarantined,
        b.on_hand_quantity, b.allocated_quantity,
        b.on_hand_weight_kg, b.on_hand_volume_m3, b.on_hand_quantity = 0 as is_depleted,
        case when p.inventory_hold_id is null and not was.quarantined
          then b.on_hand_quantity - b.allocated_quantity else 0 end as available_quantity
      from (${balancesAt(organisationId, since, allStockFigures, { rows: onPage, areFew: true })}) b
      join warehouse_product p on p.organisation_id = ${organisationId} and p.id = b.warehouse_product_id
      ${joinQuarantine(asOf, sql`p`)}
      where true ${live}`,
    items: sql`(
      select coalesce(sum(sign(t.quantity)), 0) from inventory_transaction_item i join inventory_transaction t
        on t.organisation_id = i.organisation_id and t.warehouse_product_id = i.warehouse_product_id
          and t.version = i.version
      where i.organisation_id = s.organisation_id and i.warehouse_product_id = s.id
        and ${asOfCondition(asOf)})`,
  }
}
