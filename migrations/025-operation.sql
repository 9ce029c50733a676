-- Reports to callers how much of their limit is left, and repeats interrupted stock verifications. Spec 8.

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

-- begun_utc is when the latest verification began. proved_utc is when the latest one that finished had begun,
-- or minus infinity if none has finished. An interrupted verification therefore does not count.
alter table stock_proof add column begun_utc timestamptz;
