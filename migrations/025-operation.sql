-- What callers are told of their limits, and proofs of stock that were interrupted. Spec 8.

-- How many requests may pass now, of `most` in any minute, besides those for which processes hold permits. Of
-- a row that take_permits has just brought up to date; it is volatile, so that it sees what that did in the
-- same statement.
create function permits_left(given_key text, most integer) returns integer language plpgsql volatile as $$
begin
  return (
    select greatest(0, most
      - coalesce((select sum(n::integer) from jsonb_each_text(passed) as p (half, n)), 0)
      - coalesce((select sum((v ->> 'permits')::integer) from jsonb_each(held) as h (process, v)), 0))
    from rate_limit where key = given_key);
end
$$;

-- When the last proof was begun. proved_utc is the beginning of the last one that came to its end; minus
-- infinity where none has.
alter table stock_proof add column begun_utc timestamptz;
