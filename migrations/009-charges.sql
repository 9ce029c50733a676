-- Money: charges of consignments, what is billed for them, the schedules that bundle it, and freight
-- adjustment factors. Spec 2.8 to 2.10.
--
-- A charge is what is owed while a consignment is open. Closing the consignment raises a schedule transaction
-- from every included charge, a copy that no later change reaches; a schedule bundles the transactions of one
-- partner.

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

-- partner_id (the client that owes it or the carrier that it is owed to), tax_rate_percent and
-- amount_excl_tax are as they were when the charge was made. charge_application: 1 Rate, 2 Fee.
create table consignment_charge (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  partner_id uuid not null,
  charge_type smallint not null constraint consignment_charge_type_fkey references charge_type,
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
  revenue_account_id uuid,
  cost_centre_id uuid,
  amount_excl_tax numeric(18, 2) not null,
  created_utc timestamptz not null default now(),
  constraint consignment_charge_pkey primary key (organisation_id, id),
  constraint consignment_charge_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_charge_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint consignment_charge_tax_rate_fkey foreign key (organisation_id, tax_rate_id) references tax_rate,
  constraint consignment_charge_revenue_account_fkey foreign key (organisation_id, revenue_account_id)
    references revenue_account,
  constraint consignment_charge_cost_centre_fkey foreign key (organisation_id, cost_centre_id)
    references cost_centre
);
create index consignment_charge_of_consignment on consignment_charge (organisation_id, consignment_id, id);

create table partner_schedule (
  organisation_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  -- 1 Draft, 2 Approved
  status smallint not null default 1 constraint partner_schedule_status check (status in (1, 2)),
  date date not null,
  reference_number text,
  description text,
  -- the sum of its transactions, kept by the trigger below
  amount_excl_tax numeric(30, 2) not null default 0,
  created_utc timestamptz(3) not null default now(),
  constraint partner_schedule_pkey primary key (organisation_id, id),
  constraint partner_schedule_of_partner unique (organisation_id, partner_id, id),
  constraint partner_schedule_partner_fkey foreign key (organisation_id, partner_id) references partner
);
create index partner_schedule_page on partner_schedule (organisation_id, date desc, id desc);
create index partner_schedule_page_of_partner on partner_schedule (organisation_id, partner_id, date desc,
  id desc);

-- Which identity connections have taken a schedule to their books, and where it is there.
create table partner_schedule_export (
  organisation_id uuid not null,
  partner_schedule_id uuid not null,
  identity_connection_id uuid not null,
  external_url text,
  exported_utc timestamptz not null default now(),
  constraint partner_schedule_export_pkey primary key (organisation_id, partner_schedule_id,
    identity_connection_id),
  constraint partner_schedule_export_schedule_fkey foreign key (organisation_id, partner_schedule_id)
    references partner_schedule on delete cascade,
  constraint partner_schedule_export_connection_fkey foreign key (organisation_id, identity_connection_id)
    references identity_connection
);

-- Everything is as it was when the transaction was raised. status: 1 Pending, 2 Scheduled, 3 Void; nothing is
-- ever deleted. type: 0 AdhocCharge, 1 FreightCharge, 2 StorageCharge, 3 ActivityCharge.
create table schedule_transaction (
  organisation_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  status smallint not null default 1 constraint schedule_transaction_status check (status between 1 and 3),
  partner_schedule_id uuid,
  date date not null,
  type smallint not null constraint schedule_transaction_type check (type between 0 and 3),
  consignment_id uuid not null,
  consignment_number text not null,
  consignment_reference_number text,
  consignment_charge_id uuid not null,
  charge_type smallint not null constraint schedule_transaction_charge_type_fkey references charge_type,
  particulars text,
  revenue_account_id uuid,
  revenue_account_code text,
  cost_centre_id uuid,
  cost_centre_code text,
  activity_code text,
  activity_name text,
  quantity numeric(18, 6) not null,
  charge_rate_excl_tax numeric(18, 6) not null,
  base_charge_excl_tax numeric(18, 6),
  min_charge_excl_tax numeric(18, 6),
  max_charge_excl_tax numeric(18, 6),
  charge_application smallint not null constraint schedule_transaction_application
    check (charge_application in (1, 2)),
  tax_rate_id uuid not null,
  tax_rate_name text not null,
  tax_rate_percent numeric(9, 6) not null,
  amount_excl_tax numeric(18, 2) not null,
  created_utc timestamptz not null default now(),
  constraint schedule_transaction_pkey primary key (organisation_id, id),
  constraint schedule_transaction_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint schedule_transaction_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint schedule_transaction_charge_fkey foreign key (organisation_id, consignment_charge_id)
    references consignment_charge,
  constraint schedule_transaction_revenue_account_fkey foreign key (organisation_id, revenue_account_id)
    references revenue_account,
  constraint schedule_transaction_cost_centre_fkey foreign key (organisation_id, cost_centre_id)
    references cost_centre,
  constraint schedule_transaction_tax_rate_fkey foreign key (organisation_id, tax_rate_id)
    references tax_rate,
  -- A schedule holds the transactions of its own partner only, and exactly the Scheduled ones are on one.
  constraint schedule_transaction_schedule_fkey foreign key (organisation_id, partner_id, partner_schedule_id)
    references partner_schedule (organisation_id, partner_id, id),
  constraint schedule_transaction_scheduled check ((status = 2) = (partner_schedule_id is not null))
) with (fillfactor = 90);
-- Nothing is billed twice.
create unique index schedule_transaction_charge_key on schedule_transaction (organisation_id,
  consignment_charge_id) where status <> 3;
create index schedule_transaction_pending on schedule_transaction (organisation_id, partner_id, date)
  where status = 1;
create index schedule_transaction_of_schedule on schedule_transaction (organisation_id, partner_schedule_id,
  date, id) where partner_schedule_id is not null;
create index schedule_transaction_of_consignment on schedule_transaction (organisation_id, consignment_id,
  id);

-- Lists of schedules show their amounts, and a schedule may hold ten thousand transactions: the sum is kept,
-- whoever writes and however many at once.
create function total_partner_schedule() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    update partner_schedule s set amount_excl_tax = s.amount_excl_tax + added.amount
    from (select organisation_id, partner_schedule_id, sum(amount_excl_tax) as amount from new_rows
      where status = 2 group by 1, 2) added
    where s.organisation_id = added.organisation_id and s.id = added.partner_schedule_id;
  end if;
  if tg_op <> 'INSERT' then
    update partner_schedule s set amount_excl_tax = s.amount_excl_tax - removed.amount
    from (select organisation_id, partner_schedule_id, sum(amount_excl_tax) as amount from old_rows
      where status = 2 group by 1, 2) removed
    where s.organisation_id = removed.organisation_id and s.id = removed.partner_schedule_id;
  end if;
  return null;
end $$;
create trigger schedule_transaction_adds after insert on schedule_transaction
  referencing new table as new_rows for each statement execute function total_partner_schedule();
create trigger schedule_transaction_changes after update on schedule_transaction
  referencing old table as old_rows new table as new_rows
  for each statement execute function total_partner_schedule();
create trigger schedule_transaction_removes after delete on schedule_transaction
  referencing old table as old_rows for each statement execute function total_partner_schedule();

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
