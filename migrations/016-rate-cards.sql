-- What clients are charged and carriers charge: the types of charges, activities, freight adjustment factors,
-- localities and rate cards. Spec 2.8, 2.10.

create table charge_type (
  charge_type smallint constraint charge_type_pkey primary key,
  id uuid not null constraint charge_type_id_key unique,
  code text not null constraint charge_type_code_key unique,
  name text not null
);
insert into charge_type values
  (1, '0190b3a0-0000-7000-8000-000000000001', 'ClientActivityAdhoc', 'Client activity, ad hoc'),
  (2, '0190b3a0-0000-7000-8000-000000000002', 'ClientActivityMetricRate', 'Client activity, rate by metric'),
  (3, '0190b3a0-0000-7000-8000-000000000003', 'ClientActivityProductRate',
    'Client activity, rate by product'),
  (4, '0190b3a0-0000-7000-8000-000000000004', 'ClientFreightAdhoc', 'Client freight, ad hoc'),
  (5, '0190b3a0-0000-7000-8000-000000000005', 'ClientFreightMetricRate', 'Client freight, rate by metric'),
  (6, '0190b3a0-0000-7000-8000-000000000006', 'ClientFreightProductRate', 'Client freight, rate by product'),
  (7, '0190b3a0-0000-7000-8000-000000000007', 'CarrierFreightAdhoc', 'Carrier freight, ad hoc'),
  (8, '0190b3a0-0000-7000-8000-000000000008', 'CarrierFreightMetricRate', 'Carrier freight, rate by metric'),
  (9, '0190b3a0-0000-7000-8000-000000000009', 'CarrierFreightProductRate',
    'Carrier freight, rate by product');

create table activity_type (
  organisation_id uuid not null constraint activity_type_organisation_fkey references organisation,
  id uuid not null, code text not null, name text not null,
  revenue_account_id uuid,
  tax_rate_id uuid,
  status smallint not null default 1 constraint activity_type_status check (status in (1, 2)),
  constraint activity_type_pkey primary key (organisation_id, id),
  constraint activity_type_revenue_account_fkey foreign key (organisation_id, revenue_account_id)
    references revenue_account,
  constraint activity_type_tax_rate_fkey foreign key (organisation_id, tax_rate_id) references tax_rate
);
create unique index activity_type_code_key on activity_type (organisation_id, lower(code));

create table faf_profile (
  organisation_id uuid not null constraint faf_profile_organisation_fkey references organisation,
  id uuid not null,
  name text not null,
  -- 1 Active, 2 Inactive
  status smallint not null default 1 constraint faf_profile_status check (status in (1, 2)),
  created_utc timestamptz not null default now(),
  constraint faf_profile_pkey primary key (organisation_id, id)
);
create unique index faf_profile_name_key on faf_profile (organisation_id, lower(name));

-- A row without a carrier is the default for all carriers. It counts from its instant until the carrier's (or
-- default's) next row.
create table faf_profile_rate (
  organisation_id uuid not null,
  id uuid not null,
  faf_profile_id uuid not null,
  carrier_id uuid,
  -- a fraction: 0.125 is 12.5 percent
  faf_percent numeric(9, 6) not null,
  effective_from_utc timestamptz(3) not null,
  created_utc timestamptz not null default now(),
  constraint faf_profile_rate_pkey primary key (organisation_id, id),
  constraint faf_profile_rate_key unique nulls not distinct (organisation_id, faf_profile_id, carrier_id,
    effective_from_utc),
  constraint faf_profile_rate_profile_fkey foreign key (organisation_id, faf_profile_id)
    references faf_profile,
  constraint faf_profile_rate_carrier_fkey foreign key (organisation_id, carrier_id) references partner
);

-- A locality is a named group of areas. An address is in a locality if it is in any of its areas;
-- src/billing/evaluator/locality.ts decides that.
create table locality (
  organisation_id uuid not null constraint locality_organisation_fkey references organisation,
  id uuid not null,
  code text,
  name text not null,
  status smallint not null default 1 constraint locality_status check (status in (1, 2)),
  areas jsonb not null default '[]',
  constraint locality_pkey primary key (organisation_id, id)
);
create unique index locality_name_key on locality (organisation_id, lower(name));
create unique index locality_code_key on locality (organisation_id, lower(code)) where code is not null;

-- Relationships: 1 Client, 2 Carrier. A card without a partner is the fall-back for all partners that have no
-- card of their own.
create table rate_card (
  organisation_id uuid not null constraint rate_card_organisation_fkey references organisation,
  id uuid not null,
  name text not null,
  relationship smallint not null constraint rate_card_relationship check (relationship in (1, 2)),
  partner_id uuid,
  -- 1 Active, 2 Inactive
  status smallint not null default 1 constraint rate_card_status check (status in (1, 2)),
  created_utc timestamptz not null default now(),
  constraint rate_card_pkey primary key (organisation_id, id),
  constraint rate_card_partner_fkey foreign key (organisation_id, partner_id) references partner
);
create unique index rate_card_active_key on rate_card (organisation_id, relationship, partner_id)
  nulls not distinct where status = 1;

-- A version is the content of a card from a date on. The content is json and not jsonb because the hash is
-- computed from its text, which must not change. The other columns repeat what charging looks up, because the
-- content may be a megabyte long.
create table rate_card_version (
  organisation_id uuid not null,
  id uuid not null,
  rate_card_id uuid not null,
  number integer not null,
  -- 1 Draft, 2 Approved
  status smallint not null default 1 constraint rate_card_version_status check (status in (1, 2)),
  effective_from date not null,
  note text,
  content json not null,
  content_sha256 text not null,
  faf_profile_id uuid,
  locality_ids uuid[] not null default '{}',
  created_utc timestamptz not null default now(),
  created_by uuid,
  edited_by uuid,
  approved_utc timestamptz,
  approved_by uuid,
  -- the name of the card at that time
  rate_card_name text,
  constraint rate_card_version_pkey primary key (organisation_id, id),
  constraint rate_card_version_number_key unique (organisation_id, rate_card_id, number),
  constraint rate_card_version_card_fkey foreign key (organisation_id, rate_card_id) references rate_card,
  constraint rate_card_version_faf_profile_fkey foreign key (organisation_id, faf_profile_id)
    references faf_profile,
  constraint rate_card_version_approved check ((status = 2) = (approved_utc is not null))
);
-- Finds the version that is in force on a date.
create index rate_card_version_in_force on rate_card_version (organisation_id, rate_card_id,
  effective_from desc, number desc) where status = 2;

create function refuse_to_change_approved() returns trigger language plpgsql as $$
begin
  raise exception 'Version % of a rate card is approved; it never changes.', old.number
    using errcode = 'restrict_violation';
end $$;
create trigger rate_card_version_frozen before update or delete on rate_card_version
  for each row when (old.status = 2) execute function refuse_to_change_approved();
