-- Stock: what lies where and whose it is, every movement of it, and what is allocated. Spec 2.14.
--
-- src/stock/ledger/ alone writes the balances, items, allocations and the ledger; the constraints below hold
-- it to its rules.

create extension if not exists btree_gist;

-- A pallet, cage or carton with a number of its own. It belongs to one client, stands in one location and
-- holds no other unit. It may be empty, and be filled again.
create table logistic_unit (
  organisation_id uuid not null,
  id uuid not null,
  number bigint not null,
  logistic_unit_number text not null,
  partner_id uuid not null,
  sscc_number text constraint logistic_unit_sscc check (sscc_number ~ '^[0-9]{18}$'),
  reference_number text,
  warehouse_id uuid not null,
  warehouse_location_id uuid not null,
  created_utc timestamptz not null default now(),
  search_text text generated always as (lower(logistic_unit_number || E'\n' || coalesce(sscc_number, '')
    || E'\n' || coalesce(reference_number, ''))) stored,
  constraint logistic_unit_pkey primary key (organisation_id, id),
  constraint logistic_unit_number_key unique (organisation_id, number),
  constraint logistic_unit_of_partner unique (organisation_id, partner_id, id),
  constraint logistic_unit_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint logistic_unit_location_fkey foreign key (organisation_id, warehouse_id,
    warehouse_location_id)
    references warehouse_location (organisation_id, warehouse_id, id)
);
create unique index logistic_unit_sscc_key on logistic_unit (organisation_id, sscc_number)
  where sscc_number is not null;
create unique index logistic_unit_reference_key on logistic_unit (organisation_id, partner_id,
  lower(reference_number)) where reference_number is not null;
create index logistic_unit_of_location on logistic_unit (organisation_id, warehouse_location_id);
create index logistic_unit_search on logistic_unit using gin (organisation_id, search_text gin_trgm_ops);

-- Why stock is held. Any number of warehouse products are in one hold. Kinds: 1 General, 2 Quality, 3 Return.
create table inventory_hold (
  organisation_id uuid not null constraint inventory_hold_organisation_fkey references organisation,
  id uuid not null,
  kind smallint not null constraint inventory_hold_kind check (kind between 1 and 3),
  reason text not null,
  reference text,
  -- the line that the goods were received for, where they came in damaged or sent back
  consignment_product_id uuid,
  created_utc timestamptz not null default now(),
  created_by uuid,
  -- the name of then
  created_by_name text,
  released_utc timestamptz,
  constraint inventory_hold_pkey primary key (organisation_id, id),
  constraint inventory_hold_line_fkey foreign key (organisation_id, consignment_product_id)
    references consignment_product
);
create index inventory_hold_page on inventory_hold (organisation_id, created_utc desc, id);
create index inventory_hold_of_line on inventory_hold (organisation_id, consignment_product_id)
  where consignment_product_id is not null;

-- What makes stock alike: two rows of one product with the same identity would be one.
create function stock_identity(
  location uuid, unit uuid, hold uuid, batch text, best_before date, expiry date, packaging date,
  production date, sell_by date, received date, attributes jsonb
) returns uuid language sql immutable parallel safe
  return md5(jsonb_build_array(location, unit, hold, batch, best_before - date '2000-01-01',
    expiry - date '2000-01-01', packaging - date '2000-01-01', production - date '2000-01-01',
    sell_by - date '2000-01-01', received - date '2000-01-01', attributes)::text)::uuid;

-- Stock of one product that is alike in everything. Only its quantities change, and whether its location is
-- one of quarantine.
create table warehouse_product (
  organisation_id uuid not null,
  id uuid not null,
  warehouse_id uuid not null,
  partner_id uuid not null,
  product_id uuid not null,
  warehouse_location_id uuid not null,
  logistic_unit_id uuid,
  inventory_hold_id uuid,
  batch text constraint warehouse_product_batch check (batch <> ''),
  best_before_date date,
  expiry_date date,
  packaging_date date,
  production_date date,
  sell_by_date date,
  received_date date not null,
  -- [{productAttributeId, description}], in the order of the ids
  attributes jsonb not null default '[]',
  identity uuid not null generated always as (stock_identity(warehouse_location_id, logistic_unit_id,
    inventory_hold_id, batch, best_before_date, expiry_date, packaging_date, production_date, sell_by_date,
    received_date, attributes)) stored,
  -- the type of its location is Quarantine
  is_quarantined boolean not null,
  on_hand_quantity numeric(18, 4) not null default 0
    constraint warehouse_product_on_hand check (on_hand_quantity >= 0),
  allocated_quantity numeric(18, 4) not null default 0,
  on_hand_weight_kg numeric(18, 4) not null default 0
    constraint warehouse_product_weight check (on_hand_weight_kg >= 0),
  on_hand_volume_m3 numeric(18, 6) not null default 0
    constraint warehouse_product_volume check (on_hand_volume_m3 >= 0),
  -- the number of its lines in the ledger
  version bigint not null default 0,
  -- when the last of them happened: nothing is taken out or allocated as of an earlier time
  last_effective_utc timestamptz,
  available_quantity numeric(18, 4) generated always as (case when inventory_hold_id is null
    and not is_quarantined then on_hand_quantity - allocated_quantity else 0 end) stored,
  is_depleted boolean generated always as (on_hand_quantity = 0) stored,
  constraint warehouse_product_pkey primary key (organisation_id, id),
  constraint warehouse_product_of_product unique (organisation_id, product_id, id),
  constraint warehouse_product_key unique (organisation_id, product_id, identity),
  constraint warehouse_product_not_oversold check (allocated_quantity between 0 and on_hand_quantity),
  constraint warehouse_product_held_is_not_allocated check (allocated_quantity = 0
    or (inventory_hold_id is null and not is_quarantined)),
  constraint warehouse_product_nothing_weighs_nothing check (on_hand_quantity > 0
    or (on_hand_weight_kg = 0 and on_hand_volume_m3 = 0)),
  constraint warehouse_product_product_fkey foreign key (organisation_id, partner_id, product_id)
    references product (organisation_id, partner_id, id),
  constraint warehouse_product_location_fkey foreign key (organisation_id, warehouse_id,
    warehouse_location_id)
    references warehouse_location (organisation_id, warehouse_id, id),
  constraint warehouse_product_unit_fkey foreign key (organisation_id, partner_id, logistic_unit_id)
    references logistic_unit (organisation_id, partner_id, id),
  constraint warehouse_product_hold_fkey foreign key (organisation_id, inventory_hold_id)
    references inventory_hold
) with (fillfactor = 80);
-- No indexed column changes while stock is allocated or moved in part: such updates stay on their page.
-- Allocation reads the stock of a product in a warehouse from the front of the first two, which have the
-- usual orders of rotation, so it reads only as much as the lines need.
create index warehouse_product_by_received on warehouse_product (organisation_id, warehouse_id, product_id,
  received_date) where not is_depleted;
create index warehouse_product_by_expiry on warehouse_product (organisation_id, warehouse_id, product_id,
  expiry_date, received_date) where not is_depleted;
create index warehouse_product_of_location on warehouse_product (organisation_id, warehouse_location_id)
  where not is_depleted;
create index warehouse_product_of_unit on warehouse_product (organisation_id, logistic_unit_id, is_depleted)
  where logistic_unit_id is not null;
create index warehouse_product_of_hold on warehouse_product (organisation_id, inventory_hold_id, is_depleted)
  where inventory_hold_id is not null;
create index warehouse_product_of_batch on warehouse_product using gin (organisation_id,
  lower(batch) gin_trgm_ops) where batch is not null;

-- Stock that is kept with serials cannot be kept without them, nor the other way round. The change waits for
-- whoever is moving stock of the product, by the locks that they take (src/stock/ledger/stock-lock.ts).
create function refuse_serial_tracking_of_stock() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(key) from (
    select hashtextextended('stock ' || organisation_id || ' ' || id, 0) as key from warehouse
    where organisation_id = new.organisation_id order by 1) warehouses;
  perform pg_advisory_xact_lock(key) from (
    select hashtextextended('stock ' || id || ' ' || new.id, 0) as key from warehouse
    where organisation_id = new.organisation_id order by 1) products;
  if exists (
    select from warehouse_product where organisation_id = new.organisation_id and product_id = new.id
      and not is_depleted
  ) then
    raise exception 'Stock of the product is kept with other serials.'
      using errcode = 'restrict_violation', constraint = 'product_serial_tracking_of_stock';
  end if;
  return new;
end $$;
create trigger product_serial_tracking_of_stock before update of serial_tracking_mode on product
  for each row when (new.serial_tracking_mode <> old.serial_tracking_mode)
  execute function refuse_serial_tracking_of_stock();

-- One serial of a product. It lies in at most one row of stock of its own product; in none where it has left
-- or was taken back.
create table warehouse_product_item (
  organisation_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  serial text not null,
  warehouse_product_id uuid,
  weight_kg numeric(18, 4) constraint warehouse_product_item_weight check (weight_kg >= 0),
  volume_m3 numeric(18, 6) constraint warehouse_product_item_volume check (volume_m3 >= 0),
  -- the line that it left with
  consignment_product_id uuid,
  constraint warehouse_product_item_pkey primary key (organisation_id, id),
  constraint warehouse_product_item_serial_key unique (organisation_id, product_id, serial),
  constraint warehouse_product_item_stock_fkey foreign key (organisation_id, product_id, warehouse_product_id)
    references warehouse_product (organisation_id, product_id, id),
  constraint warehouse_product_item_line_fkey foreign key (organisation_id, consignment_product_id)
    references consignment_product
);
create index warehouse_product_item_of_stock on warehouse_product_item (organisation_id,
  warehouse_product_id, serial, id) where warehouse_product_id is not null;
create index warehouse_product_item_of_line on warehouse_product_item (organisation_id,
  consignment_product_id) where consignment_product_id is not null;
create index warehouse_product_item_of_serial on warehouse_product_item (organisation_id, serial);

-- The ledger: what one movement did to one row of stock. The sum of its lines is the row. Types: 0 Allocation
-- (inside the service only), 1 Adjustment, 2 Transfer, 3 Receive, 4 Hold, 5 Pick, 6 Dispatch.
create table inventory_transaction (
  organisation_id uuid not null,
  warehouse_product_id uuid not null,
  -- the lines of a row are numbered without a gap, so that none can be missing
  version bigint not null,
  movement_id uuid not null,
  type smallint not null constraint inventory_transaction_type check (type between 0 and 6),
  -- why, where the type does not say it: 19 picked goods were put back, 20 a person chose the goods that left
  -- against the rules
  cause smallint not null default 0,
  quantity numeric(18, 4) not null,
  allocated_quantity numeric(18, 4) not null,
  weight_kg numeric(18, 4) not null,
  volume_m3 numeric(18, 6) not null,
  effective_utc timestamptz not null,
  recorded_utc timestamptz not null,
  -- when it happened by the clock of the device that reported it, if it could not count from then on: stock
  -- does not leave before it came
  occurred_utc timestamptz,
  is_late boolean not null generated always as (effective_utc < recorded_utc) stored,
  consignment_id uuid,
  consignment_product_id uuid,
  job_id uuid,
  stock_count_line_id uuid,
  operation_id uuid,
  reason text,
  particulars text,
  identity_connection_id uuid,
  user_id uuid,
  -- the names of then
  user_name text,
  app_name text,
  request_id text,
  constraint inventory_transaction_pkey primary key (organisation_id, warehouse_product_id, version),
  constraint inventory_transaction_stock_fkey foreign key (organisation_id, warehouse_product_id)
    references warehouse_product,
  constraint inventory_transaction_line_fkey foreign key (organisation_id, consignment_product_id)
    references consignment_product,
  constraint inventory_transaction_cause check (cause = 0 or (cause = 19 and type = 5)
    or (cause = 20 and type = 6)),
  constraint inventory_transaction_says_something check (quantity <> 0 or allocated_quantity <> 0),
  constraint inventory_transaction_allocation_moves_nothing check (type <> 0 or quantity = 0),
  constraint inventory_transaction_not_in_the_future check (effective_utc <= recorded_utc)
);
create index inventory_transaction_effective on inventory_transaction (organisation_id, effective_utc)
  include (warehouse_product_id, quantity, allocated_quantity, recorded_utc);
create index inventory_transaction_late on inventory_transaction using gist (organisation_id,
  tstzrange(effective_utc, recorded_utc)) where is_late;
create index inventory_transaction_of_consignment on inventory_transaction (organisation_id, consignment_id)
  where consignment_id is not null;
create index inventory_transaction_of_movement on inventory_transaction (organisation_id, movement_id);

create function refuse_to_rewrite_the_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'The ledger is only ever added to.' using errcode = 'restrict_violation';
end $$;
create trigger inventory_transaction_is_final before update or delete or truncate on inventory_transaction
  for each statement execute function refuse_to_rewrite_the_ledger();

-- Which serials a line of the ledger moved.
create table inventory_transaction_item (
  organisation_id uuid not null,
  warehouse_product_id uuid not null,
  version bigint not null,
  warehouse_product_item_id uuid not null,
  constraint inventory_transaction_item_pkey primary key (organisation_id, warehouse_product_id, version,
    warehouse_product_item_id),
  constraint inventory_transaction_item_line_fkey foreign key (organisation_id, warehouse_product_id, version)
    references inventory_transaction,
  constraint inventory_transaction_item_item_fkey foreign key (organisation_id, warehouse_product_item_id)
    references warehouse_product_item
);
create index inventory_transaction_item_of_item on inventory_transaction_item (organisation_id,
  warehouse_product_item_id);
create trigger inventory_transaction_item_is_final before update or delete or truncate
  on inventory_transaction_item for each statement execute function refuse_to_rewrite_the_ledger();

-- What of a row of stock is allocated to a line of a consignment, picked or not. With an item, that serial.
create table inventory_allocation (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  consignment_product_id uuid not null,
  warehouse_product_id uuid not null,
  warehouse_product_item_id uuid,
  quantity numeric(18, 4) not null constraint inventory_allocation_quantity check (quantity > 0),
  is_picked boolean not null,
  -- a person chose it against the rules
  is_override boolean not null default false,
  created_utc timestamptz not null default now(),
  constraint inventory_allocation_pkey primary key (organisation_id, id),
  constraint inventory_allocation_key unique nulls not distinct (organisation_id, consignment_product_id,
    warehouse_product_id, warehouse_product_item_id, is_picked),
  constraint inventory_allocation_item_is_one check (warehouse_product_item_id is null or quantity = 1),
  constraint inventory_allocation_line_fkey foreign key (organisation_id, consignment_product_id)
    references consignment_product,
  constraint inventory_allocation_stock_fkey foreign key (organisation_id, warehouse_product_id)
    references warehouse_product,
  constraint inventory_allocation_item_fkey foreign key (organisation_id, warehouse_product_item_id)
    references warehouse_product_item
) with (fillfactor = 90);
create unique index inventory_allocation_item_key on inventory_allocation (organisation_id,
  warehouse_product_item_id) where warehouse_product_item_id is not null;
create index inventory_allocation_of_stock on inventory_allocation (organisation_id, warehouse_product_id);
-- The allocations of a stock row that name a serial: a row of a popular product may have thousands of
-- allocations, and few of them name serials.
create index inventory_allocation_of_named on inventory_allocation (organisation_id, warehouse_product_id)
  where warehouse_product_item_id is not null;
create index inventory_allocation_of_consignment on inventory_allocation (organisation_id, consignment_id);

-- The commands that devices may send again: what each was answered. Kept for 90 days.
create table inventory_operation (
  organisation_id uuid not null constraint inventory_operation_organisation_fkey references organisation,
  operation_id uuid not null,
  identity_connection_id uuid not null,
  request_hash bytea not null,
  -- null only while the command is under way, which nobody else can see
  answer jsonb,
  recorded_utc timestamptz not null default now(),
  constraint inventory_operation_pkey primary key (organisation_id, operation_id)
);
create index inventory_operation_age on inventory_operation (recorded_utc);

-- When the stock of an organisation was last proved to be what its ledger says, and what was found.
create table stock_proof (
  organisation_id uuid not null constraint stock_proof_organisation_fkey references organisation,
  -- when the latest verification that finished had begun, or minus infinity: one that is interrupted does not
  -- count
  proved_utc timestamptz not null,
  -- when the latest verification began
  begun_utc timestamptz,
  difference_count integer not null,
  constraint stock_proof_pkey primary key (organisation_id)
);

-- The place of a date in the order of a rotation method, from the one that goes first; null, which is last,
-- where the method looks at no date or the stock has none. Methods 2 to 13 are pairs, ascending and
-- descending.
create function rotation_date(method smallint, best_before date, expiry date, packaging date, production date,
  sell_by date, received date) returns integer language sql immutable parallel safe
  return (case method / 2
    when 1 then expiry when 2 then production when 3 then best_before when 4 then sell_by
    when 5 then packaging when 6 then received end - date '2000-01-01') * (1 - 2 * (method % 2));
