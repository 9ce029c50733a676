-- What makes the list of stock as fast at a million rows as at a thousand: a narrow copy of what it filters
-- by, and a count of every combination of it. Both are derived, kept by triggers and only read by the list.
-- Spec 4.13 (GET /v1/inventory).

-- The list is one of entries: a logistic unit with the rows of stock that were ever on it, or one row that is
-- on none. An entry has a row here for each of its products, and one for itself, with the nil product. The
-- place is that of the unit, or of the row.
create table inventory_listing (
  organisation_id uuid not null,
  -- of the unit, or of the row of stock
  entry_id uuid not null,
  product_id uuid not null,
  partner_id uuid not null,
  warehouse_id uuid not null,
  warehouse_location_id uuid not null,
  -- how many rows of stock of the product are in the entry that are not depleted
  live_rows integer not null constraint inventory_listing_live_rows check (live_rows >= 0),
  is_depleted boolean not null generated always as (live_rows = 0) stored,
  -- of a product: another one was ever in the entry. Where none was, counting rows is counting entries.
  is_mixed boolean not null default false,
  constraint inventory_listing_pkey primary key (organisation_id, entry_id, product_id)
) with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

-- Each gives the entries of some filters in the order of the list.
create index inventory_listing_page on inventory_listing (organisation_id, is_depleted, entry_id)
  where product_id = '00000000-0000-0000-0000-000000000000';
create index inventory_listing_of_product on inventory_listing (organisation_id, product_id, is_depleted,
  warehouse_id, entry_id);
create index inventory_listing_of_partner on inventory_listing (organisation_id, partner_id, is_depleted,
  entry_id) where product_id = '00000000-0000-0000-0000-000000000000';
create index inventory_listing_of_partner_in_warehouse on inventory_listing (organisation_id, partner_id,
  warehouse_id, is_depleted, entry_id) where product_id = '00000000-0000-0000-0000-000000000000';
create index inventory_listing_of_location on inventory_listing (organisation_id, warehouse_location_id,
  product_id, is_depleted, entry_id);
create index inventory_listing_mixed on inventory_listing (organisation_id, product_id, is_depleted, entry_id)
  include (partner_id, warehouse_id) where is_mixed;

-- How many rows of inventory_listing there are of each combination: the sum of n over its rows. Every
-- statement that writes adds what it changed as new rows, so that no two writers wait for each other;
-- src/platform/work/fold-counts.ts adds them up in the background.
create table inventory_count (
  organisation_id uuid not null,
  product_id uuid not null,
  partner_id uuid not null,
  warehouse_id uuid not null,
  is_depleted boolean not null,
  is_mixed boolean not null,
  n bigint not null,
  is_folded boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index inventory_count_cell on inventory_count (organisation_id, product_id, is_depleted, partner_id,
  warehouse_id) include (is_mixed, n);
create index inventory_count_unfolded on inventory_count (organisation_id) where not is_folded;

-- Zones, batches, hazard classes and categories are filters too.
create index warehouse_product_by_batch on warehouse_product (organisation_id, lower(batch))
  where batch is not null;
create index warehouse_location_of_zone on warehouse_location (organisation_id, warehouse_zone_id)
  where warehouse_zone_id is not null;
create index product_dg_hazard_class_of_class on product_dg_hazard_class (organisation_id,
  dg_hazard_class_id, dg_hazard_category_id);

-- Rows are made with nothing in them, so a new one changes no entry that is there already: no lock is taken
-- on it. What is made full, by hand, is counted as if it had been filled.
create function list_stock() returns trigger language plpgsql as $$
begin
  insert into inventory_listing (organisation_id, entry_id, product_id, partner_id, warehouse_id,
    warehouse_location_id, live_rows)
  select distinct n.organisation_id, coalesce(n.logistic_unit_id, n.id) as entry_id, p.product_id,
    n.partner_id, coalesce(u.warehouse_id, n.warehouse_id),
    coalesce(u.warehouse_location_id, n.warehouse_location_id), 0
  from new_rows n
  cross join lateral (values (n.product_id), ('00000000-0000-0000-0000-000000000000')) p (product_id)
  left join logistic_unit u on u.organisation_id = n.organisation_id and u.id = n.logistic_unit_id
  order by entry_id, product_id
  on conflict on constraint inventory_listing_pkey do nothing;
  if exists (select from new_rows where not is_depleted) then
    update inventory_listing l set live_rows = l.live_rows + n.live_rows
    from (
      select n.organisation_id, coalesce(n.logistic_unit_id, n.id) as entry_id, p.product_id,
        count(*) as live_rows
      from new_rows n
      cross join lateral (values (n.product_id), ('00000000-0000-0000-0000-000000000000')) p (product_id)
      where not n.is_depleted group by 1, 2, 3
    ) n
    where l.organisation_id = n.organisation_id and l.entry_id = n.entry_id and l.product_id = n.product_id;
  end if;
  if not exists (select from new_rows where logistic_unit_id is not null) then
    return null;
  end if;
  -- Few statements bring another product onto a unit. Of two that bring the first ones, the later has waited
  -- above for the row of the unit itself, and sees the other's. Arrays, for a plan that was made while the
  -- list was short must still look units up when it is long.
  if exists (
    select from inventory_listing l
    where l.organisation_id = any(array(select distinct organisation_id from new_rows))
      and l.entry_id = any(array(select logistic_unit_id from new_rows))
      and l.product_id <> '00000000-0000-0000-0000-000000000000'
    group by l.organisation_id, l.entry_id having count(*) > 1 and not bool_and(l.is_mixed)
  ) then
    with locked as materialized (
      select l.organisation_id, l.entry_id, l.product_id from inventory_listing l
      where l.organisation_id = any(array(select distinct organisation_id from new_rows))
        and l.entry_id = any(array(select logistic_unit_id from new_rows))
        and l.product_id <> '00000000-0000-0000-0000-000000000000' and not l.is_mixed
        and exists (
          select from inventory_listing o
          where o.organisation_id = l.organisation_id and o.entry_id = l.entry_id
            and o.product_id not in (l.product_id, '00000000-0000-0000-0000-000000000000')
        )
      order by l.entry_id, l.product_id for no key update of l
    )
    update inventory_listing l set is_mixed = true from locked m
    where l.organisation_id = m.organisation_id and l.entry_id = m.entry_id and l.product_id = m.product_id;
  end if;
  return null;
end $$;
create trigger warehouse_product_is_listed after insert on warehouse_product
  referencing new table as new_rows for each statement execute function list_stock();

-- Entries are locked in one order, whichever products a movement is of. Few statements deplete a row of stock
-- or refill one, and all others return early. The old and the new rows are compared with `except` and not
-- with a join, because a cached join plan for few rows is very slow for many.
create function relist_stock() returns trigger language plpgsql as $$
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
create trigger warehouse_product_is_relisted after update on warehouse_product
  referencing old table as old_rows new table as new_rows for each statement execute function relist_stock();

create function relist_logistic_unit() returns trigger language plpgsql as $$
begin
  update inventory_listing
  set warehouse_id = new.warehouse_id, warehouse_location_id = new.warehouse_location_id
  where organisation_id = new.organisation_id and entry_id = new.id;
  return null;
end $$;
create trigger logistic_unit_is_relisted after update on logistic_unit for each row
  when (old.warehouse_location_id is distinct from new.warehouse_location_id)
  execute function relist_logistic_unit();

create function count_added_inventory() returns trigger language plpgsql as $$
begin
  insert into inventory_count (organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed,
    n)
  select organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed, count(*)
  from new_rows group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;
create trigger inventory_listing_adds after insert on inventory_listing
  referencing new table as new_rows for each statement execute function count_added_inventory();

create function count_changed_inventory() returns trigger language plpgsql as $$
begin
  insert into inventory_count (organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed,
    n)
  select organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed, sum(sign)
  from (
    select *, 1 as sign from new_rows
    union all
    select *, -1 from old_rows
  ) r group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0;
  return null;
end $$;
create trigger inventory_listing_changes after update on inventory_listing
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_changed_inventory();
