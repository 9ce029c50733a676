-- What the names and descriptions of records were before they were changed. A paper of goods that came or
-- left tells them as they were then. Written by triggers, so that nothing that changes a record can forget
-- it.

create table former_record (
  organisation_id uuid not null constraint former_record_organisation_fkey references organisation,
  -- of a partner, product, warehouse, location, logistic unit, hold or type
  record_id uuid not null,
  ended_utc timestamptz not null,
  -- by column; of a product also the rows of its hazard_classes and unit_conversions
  fields jsonb not null,
  constraint former_record_pkey primary key (organisation_id, record_id, ended_utc)
);

-- The fields of a record at a moment, if any of them has changed since; null if none has, or without a
-- moment.
create function former_record_at(organisation uuid, record uuid, moment timestamptz)
returns jsonb language sql stable parallel safe
  return (
    select f.fields from former_record f
    where f.organisation_id = organisation and f.record_id = record and f.ended_utc > moment
    order by f.ended_utc limit 1);

-- The arguments are the columns to keep.
create function keep_former_record() returns trigger language plpgsql as $$
declare
  before constant jsonb := (
    select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(old)) where key = any (tg_argv));
  after constant jsonb := (
    select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(new)) where key = any (tg_argv));
begin
  if before <> after then
    insert into former_record (organisation_id, record_id, ended_utc, fields)
    values (old.organisation_id, old.id, now(), before) on conflict do nothing;
  end if;
  return null;
end $$;

create trigger keep_former_record after update of name, code on partner
  for each row execute function keep_former_record('name', 'code');
create trigger keep_former_record after update of name, address on warehouse
  for each row execute function keep_former_record('name', 'address');
create trigger keep_former_record after update of name on warehouse_location
  for each row execute function keep_former_record('name');
create trigger keep_former_record after update of sscc_number, reference_number on logistic_unit
  for each row execute function keep_former_record('sscc_number', 'reference_number');
create trigger keep_former_record after update of reason on inventory_hold
  for each row execute function keep_former_record('reason');
create trigger keep_former_record after update of name on service_type
  for each row execute function keep_former_record('name');
create trigger keep_former_record after update of name on task_type
  for each row execute function keep_former_record('name');
create trigger keep_former_record after update of name on consumable_type
  for each row execute function keep_former_record('name');

-- A product is described by its row and by the rows that belong to it. The first change in a transaction
-- keeps all of it as it was before the transaction.
create function keep_former_product(p product) returns void language sql as $$
  insert into former_record (organisation_id, record_id, ended_utc, fields)
  select p.organisation_id, p.id, now(), jsonb_build_object('code', p.code, 'name', p.name,
    'unit_type_id', p.unit_type_id, 'product_unit_type_id', p.product_unit_type_id, 'gtin', p.gtin,
    'weight_kg', p.weight_kg, 'volume_m3', p.volume_m3, 'is_dangerous_good', p.is_dangerous_good,
    'dg_proper_shipping_name', p.dg_proper_shipping_name, 'dg_technical_name', p.dg_technical_name,
    'dg_packaging_group', p.dg_packaging_group, 'dg_hazchem_eac', p.dg_hazchem_eac,
    'dg_un_number', p.dg_un_number, 'dg_flashpoint_deg_c', p.dg_flashpoint_deg_c,
    'dg_marine_pollutant', p.dg_marine_pollutant, 'hazard_classes', (
      select coalesce(jsonb_agg(to_jsonb(h)), '[]') from product_dg_hazard_class h
      where h.organisation_id = p.organisation_id and h.product_id = p.id
    ), 'unit_conversions', (
      select coalesce(jsonb_agg(to_jsonb(s)), '[]') from product_unit_conversion s
      where s.organisation_id = p.organisation_id and s.product_id = p.id
    ))
  on conflict do nothing
$$;

create function keep_former_product() returns trigger language plpgsql as $$
begin
  perform keep_former_product(old);
  return new;
end $$;
create trigger keep_former_record before update on product for each row
  when ((old.code, old.name, old.unit_type_id, old.product_unit_type_id, old.gtin, old.weight_kg,
      old.volume_m3, old.is_dangerous_good, old.dg_proper_shipping_name, old.dg_technical_name,
      old.dg_packaging_group, old.dg_hazchem_eac, old.dg_un_number, old.dg_flashpoint_deg_c,
      old.dg_marine_pollutant)
    is distinct from (new.code, new.name, new.unit_type_id, new.product_unit_type_id, new.gtin,
      new.weight_kg, new.volume_m3, new.is_dangerous_good, new.dg_proper_shipping_name,
      new.dg_technical_name, new.dg_packaging_group, new.dg_hazchem_eac, new.dg_un_number,
      new.dg_flashpoint_deg_c, new.dg_marine_pollutant))
  execute function keep_former_product();

-- An insert that meets a row with its key is an update or nothing. A product that the same transaction
-- created was never otherwise.
create function keep_product_of_part() returns trigger language plpgsql as $$
declare
  part constant record := coalesce(old, new);
begin
  if tg_op = 'INSERT' and tg_table_name = 'product_dg_hazard_class' then
    if exists (
      select from product_dg_hazard_class h where h.organisation_id = new.organisation_id
        and h.product_id = new.product_id and h.dg_hazard_class_id = new.dg_hazard_class_id
    ) then
      return new;
    end if;
  elsif tg_op = 'INSERT' then
    if exists (
      select from product_unit_conversion s where s.organisation_id = new.organisation_id
        and s.product_id = new.product_id and s.ordinal = new.ordinal
    ) then
      return new;
    end if;
  end if;
  perform keep_former_product(p) from product p
  where p.organisation_id = part.organisation_id and p.id = part.product_id and p.created_utc < now();
  return coalesce(new, old);
end $$;
create trigger keep_former_record before insert or update or delete on product_dg_hazard_class
  for each row execute function keep_product_of_part();
create trigger keep_former_record before insert or update or delete on product_unit_conversion
  for each row execute function keep_product_of_part();

-- The hazard classes and the unit conversions of a product at a moment; those of now without a moment.
create function hazard_classes_at(organisation uuid, product uuid, moment timestamptz)
returns setof product_dg_hazard_class language sql stable parallel safe as $$
  with former as materialized (
    select fields -> 'hazard_classes' as rows
    from former_record_at(organisation, product, moment) fields where fields is not null
  )
  select h.* from former, jsonb_populate_recordset(null::product_dg_hazard_class, former.rows) h
  union all
  select h.* from product_dg_hazard_class h
  where h.organisation_id = organisation and h.product_id = product and not exists (select from former)
$$;
create function unit_conversions_at(organisation uuid, product uuid, moment timestamptz)
returns setof product_unit_conversion language sql stable parallel safe as $$
  with former as materialized (
    select fields -> 'unit_conversions' as rows
    from former_record_at(organisation, product, moment) fields where fields is not null
  )
  select s.* from former, jsonb_populate_recordset(null::product_unit_conversion, former.rows) s
  union all
  select s.* from product_unit_conversion s
  where s.organisation_id = organisation and s.product_id = product and not exists (select from former)
$$;
