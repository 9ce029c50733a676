-- Charges of consignments: those that users enter or exclude, and those that a closing computes, together
-- with the inputs that they follow from. Frozen rows never change, so a bill can be derived again at any
-- time. Spec 2.8, 4.9.

-- A charge is what is owed while a consignment is open. Closing the consignment raises a schedule transaction
-- from every included charge, a copy that no later change reaches; a schedule bundles the transactions of one
-- partner.

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
  -- The names that the bill shows: {carrier, products: {id: {code, name}}, types: {id: name}}.
  names jsonb not null,
  -- The parts of the closing: lines, then tasks, then consumables. They are texts because a back-test reads a
  -- row for each part three times as slowly.
  -- The lines of the consignment that the first parts are.
  line_ids uuid[] not null,
  -- One line for each part: kind (2 Line, 3 Task, 4 Consumable), type or product, product facts, attributes
  -- and package type. Null if the closing has no parts.
  part_subjects text,
  -- Five figures for each part: quantity, weight in kg, volume in m³, logistic units (an x for loose goods, 0
  -- if another part counts their units) and serials. An x is an unknown figure.
  part_figures text not null,
  -- Copies for back-tests: the facts of the columns above that selectors use, and the amounts.
  selector_facts text not null,
  -- The amounts in the order of the charges. An x is a charge that a user excluded.
  client_amounts text not null,
  carrier_amounts text not null,
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
-- Serves pages of closings in the order of their charge dates.
create index charge_input_of_date on charge_input (organisation_id, charge_date, consignment_id);
-- The planner needs no statistics about these long texts, and collecting them for a quarter of a million
-- closings would take a second.
alter table charge_input
  alter column selector_facts set statistics 0,
  alter column part_subjects set statistics 0,
  alter column part_figures set statistics 0,
  alter column client_amounts set statistics 0,
  alter column carrier_amounts set statistics 0;

create function refuse_to_change_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'What a consignment was charged by never changes.' using errcode = 'restrict_violation';
end $$;
create trigger charge_input_is_frozen before update or delete on charge_input
  for each statement execute function refuse_to_change_frozen();
create trigger product_facts_are_frozen before update or delete on product_facts
  for each statement execute function refuse_to_change_frozen();
create trigger place_facts_are_frozen before update or delete on place_facts
  for each statement execute function refuse_to_change_frozen();

-- A closing no longer counts once its consignment is reopened. All other closings count, so a query finds
-- them without reading the consignments.
create table undone_closing (
  organisation_id uuid not null,
  consignment_id uuid not null,
  closing_number integer not null,
  constraint undone_closing_pkey primary key (organisation_id, consignment_id, closing_number),
  constraint undone_closing_input_fkey foreign key (organisation_id, consignment_id, closing_number)
    references charge_input
);

create trigger undone_closing_is_frozen before update or delete on undone_closing
  for each statement execute function refuse_to_change_frozen();

create function undo_closing() returns trigger language plpgsql as $$
begin
  insert into undone_closing (organisation_id, consignment_id, closing_number)
  select organisation_id, consignment_id, closing_number from charge_input
  where organisation_id = new.organisation_id and consignment_id = new.id
  order by closing_number desc limit 1
  on conflict do nothing;
  return null;
end $$;
create trigger closing_is_undone after update of status on consignment
  for each row when (old.status = 6 and new.status <> 6) execute function undo_closing();

-- partner_id (the client that owes it or the carrier that it is owed to), tax_rate_percent and
-- amount_excl_tax are as they were when the charge was made. charge_application: 1 Rate, 2 Fee.
create table consignment_charge (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  partner_id uuid not null,
  charge_type smallint not null constraint consignment_charge_type check (charge_type between 1 and 9),
  charge_application smallint not null constraint consignment_charge_application
    check (charge_application in (1, 2)),
  is_included boolean not null default true,
  particulars text,
  metric_value numeric(18, 6) not null constraint consignment_charge_metric_value check (metric_value >= 0),
  charge_min numeric(18, 6),
  charge_base numeric(18, 6),
  charge_rate numeric(18, 6) not null,
  charge_max numeric(18, 6),
  tax_rate_id uuid not null,
  tax_rate_percent numeric(9, 6) not null,
  -- null for a charge of a rate card, which is frozen and billed at the same time
  tax_rate_name text,
  revenue_account_id uuid,
  cost_centre_id uuid,
  amount_excl_tax numeric(18, 2) not null,
  -- the user who entered it
  created_by uuid,
  -- A charge that a closing computed has its number and the rule and part that it follows from; one that a
  -- user entered has none of these.
  closing_number integer,
  ordinal integer,
  rate_card_version_id uuid,
  rate_id uuid,
  rate_charge_id uuid,
  part_key text,
  activity_type_id uuid,
  -- the activity as it was called then
  activity_code text,
  activity_name text,
  faf_percent numeric(9, 6) not null default 0,
  faf_profile_rate_id uuid,
  created_utc timestamptz not null default now(),
  constraint consignment_charge_pkey primary key (organisation_id, id),
  constraint consignment_charge_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_charge_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint consignment_charge_tax_rate_fkey foreign key (organisation_id, tax_rate_id) references tax_rate,
  constraint consignment_charge_revenue_account_fkey foreign key (organisation_id, revenue_account_id)
    references revenue_account,
  constraint consignment_charge_cost_centre_fkey foreign key (organisation_id, cost_centre_id)
    references cost_centre,
  constraint consignment_charge_input_fkey foreign key (organisation_id, consignment_id, closing_number)
    references charge_input,
  constraint consignment_charge_version_fkey foreign key (organisation_id, rate_card_version_id)
    references rate_card_version,
  constraint consignment_charge_activity_type_fkey foreign key (organisation_id, activity_type_id)
    references activity_type,
  constraint consignment_charge_rule check (num_nulls(closing_number, rate_card_version_id, rate_id,
    rate_charge_id, part_key) in (0, 5))
);
-- Finds the billed charges of a closing, with every column that a back-test compares, so that it need not
-- read the table.
create index consignment_charge_as_billed on consignment_charge (organisation_id, consignment_id,
  closing_number, ordinal) include (charge_type, is_included, amount_excl_tax);
-- `./waybill check-money` reads the charges that users entered page by page, in the order of their keys.
create index consignment_charge_entered on consignment_charge (organisation_id, id)
  where closing_number is null;
