-- Automatic billing: the rules by which partners are billed, the run of each period, and the details that
-- accounting programs need. Decision 7.

-- A rule applies from a day on, to one partner or, without a partner, to all partners that have no rule of
-- their own. The latest row up to a day is in force; a row without a period ends the rule. Each change adds a
-- row, so that a missed period is still billed by the rule that was in force at that time.
create table billing_rule (
  organisation_id uuid not null constraint billing_rule_organisation_fkey references organisation,
  id uuid not null,
  partner_id uuid,
  -- A day in the organisation's time zone.
  counts_from date not null,
  -- 1 Weekly, 2 Fortnightly, 3 HalfMonthly, 4 Monthly, 5 FourWeekly
  period smallint constraint billing_rule_period check (period between 1 and 5),
  weekday smallint constraint billing_rule_weekday check (weekday between 1 and 7),
  day_of_month smallint constraint billing_rule_day_of_month check (day_of_month between 1 and 31),
  anchor_date date,
  -- the first day that a partner without a run is billed for; null: that of the earliest work
  bills_from date,
  grace_days smallint not null default 0 constraint billing_rule_grace_days
    check (grace_days between 0 and 14),
  run_at time(0) not null default '02:00',
  closes_complete boolean not null default true,
  raises_storage boolean not null default true,
  auto_approve boolean not null default false,
  reference_template text,
  description_template text,
  max_transactions integer not null default 10000
    constraint billing_rule_max_transactions check (max_transactions between 1 and 100000),
  constraint billing_rule_pkey primary key (organisation_id, id),
  constraint billing_rule_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint billing_rule_key unique nulls not distinct (organisation_id, partner_id, counts_from),
  constraint billing_rule_anchor check (period not in (2, 5) or anchor_date is not null)
);

-- A run bills one partner for one period; the first and last day are inclusive. There is only one run for
-- each period, even if several workers start it or die during it. The periods of a partner never overlap.
create table billing_run (
  organisation_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  period_from date not null,
  period_to date not null,
  -- 1 Pending, 2 Running, 3 Done, 4 Failed, 5 Unbundled: its schedule was removed, and a user may retry it
  status smallint not null default 1 constraint billing_run_status check (status between 1 and 5),
  -- The next step: 1 Close, 2 Storage, 3 Periodic, 4 Schedule, 5 Approve.
  step smallint not null default 1 constraint billing_run_step check (step between 1 and 5),
  -- When a worker may start the run, which is later after a failure; while it runs, when the lease ends.
  due_utc timestamptz not null,
  lease_number integer not null default 0,
  worker_id uuid,
  failed_attempts integer not null default 0,
  failure text,
  closed_count integer not null default 0,
  refused_count integer not null default 0,
  -- The version that requires a minimum spend, and what counted towards it before it was topped up.
  rate_card_version_id uuid,
  spent_excl_tax numeric(30, 2),
  created_utc timestamptz(3) not null default now(),
  done_utc timestamptz(3),
  constraint billing_run_pkey primary key (organisation_id, id),
  constraint billing_run_key unique (organisation_id, partner_id, period_from),
  constraint billing_run_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint billing_run_version_fkey foreign key (organisation_id, rate_card_version_id)
    references rate_card_version,
  constraint billing_run_minimum check (num_nulls(rate_card_version_id, spent_excl_tax) in (0, 2)),
  constraint billing_run_days check (period_from <= period_to),
  constraint billing_run_done check ((status = 3) = (done_utc is not null)),
  constraint billing_run_apart exclude using gist (organisation_id with =, partner_id with =,
    daterange(period_from, period_to, '[]') with &&)
);
create index billing_run_due on billing_run (due_utc) where status not in (3, 5);
create index billing_run_page on billing_run (organisation_id, period_to desc, id desc);
