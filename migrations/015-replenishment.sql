-- What replenishments bring to pickfaces. Spec 2.14, 2.15.

-- A line reserves nothing: what is to be had is found out when it is moved. Statuses: 1 Open, 2 Done, 3
-- Short, 4 Cancelled.
create table replenishment_line (
  organisation_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  ordinal integer not null,
  product_id uuid not null,
  from_warehouse_product_id uuid not null,
  to_warehouse_location_id uuid not null,
  quantity numeric(18, 4) not null constraint replenishment_line_quantity check (quantity > 0),
  moved_quantity numeric(18, 4) not null default 0,
  status smallint not null default 1 constraint replenishment_line_status check (status between 1 and 4),
  constraint replenishment_line_pkey primary key (organisation_id, id),
  constraint replenishment_line_ordinal_key unique (organisation_id, job_id, ordinal),
  constraint replenishment_line_job_fkey foreign key (organisation_id, job_id) references job,
  constraint replenishment_line_stock_fkey foreign key (organisation_id, product_id,
    from_warehouse_product_id)
    references warehouse_product (organisation_id, product_id, id),
  constraint replenishment_line_location_fkey foreign key (organisation_id, to_warehouse_location_id)
    references warehouse_location,
  constraint replenishment_line_moved check (moved_quantity between 0 and quantity),
  constraint replenishment_line_done check ((status = 2) = (moved_quantity = quantity))
);
-- What is on its way to a location, and from a row of stock.
create index replenishment_line_open_to on replenishment_line (organisation_id, to_warehouse_location_id)
  where status = 1;
create index replenishment_line_open_from on replenishment_line (organisation_id, from_warehouse_product_id)
  where status = 1;
