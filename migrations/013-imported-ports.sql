-- Ports that were imported from a code list beside those that ship with the service. Spec 2.16.

alter table shipping_port
  -- what a start brings no longer changes it
  add column is_imported boolean not null default false,
  -- name and country without diacritics where they differ, for the search
  add column plain_text text not null default '';

-- A generated column cannot be redefined before PostgreSQL 17; its index goes with it.
alter table shipping_port drop column search_text;
alter table shipping_port add column search_text text
  generated always as (lower(code || E'\n' || name || E'\n' || country || E'\n' || plain_text)) stored;
create index shipping_port_search on shipping_port using gin (search_text gin_trgm_ops);
