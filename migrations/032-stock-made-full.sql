-- A row of stock is made with the goods that come into it, and its entry is listed with them. Before, every
-- row was made empty and filled by the next statement, which wrote the row, its entry and their counts twice.
-- Spec 2.14.
--
-- A row that is made full is of an entry that was not listed before, so no lock is waited for. What is made
-- full on a unit that is listed, by hand, is counted all the same. An empty row changes no entry that is
-- there already, and takes no lock on it.
create or replace function list_stock() returns trigger language plpgsql as $$
begin
  if exists (select from new_rows where not is_depleted) then
    insert into inventory_listing as l (organisation_id, entry_id, product_id, partner_id, warehouse_id,
      warehouse_location_id, live_rows)
    select n.organisation_id, coalesce(n.logistic_unit_id, n.id) as entry_id, p.product_id, n.partner_id,
      coalesce(u.warehouse_id, n.warehouse_id), coalesce(u.warehouse_location_id, n.warehouse_location_id),
      count(*) filter (where not n.is_depleted)
    from new_rows n
    cross join lateral (values (n.product_id), ('00000000-0000-0000-0000-000000000000')) p (product_id)
    left join logistic_unit u on u.organisation_id = n.organisation_id and u.id = n.logistic_unit_id
    group by 1, 2, 3, 4, 5, 6
    order by entry_id, product_id
    on conflict on constraint inventory_listing_pkey do update
      set live_rows = l.live_rows + excluded.live_rows;
  else
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
