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
  -- their names at that time: a person who is renamed later must not rename the past
  user_name text,
  app_name text,
  request_id text,
  -- when it was raised, not when its transaction began, so that changes of the same record, one after the
  -- other, are in that order
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

-- The event feed: the events of an organisation under numbers that rise without gaps. A number is given after
-- the commit, so that no transaction waits for another one's: the transaction that tells of events leaves
-- their ids here, and number_events takes them away when it gives the numbers.
create table event_feed_waiting (
  -- rises from one statement to the next: who changes a record after somebody else has the higher one
  position bigint not null generated always as identity,
  organisation_id uuid not null,
  -- those of one statement, in their order
  event_ids uuid[] not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

create table event_feed (
  organisation_id uuid not null,
  -- the last number that was given
  last_sequence bigint not null,
  -- entries up to this one are no longer kept
  forgotten_sequence bigint not null default 0,
  constraint event_feed_pkey primary key (organisation_id)
) with (fillfactor = 50);

-- What readers are chosen by stands beside the number, so that events that are not for one are not read.
create table event_feed_entry (
  organisation_id uuid not null,
  sequence bigint not null,
  event_id uuid not null,
  type smallint not null,
  client_id uuid,
  carrier_id uuid,
  constraint event_feed_entry_pkey primary key (organisation_id, sequence)
);

-- Gives numbers to committed events that wait for one, those of the first so many statements, and returns of
-- how many statements they were.
--
-- Its callers take turns, and each statement in here sees what was committed when it began: after the lock
-- was taken, which the previous caller releases only once its numbers are visible. So numbers become
-- visible in their order, a reader of one sees all below it, and the events of a transaction that waited
-- for another one follow the events of that one. All of it is one statement of the caller: when the caller
-- dies the server ends it or undoes it, and in neither case does an event have two numbers, or is
-- forgotten.
--
-- A plan is kept for as long as its connection; one that was made while the tables were empty must not read
-- all events one day.
create function number_events(max_statements integer) returns integer language plpgsql
  set enable_seqscan = off as $$
declare
  taken_count integer;
begin
  perform pg_advisory_xact_lock(77017003);
  with taken as (
    delete from event_feed_waiting where ctid = any (array(
      select ctid from event_feed_waiting order by position limit max_statements))
    returning position, organisation_id, event_ids
  ), numbered as (
    select t.organisation_id, u.event_id,
      row_number() over (partition by t.organisation_id order by t.position, u.place) as place
    from taken t cross join lateral unnest(t.event_ids) with ordinality as u (event_id, place)
  ), counted as (
    select organisation_id, count(*) as n from numbered group by organisation_id
  ), feed as (
    insert into event_feed as f (organisation_id, last_sequence) select organisation_id, n from counted
    on conflict (organisation_id) do update set last_sequence = f.last_sequence + excluded.last_sequence
    returning organisation_id, last_sequence
  ), stored as (
    insert into event_feed_entry (organisation_id, sequence, event_id, type, client_id, carrier_id)
    select e.organisation_id, f.last_sequence - c.n + s.place, e.id, e.type, e.client_id, e.carrier_id
    from numbered s
    join counted c on c.organisation_id = s.organisation_id
    join feed f on f.organisation_id = s.organisation_id
    cross join lateral (
      select * from event e where e.organisation_id = s.organisation_id and e.id = s.event_id offset 0
    ) e
  )
  select count(*) into taken_count from taken;
  return taken_count;
end $$;
