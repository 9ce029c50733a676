-- What makes the list of consignments as fast at a million as at a thousand: a narrow copy of what lists
-- filter and sort by, and a count of every combination of it. Both are derived, kept by triggers and only
-- read by the list. Spec 4.2 (GET /v1/consignments), 2.2 (ediStatus).

-- What one identity connection says about a consignment. ediStatus: 1 Success, 2 Failed, 10 and up the
-- connection's own; null unset.
create table consignment_edi (
  organisation_id uuid not null,
  consignment_id uuid not null,
  identity_connection_id uuid not null,
  edi_status integer constraint consignment_edi_status check (edi_status in (1, 2) or edi_status >= 10),
  message text,
  modified_utc timestamptz not null default now(),
  constraint consignment_edi_pkey primary key (organisation_id, consignment_id, identity_connection_id),
  constraint consignment_edi_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_edi_connection_fkey foreign key (organisation_id, identity_connection_id)
    references identity_connection
);

-- One row for each consignment (identity_connection_id nil, edi_status 0), and one more for each connection
-- that has set its ediStatus, so that a filter on ediStatus is served by the same indexes as a list without
-- one. "No carrier" and "no warehouse" are the nil uuid too.
--
-- Why a table and not indexes on consignment: an index for every pair of filters would be 15, each written
-- again whenever a status changes. Here a status change rewrites a row of 130 bytes, and the wide row of
-- consignment can be updated in place (HOT).
create table consignment_listing (
  organisation_id uuid not null,
  number bigint not null,
  identity_connection_id uuid not null,
  edi_status integer not null,
  client_id uuid not null,
  carrier_id uuid not null,
  warehouse_id uuid not null,
  type smallint not null,
  status smallint not null,
  date_entered timestamp(0) not null,
  constraint consignment_listing_pkey primary key (organisation_id, number, identity_connection_id)
) with (fillfactor = 90, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

-- A page takes the combinations of (type, status, warehouse) that match from the count below, the newest few
-- of each from one of these indexes and the newest of all of them: bounded work, however rare or old what
-- matches is. The number of combinations depends on neither clients nor carriers save in the last index,
-- where it is those that one client uses.
create index consignment_listing_newest on consignment_listing
  (organisation_id, identity_connection_id, edi_status, date_entered desc, number desc);
create index consignment_listing_of_status on consignment_listing
  (organisation_id, identity_connection_id, edi_status, type, status, warehouse_id, date_entered desc,
    number desc);
create index consignment_listing_of_carrier on consignment_listing
  (organisation_id, identity_connection_id, edi_status, carrier_id, type, status, warehouse_id,
    date_entered desc, number desc);
create index consignment_listing_of_client on consignment_listing
  (organisation_id, identity_connection_id, edi_status, client_id, carrier_id, type, status, warehouse_id,
    date_entered desc, number desc);

-- How many rows of consignment_listing there are of each combination: the sum of n over all rows of the
-- combination. Every statement that writes adds what it changed as new rows, so that no two writers wait for
-- each other; src/consignments/list/fold-counts.ts adds them up in the background.
--
-- Every combination is counted at three levels, so that a filter reads no more of them than it has to: 0 by
-- everything, 1 for all clients together, 2 for all clients and carriers together (their columns are nil
-- there).
create table consignment_count (
  organisation_id uuid not null,
  level smallint not null,
  identity_connection_id uuid not null,
  edi_status integer not null,
  client_id uuid not null,
  carrier_id uuid not null,
  warehouse_id uuid not null,
  type smallint not null,
  status smallint not null,
  n bigint not null,
  is_folded boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index consignment_count_cell on consignment_count
  (organisation_id, level, identity_connection_id, client_id, edi_status, carrier_id, warehouse_id, type,
    status) include (n);
create index consignment_count_unfolded on consignment_count (organisation_id) where not is_folded;

-- How many rows of consignment_listing each week of date_entered has, in all and for each value of each
-- filter. What a connection has not marked is the difference of two such counts; it has no index, and the
-- weeks say where in the list it is, so that a page need not walk past a year of marked ones. `filter` is ''
-- or a column and its value, such as 'status 6'. Rows add up as above.
create table consignment_week_count (
  organisation_id uuid not null,
  filter text not null,
  identity_connection_id uuid not null,
  week date not null,
  n bigint not null,
  is_folded boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index consignment_week_count_of_filter on consignment_week_count (organisation_id, filter,
  identity_connection_id, week) include (n);
create index consignment_week_count_unfolded on consignment_week_count (organisation_id) where not is_folded;

create function list_consignment() returns trigger language plpgsql as $$
begin
  insert into consignment_listing
  select organisation_id, number, '00000000-0000-0000-0000-000000000000', 0, client_id,
    coalesce(carrier_id, '00000000-0000-0000-0000-000000000000'), coalesce(warehouse_id,
      '00000000-0000-0000-0000-000000000000'),
    type, status, date_entered
  from new_rows;
  return null;
end $$;
create trigger consignment_is_listed after insert on consignment
  referencing new table as new_rows for each statement execute function list_consignment();

-- Of all rows of a statement at once, so that closing a thousand consignments changes the counts once. The
-- settings force one plan for any number of rows, which looks up each row by its key.
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
create trigger consignment_is_relisted after update on consignment
  referencing new table as new_rows for each statement execute function relist_consignments();

create function unlist_consignment() returns trigger language plpgsql as $$
begin
  delete from consignment_listing where organisation_id = old.organisation_id and number = old.number;
  return null;
end $$;
create trigger consignment_is_unlisted after delete
  on consignment for each row execute function unlist_consignment();

-- The lock keeps the copied fields right should the consignment change at the same moment.
create function list_consignment_edi() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.edi_status is null then
    delete from consignment_listing l using consignment c
    where c.organisation_id = old.organisation_id and c.id = old.consignment_id
      and l.organisation_id = c.organisation_id and l.number = c.number
        and l.identity_connection_id = old.identity_connection_id;
  else
    insert into consignment_listing
    select organisation_id, number, new.identity_connection_id, new.edi_status, client_id,
      coalesce(carrier_id, '00000000-0000-0000-0000-000000000000'), coalesce(warehouse_id,
        '00000000-0000-0000-0000-000000000000'),
      type, status, date_entered
    from consignment where organisation_id = new.organisation_id and id = new.consignment_id for share
    on conflict on constraint consignment_listing_pkey do update set edi_status = excluded.edi_status;
  end if;
  return null;
end $$;
create trigger consignment_edi_is_listed after insert on consignment_edi for each row
  when (new.edi_status is not null) execute function list_consignment_edi();
create trigger consignment_edi_is_relisted after update on consignment_edi for each row
  when (old.edi_status is distinct from new.edi_status) execute function list_consignment_edi();
create trigger consignment_edi_is_unlisted after delete on consignment_edi for each row
  when (old.edi_status is not null) execute function list_consignment_edi();

-- Level, client and carrier of the combinations that a row counts to.
create function levels_of(r consignment_listing) returns table (level smallint, client_id uuid,
  carrier_id uuid) language sql immutable parallel safe
begin atomic
  values (0::smallint, r.client_id, r.carrier_id), (1::smallint, '00000000-0000-0000-0000-000000000000'::uuid,
    r.carrier_id),
    (2::smallint, '00000000-0000-0000-0000-000000000000'::uuid, '00000000-0000-0000-0000-000000000000'::uuid);
end;

-- The values of `filter` that a row counts to.
create function filters_of(r consignment_listing) returns text[] language sql immutable parallel safe
  return array['', 'client ' || r.client_id, 'carrier ' || r.carrier_id, 'warehouse ' || r.warehouse_id,
    'type ' || r.type, 'status ' || r.status];

-- What a statement added to the listing and took from it, as rows of both counts; nothing where the two
-- cancel out.
create function count_added_listings() returns trigger language plpgsql as $$
begin
  insert into consignment_count
  select organisation_id, l.level, identity_connection_id, edi_status, l.client_id, l.carrier_id,
    warehouse_id, type, status, count(*)
  from new_rows r, levels_of(r) l group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
  insert into consignment_week_count
  select organisation_id, unnest(filters_of(r)), identity_connection_id, date_trunc('week', date_entered),
    count(*)
  from new_rows r group by 1, 2, 3, 4;
  return null;
end $$;
create trigger consignment_listing_adds after insert on consignment_listing
  referencing new table as new_rows for each statement execute function count_added_listings();

create function count_removed_listings() returns trigger language plpgsql as $$
begin
  insert into consignment_count
  select organisation_id, l.level, identity_connection_id, edi_status, l.client_id, l.carrier_id,
    warehouse_id, type, status, -count(*)
  from old_rows r, levels_of(r) l group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
  insert into consignment_week_count
  select organisation_id, unnest(filters_of(r)), identity_connection_id, date_trunc('week', date_entered),
    -count(*)
  from old_rows r group by 1, 2, 3, 4;
  return null;
end $$;
create trigger consignment_listing_removes after delete on consignment_listing
  referencing old table as old_rows for each statement execute function count_removed_listings();

create function count_changed_listings() returns trigger language plpgsql as $$
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
create trigger consignment_listing_changes after update on consignment_listing
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_changed_listings();

-- Filters that are counted through an index of their own.
create index consignment_search on consignment using gin (organisation_id, search_text gin_trgm_ops);
create index consignment_external_id on consignment (organisation_id, external_id)
  where external_id is not null;
