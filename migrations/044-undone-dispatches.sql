-- Goods of an undone dispatch come back loose if their unit stands elsewhere meanwhile: into another row than
-- the one that they left. The line then names that one as its cause, so that goods which left on a unit and
-- came back loose did not leave on the unit. Spec 2.14.
alter table inventory_transaction
  drop constraint inventory_transaction_cause_id,
  add constraint inventory_transaction_cause_id check (cause in (3, 16) or cause_id is null) not valid;
