-- Events, the webhook subscriptions that want them, and their deliveries. The delivery table is a queue. Spec
-- 2.17, 6.

-- A UUIDv7 of this time, for rows that a query makes; all other ids come from the application. PostgreSQL has
-- its own only from version 18.
create function uuid_at(at timestamptz) returns uuid language sql volatile parallel safe
  return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid;

create table event (
  organisation_id uuid not null,
  id uuid not null,
  type smallint not null,
  -- what it is about: a consignment (or its import), a partner schedule, a job, or a subscription
  subject_id uuid not null,
  -- as it is sent: json keeps the very text
  data json not null,
  -- [{field, from, to}] for the history; not part of what is sent
  changes jsonb,
  -- the filters of subscriptions
  client_id uuid,
  carrier_id uuid,
  identity_connection_id uuid,
  user_id uuid,
  request_id text,
  -- when it was told, not when its transaction began: those who change the same record one after the other
  -- are told of in that order
  created_utc timestamptz not null default clock_timestamp(),
  constraint event_pkey primary key (organisation_id, id)
);
create index event_of_subject on event (organisation_id, subject_id, id);
create index event_by_type on event (organisation_id, type, created_utc, id);

create table webhook_subscription (
  organisation_id uuid not null,
  id uuid not null,
  identity_connection_id uuid not null,
  -- the partner that its person belonged to when it was made: nothing is sent while that is another
  partner_id uuid,
  webhook_url text not null,
  event_type smallint not null,
  -- encrypted, and never shown again
  signing_key1 bytea,
  signing_key2 bytea,
  client_partner_id uuid,
  carrier_partner_id uuid,
  -- 1 Active, 2 Failed
  status smallint not null default 1 constraint webhook_subscription_status check (status in (1, 2)),
  last_failure text,
  last_failure_utc timestamptz,
  -- the hour of the last recurrence, for subscriptions of that event
  recurred_utc timestamptz not null default date_trunc('hour', now()),
  created_utc timestamptz not null default now(),
  deleted_utc timestamptz,
  constraint webhook_subscription_pkey primary key (organisation_id, id),
  constraint webhook_subscription_connection_fkey foreign key (organisation_id, identity_connection_id)
    references identity_connection,
  constraint webhook_subscription_partner_fkey foreign key (organisation_id, partner_id)
    references partner,
  constraint webhook_subscription_client_fkey foreign key (organisation_id, client_partner_id)
    references partner,
  constraint webhook_subscription_carrier_fkey foreign key (organisation_id, carrier_partner_id)
    references partner
);
create index webhook_subscription_match on webhook_subscription (organisation_id, event_type) where status = 1
  and deleted_utc is null;

create index webhook_subscription_recurrence on webhook_subscription (recurred_utc)
  where event_type = 1 and status = 1 and deleted_utc is null;

-- The id is the operationId that the receiver acknowledges. No foreign keys: the one statement that stores an
-- event writes its deliveries from the rows they name, neither events nor subscriptions are ever deleted, and
-- the keys would more than double the cost of that statement.
create table webhook_delivery (
  organisation_id uuid not null,
  id uuid not null,
  webhook_subscription_id uuid not null,
  event_id uuid not null,
  -- 1 Pending, 2 Delivered, 3 Failed; a Pending one of a subscription that is not served is held
  status smallint not null default 1 constraint webhook_delivery_status check (status between 1 and 3),
  -- when the next attempt is due; while one is under way, when its lease ends
  due_utc timestamptz not null default clock_timestamp(),
  -- raised by every claim; a result is written only by the claim that holds the latest number
  lease_number integer not null default 0,
  -- the process that has claimed it: when that dies, it is free before its lease ends
  worker_id uuid,
  attempt_count smallint not null default 0,
  -- [{atUtc, statusCode, durationMs, error, answer}], oldest first
  attempts jsonb not null default '[]',
  created_utc timestamptz not null default clock_timestamp(),
  constraint webhook_delivery_pkey primary key (organisation_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- Retries apart from first attempts: those that are due go first.
create index webhook_delivery_due on webhook_delivery (organisation_id, webhook_subscription_id,
  least(attempt_count, 1), due_utc) where status = 1;
create index webhook_delivery_worker on webhook_delivery (worker_id) where worker_id is not null;
create index webhook_delivery_page on webhook_delivery (organisation_id, webhook_subscription_id, id);
