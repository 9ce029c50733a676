-- Warehouses, their zones and locations. Spec 2.13, 2.14.

create table warehouse (
  organisation_id uuid not null constraint warehouse_organisation_fkey references organisation,
  id uuid not null,
  name text not null,
  code text not null,
  status smallint not null default 1 constraint warehouse_status check (status in (1, 2)),
  timezone_id text not null,
  main_phone text,
  contact_person text,
  contact_phone text,
  address_id uuid not null,
  address jsonb not null default '{}',
  cost_centre_id uuid,
  revenue_account_id uuid,
  created_utc timestamptz not null default now(),
  constraint warehouse_pkey primary key (organisation_id, id),
  constraint warehouse_cost_centre_fkey foreign key (organisation_id, cost_centre_id) references cost_centre,
  constraint warehouse_revenue_account_fkey foreign key (organisation_id, revenue_account_id)
    references revenue_account
);
create unique index warehouse_code_key on warehouse (organisation_id, lower(code));

create table warehouse_zone (
  organisation_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  name text not null,
  code text,
  status smallint not null default 1 constraint warehouse_zone_status check (status in (1, 2)),
  constraint warehouse_zone_pkey primary key (organisation_id, id),
  constraint warehouse_zone_of_warehouse unique (organisation_id, warehouse_id, id),
  constraint warehouse_zone_warehouse_fkey foreign key (organisation_id, warehouse_id) references warehouse
);
create unique index warehouse_zone_name_key on warehouse_zone (organisation_id, warehouse_id, lower(name));
create unique index warehouse_zone_code_key on warehouse_zone (organisation_id, warehouse_id, lower(code))
  where code is not null;

-- Types: 1 Racking, 2 Bulk, 3 Quarantine, 4 Transitional.
create table warehouse_location (
  organisation_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  warehouse_zone_id uuid,
  name text not null,
  type smallint not null constraint warehouse_location_type check (type between 1 and 4),
  walking_order integer,
  is_pickface boolean not null default false,
  product_id uuid,
  min_quantity numeric(18, 4) constraint warehouse_location_min_quantity check (min_quantity >= 0),
  target_quantity numeric(18, 4) constraint warehouse_location_target_quantity check (target_quantity >= 0),
  status smallint not null default 1 constraint warehouse_location_status check (status in (1, 2)),
  -- where it is on a plan, in metres
  aisle text,
  bay text,
  level text,
  x numeric(14, 3),
  y numeric(14, 3),
  width numeric(14, 3) constraint warehouse_location_width check (width >= 0),
  depth numeric(14, 3) constraint warehouse_location_depth check (depth >= 0),
  -- what it is meant to hold at most; a warning, not a rule
  max_weight_kg numeric(18, 4) constraint warehouse_location_max_weight check (max_weight_kg >= 0),
  max_volume_m3 numeric(18, 6) constraint warehouse_location_max_volume check (max_volume_m3 >= 0),
  max_units integer constraint warehouse_location_max_units check (max_units >= 0),
  constraint warehouse_location_pkey primary key (organisation_id, id),
  constraint warehouse_location_of_warehouse unique (organisation_id, warehouse_id, id),
  constraint warehouse_location_warehouse_fkey foreign key (organisation_id, warehouse_id)
    references warehouse,
  constraint warehouse_location_zone_fkey foreign key (organisation_id, warehouse_id, warehouse_zone_id)
    references warehouse_zone (organisation_id, warehouse_id, id),
  constraint warehouse_location_product_fkey foreign key (organisation_id, product_id) references product,
  constraint warehouse_location_target_above_min check (min_quantity is null or target_quantity is null
    or target_quantity >= min_quantity)
);
create unique index warehouse_location_name_key on warehouse_location (organisation_id, warehouse_id,
  lower(name));

-- The types that a location had, each until it changed. What was quarantined in the past follows from them.
create table warehouse_location_former_type (
  organisation_id uuid not null,
  warehouse_location_id uuid not null,
  ended_utc timestamptz not null,
  type smallint not null constraint warehouse_location_former_type_type check (type between 1 and 4),
  constraint warehouse_location_former_type_pkey primary key (organisation_id, warehouse_location_id,
    ended_utc),
  constraint warehouse_location_former_type_location_fkey foreign key (organisation_id, warehouse_location_id)
    references warehouse_location
);
create function keep_location_type() returns trigger language plpgsql as $$
begin
  insert into warehouse_location_former_type (organisation_id, warehouse_location_id, ended_utc, type)
  values (old.organisation_id, old.id, clock_timestamp(), old.type);
  return null;
end $$;
create trigger keep_location_type after update of type on warehouse_location
  for each row when (old.type <> new.type) execute function keep_location_type();

-- Where goods come in and go out unless a consignment says otherwise. Unset until somebody says, or the first
-- goods need one.
alter table warehouse
  add column default_receive_location_id uuid,
  add column default_dispatch_location_id uuid,
  add constraint warehouse_receive_location_fkey foreign key (organisation_id, id,
    default_receive_location_id)
    references warehouse_location (organisation_id, warehouse_id, id),
  add constraint warehouse_dispatch_location_fkey foreign key (organisation_id, id,
    default_dispatch_location_id)
    references warehouse_location (organisation_id, warehouse_id, id);
