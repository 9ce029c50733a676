-- Consignments: lines, items and sub-records. Spec 2.2 to 2.7.

create table consignment (
  organisation_id uuid not null,
  id uuid not null,
  number bigint not null,
  consignment_number text not null,
  type smallint not null constraint consignment_type check (type between 0 and 2),
  status smallint not null constraint consignment_status check (status = -2 or status between 0 and 8),
  priority smallint not null default 2 constraint consignment_priority check (priority between 2 and 4),
  client_id uuid not null,
  carrier_id uuid,
  warehouse_id uuid,
  reference_number text,
  external_id text,
  carrier_reference_number text,
  carrier_run_number text,
  carrier_run_ordinal integer,
  -- wall clock of the warehouse (of the organisation where there is none)
  date_entered timestamp(0) not null,
  expected_arrival_date_time timestamp(0),
  expected_dispatch_date_time timestamp(0),
  expected_delivery_date_time timestamp(0),
  actual_receive_date_time timestamp(0),
  actual_dispatch_date_time timestamp(0),
  closed_transaction_date date,
  origin_address jsonb,
  origin_address_attention text,
  destination_address jsonb,
  destination_address_attention text,
  destination_authority_to_leave boolean not null default false,
  delivery_instructions text,
  picking_instructions text,
  receivers_reference text,
  senders_reference text,
  po_number text,
  so_number text,
  container_number text,
  container_seal_number text,
  container_size smallint constraint consignment_container_size check (container_size between 1 and 4),
  container_type smallint constraint consignment_container_type check (container_type between 1 and 12),
  container_tare_weight_kg numeric(18, 4),
  container_gross_weight_kg numeric(18, 4),
  container_yard_code text,
  container_yard_reference text,
  container_vessel_name text,
  container_voyage text,
  default_receive_location_id uuid,
  default_dispatch_location_id uuid,
  -- the consignment whose goods come back with this one
  return_of_consignment_id uuid,
  -- somebody once confirmed a pick of it, were it of nothing: from then on only confirmed quantities count
  is_picking_confirmed boolean not null default false,
  load_shipping_port_id uuid constraint consignment_load_port_fkey references shipping_port,
  discharge_shipping_port_id uuid constraint consignment_discharge_port_fkey references shipping_port,
  created_utc timestamptz not null default now(),
  search_text text generated always as
    (lower(consignment_number || E'\n' || coalesce(reference_number, '')
      || E'\n' || coalesce(container_number, ''))) stored,
  constraint consignment_pkey primary key (organisation_id, id),
  constraint consignment_client_fkey foreign key (organisation_id, client_id) references partner,
  constraint consignment_carrier_fkey foreign key (organisation_id, carrier_id) references partner,
  constraint consignment_warehouse_fkey foreign key (organisation_id, warehouse_id) references warehouse,
  constraint consignment_receive_location_fkey foreign key (organisation_id, warehouse_id,
    default_receive_location_id)
    references warehouse_location (organisation_id, warehouse_id, id),
  constraint consignment_dispatch_location_fkey foreign key (organisation_id, warehouse_id,
    default_dispatch_location_id)
    references warehouse_location (organisation_id, warehouse_id, id),
  constraint consignment_return_fkey foreign key (organisation_id, return_of_consignment_id)
    references consignment,
  constraint consignment_warehouse_needed check (type = 0 or warehouse_id is not null)
) with (fillfactor = 90, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);
create unique index consignment_number_key on consignment (organisation_id, number);
-- Finds the Complete consignments, which a billing run closes.
create index consignment_complete on consignment (organisation_id, client_id, id) where status = 0;
create index consignment_return_of on consignment (organisation_id, return_of_consignment_id)
  where return_of_consignment_id is not null;

-- A line. The five dates are warehouse-local. product_code is what the request said; product_id is null only
-- on point-to-point lines.
create table consignment_product (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  ordinal integer not null,
  product_id uuid,
  product_code text not null,
  goods_description text,
  batch text,
  best_before_date timestamp(0),
  expiry_date timestamp(0),
  packaging_date timestamp(0),
  production_date timestamp(0),
  sell_by_date timestamp(0),
  package_type_id uuid,
  logistic_unit_sscc_number text,
  logistic_unit_reference_number text,
  -- the line whose goods come back with this one
  return_of_consignment_product_id uuid,
  critical_stock_status smallint constraint consignment_product_critical_stock_status
    check (critical_stock_status in (1, 2)),
  -- the request asked for a person to look at the line before the consignment came to be
  is_manual_reconciliation_required boolean not null default false,
  attributes jsonb,
  -- 0 for goods that nobody announced
  expected_quantity numeric(18, 4) not null constraint consignment_product_expected_quantity
    check (expected_quantity >= 0),
  expected_weight_kg numeric(18, 4) constraint consignment_product_expected_weight
    check (expected_weight_kg >= 0),
  expected_volume_m3 numeric(18, 6) constraint consignment_product_expected_volume
    check (expected_volume_m3 >= 0),
  -- The sums of its allocations that are not picked and that are, and of what the ledger says came in and
  -- went out for it: see 010-stock.sql.
  allocated_quantity numeric(18, 4) not null default 0 constraint consignment_product_allocated_quantity
    check (allocated_quantity >= 0),
  picked_quantity numeric(18, 4) not null default 0 constraint consignment_product_picked_quantity
    check (picked_quantity >= 0),
  received_quantity numeric(18, 4) not null default 0 constraint consignment_product_received_quantity
    check (received_quantity >= 0),
  received_weight_kg numeric(18, 4) not null default 0 constraint consignment_product_received_weight
    check (received_weight_kg >= 0),
  received_volume_m3 numeric(18, 6) not null default 0 constraint consignment_product_received_volume
    check (received_volume_m3 >= 0),
  dispatched_quantity numeric(18, 4) not null default 0 constraint consignment_product_dispatched_quantity
    check (dispatched_quantity >= 0),
  dispatched_weight_kg numeric(18, 4) not null default 0 constraint consignment_product_dispatched_weight
    check (dispatched_weight_kg >= 0),
  dispatched_volume_m3 numeric(18, 6) not null default 0 constraint consignment_product_dispatched_volume
    check (dispatched_volume_m3 >= 0),
  constraint consignment_product_pkey primary key (organisation_id, id),
  constraint consignment_product_key unique (organisation_id, consignment_id, ordinal),
  constraint consignment_product_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_product_product_fkey foreign key (organisation_id, product_id) references product,
  constraint consignment_product_package_type_fkey foreign key (organisation_id, package_type_id)
    references package_type
)
-- A line is updated whenever its goods are allocated, picked or received. On a full page, each update would
-- move the row to another page and add an entry to every index.
with (fillfactor = 70);
alter table consignment_product
  add constraint consignment_product_return_fkey foreign key (organisation_id,
    return_of_consignment_product_id)
    references consignment_product;
create index consignment_product_return_of on consignment_product (organisation_id,
  return_of_consignment_product_id) where return_of_consignment_product_id is not null;
create index consignment_product_of_product on consignment_product (organisation_id, product_id);

-- The items as the request gave them: one row a serial, or one with the whole quantity.
create table consignment_product_item (
  organisation_id uuid not null,
  consignment_product_id uuid not null,
  ordinal integer not null,
  serial text,
  quantity numeric(18, 4) not null constraint consignment_product_item_quantity check (quantity > 0),
  weight_kg numeric(18, 4) constraint consignment_product_item_weight check (weight_kg >= 0),
  volume_m3 numeric(18, 6) constraint consignment_product_item_volume check (volume_m3 >= 0),
  constraint consignment_product_item_pkey primary key (organisation_id, consignment_product_id, ordinal),
  constraint consignment_product_item_line_fkey foreign key (organisation_id, consignment_product_id)
    references consignment_product,
  constraint consignment_product_item_serial_is_one check (serial is null or quantity = 1)
);

create table consignment_service_type (
  organisation_id uuid not null,
  consignment_id uuid not null,
  service_type_id uuid not null,
  constraint consignment_service_type_pkey primary key (organisation_id, consignment_id, service_type_id),
  constraint consignment_service_type_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_service_type_type_fkey foreign key (organisation_id, service_type_id)
    references service_type
);

create table consignment_task (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  task_type_id uuid not null,
  value numeric(18, 4) not null,
  constraint consignment_task_pkey primary key (organisation_id, consignment_id, task_type_id),
  constraint consignment_task_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_task_type_fkey foreign key (organisation_id, task_type_id) references task_type
);

create table consignment_consumable (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  consumable_type_id uuid not null,
  value numeric(18, 4) not null,
  constraint consignment_consumable_pkey primary key (organisation_id, consignment_id, consumable_type_id),
  constraint consignment_consumable_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_consumable_type_fkey foreign key (organisation_id, consumable_type_id)
    references consumable_type
);

create table consignment_note (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  note text not null constraint consignment_note_not_empty check (note <> ''),
  display_on_print_out boolean not null default false,
  created_by uuid not null,
  -- the name of then
  created_by_name text not null,
  created_utc timestamptz not null default now(),
  constraint consignment_note_pkey primary key (organisation_id, id),
  constraint consignment_note_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_note_created_by_fkey foreign key (organisation_id, created_by) references app_user
);
create index consignment_note_of_consignment on consignment_note (organisation_id, consignment_id, id);

-- The bytes of files: once for an organisation and a SHA-256, however many attachments and print jobs refer
-- to them. Triggers of those tables count the references, and delete content that nothing refers to any more.
create table file_content (
  organisation_id uuid not null,
  sha256 bytea not null constraint file_content_sha256 check (octet_length(sha256) = 32),
  bytes bytea not null,
  size_bytes integer not null,
  attachment_count integer not null default 0
    constraint file_content_attachments check (attachment_count >= 0),
  print_job_count integer not null default 0
    constraint file_content_print_jobs check (print_job_count >= 0),
  constraint file_content_pkey primary key (organisation_id, sha256)
) with (fillfactor = 80);
-- Compression would not pay: most files are compressed already, and all are read as a whole.
alter table file_content alter column bytes set storage external;

-- How many bytes of file contents the print jobs of an organisation keep. Printing locks the row first, so
-- that the limit holds for prints at the same moment.
create table print_storage (
  organisation_id uuid constraint print_storage_pkey primary key,
  kept_bytes bigint not null constraint print_storage_not_negative check (kept_bytes >= 0)
) with (fillfactor = 50);

create function count_file_reference() returns trigger language plpgsql as $$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
  is_print_job constant boolean := tg_table_name = 'print_job';
  reference record;
  content record;
begin
  if tg_op = 'INSERT' then reference := new; else reference := old; end if;
  if is_print_job then
    -- In the order of printing, so that the two never wait for each other.
    perform from print_storage where organisation_id = reference.organisation_id for update;
  end if;
  update file_content c set print_job_count = print_job_count + step * is_print_job::integer,
    attachment_count = attachment_count + step * (not is_print_job)::integer
  where c.organisation_id = reference.organisation_id and c.sha256 = reference.content_sha256
  returning c.size_bytes, c.print_job_count, c.attachment_count into content;
  -- The first print job to refer to the content, or the last.
  if is_print_job and content.print_job_count = greatest(step, 0) then
    update print_storage set kept_bytes = kept_bytes + step * content.size_bytes
    where organisation_id = reference.organisation_id;
  end if;
  if content.print_job_count + content.attachment_count = 0 then
    delete from file_content c
    where c.organisation_id = reference.organisation_id and c.sha256 = reference.content_sha256;
  end if;
  return null;
end $$;

create table consignment_note_attachment (
  organisation_id uuid not null,
  id uuid not null,
  consignment_note_id uuid not null,
  file_name text not null,
  content_type text not null,
  print_type smallint constraint consignment_note_attachment_print_type check (print_type in (1, 2)),
  content_sha256 bytea not null,
  created_utc timestamptz not null default now(),
  constraint consignment_note_attachment_pkey primary key (organisation_id, id),
  constraint consignment_note_attachment_content_fkey foreign key (organisation_id, content_sha256)
    references file_content,
  constraint consignment_note_attachment_note_fkey foreign key (organisation_id, consignment_note_id)
    references consignment_note on delete cascade
);
create trigger count_file_reference after insert or delete on consignment_note_attachment
  for each row execute function count_file_reference();
create index consignment_note_attachment_of_content on consignment_note_attachment (organisation_id,
  content_sha256);
create index consignment_note_attachment_of_note on consignment_note_attachment (organisation_id,
  consignment_note_id, id);

create table consignment_tracking (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  carrier_name text,
  status smallint not null default 0 constraint consignment_tracking_status check (status between 0 and 11),
  tracking_number text,
  tracking_url text,
  integration_name text,
  created_utc timestamptz not null default now(),
  modified_utc timestamptz not null default now(),
  -- the day, in the wall clock of the warehouse, on which it or its events last changed
  last_updated_date date not null,
  constraint consignment_tracking_pkey primary key (organisation_id, id),
  constraint consignment_tracking_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment
);
create index consignment_tracking_of_consignment on consignment_tracking (organisation_id, consignment_id,
  id);

create table consignment_tracking_event (
  organisation_id uuid not null,
  id uuid not null,
  consignment_tracking_id uuid not null,
  carrier_name text,
  status smallint not null constraint consignment_tracking_event_status check (status between 0 and 11),
  details text,
  event_date_time timestamptz not null default now(),
  created_utc timestamptz not null default now(),
  constraint consignment_tracking_event_pkey primary key (organisation_id, id),
  constraint consignment_tracking_event_tracking_fkey foreign key (organisation_id, consignment_tracking_id)
    references consignment_tracking
);
create index consignment_tracking_event_of_tracking on consignment_tracking_event (organisation_id,
  consignment_tracking_id, event_date_time, id);

create table consignment_pod (
  organisation_id uuid not null,
  id uuid not null,
  consignment_id uuid not null,
  event_utc timestamptz not null,
  delivered_by_name text,
  vehicle_name text,
  signatory_name text,
  signature_description text,
  latitude double precision,
  longitude double precision,
  external_url text,
  file_name text,
  content_type text,
  content bytea,
  created_utc timestamptz not null default now(),
  constraint consignment_pod_pkey primary key (organisation_id, id),
  constraint consignment_pod_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment,
  constraint consignment_pod_file_whole check (num_nulls(file_name, content_type, content) in (0, 3))
);
alter table consignment_pod alter column content set storage external;
create index consignment_pod_of_consignment on consignment_pod (organisation_id, consignment_id, id);
