// Reads from the ledger what was received or dispatched for a consignment, with logistic units and serials.
// Reversed movements cancel out. Spec 2.14.

import { type Sql, sql } from '../../platform/database/db.ts'
import { countedRowId } from '../../stock/ledger/counted-row.ts'
import type { TransactionType } from '../../vocabulary/stock.ts'
import { rowAt } from '../former-records.ts'
import { formatDate } from './format.ts'
import { words } from './words.ts'

/** The stock of one balance that was moved for one line of a consignment. */
export interface MovedGoods {
  consignmentProductId: string
  productId: string
  locationName: string
  batch: string | null
  bestBeforeDate: string | null
  expiryDate: string | null
  packagingDate: string | null
  productionDate: string | null
  sellByDate: string | null
  logisticUnitId: string | null
  unitNumber: string | null
  ssccNumber: string | null
  holdReason: string | null
  quantity: number
  weightKG: number
  volumeM3: number
  serials: string[]
}

const movedAt = sql`moved.utc`

/**
 * A column `moved_goods` for a statement with consignment `c`: the net movements of one type as
 * `MovedGoods[]`, with the names of locations, units and holds at `moved.utc`.
 */
export const movedGoodsColumn = (type: TransactionType): Sql => sql`(
    select coalesce(json_agg(json_build_object(
      'consignmentProductId', g.consignment_product_id, 'productId', p.product_id, 'locationName', l.name,
      'batch', p.batch, 'bestBeforeDate', p.best_before_date, 'expiryDate', p.expiry_date,
      'packagingDate', p.packaging_date, 'productionDate', p.production_date, 'sellByDate', p.sell_by_date,
      'logisticUnitId', u.id, 'ssccNumber', u.sscc_number,
      'unitNumber', coalesce(u.reference_number, u.logistic_unit_number),
      'holdReason', h.reason, 'quantity', trim_scale(abs(g.quantity)),
      'weightKG', trim_scale(abs(g.weight_kg)), 'volumeM3', trim_scale(abs(g.volume_m3)),
      'serials', coalesce(s.serials, '[]')
    ) order by p.batch, p.expiry_date, p.best_before_date, u.logistic_unit_number, l.name, p.id), '[]')
    from (
      select t.organisation_id, t.consignment_product_id, ${countedRowId} as warehouse_product_id,
        sum(t.quantity) as quantity, sum(t.weight_kg) as weight_kg, sum(t.volume_m3) as volume_m3
      from inventory_transaction t
      where t.organisation_id = c.organisation_id and t.consignment_id = c.id and t.type = ${type}
      group by 1, 2, 3 having sum(t.quantity) <> 0
    ) g
    left join (
      select b.consignment_product_id, b.warehouse_product_id, json_agg(b.serial order by b.serial) as serials
      from (
        select t.consignment_product_id, ${countedRowId} as warehouse_product_id, i.serial
        from inventory_transaction t
        join inventory_transaction_item x on x.organisation_id = t.organisation_id
          and x.warehouse_product_id = t.warehouse_product_id and x.version = t.version
        join warehouse_product_item i on i.organisation_id = x.organisation_id
          and i.id = x.warehouse_product_item_id
        where t.organisation_id = c.organisation_id and t.consignment_id = c.id and t.type = ${type}
        group by 1, 2, 3 having sum(sign(t.quantity)) <> 0
      ) b
      group by 1, 2
    ) s on s.consignment_product_id = g.consignment_product_id
      and s.warehouse_product_id = g.warehouse_product_id
    join warehouse_product p on p.organisation_id = g.organisation_id and p.id = g.warehouse_product_id
    join warehouse_location place on place.organisation_id = p.organisation_id
      and place.id = p.warehouse_location_id
    cross join lateral ${rowAt(sql`place`, movedAt)} l
    left join logistic_unit unit on unit.organisation_id = p.organisation_id and unit.id = p.logistic_unit_id
    left join lateral ${rowAt(sql`unit`, movedAt)} u on unit.id is not null
    left join inventory_hold hold on hold.organisation_id = p.organisation_id
      and hold.id = p.inventory_hold_id
    left join lateral ${rowAt(sql`hold`, movedAt)} h on hold.id is not null
  ) as moved_goods`

/** Formats the dates of goods with their labels: `Expiry 1 Mar 2027`. */
export const describeDates = (
  goods: Pick<
    MovedGoods,
    'bestBeforeDate' | 'expiryDate' | 'packagingDate' | 'productionDate' | 'sellByDate'
  >,
): string[] =>
  (
    [
      [words.dates.bestBefore, goods.bestBeforeDate],
      [words.dates.expiry, goods.expiryDate],
      [words.dates.packaging, goods.packagingDate],
      [words.dates.production, goods.productionDate],
      [words.dates.sellBy, goods.sellByDate],
    ] as const
  ).flatMap(([label, date]) => (date === null ? [] : [`${label} ${formatDate(date)}`]))
