// Stock as it would be if what a consignment has allocated, but not picked, were free. An explanation of why
// a line has its stock compares what it could have had.

import { type Sql, sql } from '../../platform/database/db.ts'

/** Rows of stock to choose from, in place of `warehouse_product`. `released` is the consignment, if any. */
export const stockToChooseFrom = (organisationId: string, released: string | undefined): Sql =>
  released === undefined
    ? sql`warehouse_product`
    : sql`(
        select s.organisation_id, s.id, s.warehouse_id, s.product_id, s.warehouse_location_id,
          s.logistic_unit_id, s.inventory_hold_id, s.is_quarantined, s.is_depleted, s.batch,
          s.best_before_date, s.expiry_date, s.packaging_date, s.production_date, s.sell_by_date,
          s.received_date, s.attributes, s.on_hand_quantity,
          s.available_quantity + coalesce(own.quantity, 0) as available_quantity
        from warehouse_product s
        left join (
          select a.warehouse_product_id, sum(a.quantity) as quantity from inventory_allocation a
          where a.organisation_id = ${organisationId} and a.consignment_id = ${released}
            and not a.is_picked
          group by 1
        ) own on own.warehouse_product_id = s.id
      )`
