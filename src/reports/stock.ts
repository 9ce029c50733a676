// What reports of stock read: the rows of stock that the caller may see, as they are or as they were, and the
// names around them.

import { empty, join, raw, type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { nullable, Type, Uuid } from '../platform/http/schema.ts'
import { allFigures, balancesAt } from '../stock/as-of/balances.ts'
import type { Moment } from '../stock/as-of/moment.ts'
import { LocationType } from '../warehouses/enumerations.ts'
import { type Column, type Columns, date, enumeration, id, maybe, maybes, nested, text } from './columns.ts'

/** What narrows stock. */
export interface AskedStock {
  readonly actor: Actor
  readonly moment: Moment | null
  readonly filters: {
    readonly warehouseId?: string
    readonly partnerId?: string
    readonly partnerProductId?: string
    readonly warehouseZoneId?: string
    readonly warehouseLocationId?: string
  }
}

const equal = (column: Sql, value: string | undefined): Sql =>
  value === undefined ? empty : sql`and ${column} = ${value}`

/** The conditions on rows of stock `s`: the caller's and the filters'. A carrier has no stock. */
export const stockConditions = ({ actor, filters }: Pick<AskedStock, 'actor' | 'filters'>): Sql => sql`
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
 * Rows of stock, with the columns of `warehouse_product` that reports read: those of now, or of the moment.
 * What holds nothing is among them only with `withDepleted`.
 */
export function stock(asked: AskedStock, { withDepleted = false } = {}): Sql {
  const { actor, moment } = asked
  const conditions = stockConditions(asked)
  if (moment === null)
    return sql`(select s.* from warehouse_product s where ${conditions}
      ${withDepleted ? empty : sql`and not s.is_depleted`})`
  // A checkpoint does not have what held nothing.
  const since = withDepleted ? { ...moment, checkpoint: null } : moment
  return sql`(
    select s.organisation_id, s.id, s.warehouse_id, s.partner_id, s.product_id, s.warehouse_location_id,
      s.logistic_unit_id, s.inventory_hold_id, s.batch, s.best_before_date, s.expiry_date, s.packaging_date,
      s.production_date, s.sell_by_date, s.received_date, s.attributes, s.is_quarantined, b.on_hand_quantity,
      b.allocated_quantity, b.on_hand_weight_kg, b.on_hand_volume_m3, b.on_hand_quantity = 0 as is_depleted,
      case when s.inventory_hold_id is null and not s.is_quarantined
        then b.on_hand_quantity - b.allocated_quantity else 0 end as available_quantity
    from (${balancesAt(actor.organisationId, since, allFigures)}) b
    join warehouse_product s on s.organisation_id = ${actor.organisationId} and s.id = b.warehouse_product_id
    where ${conditions} ${withDepleted ? empty : sql`and b.on_hand_quantity <> 0`})`
}

/** The day on which the stock of a warehouse `w` is looked at. */
export const dayOfStock = ({ moment }: Pick<AskedStock, 'moment'>): Sql =>
  moment === null
    ? sql`(now() at time zone w.timezone_id)::date`
    : sql`(${moment.asOf}::timestamptz at time zone w.timezone_id)::date`

/** Warehouse `w`, client `p` and product `d` of rows `s`. */
export const stockNames: Sql = sql`
  join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
  join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
  join product d on d.organisation_id = s.organisation_id and d.id = s.product_id`

/** Location `l`, its zone `z` and logistic unit `u` of rows `s`. */
export const placeNames: Sql = sql`
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
/** Batch and dates. */
export const describedColumns: Columns = maybes({
  batch: text('Batch', 14),
  bestBeforeDate: date('Best before'),
  expiryDate: date('Expiry'),
  packagingDate: date('Packaged'),
  productionDate: date('Produced'),
  sellByDate: date('Sell by'),
})
export const unitColumns: Columns = maybes({
  logisticUnitNumber: text('Logistic unit', 14),
  logisticUnitReferenceNumber: text('Unit reference', 16),
  logisticUnitSsccNumber: text('SSCC', 20),
})

/** The values of `warehouseColumns`, `clientColumns` and `productColumns`, with `stockNames`. */
export const warehouseValues: Sql = sql`w.id as warehouse_id, w.name as warehouse_name`
export const clientValues: Sql = sql`p.id as partner_id, p.name as partner_name`
export const productValues: Sql = sql`d.id as partner_product_id, d.code as partner_product_code,
  d.name as partner_product_name`
/** The values of `describedColumns`. */
export const describedValues: Sql = sql`s.batch, s.best_before_date, s.expiry_date, s.packaging_date,
  s.production_date, s.sell_by_date`
/** The values of `unitColumns`, with `placeNames`. */
export const unitValues: Sql = sql`u.logistic_unit_number,
  u.reference_number as logistic_unit_reference_number, u.sscc_number as logistic_unit_sscc_number`

/** To group by the keys of `stockNames`, so that what they determine may be shown. */
export const stockKeys: Sql = sql`w.organisation_id, w.id, p.organisation_id, p.id, d.organisation_id, d.id`

/** The three figures of what is on hand in rows `s`, summed. */
export const onHandSums: Sql = sql`sum(s.on_hand_quantity) as on_hand_quantity,
  sum(s.on_hand_weight_kg) as on_hand_weight_kg, sum(s.on_hand_volume_m3) as on_hand_volume_m3`

export const locationColumns: Columns = {
  warehouseLocationId: id,
  warehouseLocationName: text('Location', 14),
  warehouseLocationType: enumeration('Location type', LocationType),
  warehouseZoneName: maybe(text('Zone', 14)),
}
/** The values of `locationColumns`, with `placeNames`. */
export const locationValues: Sql = sql`l.id as warehouse_location_id, l.name as warehouse_location_name,
  l.type as warehouse_location_type, z.name as warehouse_zone_name`

/** Whether one of the dates of rows `s` is at most so many days after a day, by `d` or else by `p`. */
export const isCritical = (day: Sql): Sql =>
  join(
    ['best_before_date', 'expiry', 'packaging_date', 'production_date', 'sell_by_date'].map(name => {
      const dated = raw(`s.${name === 'expiry' ? 'expiry_date' : name}`)
      const days = `${name}_critical_threshold_days`
      const threshold = sql`coalesce(${raw(`d.${days}`)}, ${raw(`p.product_${days}`)})`
      return sql`coalesce(${dated} <= ${day} + ${threshold}, false)`
    }),
    ' or ',
  )

const Attribute = Type.Object({
  productAttributeId: Uuid,
  name: Type.String(),
  description: nullable(Type.String()),
})

/** The attributes of goods: records in JSON, `Colour: red, Size: L` in tables. */
export const attributesColumn: Column = nested(
  'Attributes',
  Type.Array(Attribute),
  value => sql`(
  select string_agg(concat_ws(': ', a ->> 'name', a ->> 'description'), ', ')
  from json_array_elements(${value}) a)`,
)

/** The values of `attributesColumn`. */
export const attributesOf: Sql = sql`case when s.attributes = '[]' then '[]' else (
  select json_agg(json_build_object('productAttributeId', a.id, 'name', a.name,
    'description', x.value ->> 'description') order by lower(a.name), a.id)
  from jsonb_array_elements(s.attributes) x join product_attribute a
    on a.organisation_id = s.organisation_id and a.id = (x.value ->> 'productAttributeId')::uuid) end`
