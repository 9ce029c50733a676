-- Stock as it was at some instants, so that what it was at any other need not be summed from the beginning.
-- Everything here can be computed again from the ledger. Spec 2.14.

create table inventory_checkpoint (
  organisation_id uuid not null constraint inventory_checkpoint_organisation_fkey references organisation,
  -- all lines that were recorded by then are in it
  effective_utc timestamptz not null,
  constraint inventory_checkpoint_pkey primary key (organisation_id, effective_utc)
);

-- The rows of stock that had something at that instant. What a list filters by and orders by is copied, for
-- it never changes: a page would otherwise look every one of the rows up. They are written in the order of
-- the key, so that the rows of a product, and those of all, lie side by side.
create table inventory_checkpoint_row (
  organisation_id uuid not null,
  effective_utc timestamptz not null,
  product_id uuid not null,
  warehouse_product_id uuid not null,
  -- the logistic unit, or the row itself
  entry_id uuid not null,
  warehouse_location_id uuid not null,
  on_hand_quantity numeric(18, 4) not null,
  allocated_quantity numeric(18, 4) not null,
  on_hand_weight_kg numeric(18, 4) not null,
  on_hand_volume_m3 numeric(18, 6) not null,
  constraint inventory_checkpoint_row_pkey primary key (organisation_id, effective_utc, product_id,
    warehouse_product_id),
  constraint inventory_checkpoint_row_checkpoint_fkey foreign key (organisation_id, effective_utc)
    references inventory_checkpoint
);
