-- Stores a copy of each closing as a few texts in its row, because back-tests read these in a third of the
-- time that the parts and charges take. This migration fills in the texts of existing closings, which takes
-- about 25 seconds for half a million closings.

alter table charge_input
  -- The facts that selectors use, except those of the parts.
  add column selector_facts text,
  -- One line for each part: kind, type or product, product facts, attributes and package type. Null if the
  -- closing has no parts.
  add column part_subjects text,
  -- Five figures for each part: quantity, weight in kg, volume in m³, logistic units and serials. An x is an
  -- unknown figure.
  add column part_figures text,
  -- The amounts in the order of the charges. An x is a charge that a user excluded.
  add column client_amounts text,
  add column carrier_amounts text;

alter table charge_input disable trigger charge_input_is_frozen;
update charge_input i
set selector_facts = concat_ws(' ', i.consignment_type, coalesce(i.carrier_id::text, ''),
    coalesce(i.warehouse_id::text, ''), i.priority, i.is_containerised,
    coalesce(i.container_size::text, ''), coalesce(i.container_type::text, ''), i.service_type_ids,
    i.origin_locality_ids, i.destination_locality_ids, extract(isodow from i.charge_date)),
  part_subjects = t.subjects, part_figures = coalesce(t.figures, ''),
  client_amounts = coalesce(t.client, ''), carrier_amounts = coalesce(t.carrier, '')
from (
  select *
  from (select organisation_id, consignment_id, closing_number from charge_input) one
  left join (
    select r.organisation_id, r.consignment_id, r.closing_number,
      string_agg(concat(r.kind, ' ', coalesce(r.type_id, r.product_id), ' ', r.product_facts_id, ' ',
        case when r.attributes is not null or r.package_type_code is not null then
          concat('[[', (
            select string_agg(concat('[', to_json(one.value ->> 'productAttributeId'), ',',
              to_json(one.value ->> 'description'), ']'), ',' order by one.ordinality)
            from jsonb_array_elements(r.attributes) with ordinality one
          ), '],', coalesce(to_json(r.package_type_code)::text, 'null'), ']') end),
        E'\n' order by r.ordinal) as subjects,
      string_agg(concat_ws(' ', r.quantity, coalesce(r.weight_kg::numeric(28, 4)::text, 'x'),
        coalesce(r.volume_m3::numeric(28, 6)::text, 'x'), r.logistic_units, r.serials),
        ' ' order by r.ordinal) as figures
    from charge_input_part r group by 1, 2, 3
  ) part using (organisation_id, consignment_id, closing_number)
  left join (
    select h.organisation_id, h.consignment_id, h.closing_number,
      string_agg(h.amount, ' ' order by h.ordinal) filter (where h.charge_type < 7) as client,
      string_agg(h.amount, ' ' order by h.ordinal) filter (where h.charge_type >= 7) as carrier
    from (
      select organisation_id, consignment_id, closing_number, ordinal, charge_type,
        case when is_included then amount_excl_tax::text else 'x' end as amount
      from consignment_charge where closing_number is not null
    ) h
    group by 1, 2, 3
  ) charge using (organisation_id, consignment_id, closing_number)
) t
where t.organisation_id = i.organisation_id and t.consignment_id = i.consignment_id
  and t.closing_number = i.closing_number;
alter table charge_input enable trigger charge_input_is_frozen;

alter table charge_input
  alter column selector_facts set not null,
  alter column part_figures set not null,
  alter column client_amounts set not null,
  alter column carrier_amounts set not null;

-- The planner needs no statistics about these long texts, and collecting them for a quarter of a million
-- closings would take a second.
alter table charge_input
  alter column selector_facts set statistics 0,
  alter column part_subjects set statistics 0,
  alter column part_figures set statistics 0,
  alter column client_amounts set statistics 0,
  alter column carrier_amounts set statistics 0;
alter table rate_card_back_test_difference
  alter column rates set statistics 0,
  alter column activities set statistics 0;

-- The result of a back-test is written once, read by its key and deleted as a whole. It needs no vacuum after
-- inserts, and that vacuum would run during the next test.
alter table rate_card_back_test_row
  set (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1);
alter table rate_card_back_test_difference
  set (autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 1);
