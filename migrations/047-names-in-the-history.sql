-- The history of the organisation names what was changed, and the records that a change led to, as they were
-- called then. Partners, warehouses and people are kept already.
create trigger keep_former_record after update of name on printer
  for each row execute function keep_former_record('name');
create trigger keep_former_record after update of name on printer_bridge
  for each row execute function keep_former_record('name');
create trigger keep_former_record after update of name on custom_app
  for each row execute function keep_former_record('name');

-- An organisation belongs to itself.
create function keep_former_organisation() returns trigger language plpgsql as $$
begin
  insert into former_record (organisation_id, record_id, ended_utc, fields)
  values (old.id, old.id, now(), jsonb_build_object('name', old.name)) on conflict do nothing;
  return null;
end $$;
create trigger keep_former_record after update of name on organisation
  for each row when (old.name is distinct from new.name) execute function keep_former_organisation();
