// The part of the statement that writes movements which is about serials; see post-statement.ts.

import { sql } from '../../platform/database/db.ts'
import { TransactionType } from '../../vocabulary/stock.ts'

/**
 * The line that item `w` left with last and did not come back from by an undone dispatch: what is so again
 * when its return was no receipt.
 */
const leftWithBefore = (organisationId: string) => sql`(
  select t.consignment_product_id
  from inventory_transaction_item x
  join inventory_transaction t on t.organisation_id = x.organisation_id
    and t.warehouse_product_id = x.warehouse_product_id and t.version = x.version
  where x.organisation_id = ${organisationId} and x.warehouse_product_item_id = w.id
    and t.type = ${TransactionType.Dispatch}
  group by t.consignment_product_id having sum(sign(t.quantity)) < 0
  order by max(t.recorded_utc) desc limit 1)`

/**
 * Brings in new serials, moves the others with their goods, and records them for their ledger lines. A serial
 * that was in stock before keeps its id.
 */
export const serialChanges = (organisationId: string) => sql`
  entering as materialized (
    select s.n, coalesce(i.id, s.id) as id, b.product_id, s.serial, m."to", s."weightKG", s."volumeM3"
    from new_serial s join move m on m.n = s.n join before b on b.id = m."to"
    left join warehouse_product_item i on i.organisation_id = ${organisationId}
      and i.product_id = b.product_id and i.serial = s.serial
  ), entered as (
    insert into warehouse_product_item as i (organisation_id, id, product_id, serial, warehouse_product_id,
      weight_kg, volume_m3)
    select ${organisationId}, id, product_id, serial, "to", "weightKG", "volumeM3" from entering
    order by product_id, serial
    on conflict on constraint warehouse_product_item_serial_key do update
      set warehouse_product_id = excluded.warehouse_product_id, consignment_product_id = null,
        weight_kg = coalesce(excluded.weight_kg, i.weight_kg),
        volume_m3 = coalesce(excluded.volume_m3, i.volume_m3)
      where i.warehouse_product_id is null and i.id = excluded.id
    returning i.id
  ), carried as (
    update warehouse_product_item w
    set warehouse_product_id = case when not i."isRetired" then m."to" end,
      consignment_product_id = case when m."to" is null then case m.type
        when ${TransactionType.Dispatch} then m."consignmentProductId"
        when ${TransactionType.Receive} then ${leftWithBefore(organisationId)} end end
    from item i join move m on m.n = i.n
    where w.organisation_id = ${organisationId} and w.id = i."itemId"
      and w.id = any(array(select "itemId" from item))
      and w.warehouse_product_id is not distinct from m."from"
    returning w.id
  ), item_line as (
    insert into inventory_transaction_item (organisation_id, warehouse_product_id, version,
      warehouse_product_item_id)
    select ${organisationId}::uuid, l.stock_id, l.version, i."itemId"
    from numbered l join item i on i.n = l.n and (l.is_from or not i."isRetired")
    union all
    select ${organisationId}, l.stock_id, l.version, e.id
    from entering e join numbered l on l.n = e.n and not l.is_from
    where (select count(*) from entered) = (select count(*) from entering)
  )`
