-- Grants larger blocks of permits to processes that use them quickly. A process that uses few permits asks
-- for 50, as every process of earlier versions does, and then all other processes together hold at most a
-- thirtieth of the limit. A process that asks for more gets proportionally more. Spec 8.

-- Records the requests that a process has let through ([{age, n}], ages in milliseconds) and how many permits
-- it still holds, and grants it up to `wanted` more. It grants fewer if few are left or many processes ask.
-- Held permits count as used now, and those of a dead process as used by the time it died, so no minute ever
-- has more than `most` requests. If no permit is granted, `wait_ms` is the number of milliseconds until the
-- next request may pass.
create or replace function take_permits(given_key text, process uuid, statement_number bigint,
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
