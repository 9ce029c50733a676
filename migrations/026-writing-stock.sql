-- What makes writing stock cheaper: indexes that serve the order of rotation, and room for updates that stay
-- on their page. Spec 2.11, 2.14.

-- The stock of a product in a warehouse, in the orders in which it is usually used up: what lines need is
-- read from the front, however much there is. Each begins with what the index before was of.
create index warehouse_product_by_received on warehouse_product (organisation_id, warehouse_id, product_id,
  received_date) where not is_depleted;
create index warehouse_product_by_expiry on warehouse_product (organisation_id, warehouse_id, product_id,
  expiry_date, received_date) where not is_depleted;
drop index warehouse_product_of_warehouse;

-- What is promised, picked and received is written on the line: on a full page each time to another one, with
-- an entry in every index.
alter table consignment_product set (fillfactor = 70);

-- Hardly a statement fills or empties a row of stock: the others have nothing to list. Rows before and after
-- are told apart without joining them: a plan that joins few of them, kept, would take very long over many.
create or replace function relist_stock() returns trigger language plpgsql as $$
begin
  if not exists (
    select organisation_id, id, is_depleted from new_rows
    except
    select organisation_id, id, is_depleted from old_rows
  ) then
    return null;
  end if;
  with changed as materialized (
    select n.organisation_id, coalesce(n.logistic_unit_id, n.id) as entry_id, p.product_id,
      sum(case when n.is_depleted then -1 else 1 end) as live_rows
    from (
      select organisation_id, id, logistic_unit_id, product_id, is_depleted from new_rows
      except
      select organisation_id, id, logistic_unit_id, product_id, is_depleted from old_rows
    ) n
    cross join lateral (values (n.product_id), ('00000000-0000-0000-0000-000000000000')) p (product_id)
    group by 1, 2, 3 having sum(case when n.is_depleted then -1 else 1 end) <> 0
  ), locked as materialized (
    select c.* from changed c join inventory_listing l on l.organisation_id = c.organisation_id
      and l.entry_id = c.entry_id and l.product_id = c.product_id
    order by c.entry_id, c.product_id for no key update of l
  )
  update inventory_listing l set live_rows = l.live_rows + c.live_rows from locked c
  where l.organisation_id = c.organisation_id and l.entry_id = c.entry_id and l.product_id = c.product_id;
  return null;
end $$;

-- Whose serials of a row are promised by name: a row of a product that is much asked for may be promised to
-- thousands, and few of them name serials.
create index inventory_allocation_of_named on inventory_allocation (organisation_id, warehouse_product_id)
  where warehouse_product_item_id is not null;
