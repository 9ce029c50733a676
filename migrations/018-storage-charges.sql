-- Storage charges bill a client for the time its goods are stored in a warehouse. They are derived from the
-- stock ledger. Spec 2.8, 2.9; decision 7.

-- The storage of a client in a warehouse. A run locks this row while it raises charges, so that each run ends
-- before the next begins.
create table storage_account (
  organisation_id uuid not null,
  client_id uuid not null,
  warehouse_id uuid not null,
  -- All days up to and including this one are billed.
  billed_through date,
  -- The number of the latest run, and the time up to which that run knew the ledger.
  run_number integer not null default 0,
  known_at_utc timestamptz,
  constraint storage_account_pkey primary key (organisation_id, client_id, warehouse_id),
  constraint storage_account_client_fkey foreign key (organisation_id, client_id) references partner,
  constraint storage_account_warehouse_fkey foreign key (organisation_id, warehouse_id) references warehouse
);

-- The facts about locations that billing used. The id is the hash of the facts, so equal facts are stored
-- once.
create table location_facts (
  organisation_id uuid not null constraint location_facts_organisation_fkey references organisation,
  id uuid not null,
  facts jsonb not null,
  constraint location_facts_pkey primary key (organisation_id, id)
);

-- A run charges the days of its own period and corrects earlier periods for stock movements that were
-- recorded late. It reads the ledger as known at known_at_utc, a view that never changes.
create table storage_run (
  organisation_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  warehouse_id uuid not null,
  number integer not null,
  -- The first and last day of its own period, inclusive; null if the run only corrected earlier periods.
  period_from date,
  period_to date,
  -- 1 Weekly, 2 Fortnightly, 3 HalfMonthly, 4 Monthly, 5 FourWeekly
  billing_period smallint constraint storage_run_billing_period check (billing_period between 1 and 5),
  known_at_utc timestamptz not null,
  timezone_id text not null,
  evaluator_version integer not null,
  -- The products and locations that the run charged, each with its facts at the same index.
  product_ids uuid[] not null,
  product_facts_ids uuid[] not null,
  location_ids uuid[] not null,
  location_facts_ids uuid[] not null,
  created_utc timestamptz not null default now(),
  constraint storage_run_pkey primary key (organisation_id, id),
  constraint storage_run_number_key unique (organisation_id, client_id, warehouse_id, number),
  constraint storage_run_account_fkey foreign key (organisation_id, client_id, warehouse_id)
    references storage_account,
  constraint storage_run_period check (num_nulls(period_from, period_to, billing_period) in (0, 3)),
  constraint storage_run_is_forward check (period_from <= period_to),
  constraint storage_run_facts check (cardinality(product_ids) = cardinality(product_facts_ids)
    and cardinality(location_ids) = cardinality(location_facts_ids))
);
-- Prevents two runs from charging the same period. Periods do not overlap, so no two begin on the same day.
create unique index storage_run_period_key on storage_run (organisation_id, client_id, warehouse_id,
  period_from) where period_from is not null;

-- The version of a rate card that was in force from one day to another, inclusive.
create table storage_run_version (
  organisation_id uuid not null,
  storage_run_id uuid not null,
  from_date date not null,
  to_date date not null,
  rate_card_version_id uuid not null,
  -- 1 Own, 2 FallBack
  because smallint not null constraint storage_run_version_because check (because in (1, 2)),
  constraint storage_run_version_pkey primary key (organisation_id, storage_run_id, from_date),
  constraint storage_run_version_run_fkey foreign key (organisation_id, storage_run_id)
    references storage_run,
  constraint storage_run_version_version_fkey foreign key (organisation_id, rate_card_version_id)
    references rate_card_version
);

create function refuse_to_change_storage_run() returns trigger language plpgsql as $$
begin
  raise exception 'What storage was charged by never changes.' using errcode = 'restrict_violation';
end $$;
create trigger location_facts_are_frozen before update or delete on location_facts
  for each statement execute function refuse_to_change_storage_run();
create trigger storage_run_is_frozen before update or delete on storage_run
  for each statement execute function refuse_to_change_storage_run();
create trigger storage_run_version_is_frozen before update or delete on storage_run_version
  for each statement execute function refuse_to_change_storage_run();
