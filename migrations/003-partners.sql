-- Partners (clients and carriers) and the products of clients. Spec 2.11, 2.12.

create table partner (
  organisation_id uuid not null constraint partner_organisation_fkey references organisation,
  id uuid not null,
  external_id text,
  name text not null,
  code text not null,
  email text,
  relationship smallint not null constraint partner_relationship check (relationship in (1, 2)),
  status smallint not null default 2 constraint partner_status check (status in (1, 2)),
  freight_resolution smallint not null default 0 constraint partner_freight_resolution
    check (freight_resolution between 0 and 2),
  freight_warning_type smallint not null default 0 constraint partner_freight_warning_type
    check (freight_warning_type between 0 and 2),
  freight_warning_threshold numeric(18, 6) not null default 0,
  container_threshold_days integer not null default 0 constraint partner_container_threshold_days
    check (container_threshold_days >= 0),
  rotation_method smallint not null default 0 constraint partner_rotation_method
    check (rotation_method between 0 and 13),
  rotation_method_secondary smallint not null default 0 constraint partner_rotation_method_secondary
    check (rotation_method_secondary between 0 and 13),
  -- 1 FIFO, 2 LIFO, by the received date
  stock_depletion_method smallint not null default 1 constraint partner_stock_depletion_method
    check (stock_depletion_method in (1, 2)),
  -- GS1 company prefix, from which SSCCs of new logistic units are made
  gs1_company_prefix text constraint partner_gs1_company_prefix check (gs1_company_prefix ~ '^[0-9]{6,12}$'),
  product_batch_usage smallint not null default 2 constraint partner_product_batch_usage
    check (product_batch_usage between 1 and 3),
  product_best_before_date_usage smallint not null default 2 constraint partner_product_best_before_date_usage
    check (product_best_before_date_usage between 1 and 3),
  product_expiry_usage smallint not null default 2 constraint partner_product_expiry_usage
    check (product_expiry_usage between 1 and 3),
  product_packaging_date_usage smallint not null default 2 constraint partner_product_packaging_date_usage
    check (product_packaging_date_usage between 1 and 3),
  product_production_date_usage smallint not null default 2 constraint partner_product_production_date_usage
    check (product_production_date_usage between 1 and 3),
  product_sell_by_date_usage smallint not null default 2 constraint partner_product_sell_by_date_usage
    check (product_sell_by_date_usage between 1 and 3),
  product_substitution smallint not null default 2 constraint partner_product_substitution
    check (product_substitution in (1, 2)),
  product_batch_substitution smallint not null default 1
    constraint partner_product_batch_substitution check (product_batch_substitution in (1, 2)),
  product_best_before_date_substitution smallint not null default 1
    constraint partner_product_best_before_date_substitution
      check (product_best_before_date_substitution in (1, 2)),
  product_expiry_substitution smallint not null default 1
    constraint partner_product_expiry_substitution check (product_expiry_substitution in (1, 2)),
  product_packaging_date_substitution smallint not null default 1
    constraint partner_product_packaging_date_substitution
      check (product_packaging_date_substitution in (1, 2)),
  product_production_date_substitution smallint not null default 1
    constraint partner_product_production_date_substitution
      check (product_production_date_substitution in (1, 2)),
  product_sell_by_date_substitution smallint not null default 1
    constraint partner_product_sell_by_date_substitution check (product_sell_by_date_substitution in (1, 2)),
  product_serial_substitution smallint not null default 1
    constraint partner_product_serial_substitution check (product_serial_substitution in (1, 2)),
  product_best_before_date_critical_threshold_days integer,
  product_expiry_critical_threshold_days integer,
  product_packaging_date_critical_threshold_days integer,
  product_production_date_critical_threshold_days integer,
  product_sell_by_date_critical_threshold_days integer,
  free_storage_hours numeric(18, 4) not null default 0 constraint partner_free_storage_hours
    check (free_storage_hours between 0 and 87600),
  -- The name in the accounting program, and the number of days after which a bill is due; null: as the
  -- organisation says.
  accounting_name text,
  payment_terms_days integer constraint partner_payment_terms_days
    check (payment_terms_days between 0 and 365),
  -- where its bills go, printed with its line breaks
  billing_address text,
  created_utc timestamptz not null default now(),
  constraint partner_pkey primary key (organisation_id, id),
  constraint partner_carrier_code check (relationship <> 2 or length(code) in (3, 4))
);
create unique index partner_code_key on partner (organisation_id, lower(code));
create index partner_name on partner (organisation_id, name, id);
create index partner_search on partner using gin (organisation_id, lower(code || E'\n' || name) gin_trgm_ops);

alter table app_user add constraint app_user_partner_fkey foreign key (organisation_id, partner_id)
  references partner;

create table product (
  organisation_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  code text not null,
  name text not null,
  status smallint not null default 1 constraint product_status check (status in (1, 2)),
  length_mm integer constraint product_length_mm check (length_mm >= 0),
  height_mm integer constraint product_height_mm check (height_mm >= 0),
  width_mm integer constraint product_width_mm check (width_mm >= 0),
  is_volume_auto_calculated boolean not null default false,
  volume_m3 numeric(18, 6) constraint product_volume_m3 check (volume_m3 >= 0),
  weight_kg numeric(18, 4) constraint product_weight_kg check (weight_kg >= 0),
  serial_tracking_mode smallint not null default 1 constraint product_serial_tracking_mode
    check (serial_tracking_mode between 1 and 3),
  product_group_id uuid,
  unit_type_id uuid,
  product_unit_type_id uuid,
  is_dangerous_good boolean not null default false,
  dg_proper_shipping_name text,
  dg_technical_name text,
  dg_packaging_group smallint constraint product_dg_packaging_group check (dg_packaging_group between 1
    and 3),
  dg_hazchem_eac text,
  dg_un_number text,
  dg_flashpoint_deg_c text,
  dg_marine_pollutant boolean not null default false,
  dg_ph_level numeric(6, 2),
  barcode text,
  gtin text,
  receive_instructions text,
  pick_instructions text,
  -- An attribute usage that is not set follows the client's.
  batch_usage smallint constraint product_batch_usage check (batch_usage between 1 and 3),
  best_before_date_usage smallint constraint product_best_before_date_usage
    check (best_before_date_usage between 1 and 3),
  expiry_usage smallint constraint product_expiry_usage check (expiry_usage between 1 and 3),
  packaging_date_usage smallint constraint product_packaging_date_usage check (packaging_date_usage between 1
    and 3),
  production_date_usage smallint constraint product_production_date_usage
    check (production_date_usage between 1 and 3),
  sell_by_date_usage smallint constraint product_sell_by_date_usage check (sell_by_date_usage between 1
    and 3),
  -- So do the rules by which its stock is chosen.
  rotation_method smallint constraint product_rotation_method check (rotation_method between 0 and 13),
  rotation_method_secondary smallint constraint product_rotation_method_secondary
    check (rotation_method_secondary between 0 and 13),
  stock_depletion_method smallint constraint product_stock_depletion_method
    check (stock_depletion_method in (1, 2)),
  batch_substitution smallint constraint product_batch_substitution check (batch_substitution in (1, 2)),
  best_before_date_substitution smallint constraint product_best_before_date_substitution
    check (best_before_date_substitution in (1, 2)),
  expiry_substitution smallint constraint product_expiry_substitution check (expiry_substitution in (1, 2)),
  packaging_date_substitution smallint constraint product_packaging_date_substitution
    check (packaging_date_substitution in (1, 2)),
  production_date_substitution smallint constraint product_production_date_substitution
    check (production_date_substitution in (1, 2)),
  sell_by_date_substitution smallint constraint product_sell_by_date_substitution
    check (sell_by_date_substitution in (1, 2)),
  serial_substitution smallint constraint product_serial_substitution check (serial_substitution in (1, 2)),
  best_before_date_critical_threshold_days integer,
  expiry_critical_threshold_days integer,
  packaging_date_critical_threshold_days integer,
  production_date_critical_threshold_days integer,
  sell_by_date_critical_threshold_days integer,
  -- null: as the client says
  free_storage_hours numeric(18, 4) constraint product_free_storage_hours
    check (free_storage_hours between 0 and 87600),
  created_utc timestamptz not null default now(),
  search_text text generated always as (lower(code || E'\n' || name || E'\n' || coalesce(barcode, '')))
    stored,
  constraint product_pkey primary key (organisation_id, id),
  constraint product_of_partner unique (organisation_id, partner_id, id),
  constraint product_partner_fkey foreign key (organisation_id, partner_id) references partner,
  constraint product_group_fkey foreign key (organisation_id, product_group_id) references product_group,
  constraint product_unit_type_fkey foreign key (organisation_id, unit_type_id) references unit_type,
  constraint product_product_unit_type_fkey foreign key (organisation_id, product_unit_type_id)
    references unit_type
);
create unique index product_code_key on product (organisation_id, partner_id, lower(code));
create index product_page on product (organisation_id, partner_id, name, id);
create index product_search on product using gin (organisation_id, search_text gin_trgm_ops);
-- What scanners read.
create index product_barcode on product (organisation_id, barcode) where barcode is not null;
create index product_gtin on product (organisation_id, gtin) where gtin is not null;

-- One step of a product's unit chain: one input unit is conversion_rate output units. Metric types: 1 Item, 2
-- VirtualPallet, 3 UnitType.
create table product_unit_conversion (
  organisation_id uuid not null,
  product_id uuid not null,
  ordinal smallint not null,
  input_metric_type smallint not null constraint product_unit_conversion_input_metric_type
    check (input_metric_type between 1 and 3),
  input_unit_type_id uuid,
  output_metric_type smallint not null constraint product_unit_conversion_output_metric_type
    check (output_metric_type between 1 and 3),
  output_unit_type_id uuid,
  conversion_rate numeric(18, 6) not null constraint product_unit_conversion_rate check (conversion_rate > 0),
  item_conversion_rate numeric(24, 6) not null constraint product_unit_conversion_item_rate
    check (item_conversion_rate > 0),
  barcode text,
  gtin text,
  constraint product_unit_conversion_pkey primary key (organisation_id, product_id, ordinal),
  constraint product_unit_conversion_product_fkey foreign key (organisation_id, product_id) references product
    on delete cascade,
  constraint product_unit_conversion_input_fkey foreign key (organisation_id, input_unit_type_id)
    references unit_type,
  constraint product_unit_conversion_output_fkey foreign key (organisation_id, output_unit_type_id)
    references unit_type,
  constraint product_unit_conversion_input_unit check ((input_metric_type = 3)
    = (input_unit_type_id is not null)),
  constraint product_unit_conversion_output_unit check ((output_metric_type = 3)
    = (output_unit_type_id is not null))
);
create index product_unit_conversion_barcode on product_unit_conversion (organisation_id, barcode)
  where barcode is not null;
create index product_unit_conversion_gtin on product_unit_conversion (organisation_id, gtin)
  where gtin is not null;

create table product_dg_hazard_class (
  organisation_id uuid not null,
  product_id uuid not null,
  dg_hazard_class_id uuid not null constraint product_dg_hazard_class_class_fkey references dg_hazard_class,
  dg_hazard_category_id uuid,
  -- the first is the primary hazard
  ordinal smallint not null default 0,
  constraint product_dg_hazard_class_pkey primary key (organisation_id, product_id, dg_hazard_class_id),
  constraint product_dg_hazard_class_product_fkey foreign key (organisation_id, product_id) references product
    on delete cascade,
  constraint product_dg_hazard_class_category_fkey foreign key (dg_hazard_class_id, dg_hazard_category_id)
    references dg_hazard_category (dg_hazard_class_id, id)
);

-- Logos of partners, with the thumbnail made when they were uploaded. Spec 4.12.
create table partner_logo (
  organisation_id uuid not null,
  partner_id uuid not null,
  file_name text not null,
  content_type text not null,
  content bytea not null,
  -- a PNG of at most 256 pixels on either side
  thumbnail bytea not null,
  uploaded_utc timestamptz not null default now(),
  constraint partner_logo_pkey primary key (organisation_id, partner_id),
  constraint partner_logo_partner_fkey foreign key (organisation_id, partner_id) references partner
);
-- Images are compressed already.
alter table partner_logo alter column content set storage external,
  alter column thumbnail set storage external;
