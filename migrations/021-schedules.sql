-- What is billed: the transactions, and the schedules that bundle those of one partner. Spec 2.9, 4.10.

-- The logos that stand on invoices, once each: a logo may be replaced, but an invoice is printed again as it
-- was.
create table invoice_logo (
  organisation_id uuid not null,
  sha256 bytea not null,
  -- a PNG of at most 256 by 256 pixels
  thumbnail bytea not null,
  constraint invoice_logo_pkey primary key (organisation_id, sha256)
);
alter table invoice_logo alter column thumbnail set storage external;

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
  -- the billing run that created it
  billing_run_id uuid,
  -- The first approval of a client's schedule gives it the organisation's next number, which it keeps for
  -- ever.
  invoice_ordinal bigint,
  invoice_number text,
  -- While Approved: when it is due, and what else stands on the invoice, as it was at the approval.
  due_date date,
  invoice jsonb,
  -- The logos of the organisation and of the partner at the approval.
  organisation_logo_sha256 bytea,
  partner_logo_sha256 bytea,
  created_utc timestamptz(3) not null default now(),
  constraint partner_schedule_pkey primary key (organisation_id, id),
  constraint partner_schedule_invoice_ordinal_key unique (organisation_id, invoice_ordinal),
  constraint partner_schedule_invoice_number_key unique (organisation_id, invoice_number),
  constraint partner_schedule_invoice_number check (num_nulls(invoice_ordinal, invoice_number) in (0, 2)),
  constraint partner_schedule_invoice check (invoice is null or status = 2),
  constraint partner_schedule_logos
    check (invoice is not null or num_nonnulls(organisation_logo_sha256, partner_logo_sha256) = 0),
  constraint partner_schedule_organisation_logo_fkey foreign key (organisation_id, organisation_logo_sha256)
    references invoice_logo,
  constraint partner_schedule_partner_logo_fkey foreign key (organisation_id, partner_logo_sha256)
    references invoice_logo,
  constraint partner_schedule_of_partner unique (organisation_id, partner_id, id),
  constraint partner_schedule_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint partner_schedule_run_fkey foreign key (organisation_id, billing_run_id) references billing_run
);
create index partner_schedule_of_run on partner_schedule (organisation_id, billing_run_id)
  where billing_run_id is not null;
-- Partners know their bills by the reference number.
create unique index partner_schedule_reference_key on partner_schedule (organisation_id, partner_id,
  lower(reference_number)) where reference_number is not null;
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
  -- A transaction for storage, for a periodic fee or entered by hand has no consignment; one that adjusts a
  -- bill to a back-test, or credits one of a consignment, has a consignment but no charge.
  consignment_id uuid,
  consignment_number text,
  consignment_reference_number text,
  consignment_charge_id uuid,
  charge_type smallint constraint schedule_transaction_charge_type check (charge_type between 1 and 9),
  warehouse_id uuid,
  -- The first and last day that it is for, inclusive.
  period_from date,
  period_to date,
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
  faf_percent numeric(9, 6) not null default 0,
  -- The rate card rule that it follows from, if there is one.
  rate_card_version_id uuid,
  rate_id uuid,
  rate_charge_id uuid,
  -- Distinguishes the transactions of the same rule and period; empty if the rule does not group.
  group_key text,
  storage_run_id uuid,
  billing_run_id uuid,
  rate_card_back_test_id uuid,
  -- The transaction that this one corrects; the amount is the difference to the correct amount.
  adjusts uuid,
  -- What counts towards the minimum spend of a period, where it adjusts the top-up of that period.
  spent_excl_tax numeric(30, 2),
  -- The transaction that it credits, the credited quantity (null: an amount is credited), and what was left
  -- of the other when it was entered.
  credit_of uuid,
  credited_quantity numeric(18, 6),
  creditable_quantity numeric(18, 6),
  creditable_excl_tax numeric(18, 2),
  -- The user who entered it.
  created_by uuid,
  -- Why it was voided. The user who voided, and so waived, it: it still counts as billed, so no run raises it
  -- again.
  void_reason text,
  waived_by uuid,
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
  constraint schedule_transaction_scheduled check ((status = 2) = (partner_schedule_id is not null)),
  constraint schedule_transaction_of_consignment check (
    num_nulls(consignment_id, consignment_number, charge_type) in (0, 3)
    and num_nonnulls(consignment_charge_id, rate_card_back_test_id,
      case when consignment_id is not null then credit_of end)
      = case when consignment_id is null then 0 else 1 end),
  constraint schedule_transaction_minimum check (spent_excl_tax is null
    or num_nulls(billing_run_id, adjusts) = 0),
  constraint schedule_transaction_credit check (num_nulls(credit_of, creditable_quantity, creditable_excl_tax)
    in (0, 3) and (credit_of is not null or credited_quantity is null)
    and (credit_of is null or -amount_excl_tax between 0.01 and creditable_excl_tax)),
  constraint schedule_transaction_period check (num_nulls(period_from, period_to) in (0, 2)
    and period_from <= period_to),
  constraint schedule_transaction_rule check (num_nulls(rate_card_version_id, rate_id, rate_charge_id,
    group_key) in (0, 4)),
  constraint schedule_transaction_of_storage check (storage_run_id is null or num_nulls(warehouse_id,
    period_from, rate_charge_id) = 0),
  constraint schedule_transaction_waived check (waived_by is null or status = 3),
  constraint schedule_transaction_warehouse_fkey foreign key (organisation_id, warehouse_id)
    references warehouse,
  constraint schedule_transaction_version_fkey foreign key (organisation_id, rate_card_version_id)
    references rate_card_version,
  constraint schedule_transaction_storage_run_fkey foreign key (organisation_id, storage_run_id)
    references storage_run,
  constraint schedule_transaction_run_fkey foreign key (organisation_id, billing_run_id)
    references billing_run,
  constraint schedule_transaction_back_test_fkey foreign key (organisation_id, rate_card_back_test_id)
    references rate_card_back_test,
  constraint schedule_transaction_adjusts_fkey foreign key (organisation_id, adjusts)
    references schedule_transaction,
  constraint schedule_transaction_credit_fkey foreign key (organisation_id, credit_of)
    references schedule_transaction
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
create index schedule_transaction_page on schedule_transaction (organisation_id, date desc, id desc);
create index schedule_transaction_page_of_partner on schedule_transaction (organisation_id, partner_id,
  date desc, id desc);
-- `./waybill check-money` reads the rows without a charge page by page, in the order of their keys.
create index schedule_transaction_without_charge on schedule_transaction (organisation_id, id)
  where consignment_charge_id is null;
create index schedule_transaction_of_back_test on schedule_transaction (organisation_id, consignment_id)
  where rate_card_back_test_id is not null;
-- A run bills each key once, and reads what earlier runs billed for the same keys.
create unique index schedule_transaction_storage_key on schedule_transaction (organisation_id, warehouse_id,
  partner_id, period_to, rate_charge_id, rate_card_version_id, period_from, group_key, storage_run_id)
  where storage_run_id is not null;
create index schedule_transaction_credits on schedule_transaction (organisation_id, credit_of)
  where credit_of is not null;
-- Finds what was adjusted of a top-up to a minimum spend.
create index schedule_transaction_of_top_up on schedule_transaction (organisation_id, adjusts)
  where spent_excl_tax is not null;
-- A run raises each fee once. With a null rule it also raises, once each, the shortfall to the minimum spend
-- and the adjustment of the shortfall of an earlier period.
create unique index schedule_transaction_of_run on schedule_transaction (organisation_id, billing_run_id,
  rate_charge_id, adjusts) nulls not distinct where billing_run_id is not null;

-- The taxes of a schedule: what is taxed at each rate. The tax is rounded once for each, over the total. A
-- rate whose percentage changed while transactions were raised has a row for each; its name is the latest.
create table partner_schedule_tax (
  organisation_id uuid not null,
  partner_schedule_id uuid not null,
  tax_rate_id uuid not null,
  percent numeric(9, 6) not null,
  name text not null,
  transaction_count integer not null,
  net_amount numeric(30, 2) not null,
  tax_amount numeric(30, 2) not null generated always as (round(net_amount * percent / 100, 2)) stored,
  constraint partner_schedule_tax_pkey primary key (organisation_id, partner_schedule_id, tax_rate_id,
    percent),
  constraint partner_schedule_tax_schedule_fkey foreign key (organisation_id, partner_schedule_id)
    references partner_schedule on delete cascade,
  constraint partner_schedule_tax_tax_rate_fkey foreign key (organisation_id, tax_rate_id) references tax_rate
);

-- Lists of schedules show their amounts, and a schedule may hold ten thousand transactions: the sums are
-- kept by triggers, however many write at once. A writer locks the row of the schedule before those of its
-- taxes.
create function total_partner_schedule() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    update partner_schedule s set amount_excl_tax = s.amount_excl_tax + added.amount
    from (select organisation_id, partner_schedule_id, sum(amount_excl_tax) as amount from new_rows
      where status = 2 group by 1, 2) added
    where s.organisation_id = added.organisation_id and s.id = added.partner_schedule_id;
    insert into partner_schedule_tax as x (organisation_id, partner_schedule_id, tax_rate_id, percent, name,
      transaction_count, net_amount)
    select organisation_id, partner_schedule_id, tax_rate_id, tax_rate_percent,
      (array_agg(tax_rate_name order by id desc))[1], count(*), sum(amount_excl_tax)
    from new_rows where status = 2 group by 1, 2, 3, 4
    on conflict on constraint partner_schedule_tax_pkey do update set name = excluded.name,
      transaction_count = x.transaction_count + excluded.transaction_count,
      net_amount = x.net_amount + excluded.net_amount;
  end if;
  if tg_op <> 'INSERT' then
    update partner_schedule s set amount_excl_tax = s.amount_excl_tax - removed.amount
    from (select organisation_id, partner_schedule_id, sum(amount_excl_tax) as amount from old_rows
      where status = 2 group by 1, 2) removed
    where s.organisation_id = removed.organisation_id and s.id = removed.partner_schedule_id;
    update partner_schedule_tax x set transaction_count = x.transaction_count - removed.n,
      net_amount = x.net_amount - removed.amount
    from (select organisation_id, partner_schedule_id, tax_rate_id, tax_rate_percent, count(*) as n,
        sum(amount_excl_tax) as amount from old_rows
      where status = 2 group by 1, 2, 3, 4) removed
    where x.organisation_id = removed.organisation_id and x.partner_schedule_id = removed.partner_schedule_id
      and x.tax_rate_id = removed.tax_rate_id and x.percent = removed.tax_rate_percent;
    delete from partner_schedule_tax x using old_rows o
    where x.organisation_id = o.organisation_id and x.partner_schedule_id = o.partner_schedule_id
      and x.transaction_count = 0;
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
