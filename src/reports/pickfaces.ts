// The active pickfaces, with the stock in each of its own product and of others.

import { type Sql, sql } from '../platform/database/db.ts'
import { WarehouseStatus } from '../vocabulary/warehouses.ts'

/** The local date in the warehouse. */
const today = sql`(now() at time zone w.timezone_id)::date`
const isOwnProduct = sql`s.product_id = l.product_id`
const isUnexpired = sql`(s.expiry_date is null or s.expiry_date >= ${today})`

/**
 * The tables of a query over pickfaces `l` with their warehouse `w`, zone `z`, product `d` and client `p`.
 * `h` describes the stock in a pickface: `on_hand_quantity` and `available_quantity` of its own product;
 * `any_quantity`, `usable_quantity` (neither held, quarantined nor expired) and `product_count` of all
 * products; `found_product_code` of another product.
 */
export const pickfaces = (organisationId: string): Sql => sql`
  (select * from warehouse_location l
    where l.organisation_id = ${organisationId} and l.is_pickface and l.status = ${WarehouseStatus.Active}) l
  join warehouse w on w.organisation_id = l.organisation_id and w.id = l.warehouse_id
  left join warehouse_zone z on z.organisation_id = l.organisation_id and z.id = l.warehouse_zone_id
  left join product d on d.organisation_id = l.organisation_id and d.id = l.product_id
  left join partner p on p.organisation_id = d.organisation_id and p.id = d.partner_id
  cross join lateral (
    select coalesce(sum(s.on_hand_quantity) filter (where ${isOwnProduct}), 0) as on_hand_quantity,
      coalesce(sum(s.available_quantity) filter (where ${isOwnProduct} and ${isUnexpired}), 0)
        as available_quantity,
      coalesce(sum(s.on_hand_quantity), 0) as any_quantity,
      coalesce(sum(s.on_hand_quantity) filter (where s.inventory_hold_id is null and not s.is_quarantined
        and ${isUnexpired}), 0) as usable_quantity,
      count(distinct s.product_id) as product_count,
      min(f.code) filter (where ${isOwnProduct} is not true) as found_product_code
    from warehouse_product s
    join product f on f.organisation_id = s.organisation_id and f.id = s.product_id
    where s.organisation_id = l.organisation_id and s.warehouse_location_id = l.id and not s.is_depleted
  ) h`
