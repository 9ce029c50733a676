-- Computed charges: the charges that users exclude, and the inputs that each consignment was charged by,
-- which are frozen when it is Closed. Frozen rows never change, so a bill can be derived again at any time.
-- Spec 2.8, 4.9.

alter table organisation
  -- If true, a consignment with work that no rate charges cannot be Closed.
  add column closing_demands_rates boolean not null default false;

-- A computed charge is identified by its rule and by the part of the consignment that it charges.
create table charge_exclusion (
  organisation_id uuid not null,
  consignment_id uuid not null,
  rate_charge_id uuid not null,
  part_key text not null,
  excluded_by uuid,
  excluded_utc timestamptz not null default now(),
  constraint charge_exclusion_pkey primary key (organisation_id, consignment_id, rate_charge_id, part_key),
  constraint charge_exclusion_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment
);

-- The facts about products and addresses that billing used. The id is the hash of the facts, so equal facts
-- are stored once.
create table product_facts (
  organisation_id uuid not null constraint product_facts_organisation_fkey references organisation,
  id uuid not null,
  facts jsonb not null,
  constraint product_facts_pkey primary key (organisation_id, id)
);
create table place_facts (
  organisation_id uuid not null constraint place_facts_organisation_fkey references organisation,
  id uuid not null,
  facts jsonb not null,
  constraint place_facts_pkey primary key (organisation_id, id)
);

-- The inputs of a consignment's charges when it was Closed for the nth time, and the rate card versions that
-- charged it.
create table charge_input (
  organisation_id uuid not null,
  consignment_id uuid not null,
  closing_number integer not null,
  charge_date date not null,
  charge_utc timestamptz not null,
  client_id uuid not null,
  carrier_id uuid,
  warehouse_id uuid,
  consignment_type smallint not null,
  priority smallint not null,
  is_containerised boolean not null,
  container_size smallint,
  container_type smallint,
  service_type_ids uuid[] not null,
  origin_place_facts_id uuid,
  destination_place_facts_id uuid,
  -- The localities that the origin and the destination were in at that time.
  origin_locality_ids uuid[] not null,
  destination_locality_ids uuid[] not null,
  is_by_expected boolean not null,
  quantity numeric not null,
  weight_kg numeric not null,
  volume_m3 numeric not null,
  client_version_id uuid,
  client_because smallint,
  client_freight_resolution smallint not null,
  client_faf_percent numeric(9, 6) not null,
  client_faf_profile_rate_id uuid,
  carrier_version_id uuid,
  carrier_because smallint,
  carrier_freight_resolution smallint not null,
  carrier_faf_percent numeric(9, 6) not null,
  carrier_faf_profile_rate_id uuid,
  freight_warning_type smallint not null,
  freight_warning_threshold numeric(18, 6) not null,
  evaluator_version integer not null,
  -- The ids of the events that set the other inputs: {general, route, container, serviceTypes, tasks,
  -- consumables, products, status}.
  sources jsonb not null,
  closed_utc timestamptz not null default now(),
  constraint charge_input_pkey primary key (organisation_id, consignment_id, closing_number),
  constraint charge_input_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint charge_input_client_version_fkey foreign key (organisation_id, client_version_id)
    references rate_card_version,
  constraint charge_input_carrier_version_fkey foreign key (organisation_id, carrier_version_id)
    references rate_card_version,
  constraint charge_input_origin_fkey foreign key (organisation_id, origin_place_facts_id)
    references place_facts,
  constraint charge_input_destination_fkey foreign key (organisation_id, destination_place_facts_id)
    references place_facts
);

-- Kinds: 2 Line, 3 Task, 4 Consumable. record_id is the id of the line; type_id is the task type or
-- consumable type.
create table charge_input_part (
  organisation_id uuid not null,
  consignment_id uuid not null,
  closing_number integer not null,
  ordinal integer not null,
  kind smallint not null constraint charge_input_part_kind check (kind between 2 and 4),
  record_id uuid,
  type_id uuid,
  product_id uuid,
  product_facts_id uuid,
  attributes jsonb,
  package_type_code text,
  quantity numeric(18, 4) not null,
  weight_kg numeric,
  volume_m3 numeric,
  logistic_units integer not null default 0,
  serials integer not null default 0,
  constraint charge_input_part_pkey primary key (organisation_id, consignment_id, closing_number, ordinal),
  constraint charge_input_part_input_fkey foreign key (organisation_id, consignment_id, closing_number)
    references charge_input,
  constraint charge_input_part_facts_fkey foreign key (organisation_id, product_facts_id)
    references product_facts
);

create function refuse_to_change_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'What a consignment was charged by never changes.' using errcode = 'restrict_violation';
end $$;
create trigger charge_input_is_frozen before update or delete on charge_input
  for each statement execute function refuse_to_change_frozen();
create trigger charge_input_part_is_frozen before update or delete on charge_input_part
  for each statement execute function refuse_to_change_frozen();
create trigger product_facts_are_frozen before update or delete on product_facts
  for each statement execute function refuse_to_change_frozen();
create trigger place_facts_are_frozen before update or delete on place_facts
  for each statement execute function refuse_to_change_frozen();

-- Charges that a closing computed have its number; charges that a user entered have none.
alter table consignment_charge
  add column created_by uuid,
  add column closing_number integer,
  add column ordinal integer,
  add column rate_card_version_id uuid,
  add column rate_id uuid,
  add column rate_charge_id uuid,
  add column part_key text,
  add column activity_type_id uuid,
  add column faf_percent numeric(9, 6) not null default 0,
  add column faf_profile_rate_id uuid,
  add constraint consignment_charge_input_fkey foreign key (organisation_id, consignment_id, closing_number)
    references charge_input,
  add constraint consignment_charge_version_fkey foreign key (organisation_id, rate_card_version_id)
    references rate_card_version,
  add constraint consignment_charge_activity_type_fkey foreign key (organisation_id, activity_type_id)
    references activity_type,
  add constraint consignment_charge_rule check (num_nulls(closing_number, rate_card_version_id, rate_id,
    rate_charge_id, part_key) in (0, 5));

alter table schedule_transaction add column faf_percent numeric(9, 6) not null default 0;
