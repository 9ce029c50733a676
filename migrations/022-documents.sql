-- The details of an organisation that are printed on papers, and the paper size. Spec 4.2.

alter table organisation
  -- 1 A4, 2 Letter
  add column paper_size smallint not null default 1 constraint organisation_paper_size
    check (paper_size in (1, 2)),
  -- This number is staffed day and night while dangerous goods are in transit.
  add column dg_emergency_phone text,
  -- Tax invoices show the tax number and the name of the tax.
  add column tax_number text,
  add column tax_name text,
  -- Papers print the address with its line breaks.
  add column address text,
  add column payment_terms text,
  -- Where to pay. Papers print it with its line breaks.
  add column bank_details text;

drop trigger record_administration on organisation;
create trigger record_administration after insert or update of name, consignment_prefix, timezone_id,
    full_pallet_allocation, is_full_pallet_first, is_count_approved_by_another, paper_size,
    dg_emergency_phone, tax_number, tax_name, address, payment_terms, bank_details on organisation
  for each row execute function record_administration('organisation');

create table organisation_logo (
  organisation_id uuid constraint organisation_logo_pkey primary key
    constraint organisation_logo_organisation_fkey references organisation,
  file_name text not null,
  content_type text not null,
  content bytea not null,
  -- A PNG of at most 256 by 256 pixels.
  thumbnail bytea not null,
  uploaded_utc timestamptz not null default now()
);
alter table organisation_logo alter column content set storage external,
  alter column thumbnail set storage external;

-- Hazard classes keep the order in which they were entered, because the first is the primary hazard.
alter table product_dg_hazard_class add column ordinal smallint not null default 0;
