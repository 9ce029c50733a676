-- Jobs of a warehouse and the consignments in them. Spec 2.15, 4.14.

-- Types: 1 WavePick, 2 Replenishment. Statuses: 1 Draft, 2 ReadyToStart, 3 InProgress, 4 Complete, 5
-- Cancelled.
create table job (
  organisation_id uuid not null,
  id uuid not null,
  number bigint not null,
  job_number text not null,
  type smallint not null constraint job_type check (type in (1, 2)),
  status smallint not null default 1 constraint job_status check (status between 1 and 5),
  priority smallint not null default 2 constraint job_priority check (priority between 2 and 4),
  wave_pick_style smallint constraint job_wave_pick_style check (wave_pick_style in (1, 2)),
  warehouse_id uuid not null,
  client_id uuid not null,
  -- wall clock of the warehouse
  due_date_time timestamp(0),
  reference text,
  description text,
  created_utc timestamptz not null default now(),
  search_text text generated always as (lower(job_number || E'\n' || coalesce(reference, ''))) stored,
  constraint job_pkey primary key (organisation_id, id),
  constraint job_number_key unique (organisation_id, number),
  constraint job_warehouse_fkey foreign key (organisation_id, warehouse_id) references warehouse,
  constraint job_client_fkey foreign key (organisation_id, client_id) references partner,
  constraint job_style_of_wave_pick check ((type = 1) = (wave_pick_style is not null))
);
create index job_of_status on job (organisation_id, status, number);
create index job_of_client on job (organisation_id, client_id, status, number);
create index job_of_warehouse on job (organisation_id, warehouse_id, status, number);
create index job_search on job using gin (organisation_id, search_text gin_trgm_ops);

create table job_consignment (
  organisation_id uuid not null,
  job_id uuid not null,
  consignment_id uuid not null,
  position integer not null,
  -- the job is open and picks this consignment; false once the job is Complete or Cancelled or the
  -- consignment Void
  is_picking boolean not null default true,
  added_utc timestamptz not null default now(),
  constraint job_consignment_pkey primary key (organisation_id, job_id, consignment_id),
  constraint job_consignment_position_key unique (organisation_id, job_id, position),
  constraint job_consignment_job_fkey foreign key (organisation_id, job_id) references job,
  constraint job_consignment_consignment_fkey foreign key (organisation_id, consignment_id)
    references consignment
);
-- A consignment is picked by one job at a time.
create unique index job_consignment_picking_key on job_consignment (organisation_id, consignment_id)
  where is_picking;
create index job_consignment_of_consignment on job_consignment (organisation_id, consignment_id);
