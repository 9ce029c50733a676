-- Adds printers, printer bridges and every setting to the history of an organisation. Spec 4.15.

alter table administration_entry
  drop constraint administration_entry_subject,
  add constraint administration_entry_subject check (subject in ('organisation', 'user', 'custom-app',
    'signing-key', 'printer', 'printer-bridge'));

-- The history leaves out what a bridge reports all the time: that it is online, and which printers it
-- reaches.
create trigger record_administration after insert or update of name, warehouse_id, status on printer_bridge
  for each row execute function record_administration('printer-bridge');
create trigger record_administration after insert or update of name, type, warehouse_id, language,
    dots_per_mm, is_default, status, keep_minutes on printer
  for each row execute function record_administration('printer');

-- Records every column except the counters, so that no setting of an earlier migration is missed.
drop trigger record_administration on organisation;
do $$ begin
  execute (
    select 'create trigger record_administration after insert or update of ' || string_agg(attname, ', ')
      || ' on organisation for each row execute function record_administration(''organisation'')'
    from pg_attribute
    where attrelid = 'organisation'::regclass and attnum > 0 and not attisdropped
      and attname not like 'last\_%');
end $$;
