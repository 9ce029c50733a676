-- Stock counts: which rows of stock people look at, what they saw, and what was approved. Spec 2.14.

-- Statuses: 1 Draft, 2 InProgress, 3 Counted, 4 Approved, 5 Cancelled.
create table stock_count (
  organisation_id uuid not null,
  id uuid not null,
  number bigint not null,
  stock_count_number text not null,
  warehouse_id uuid not null,
  -- whose goods are counted; everybody's, where it is null
  partner_id uuid,
  status smallint not null default 1 constraint stock_count_status check (status between 1 and 5),
  -- who counts does not see what is expected
  is_blind boolean not null,
  reference text,
  -- wall clock of the warehouse
  due_date_time timestamp(0),
  created_utc timestamptz not null default now(),
  created_by uuid,
  -- the name of then
  created_by_name text,
  search_text text generated always as (lower(stock_count_number || E'\n' || coalesce(reference, ''))) stored,
  constraint stock_count_pkey primary key (organisation_id, id),
  constraint stock_count_number_key unique (organisation_id, number),
  constraint stock_count_warehouse_fkey foreign key (organisation_id, warehouse_id) references warehouse,
  constraint stock_count_partner_fkey foreign key (organisation_id, partner_id) references partner
);
create index stock_count_of_status on stock_count (organisation_id, status, number);
create index stock_count_of_warehouse on stock_count (organisation_id, warehouse_id, number);
create index stock_count_of_partner on stock_count (organisation_id, partner_id, number);
create index stock_count_search on stock_count using gin (organisation_id, search_text gin_trgm_ops);

-- A row of stock in a count. Statuses: 1 ToCount, 2 Counted, 3 Recount, 4 Approved.
create table stock_count_line (
  organisation_id uuid not null,
  id uuid not null,
  stock_count_id uuid not null,
  warehouse_product_id uuid not null,
  status smallint not null default 1 constraint stock_count_line_status check (status between 1 and 4),
  -- how often it is counted, from 1
  round integer not null default 1 constraint stock_count_line_round check (round >= 1),
  -- nobody expected it there: who counted said that it is
  is_found boolean not null default false,
  -- it may still be counted and approved; false from its approval or the cancelling of the count on
  is_open boolean not null default true,
  -- approval fixes what is compared: what was seen, when, and what should have been there then
  counted_quantity numeric(18, 4),
  counted_utc timestamptz,
  book_quantity numeric(18, 4),
  approved_utc timestamptz,
  approved_by uuid,
  approved_by_name text,
  reason text,
  constraint stock_count_line_pkey primary key (organisation_id, id),
  constraint stock_count_line_stock_key unique (organisation_id, stock_count_id, warehouse_product_id),
  constraint stock_count_line_count_fkey foreign key (organisation_id, stock_count_id) references stock_count,
  constraint stock_count_line_stock_fkey foreign key (organisation_id, warehouse_product_id)
    references warehouse_product,
  constraint stock_count_line_approved check (
    (status = 4) = (approved_utc is not null) and (status = 4) = (counted_quantity is not null)
    and (status = 4) = (counted_utc is not null) and (status = 4) = (book_quantity is not null)
    and not (status = 4 and is_open))
);
-- A row of stock is counted by one count at a time.
create unique index stock_count_line_open_key on stock_count_line (organisation_id, warehouse_product_id)
  where is_open;
create index stock_count_line_of_stock on stock_count_line (organisation_id, warehouse_product_id);

-- What somebody saw. Of a round the last word counts; nothing that was said is ever changed.
create table stock_count_entry (
  organisation_id uuid not null,
  stock_count_line_id uuid not null,
  -- from 1 in the line
  ordinal integer not null,
  round integer not null,
  counted_quantity numeric(18, 4) not null
    constraint stock_count_entry_quantity check (counted_quantity >= 0),
  -- when it was seen
  counted_utc timestamptz not null,
  recorded_utc timestamptz not null default now(),
  -- of goods that are fully captured
  serials jsonb,
  user_id uuid,
  user_name text,
  identity_connection_id uuid,
  operation_id uuid,
  request_id text,
  constraint stock_count_entry_pkey primary key (organisation_id, stock_count_line_id, ordinal),
  constraint stock_count_entry_line_fkey foreign key (organisation_id, stock_count_line_id)
    references stock_count_line
);
create trigger stock_count_entry_is_final before update or delete or truncate on stock_count_entry
  for each statement execute function refuse_to_rewrite_the_ledger();

-- Which line of a count a line of the ledger put right.
alter table inventory_transaction
  add constraint inventory_transaction_count_fkey foreign key (organisation_id, stock_count_line_id)
  references stock_count_line;

-- What makes stock look alike: nobody sees a hold or the day on which goods were received.
create function stock_likeness(
  location uuid, unit uuid, batch text, best_before date, expiry date, packaging date, production date,
  sell_by date, attributes jsonb
) returns uuid language sql immutable parallel safe
  return stock_identity(location, unit, null, batch, best_before, expiry, packaging, production, sell_by,
    null, attributes);
create index warehouse_product_alike on warehouse_product (organisation_id, product_id,
  stock_likeness(warehouse_location_id, logistic_unit_id, batch, best_before_date, expiry_date,
    packaging_date, production_date, sell_by_date, attributes));
