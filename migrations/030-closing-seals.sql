-- What a closing froze is sealed: from the seal, `./waybill check-money` tells a frozen figure that was
-- changed although no charge depends on it. A closing of an earlier version of the service has no seal.
alter table charge_input add column seal text;

-- The seal of a closing is a hash of its figures.
create function closing_seal(i charge_input) returns text language sql stable as $$
  select encode(sha256(convert_to(concat_ws(' ', i.organisation_id, i.consignment_id, i.closing_number,
    i.consignment_type, i.priority, coalesce(i.container_size::text, '-'),
    coalesce(i.container_type::text, '-'), i.quantity, i.weight_kg, i.volume_m3,
    i.client_freight_resolution, i.client_faf_percent, i.carrier_freight_resolution, i.carrier_faf_percent,
    i.freight_warning_type, i.freight_warning_threshold, i.evaluator_version, i.part_figures), 'UTF8')),
    'hex')
$$;

create function seal_closing() returns trigger language plpgsql as $$
begin
  new.seal := closing_seal(new);
  return new;
end $$;
create trigger charge_input_is_sealed before insert on charge_input
  for each row execute function seal_closing();
