-- A move is kept as one: both lines of it carry the same number within their movement, and say why it
-- happened. Spec 2.14.
--
-- Lines that were written before, or by the previous version, have no number, and never get one: which of a
-- movement's lines belong together was not recorded.
alter table inventory_transaction
  -- the number of the move in its movement, from 1; null where nothing moved
  add column move_number integer constraint inventory_transaction_move_number check (move_number > 0),
  -- what caused it, where the cause is a record: the line of a stock count, for cause 3
  add column cause_id uuid;

-- Why, where type and consignment do not say it: 1 opening balance, 2 correction, 3 count, 4 described anew,
-- 5 serials were captured, 16 dispatch undone, 17 receipt undone, 18 short pick, 19 picked goods were put
-- back, 20 a person chose the goods that left against the rules. All lines of before meet it.
alter table inventory_transaction
  drop constraint inventory_transaction_cause,
  add constraint inventory_transaction_cause check (cause = 0 or (cause between 1 and 4 and type = 1)
    or (cause = 5 and type = 3) or (cause = 16 and type = 6) or (cause = 17 and type = 3)
    or (cause = 18 and type in (0, 4)) or (cause = 19 and type = 5) or (cause = 20 and type = 6)) not valid,
  add constraint inventory_transaction_cause_id check (cause = 3 or cause_id is null) not valid;

-- The other half of a line of a movement with a thousand lines is found at once. It also serves whatever
-- looks for a movement, so that the narrower index goes.
create index inventory_transaction_of_move on inventory_transaction (organisation_id, movement_id,
  move_number);
drop index inventory_transaction_of_movement;
