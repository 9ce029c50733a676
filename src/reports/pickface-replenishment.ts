// Pickface replenishment: how full pickfaces are, and which stock could fill them. Spec 4.16; decision 9.

import { empty, type Sql, sql } from '../platform/database/db.ts'
import { nullable, PlainDate, Type } from '../platform/http/schema.ts'
import { byRotation } from '../stock/allocation/stock-criteria.ts'
import { PickfaceReplenishmentStatus } from '../vocabulary/reports.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'
import { enumeration, flag, nullableColumns, quantity, structuredColumn, text } from './columns.ts'
import { equal } from './conditions.ts'
import { clientFilter, warehouseFilter } from './filters.ts'
import { pickfaces } from './pickfaces.ts'
import { report } from './report.ts'
import { attributesValue } from './stock.ts'

const { TargetReached, BelowTarget, BelowMin } = PickfaceReplenishmentStatus

const NullableText = nullable(Type.String())
const NullableDate = nullable(PlainDate)
const Suggestion = Type.Object({
  locationName: Type.String(),
  logisticUnitNumber: NullableText,
  referenceNumber: NullableText,
  ssccNumber: NullableText,
  batch: NullableText,
  bestBeforeDate: NullableDate,
  expiryDate: NullableDate,
  packagingDate: NullableDate,
  productionDate: NullableDate,
  sellByDate: NullableDate,
  attributes: Type.Array(
    Type.Object({ productAttributeId: Type.String(), name: Type.String(), description: NullableText }),
  ),
  quantity: Type.Number(),
})

/** The suggestions as text, such as `B-04-1: 24 (SSCC 123456789012345675)`, separated by semicolons. */
const suggestionsText = (value: Sql): Sql => sql`(
  select string_agg(concat((g ->> 'locationName'), ': ', g ->> 'quantity',
    ' (SSCC ' || (g ->> 'ssccNumber') || ')'), '; ' order by place)
  from json_array_elements(${value}) with ordinality as e (g, place))`

/**
 * The pickfaces that have a product, with the quantity that each lacks and its running sum (`running_sum`)
 * over the pickfaces of the product.
 */
const demandQuery = (organisationId: string, conditions: Sql): Sql => sql`
  select f.*, sum(f.lacking) over (partition by f.warehouse_id, f.product_id
    order by f.walking_order nulls last, f.location_name, f.id) as running_sum
  from (
    select l.id, l.warehouse_id, l.product_id, l.walking_order, l.name as location_name, l.min_quantity,
      l.target_quantity, p.name as client_partner_name, d.code as partner_product_code,
      d.name as partner_product_description, h.on_hand_quantity, h.available_quantity,
      greatest(0, coalesce(l.target_quantity, l.min_quantity, 0) - h.available_quantity) as lacking,
      coalesce(d.rotation_method, p.rotation_method) as method,
      coalesce(d.rotation_method_secondary, p.rotation_method_secondary) as secondary,
      coalesce(d.stock_depletion_method, p.stock_depletion_method) as depletion,
      (now() at time zone w.timezone_id)::date as today
    from ${pickfaces(organisationId)} where l.product_id is not null ${conditions}
  ) f`

/**
 * The rows of stock outside pickfaces that could be moved to them, with the running sum (`running_sum`) of
 * their quantities in the order of rotation.
 */
const sourceQuery = (organisationId: string): Sql => sql`
  select p.*, sum(p.available_quantity) over (partition by p.warehouse_id, p.product_id
    order by ${byRotation}, l.type, p.available_quantity, l.walking_order nulls last, p.id) as running_sum,
    l.name as location_name
  from (
    select distinct warehouse_id, product_id, method, secondary, depletion, today from demand
    where lacking > 0
  ) c
  join warehouse_product p on p.organisation_id = ${organisationId} and p.warehouse_id = c.warehouse_id
    and p.product_id = c.product_id and not p.is_depleted and p.available_quantity > 0
    and (p.expiry_date is null or p.expiry_date >= c.today)
  join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    and l.status = ${WarehouseStatus.Active} and not l.is_pickface`

// Where the running sums of a row of stock and of a pickface overlap, the overlap is the quantity to move.
const suggestionsQuery = sql`
  select d.id, json_agg(json_build_object('locationName', s.location_name,
    'logisticUnitNumber', u.logistic_unit_number, 'referenceNumber', u.reference_number,
    'ssccNumber', u.sscc_number, 'batch', s.batch, 'bestBeforeDate', s.best_before_date,
    'expiryDate', s.expiry_date, 'packagingDate', s.packaging_date, 'productionDate', s.production_date,
    'sellByDate', s.sell_by_date, 'attributes', ${attributesValue}, 'quantity',
    trim_scale(least(d.running_sum, s.running_sum)
      - greatest(d.running_sum - d.lacking, s.running_sum - s.available_quantity)))
    order by s.running_sum) as replen_suggestions
  from demand d
  join source s on s.warehouse_id = d.warehouse_id and s.product_id = d.product_id
    and s.running_sum - s.available_quantity < d.running_sum
    and d.running_sum - d.lacking < s.running_sum and d.lacking > 0
  left join logistic_unit u on u.organisation_id = s.organisation_id and u.id = s.logistic_unit_id
  group by d.id`

export const pickfaceReplenishment = report({
  name: 'pickface-replenishment',
  title: 'Pickface replenishment',
  chapter: 'operations',
  description:
    'How full pickfaces are, and which stock outside pickfaces could fill them up to their target, in the ' +
    'order of rotation. No stock is suggestion twice. Allocated, held and expired stock does not count.',
  partners: 'all',
  filters: { ...warehouseFilter, ...clientFilter },
  columns: {
    clientPartnerName: text('Client', 26),
    partnerProductCode: text('Product', 18),
    partnerProductDescription: text('Description', 40),
    locationName: text('Location', 14),
    ...nullableColumns({ minQuantity: quantity('Min'), targetQuantity: quantity('Target') }),
    onHandQuantity: quantity('On hand'),
    availableQuantity: quantity('Available'),
    isReplenishmentRequired: flag('Required'),
    replenishmentStatus: enumeration('Status', PickfaceReplenishmentStatus),
    replenSuggestions: structuredColumn('Suggestions', Type.Array(Suggestion), suggestionsText),
  },
  rows: ({ actor, filters }) => {
    const { organisationId, partnerId, partnerKind } = actor
    const visible =
      partnerKind === 'carrier'
        ? sql`and false`
        : partnerId === null
          ? empty
          : sql`and d.partner_id = ${partnerId}`
    const conditions = sql`${visible} ${equal(sql`l.warehouse_id`, filters.warehouseId)}
      ${equal(sql`d.partner_id`, filters.partnerId)}`
    return sql`
      with demand as materialized (${demandQuery(organisationId, conditions)}),
      source as materialized (${sourceQuery(organisationId)}),
      suggestion as materialized (${suggestionsQuery})
      select d.client_partner_name, d.partner_product_code, d.partner_product_description, d.location_name,
        d.min_quantity, d.target_quantity, d.on_hand_quantity, d.available_quantity,
        coalesce(d.available_quantity < d.min_quantity, false) as is_replenishment_required,
        case when d.available_quantity < d.min_quantity then ${BelowMin}::integer
          when d.available_quantity < d.target_quantity then ${BelowTarget}
          else ${TargetReached} end as replenishment_status,
        coalesce(g.replen_suggestions, '[]') as replen_suggestions, d.walking_order, d.id as location_id
      from demand d left join suggestion g on g.id = d.id`
  },
  order: sql`walking_order nulls last, location_name, location_id`,
})
