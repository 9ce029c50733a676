-- Money is verified and written in sets. Transactions without a charge are found without reading the others,
-- and closing a thousand consignments updates the counts of the lists once and not a thousand times.
-- Spec 2.8, 2.9.

-- `./waybill check-money` reads these rows page by page, in the order of their keys.
create index consignment_charge_entered on consignment_charge (organisation_id, id)
  where closing_number is null;
create index schedule_transaction_without_charge on schedule_transaction (organisation_id, id)
  where consignment_charge_id is null;

-- There are nine fixed charge types, so a check replaces the lookup of the foreign key for every row.
alter table consignment_charge
  drop constraint consignment_charge_type_fkey,
  add constraint consignment_charge_type check (charge_type between 1 and 9);
alter table schedule_transaction
  drop constraint schedule_transaction_charge_type_fkey,
  add constraint schedule_transaction_charge_type check (charge_type between 1 and 9);

-- Does the work of relist_consignment in migration 008 for all rows of a statement at once, so that the
-- changes are counted once. The settings force one plan for any number of rows, which looks up each row by
-- its key.
create function relist_consignments() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update consignment_listing l
  set client_id = n.client_id,
    carrier_id = coalesce(n.carrier_id, '00000000-0000-0000-0000-000000000000'),
    warehouse_id = coalesce(n.warehouse_id, '00000000-0000-0000-0000-000000000000'),
    type = n.type, status = n.status, date_entered = n.date_entered
  from new_rows n
  where l.organisation_id = n.organisation_id and l.number = n.number
    and row(l.client_id, l.carrier_id, l.warehouse_id, l.type, l.status, l.date_entered)
      is distinct from row(n.client_id, coalesce(n.carrier_id, '00000000-0000-0000-0000-000000000000'),
        coalesce(n.warehouse_id, '00000000-0000-0000-0000-000000000000'), n.type, n.status, n.date_entered);
  return null;
end $$;
drop trigger consignment_is_relisted on consignment;
create trigger consignment_is_relisted after update on consignment
  referencing new table as new_rows for each statement execute function relist_consignments();
drop function relist_consignment();

-- Same as in migration 008, except that it returns early if nothing changed.
create or replace function count_changed_listings() returns trigger language plpgsql as $$
begin
  if not exists (select from new_rows) then return null; end if;
  insert into consignment_count
  select organisation_id, level, identity_connection_id, edi_status, client_id, carrier_id, warehouse_id,
    type, status, sum(sign)
  from (
    select r.organisation_id, r.identity_connection_id, edi_status, warehouse_id, type, status, l.*, 1 as sign
      from new_rows r, levels_of(r) l
    union all
    select r.organisation_id, r.identity_connection_id, edi_status, warehouse_id, type, status, l.*, -1
      from old_rows r, levels_of(r) l
  ) r group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(sign) <> 0;
  insert into consignment_week_count
  select organisation_id, filter, identity_connection_id, date_trunc('week', date_entered), sum(sign)
  from (select *, unnest(filters_of(r)) as filter, 1 as sign from new_rows r
    union all select *, unnest(filters_of(r)), -1 from old_rows r) r
  group by 1, 2, 3, 4 having sum(sign) <> 0;
  return null;
end $$;
