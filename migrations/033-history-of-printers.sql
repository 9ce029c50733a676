-- The history of an organisation tells of its printers and their bridges, and of every setting. Spec 4.15.

alter table administration_entry
  drop constraint administration_entry_subject,
  add constraint administration_entry_subject check (subject in ('organisation', 'user', 'custom-app',
    'signing-key', 'printer', 'printer-bridge'));

-- Not of what a bridge tells all the time: whether it is there, and which printers it reaches.
create trigger record_administration after insert or update of name, warehouse_id, status on printer_bridge
  for each row execute function record_administration('printer-bridge');
create trigger record_administration after insert or update of name, type, warehouse_id, language,
    dots_per_mm, is_default, status, keep_minutes on printer
  for each row execute function record_administration('printer');

-- Every column but the counters, so that no setting that an earlier migration has added is left out.
drop trigger record_administration on organisation;
do $$ begin
  execute (
    select 'create trigger record_administration after insert or update of ' || string_agg(attname, ', ')
      || ' on organisation for each row execute function record_administration(''organisation'')'
    from pg_attribute
    where attrelid = 'organisation'::regclass and attnum > 0 and not attisdropped
      and attname not like 'last\_%');
end $$;
