-- Back-tests of storage and fees, and what they say of consignments that no card charged. Spec 2.8, 2.9.

alter table rate_card_back_test
  -- billed periods that were compared: of storage in a warehouse, and of fees
  add column period_count integer not null default 0,
  -- consignments that were Closed before anything was frozen, and are not frozen yet
  add column not_frozen_count integer not null default 0,
  -- consignments that no card charged, and what was entered for them by hand
  add column without_card_count integer not null default 0,
  add column amount_by_hand numeric(30, 2) not null default 0;
