// Location status: the stock in each location, and for how long it has been empty. Spec 4.16, 2.13.

import { raw, sql } from '../platform/database/db.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'
import {
  count,
  enumeration,
  figures,
  flag,
  integer,
  localTime,
  nullableColumn,
  nullableColumns,
  quantity,
  text,
} from './columns.ts'
import { equal } from './conditions.ts'
import { warehouseFilter, zoneFilter } from './filters.ts'
import { report } from './report.ts'
import { locationColumns, locationValues, warehouseColumns, warehouseValues } from './stock.ts'

/** The value of a column if all rows of the group have the same, `Several` if they differ. */
const commonValue = (column: string) => sql`case
  when min(${raw(column)}) = max(${raw(column)}) then min(${raw(column)})
  when count(${raw(column)}) > 0 then 'Several' end`

// The ledger says when a row with stock last moved. A depleted row last moved when it was depleted.
const lastMoved = sql`coalesce((
    select max(t.effective_utc) from inventory_transaction t
    where not s.is_depleted and t.organisation_id = s.organisation_id and t.warehouse_product_id = s.id
      and t.type <> ${TransactionType.Allocation}
  ), s.last_effective_utc)`

export const locationStatus = report({
  name: 'location-status',
  title: 'Location status',
  chapter: 'operations',
  description: 'The stock in each location, and for how many days it has been empty.',
  partners: 'none',
  filters: { ...warehouseFilter, ...zoneFilter },
  columns: {
    ...warehouseColumns,
    ...locationColumns,
    status: enumeration('Status', WarehouseStatus),
    walkingOrder: nullableColumn(integer('Walking order')),
    isPickface: flag('Pickface'),
    isEmpty: flag('Empty'),
    ...nullableColumns({ partnerName: text('Client', 26), partnerProductCode: text('Product', 18) }),
    productCount: count('Products'),
    logisticUnitCount: count('Logistic units'),
    ...figures('onHand', 'On hand'),
    allocatedQuantity: quantity('Allocated'),
    heldQuantity: quantity('Held'),
    lastMovementDateTime: nullableColumn(localTime('Last movement')),
    emptyDays: nullableColumn(integer('Days empty')),
  },
  rows: ({ actor, filters }) => sql`
    select ${warehouseValues}, ${locationValues}, l.status, l.walking_order, l.is_pickface,
      g.on_hand_quantity is null as is_empty, g.partner_name, g.partner_product_code,
      coalesce(g.product_count, 0) as product_count,
      coalesce(g.logistic_unit_count, 0) as logistic_unit_count,
      coalesce(g.on_hand_quantity, 0) as on_hand_quantity,
      coalesce(g.on_hand_weight_kg, 0) as on_hand_weight_kg,
      coalesce(g.on_hand_volume_m3, 0) as on_hand_volume_m3,
      coalesce(g.allocated_quantity, 0) as allocated_quantity, coalesce(g.held_quantity, 0) as held_quantity,
      m.last_utc at time zone w.timezone_id as last_movement_date_time,
      case when g.on_hand_quantity is null then (now() at time zone w.timezone_id)::date
        - (m.last_utc at time zone w.timezone_id)::date end as empty_days
    from warehouse_location l
    join warehouse w on w.organisation_id = l.organisation_id and w.id = l.warehouse_id
    left join warehouse_zone z on z.organisation_id = l.organisation_id and z.id = l.warehouse_zone_id
    left join (
      select s.warehouse_location_id, count(distinct s.product_id) as product_count,
        count(distinct s.logistic_unit_id) as logistic_unit_count, ${commonValue('p.name')} as partner_name,
        ${commonValue('d.code')} as partner_product_code, sum(s.on_hand_quantity) as on_hand_quantity,
        sum(s.on_hand_weight_kg) as on_hand_weight_kg, sum(s.on_hand_volume_m3) as on_hand_volume_m3,
        sum(s.allocated_quantity) as allocated_quantity,
        sum(s.on_hand_quantity) filter (where s.inventory_hold_id is not null) as held_quantity
      from warehouse_product s
      join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
      join product d on d.organisation_id = s.organisation_id and d.id = s.product_id
      where s.organisation_id = ${actor.organisationId} and not s.is_depleted
        ${equal(sql`s.warehouse_id`, filters.warehouseId)}
      group by 1
    ) g on g.warehouse_location_id = l.id
    left join (
      select s.warehouse_location_id, max(${lastMoved}) as last_utc from warehouse_product s
      where s.organisation_id = ${actor.organisationId} ${equal(sql`s.warehouse_id`, filters.warehouseId)}
      group by 1
    ) m on m.warehouse_location_id = l.id
    where l.organisation_id = ${actor.organisationId} ${equal(sql`l.warehouse_id`, filters.warehouseId)}
      ${equal(sql`l.warehouse_zone_id`, filters.warehouseZoneId)}`,
  order: sql`walking_order nulls last, warehouse_location_name, warehouse_location_id`,
})
