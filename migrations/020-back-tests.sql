-- A back-test compares what a rate card would have charged in a past period with what was billed.
-- Transactions may then adjust the bills to its result. It writes nothing to the tables that it reads.
-- Spec 2.8, 2.9.

create table rate_card_back_test (
  organisation_id uuid not null constraint rate_card_back_test_organisation_fkey references organisation,
  id uuid not null,
  -- 1 Pending, 2 Running, 3 Done, 4 Failed, 5 Cancelled
  status smallint not null default 1 constraint rate_card_back_test_status check (status between 1 and 5),
  date_from date not null,
  date_to date not null,
  -- The kind of card that is tested: 1 Client, 2 Carrier.
  relationship smallint not null constraint rate_card_back_test_relationship check (relationship in (1, 2)),
  rate_card_version_id uuid,
  -- This is json and not jsonb because the hash is computed from the text, which must not change.
  content json not null,
  content_sha256 text not null,
  partner_ids uuid[] not null,
  kinds smallint[] not null,
  created_by uuid,
  created_utc timestamptz not null default now(),
  started_utc timestamptz,
  finished_utc timestamptz,
  failure text,
  -- The percentage of the period that is done.
  progress smallint not null default 0,
  consignment_count integer not null default 0,
  part_count integer not null default 0,
  ledger_row_count integer not null default 0,
  duration_ms integer,
  -- As a check of the test itself, consignments and billed periods are also charged again by the versions
  -- that billed them: the number of these, and of those that came to another amount than was billed.
  control_checked integer not null default 0,
  control_differing integer not null default 0,
  amount_before numeric(30, 2) not null default 0,
  amount_after numeric(30, 2) not null default 0,
  -- [{reason, count}]
  unrated jsonb not null default '[]',
  -- The number of billed periods that were compared, of storage in a warehouse and of fees.
  period_count integer not null default 0,
  -- The number of consignments that no card charged, and the total of the charges entered for them by hand.
  without_card_count integer not null default 0,
  amount_by_hand numeric(30, 2) not null default 0,
  -- The number of consignments that differ. rate_card_back_test_difference keeps only the largest 10,000.
  differing_count integer not null default 0,
  -- When bills were adjusted to this test. A test with adjustments is never deleted.
  adjusted_utc timestamptz,
  -- The worker that has claimed the test, the number of its lease, and when the lease ends.
  worker_id uuid,
  lease_number integer not null default 0,
  leased_until timestamptz,
  constraint rate_card_back_test_pkey primary key (organisation_id, id),
  constraint rate_card_back_test_version_fkey foreign key (organisation_id, rate_card_version_id)
    references rate_card_version on delete set null (rate_card_version_id)
);
-- Allows an organisation one unfinished test at a time, and finds the tests that are to be run.
create unique index rate_card_back_test_under_way on rate_card_back_test (organisation_id)
  where status in (1, 2);
create index rate_card_back_test_of_version on rate_card_back_test (organisation_id, rate_card_version_id);

create table rate_card_back_test_row (
  organisation_id uuid not null,
  rate_card_back_test_id uuid not null,
  ordinal integer not null,
  partner_id uuid not null,
  -- The first day of the month.
  month date not null,
  kind smallint not null,
  activity_code text,
  rate_id uuid,
  rate_name text not null,
  count_before integer not null,
  count_after integer not null,
  amount_before numeric(30, 2) not null,
  amount_after numeric(30, 2) not null,
  constraint rate_card_back_test_row_pkey primary key (organisation_id, rate_card_back_test_id, ordinal),
  constraint rate_card_back_test_row_test_fkey foreign key (organisation_id, rate_card_back_test_id)
    references rate_card_back_test on delete cascade,
  constraint rate_card_back_test_row_partner_fkey foreign key (organisation_id, partner_id)
    references partner
);

create table rate_card_back_test_difference (
  organisation_id uuid not null,
  rate_card_back_test_id uuid not null,
  -- Counts from 0, with the largest difference first.
  ordinal integer not null,
  consignment_id uuid not null,
  closing_number integer not null,
  partner_id uuid not null,
  -- The number of earlier adjustments of the consignment when the test read it.
  adjustments integer not null,
  amount_before numeric(18, 2) not null,
  amount_after numeric(18, 2) not null,
  -- [{name, before, after}]
  rates json not null,
  -- [{kind, activityTypeId, taxRateId, taxRateName, taxRatePercent, isAsBilled, revenueAccountId,
  -- costCentreId, before, after}], one entry for each adjustment that would be raised. If isAsBilled, the tax
  -- and the accounts are those of the billed charges; otherwise nulls stand for the current ones.
  activities jsonb not null,
  constraint rate_card_back_test_difference_pkey primary key (organisation_id, rate_card_back_test_id,
    ordinal),
  constraint rate_card_back_test_difference_test_fkey foreign key (organisation_id, rate_card_back_test_id)
    references rate_card_back_test on delete cascade
);
-- consignment_id has no foreign key, because consignments are never deleted and checking it would lock, and
-- so write, each of the up to 10,000 consignments for a report that is deleted after 30 days.
alter table rate_card_back_test_difference
  alter column rates set statistics 0,
  alter column activities set statistics 0;

-- The result of a back-test is written once, read by its key and deleted as a whole. It needs no vacuum after
-- inserts, and that vacuum would run during the next test.
alter table rate_card_back_test_row
  set (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1);
alter table rate_card_back_test_difference
  set (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1);
