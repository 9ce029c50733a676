-- Week counts of the combinations of (type, status, warehouse), of all clients together and of each: what the
-- weekly counts of single filters cannot tell, where a list with two filters or more has its rows. A row of
-- the listing counts to two more values, and those of its connections to none, as only lists without
-- ediStatus are read by them.
create or replace function filters_of(r consignment_listing) returns text[]
  language sql immutable parallel safe
  return array['', 'client ' || r.client_id, 'carrier ' || r.carrier_id, 'warehouse ' || r.warehouse_id,
    'type ' || r.type, 'status ' || r.status]
  || case r.identity_connection_id when '00000000-0000-0000-0000-000000000000' then array[
    'cell ' || r.type || ' ' || r.status || ' ' || r.warehouse_id,
    'cell ' || r.type || ' ' || r.status || ' ' || r.warehouse_id || ' ' || r.client_id] else '{}' end;

-- Of what there is already. Nobody writes meanwhile, or would write what is counted here a second time.
lock table consignment_listing in share row exclusive mode;
insert into consignment_week_count (organisation_id, filter, identity_connection_id, week, n, is_folded)
select organisation_id, filter, identity_connection_id, date_trunc('week', date_entered), count(*), true
from consignment_listing r, unnest(filters_of(r)) filter
where identity_connection_id = '00000000-0000-0000-0000-000000000000' and filter like 'cell %'
group by 1, 2, 3, 4;
