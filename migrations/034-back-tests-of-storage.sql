-- Lets back-tests cover storage and fees, and report consignments that no card charged. Spec 2.8, 2.9.

alter table rate_card_back_test
  -- The number of billed periods that were compared, of storage in a warehouse and of fees.
  add column period_count integer not null default 0,
  -- The number of consignments that were Closed before inputs were frozen and still have no frozen inputs.
  add column not_frozen_count integer not null default 0,
  -- The number of consignments that no card charged, and the total of the charges entered for them by hand.
  add column without_card_count integer not null default 0,
  add column amount_by_hand numeric(30, 2) not null default 0;
