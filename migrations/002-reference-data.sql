-- Reference data shared by every organisation, and the small collections that each organisation sets up for
-- itself.

create table shipping_port (
  id uuid constraint shipping_port_pkey primary key,
  code text not null constraint shipping_port_code_key unique constraint shipping_port_code_form
    check (code ~ '^[A-Z]{2}[A-Z0-9]{3}$'),
  name text not null,
  country text not null,
  -- from a code list that was imported; a start no longer changes it
  is_imported boolean not null default false,
  -- name and country without diacritics where they differ, for the search
  plain_text text not null default '',
  search_text text generated always as
    (lower(code || E'\n' || name || E'\n' || country || E'\n' || plain_text)) stored
);
create index shipping_port_search on shipping_port using gin (search_text gin_trgm_ops);
create index shipping_port_name on shipping_port (name, id);

create table dg_hazard_class (
  id uuid constraint dg_hazard_class_pkey primary key,
  dg_standard smallint not null constraint dg_hazard_class_standard check (dg_standard between 1 and 4),
  code text not null,
  name text not null,
  -- the order of the standard itself
  ordinal smallint not null,
  constraint dg_hazard_class_key unique (dg_standard, code)
);

create table dg_hazard_category (
  id uuid constraint dg_hazard_category_pkey primary key,
  dg_hazard_class_id uuid not null constraint dg_hazard_category_class_fkey references dg_hazard_class,
  code text not null,
  name text not null,
  ordinal smallint not null,
  constraint dg_hazard_category_key unique (dg_hazard_class_id, code),
  constraint dg_hazard_category_of_class unique (dg_hazard_class_id, id)
);

-- What the rows above were last loaded from, so that a start that would change nothing reads one row.
create table reference_data (
  singleton boolean not null default true constraint reference_data_pkey primary key
    constraint reference_data_one_row check (singleton),
  fingerprint text not null
);

-- Collections with a code. Codes are unique in the organisation without regard to case.
create table service_type (
  organisation_id uuid not null constraint service_type_organisation_fkey references organisation,
  id uuid not null, code text not null, name text not null,
  status smallint not null default 1 constraint service_type_status check (status in (1, 2)),
  constraint service_type_pkey primary key (organisation_id, id)
);
create unique index service_type_code_key on service_type (organisation_id, lower(code));

create table task_type (
  organisation_id uuid not null constraint task_type_organisation_fkey references organisation,
  id uuid not null, code text not null, name text not null,
  status smallint not null default 1 constraint task_type_status check (status in (1, 2)),
  constraint task_type_pkey primary key (organisation_id, id)
);
create unique index task_type_code_key on task_type (organisation_id, lower(code));

create table package_type (
  organisation_id uuid not null constraint package_type_organisation_fkey references organisation,
  id uuid not null, code text not null, name text not null,
  status smallint not null default 1 constraint package_type_status check (status in (1, 2)),
  constraint package_type_pkey primary key (organisation_id, id)
);
create unique index package_type_code_key on package_type (organisation_id, lower(code));

create table cost_centre (
  organisation_id uuid not null constraint cost_centre_organisation_fkey references organisation,
  id uuid not null, code text not null, name text not null,
  status smallint not null default 1 constraint cost_centre_status check (status in (1, 2)),
  constraint cost_centre_pkey primary key (organisation_id, id)
);
create unique index cost_centre_code_key on cost_centre (organisation_id, lower(code));

create table revenue_account (
  organisation_id uuid not null constraint revenue_account_organisation_fkey references organisation,
  id uuid not null, code text not null, name text not null,
  status smallint not null default 1 constraint revenue_account_status check (status in (1, 2)),
  constraint revenue_account_pkey primary key (organisation_id, id)
);
create unique index revenue_account_code_key on revenue_account (organisation_id, lower(code));

-- Collections known by name.
create table consumable_type (
  organisation_id uuid not null constraint consumable_type_organisation_fkey references organisation,
  id uuid not null, name text not null,
  status smallint not null default 1 constraint consumable_type_status check (status in (1, 2)),
  constraint consumable_type_pkey primary key (organisation_id, id)
);
create unique index consumable_type_name_key on consumable_type (organisation_id, lower(name));

create table unit_type (
  organisation_id uuid not null constraint unit_type_organisation_fkey references organisation,
  id uuid not null, name text not null,
  status smallint not null default 1 constraint unit_type_status check (status in (1, 2)),
  constraint unit_type_pkey primary key (organisation_id, id)
);
create unique index unit_type_name_key on unit_type (organisation_id, lower(name));

create table product_group (
  organisation_id uuid not null constraint product_group_organisation_fkey references organisation,
  id uuid not null, name text not null,
  status smallint not null default 1 constraint product_group_status check (status in (1, 2)),
  constraint product_group_pkey primary key (organisation_id, id)
);
create unique index product_group_name_key on product_group (organisation_id, lower(name));

create table product_attribute (
  organisation_id uuid not null constraint product_attribute_organisation_fkey references organisation,
  id uuid not null, name text not null,
  status smallint not null default 1 constraint product_attribute_status check (status in (1, 2)),
  constraint product_attribute_pkey primary key (organisation_id, id)
);
create unique index product_attribute_name_key on product_attribute (organisation_id, lower(name));

create table tax_rate (
  organisation_id uuid not null constraint tax_rate_organisation_fkey references organisation,
  id uuid not null, name text not null,
  percent numeric(9, 6) not null constraint tax_rate_percent check (percent between 0 and 100),
  -- the percentages that it had before, so that the tax of what was billed can be proved
  earlier_percents numeric(9, 6)[] not null default '{}',
  -- its name in the accounting program
  accounting_code text,
  status smallint not null default 1 constraint tax_rate_status check (status in (1, 2)),
  constraint tax_rate_pkey primary key (organisation_id, id)
);
create unique index tax_rate_name_key on tax_rate (organisation_id, lower(name));

create function keep_earlier_percent() returns trigger language plpgsql as $$
begin
  new.earlier_percents := array_append(old.earlier_percents, old.percent);
  return new;
end $$;
create trigger tax_rate_keeps_earlier_percents before update on tax_rate for each row
  when (new.percent <> old.percent and old.percent <> all (old.earlier_percents))
  execute function keep_earlier_percent();
