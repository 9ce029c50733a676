// What stock reports have in common: the rows of stock that the caller may see, now or at a moment in the
// past, and shared columns with their values and joins.

import type { Actor } from '../access/actor.ts'
import { empty, join, raw, type Sql, sql } from '../platform/database/db.ts'
import { nullable, Type, Uuid } from '../platform/http/schema.ts'
import type { AsOf } from '../stock/as-of/as-of.ts'
import { allStockFigures, balancesAt } from '../stock/as-of/balances.ts'
import { joinQuarantine } from '../stock/as-of/quarantine.ts'
import { LocationType } from '../vocabulary/warehouses.ts'
import {
  type Column,
  type Columns,
  date,
  enumeration,
  id,
  nullableColumn,
  nullableColumns,
  structuredColumn,
  text,
} from './columns.ts'
import { equal } from './conditions.ts'

/** The request of a stock report, as far as it restricts the rows of stock. */
export interface StockReportRequest {
  readonly actor: Actor
  readonly moment: AsOf | null
  readonly filters: {
    readonly warehouseId?: string
    readonly partnerId?: string
    readonly partnerProductId?: string
    readonly warehouseZoneId?: string
    readonly warehouseLocationId?: string
  }
}

/** The conditions on rows of stock `s`: what the caller may see, and the filters. A carrier has no stock. */
export const stockConditions = ({
  actor,
  filters,
}: Pick<StockReportRequest, 'actor' | 'filters'>): Sql => sql`
  s.organisation_id = ${actor.organisationId}
  ${actor.partnerKind === 'carrier' ? sql`and false` : equal(sql`s.partner_id`, actor.partnerId ?? undefined)}
  ${equal(sql`s.warehouse_id`, filters.warehouseId)} ${equal(sql`s.partner_id`, filters.partnerId)}
  ${equal(sql`s.product_id`, filters.partnerProductId)}
  ${equal(sql`s.warehouse_location_id`, filters.warehouseLocationId)}
  ${
    filters.warehouseZoneId === undefined
      ? empty
      : sql`and s.warehouse_location_id in (
          select z.id from warehouse_location z
          where z.organisation_id = ${actor.organisationId}
            and z.warehouse_zone_id = ${filters.warehouseZoneId})`
  }`

/**
 * The rows of stock now or at the moment of the request, with the columns of `warehouse_product` that reports
 * read. Rows that hold nothing are included only with `includeDepleted`.
 */
export function stockRows(request: StockReportRequest, { includeDepleted = false } = {}): Sql {
  const { actor, moment } = request
  const conditions = stockConditions(request)
  if (moment === null)
    return sql`(select s.* from warehouse_product s where ${conditions}
      ${includeDepleted ? empty : sql`and not s.is_depleted`})`
  // Checkpoints do not contain rows that held nothing.
  const since = includeDepleted ? { ...moment, checkpoint: null } : moment
  return sql`(
    select s.organisation_id, s.id, s.warehouse_id, s.partner_id, s.product_id, s.warehouse_location_id,
      s.logistic_unit_id, s.inventory_hold_id, s.batch, s.best_before_date, s.expiry_date, s.packaging_date,
      s.production_date, s.sell_by_date, s.received_date, s.attributes,
      was.quarantined as is_quarantined, b.on_hand_quantity, b.allocated_quantity,
      b.on_hand_weight_kg, b.on_hand_volume_m3, b.on_hand_quantity = 0 as is_depleted,
      case when s.inventory_hold_id is null and not was.quarantined
        then b.on_hand_quantity - b.allocated_quantity else 0 end as available_quantity
    from (${balancesAt(actor.organisationId, since, allStockFigures)}) b
    join warehouse_product s on s.organisation_id = ${actor.organisationId} and s.id = b.warehouse_product_id
    ${joinQuarantine(moment, sql`s`)}
    where ${conditions} ${includeDepleted ? empty : sql`and b.on_hand_quantity <> 0`})`
}

/** The local date in warehouse `w` at the moment of the request. */
export const stockDay = ({ moment }: Pick<StockReportRequest, 'moment'>): Sql =>
  moment === null
    ? sql`(now() at time zone w.timezone_id)::date`
    : sql`(${moment.asOf}::timestamptz at time zone w.timezone_id)::date`

/** Joins warehouse `w`, client `p` and product `d` to rows `s`. */
export const stockJoins: Sql = sql`
  join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
  join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
  join product d on d.organisation_id = s.organisation_id and d.id = s.product_id`

/** Joins location `l`, its zone `z` and logistic unit `u` to rows `s`. */
export const locationJoins: Sql = sql`
  join warehouse_location l on l.organisation_id = s.organisation_id and l.id = s.warehouse_location_id
  left join warehouse_zone z on z.organisation_id = l.organisation_id and z.id = l.warehouse_zone_id
  left join logistic_unit u on u.organisation_id = s.organisation_id and u.id = s.logistic_unit_id`

export const warehouseColumns: Columns = { warehouseId: id, warehouseName: text('Warehouse', 22) }
export const clientColumns: Columns = { partnerId: id, partnerName: text('Client', 26) }
export const productColumns: Columns = {
  partnerProductId: id,
  partnerProductCode: text('Product', 18),
  partnerProductName: text('Description', 40),
}
export const batchAndDateColumns: Columns = nullableColumns({
  batch: text('Batch', 14),
  bestBeforeDate: date('Best before'),
  expiryDate: date('Expiry'),
  packagingDate: date('Packaged'),
  productionDate: date('Produced'),
  sellByDate: date('Sell by'),
})
export const unitColumns: Columns = nullableColumns({
  logisticUnitNumber: text('Logistic unit', 14),
  logisticUnitReferenceNumber: text('Unit reference', 16),
  logisticUnitSsccNumber: text('SSCC', 20),
})

/** The values of `warehouseColumns`, `clientColumns` and `productColumns`, with `stockJoins`. */
export const warehouseValues: Sql = sql`w.id as warehouse_id, w.name as warehouse_name`
export const clientValues: Sql = sql`p.id as partner_id, p.name as partner_name`
export const productValues: Sql = sql`d.id as partner_product_id, d.code as partner_product_code,
  d.name as partner_product_name`
/** The values of `batchAndDateColumns`. */
export const batchAndDateValues: Sql = sql`s.batch, s.best_before_date, s.expiry_date, s.packaging_date,
  s.production_date, s.sell_by_date`
/** The values of `unitColumns`, with `locationJoins`. */
export const unitValues: Sql = sql`u.logistic_unit_number,
  u.reference_number as logistic_unit_reference_number, u.sscc_number as logistic_unit_sscc_number`

/** The keys of the tables in `stockJoins`, for `group by` clauses whose select lists name their columns. */
export const stockGroupKeys: Sql = sql`w.organisation_id, w.id, p.organisation_id, p.id,
  d.organisation_id, d.id`

/** The sums of quantity, weight and volume on hand in rows `s`. */
export const onHandSums: Sql = sql`sum(s.on_hand_quantity) as on_hand_quantity,
  sum(s.on_hand_weight_kg) as on_hand_weight_kg, sum(s.on_hand_volume_m3) as on_hand_volume_m3`

export const locationColumns: Columns = {
  warehouseLocationId: id,
  warehouseLocationName: text('Location', 14),
  warehouseLocationType: enumeration('Location type', LocationType),
  warehouseZoneName: nullableColumn(text('Zone', 14)),
}
/** The values of `locationColumns`, with `locationJoins`. */
export const locationValues: Sql = sql`l.id as warehouse_location_id, l.name as warehouse_location_name,
  l.type as warehouse_location_type, z.name as warehouse_zone_name`

/**
 * Whether one of the dates of rows `s` is critical on a day: at most as many days away as the threshold of
 * product `d`, or of client `p` if the product has none.
 */
export const isCritical = (day: Sql): Sql =>
  join(
    ['best_before_date', 'expiry', 'packaging_date', 'production_date', 'sell_by_date'].map(name => {
      const date = raw(`s.${name === 'expiry' ? 'expiry_date' : name}`)
      const days = `${name}_critical_threshold_days`
      const threshold = sql`coalesce(${raw(`d.${days}`)}, ${raw(`p.product_${days}`)})`
      return sql`coalesce(${date} <= ${day} + ${threshold}, false)`
    }),
    ' or ',
  )

const Attribute = Type.Object({
  productAttributeId: Uuid,
  name: Type.String(),
  description: nullable(Type.String()),
})

/** The attributes of stock: objects in JSON, `Colour: red, Size: L` in CSV and Excel. */
export const attributesColumn: Column = structuredColumn(
  'Attributes',
  Type.Array(Attribute),
  value => sql`(
  select string_agg(concat_ws(': ', a ->> 'name', a ->> 'description'), ', ')
  from json_array_elements(${value}) a)`,
)

/** The values of `attributesColumn`. */
export const attributesValue: Sql = sql`case when s.attributes = '[]' then '[]' else (
  select json_agg(json_build_object('productAttributeId', a.id, 'name', a.name,
    'description', x.value ->> 'description') order by lower(a.name), a.id)
  from jsonb_array_elements(s.attributes) x join product_attribute a
    on a.organisation_id = s.organisation_id and a.id = (x.value ->> 'productAttributeId')::uuid) end`
