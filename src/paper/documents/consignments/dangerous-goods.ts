// Reads the dangerous goods of a consignment for its declaration: what was chosen, picked or sent for it, and
// what was ordered only where nothing has been chosen yet. Other goods than those ordered may have been sent,
// and they weigh what they weighed when they came. IMDG Code 5.4.1.

import { type Sql, sql } from '../../../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType } from '../../../vocabulary/consignments.ts'
import { TransactionType } from '../../../vocabulary/stock.ts'
import { rowAt } from '../../former-records.ts'
import type { DangerousGoods, HazardClass } from '../dg-description.ts'
import { type ProductsById, productsById } from '../document-products.ts'

/** The goods of one product in one kind of package. */
export interface DeclaredGoods extends Omit<DangerousGoods, 'packages' | 'hazardClasses'> {
  productId: string
  /** in items of the product */
  quantity: number
  /** the unit of the product that the package type of the lines names, if any */
  packageUnitTypeId: string | null
  cubeM3: number | null
  hazchem: string | null
  hazardClasses: HazardClass[]
}

/** The columns of `declarationColumns`. */
export interface DeclarationData {
  goods: DeclaredGoods[]
  products: ProductsById
  /** the goods may still become others, or more or fewer */
  isProvisional: boolean
  emergencyPhone: string | null
  country: string | null
  /** the shipper's address if the consignment has no origin address */
  warehouseAddress: Record<string, string | null> | null
}

const isOutwards = sql`(c.detail ->> 'type')::integer = ${ConsignmentType.Outwards}`
const { ReadyToDispatch, InTransit, Complete, Closed } = ConsignmentStatus
/** Whether everything that will leave with an Outwards consignment is at the dock, or has left. */
const isReady = sql`(c.detail ->> 'status')::integer = any(${[ReadyToDispatch, InTransit, Complete, Closed]})`

/** What left for consignment `c` by the ledger, and what is promised to it, by line and product. */
const chosenGoods = sql`
  select t.consignment_product_id, p.product_id, -sum(t.quantity) as quantity, -sum(t.weight_kg) as weight,
    -sum(t.volume_m3) as volume
  from inventory_transaction t
  join warehouse_product p on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
  where t.organisation_id = c.organisation_id and t.consignment_id = c.id
    and t.type = ${TransactionType.Dispatch}
  group by 1, 2 having sum(t.quantity) <> 0
  union all
  -- A serial with a weight of its own weighs that; other goods have their share of the rest of their row.
  select a.consignment_product_id, p.product_id, a.quantity,
    coalesce(i.weight_kg,
      a.quantity * (p.on_hand_weight_kg - own.weight) / nullif(p.on_hand_quantity - own.weighed, 0)),
    coalesce(i.volume_m3,
      a.quantity * (p.on_hand_volume_m3 - own.volume) / nullif(p.on_hand_quantity - own.measured, 0))
  from inventory_allocation a
  join warehouse_product p on p.organisation_id = a.organisation_id and p.id = a.warehouse_product_id
  left join warehouse_product_item i on i.organisation_id = a.organisation_id
    and i.id = a.warehouse_product_item_id
  cross join lateral (
    select coalesce(sum(x.weight_kg), 0) as weight, count(x.weight_kg) as weighed,
      coalesce(sum(x.volume_m3), 0) as volume, count(x.volume_m3) as measured
    from warehouse_product_item x
    where x.organisation_id = p.organisation_id and x.warehouse_product_id = p.id
  ) own
  where a.organisation_id = c.organisation_id and a.consignment_id = c.id`

/** The goods of consignment `c`: the chosen ones, and as expected those of lines without any. */
const allGoods = sql`
  select g.consignment_product_id, g.product_id, g.quantity, g.weight, g.volume from (${chosenGoods}) g
  union all
  select r.id, r.product_id, r.expected_quantity, r.expected_weight_kg, r.expected_volume_m3
  from consignment_product r
  where r.organisation_id = c.organisation_id and r.consignment_id = c.id and r.expected_quantity > 0
    and r.product_id is not null and not (${isOutwards} and ${isReady})
    and not exists (select from (${chosenGoods}) g where g.consignment_product_id = r.id)`

/** Joins to goods `k` their product `d` as it was when they left or came, if it was dangerous. */
const dangerousProduct = sql`
    join product p on p.organisation_id = c.organisation_id and p.id = k.product_id
    join lateral ${rowAt(sql`p`, sql`moved.utc`)} d on d.is_dangerous_good`

const goodsColumn = sql`(
  select coalesce(json_agg(json_build_object('productId', d.id, 'productCode', d.code,
    'unNumber', d.dg_un_number, 'properShippingName', d.dg_proper_shipping_name,
    'technicalName', d.dg_technical_name, 'packingGroup', d.dg_packaging_group,
    'isMarinePollutant', d.dg_marine_pollutant, 'flashpoint', d.dg_flashpoint_deg_c,
    'hazchem', d.dg_hazchem_eac, 'packageUnitTypeId', g.package_unit_type_id,
    'quantity', trim_scale(g.quantity), 'grossKG', trim_scale(round(g.weight, 3)),
    'cubeM3', trim_scale(round(g.volume, 3)),
    'hazardClasses', (
      select coalesce(json_agg(json_build_object('standard', z.dg_standard, 'code', z.code,
        'category', a.code) order by h.ordinal, z.ordinal), '[]')
      from hazard_classes_at(d.organisation_id, d.id, moved.utc) h
      join dg_hazard_class z on z.id = h.dg_hazard_class_id
      left join dg_hazard_category a on a.id = h.dg_hazard_category_id)
    ) order by g.first, d.code), '[]')
  from (
    select k.product_id, package.unit_type_id as package_unit_type_id, min(r.ordinal) as first,
      sum(k.quantity) as quantity,
      -- If the mass of one part is unknown, so is the total. A mass of 0 is not known.
      case when bool_and(known.weight is not null) then sum(known.weight) end as weight,
      case when bool_and(known.volume is not null) then sum(known.volume) end as volume
    from (${allGoods}) k
    join consignment_product r on r.organisation_id = c.organisation_id and r.id = k.consignment_product_id
    ${dangerousProduct}
    cross join lateral (
      select coalesce(nullif(k.weight, 0), nullif(d.weight_kg, 0) * k.quantity) as weight,
        coalesce(nullif(k.volume, 0), nullif(d.volume_m3, 0) * k.quantity) as volume
    ) known
    left join lateral (
      select s.input_unit_type_id as unit_type_id
      from package_type y
      join unit_type u on u.organisation_id = y.organisation_id
        and lower(u.name) in (lower(y.name), lower(y.code))
      join unit_conversions_at(d.organisation_id, d.id, moved.utc) s on s.input_unit_type_id = u.id
      where y.organisation_id = r.organisation_id and y.id = r.package_type_id
      order by s.ordinal limit 1
    ) package on true
    group by 1, 2
  ) g
  join product p on p.organisation_id = c.organisation_id and p.id = g.product_id
  cross join lateral ${rowAt(sql`p`, sql`moved.utc`)} d
) as goods`

const warehouseAddress = sql`
  coalesce(former_record_at(c.organisation_id, w.id, moved.utc) -> 'address', w.address)`

/** The columns of `DeclarationData` for a statement with consignment `c`. */
export const declarationColumns = (organisationId: string): Sql => sql`${goodsColumn}, ${productsById(
  organisationId,
  sql`
    select k.product_id from (${allGoods}) k ${dangerousProduct}`,
  sql`moved.utc`,
)} as products,
  ${isOutwards} and (not ${isReady} or exists (
    select from inventory_allocation a
    where a.organisation_id = c.organisation_id and a.consignment_id = c.id and not a.is_picked
  )) as is_provisional,
  coalesce(o.dg_emergency_phone, w.contact_phone, w.main_phone) as emergency_phone,
  coalesce(c.detail -> 'originAddress' ->> 'country', ${warehouseAddress} ->> 'country') as country,
  ${warehouseAddress} as warehouse_address`
