// The columns of products in queries: of lists, of the record, and what belongs to them as JSON. Spec 2.12.

import { raw, type Sql, sql } from '../platform/database/db.ts'
import { SerialTrackingMode } from '../vocabulary/partners.ts'

/** The columns of a list, of `productWithNames`. */
export const pageColumns = sql`d.id, d.code, d.name,
  d.length_mm, d.height_mm, d.width_mm, d.is_volume_auto_calculated, d.volume_m3, d.weight_kg,
  d.serial_tracking_mode <> ${SerialTrackingMode.None} as is_serial_required, d.serial_tracking_mode,
  d.product_group_id, g.name as product_group_name,
  d.product_unit_type_id, pu.name as product_unit_type_name,
  d.is_dangerous_good, d.dg_proper_shipping_name, d.dg_technical_name, d.dg_packaging_group,
  d.dg_hazchem_eac, d.dg_un_number, d.dg_flashpoint_deg_c, d.dg_marine_pollutant, d.dg_ph_level,
  d.barcode, d.gtin`

/** Products `d` with the names of their groups and units. */
export const productWithNames = sql`product d
  left join product_group g on g.organisation_id = d.organisation_id and g.id = d.product_group_id
  left join unit_type pu on pu.organisation_id = d.organisation_id and pu.id = d.product_unit_type_id`

/** A unit type as JSON; null if the alias joined no row. */
export const unitType = (alias: string): Sql => {
  const u = raw(alias)
  return sql`case when ${u}.id is not null
    then jsonb_build_object('id', ${u}.id, 'name', ${u}.name, 'status', ${u}.status) end`
}

/** The unit chain of product `d` as JSON. */
export const unitConversions = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'inputMetricType', c.input_metric_type, 'inputUnitType', ${unitType('i')},
    'outputMetricType', c.output_metric_type, 'outputUnitType', ${unitType('o')},
    'conversionRate', c.conversion_rate, 'itemConversionRate', c.item_conversion_rate,
    'barcode', c.barcode, 'gtin', c.gtin
  ) order by c.ordinal), '[]')
  from product_unit_conversion c
  left join unit_type i on i.organisation_id = c.organisation_id and i.id = c.input_unit_type_id
  left join unit_type o on o.organisation_id = c.organisation_id and o.id = c.output_unit_type_id
  where c.organisation_id = d.organisation_id and c.product_id = d.id)`

/** The hazard classes of product `d` as JSON. */
export const classesOfProduct = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'dgStandard', k.dg_standard,
    'dgHazardClass', jsonb_build_object('id', k.id, 'name', k.name, 'dgStandard', k.dg_standard),
    'dgHazardCategory', case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name) end
  ) order by h.ordinal, k.dg_standard, k.ordinal), '[]')
  from product_dg_hazard_class h
  join dg_hazard_class k on k.id = h.dg_hazard_class_id
  left join dg_hazard_category c on c.id = h.dg_hazard_category_id
  where h.organisation_id = d.organisation_id and h.product_id = d.id)`
