-- The processes that serve this database, and the limits that they keep together. Not of any organisation:
-- nothing here outlives a few minutes. Spec 8.

-- Each process writes its row every second. One that has been silent for 5 seconds counts as dead.
create table service_process (
  id uuid constraint service_process_pkey primary key,
  is_api boolean not null,
  is_worker boolean not null,
  -- whether it takes permits from rate_limit; else it may count alone, in memory
  shares_limits boolean not null,
  -- it has stopped by itself
  has_ended boolean not null default false,
  -- the issuer of the tokens that it accepts; null if it answers no requests
  issuer text,
  seen_utc timestamptz not null
) with (fillfactor = 50);

-- The heartbeat of a process, every second. It returns how many others answer requests, or have done so
-- within a time in which their requests still count, whether all of them take permits, and which workers have
-- not sent one for too long.
create function beat(given_id uuid, given_is_api boolean, given_is_worker boolean,
  given_shares_limits boolean, given_has_ended boolean)
  returns table (recent_apis integer, do_all_share boolean, silent_workers uuid[])
  language plpgsql as $$
declare
  moment timestamptz;
begin
  -- One after the other, so that of two that start at once the second sees the first.
  perform pg_advisory_xact_lock(77017003);
  -- A beat that a crash of the database loses is made up for by the next.
  set local synchronous_commit = off;
  moment := clock_timestamp();
  insert into service_process as p (id, is_api, is_worker, shares_limits, has_ended, seen_utc)
  values (given_id, given_is_api, given_is_worker, given_shares_limits, given_has_ended, moment)
  on conflict (id) do update set shares_limits = excluded.shares_limits, has_ended = excluded.has_ended,
    seen_utc = excluded.seen_utc;
  delete from service_process where seen_utc < moment - interval '2 minutes';
  return query
  select
    (count(*) filter (where is_api and seen_utc > moment - interval '70 seconds'))::integer,
    coalesce(bool_and(shares_limits)
      filter (where is_api and not has_ended and seen_utc > moment - interval '5 seconds'), true),
    coalesce(array_agg(id)
      filter (where is_worker and not has_ended and seen_utc <= moment - interval '5 seconds'), '{}')
  from service_process where id <> given_id;
end
$$;

-- Requests of the last minute, by what is limited: `<limit> <whose>`.
create table rate_limit (
  key text constraint rate_limit_pkey primary key,
  -- {half second since 1970: requests that were let through in it}
  passed jsonb not null default '{}',
  -- {process: {permits, number}}: what each may let through without asking again, and the number of its last
  -- statement
  held jsonb not null default '{}',
  touched_utc timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- A process that uses few permits asks for 50, and then all other processes together hold at most a thirtieth
-- of the limit; one that uses them quickly asks for more and gets proportionally more.
--
-- Records the requests that a process has let through ([{age, n}], ages in milliseconds) and how many permits
-- it still holds, and grants it up to `wanted` more. It grants fewer if few are left or many processes ask.
-- Held permits count as used now, and those of a dead process as used by the time it died, so no minute ever
-- has more than `most` requests. If no permit is granted, `wait_ms` is the number of milliseconds until the
-- next request may pass.
create function take_permits(given_key text, process uuid, statement_number bigint,
  given_passed jsonb, holding integer, wanted integer, most integer)
  returns table (granted integer, wait_ms integer) language plpgsql as $$
declare
  limits rate_limit;
  now_ms bigint;
  alive jsonb;
  apis integer;
  spent integer;
  others integer;
  first bigint;
  room integer;
begin
  insert into rate_limit (key, touched_utc) values (given_key, clock_timestamp()) on conflict do nothing;
  select * into limits from rate_limit where rate_limit.key = given_key for update;
  -- The process has abandoned this statement if a later one of the same process has already run.
  if (limits.held -> process::text ->> 'number')::bigint >= statement_number then
    return query select 0, 1000;
    return;
  end if;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  select coalesce(jsonb_object_agg(p.id, true), '{}'), count(*) filter (where is_api) into alive, apis
  from service_process p
  where not has_ended and seen_utc > clock_timestamp() - interval '5 seconds';

  select coalesce(jsonb_object_agg(half, n), '{}'), coalesce(sum(n), 0), min(half)
  into limits.passed, spent, first
  from (
    select half, sum(n)::integer as n from (
      select k::bigint as half, v::integer as n from jsonb_each_text(limits.passed) as e (k, v)
      union all
      select (now_ms - age) / 500, n from jsonb_to_recordset(given_passed) as r (age bigint, n integer)
      union all
      select
        least(now_ms, coalesce(floor(extract(epoch from d.seen_utc) * 1000)::bigint + 5000, now_ms)) / 500,
        (h.v ->> 'permits')::integer
      from jsonb_each(limits.held) as h (k, v)
      left join service_process d on d.id = h.k::uuid
      where h.k <> process::text and not alive ? h.k
    ) as every (half, n)
    where (half + 1) * 500 + 60000 > now_ms and n > 0
    group by half
  ) as each_half;

  select coalesce(jsonb_object_agg(k, v), '{}'), coalesce(sum((v ->> 'permits')::integer), 0)
  into limits.held, others
  from jsonb_each(limits.held) as h (k, v) where k <> process::text and alive ? k;

  room := most - spent - others - holding;
  granted := greatest(0, least(wanted, room, greatest(1, room / (2 * greatest(apis, 1))),
    greatest(1, most * wanted / 1500 / greatest(apis - 1, 1))));
  update rate_limit set passed = limits.passed, touched_utc = clock_timestamp(),
    held = limits.held || jsonb_build_object(process,
      jsonb_build_object('permits', holding + granted, 'number', statement_number))
  where rate_limit.key = given_key;
  wait_ms := case when granted > 0 or wanted = 0 then 0
    else coalesce((first + 1) * 500 + 60000 - now_ms, 1000) end;
  return next;
end
$$;

-- Returns how many requests may pass now in addition to those for which processes hold permits. `most` is the
-- limit in any minute. take_permits must have updated the row just before; this function is volatile so that
-- it sees that update within the same statement.
create function permits_left(given_key text, most integer) returns integer language plpgsql volatile as $$
begin
  return (
    select greatest(0, most
      - coalesce((select sum(n::integer) from jsonb_each_text(passed) as p (half, n)), 0)
      - coalesce((select sum((v ->> 'permits')::integer) from jsonb_each(held) as h (process, v)), 0))
    from rate_limit where key = given_key);
end
$$;
