-- How stock is chosen: its order of use. Spec 2.11.

-- The place of a date in the order of a rotation method, from the one that goes first; null, which is last,
-- where the method looks at no date or the stock has none. Methods 2 to 13 are pairs, ascending and descending.
create function rotation_date(method smallint, best_before date, expiry date, packaging date, production date,
  sell_by date, received date) returns integer language sql immutable parallel safe
  return (case method / 2 when 1 then expiry when 2 then production when 3 then best_before when 4 then sell_by
    when 5 then packaging when 6 then received end - date '2000-01-01') * (1 - 2 * (method % 2));
