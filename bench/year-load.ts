// Loads a year of work of an organisation for benchmarks of what people read all day: nearly all consignments
// are Closed, those of the last week are Complete, a few thousand are open, some of them late or short of
// stock. Every consignment has lines, one in four was picked in a wave, and the warehouses are half full.

import type pg from 'pg'
import { type Course, loadConsignments, statusOfNew } from './consignments-load.ts'
import { stockListings } from './inventory-load.ts'

const course: Course = {
  begin: `date_trunc('minute', timezone('UTC', now())) - interval '1 year'`,
  span: `interval '1 year'`,
  status: `case
    when age > 0.997 - r4 / 200 then ${statusOfNew}
    when r4 < 0.03 then -2
    when age > 0.98 then 0
    when r4 > 0.9997 then 1
    else 6 end`,
}

const setUp = `
  insert into product (organisation_id, id, partner_id, code, name, weight_kg, volume_m3)
    select :organisation, pg_temp.id(100000 + client * 500 + n), pg_temp.id(client),
      'P' || lpad(n::text, 3, '0'), (array['Apples', 'Pears', 'Plums', 'Cherries', 'Honey'])[1 + n % 5]
        || ', tray of ' || n, 1.25, 0.004
    from generate_series(1, 40) client, generate_series(0, 499) n;
  insert into warehouse_zone (organisation_id, id, warehouse_id, name)
    select :organisation, pg_temp.id(1000 + n), pg_temp.id(1 + n % 4), 'Zone ' || n
    from generate_series(0, 39) n;
  insert into warehouse_location (organisation_id, id, warehouse_id, warehouse_zone_id, name, type)
    select :organisation, pg_temp.id(10000 + n), pg_temp.id(1 + n % 4), pg_temp.id(1000 + n % 40),
      'A-' || lpad(n::text, 5, '0'), 1
    from generate_series(0, 19999) n;
  analyze consignment, product;`

/**
 * One to three lines of each consignment. One in ten that is ReadyToPick lacks stock; a product id is the
 * number that its line says, of its client.
 */
const lines = `
  insert into consignment_product (organisation_id, id, consignment_id, ordinal, product_id, product_code,
    goods_description, expected_quantity, expected_weight_kg, expected_volume_m3, allocated_quantity,
    picked_quantity, received_quantity, dispatched_quantity)
  select c.organisation_id, pg_temp.id(c.number * 4 + n), c.id, n, d.id, d.code, d.name, l.quantity,
    1.25 * l.quantity, 0.004 * l.quantity,
    case when c.status = 2 then l.quantity - case when c.number % 10 = 0 then 1 else 0 end else 0 end,
    case when c.status = 3 then l.quantity else 0 end,
    case when c.type = 1 and c.status in (0, 6) then l.quantity else 0 end,
    case when c.type = 2 and c.status in (0, 6, 7) then l.quantity else 0 end
  from consignment c cross join lateral generate_series(0, c.number % 3) n
  cross join lateral (select 1 + (c.number + n) % 24 as quantity) l
  join (select partner_id, code, id, name, substr(code, 2)::int as k from product
    where organisation_id = :organisation) d
    on d.partner_id = c.client_id and d.k = (c.number * 7 + n * 31) % 500
  where c.organisation_id = :organisation;`

/** Wave picks of twenty consignments of a client, of which the last are under way. */
const waves = `
  create temp table picked as
    select id, number, client_id, warehouse_id, status,
      row_number() over (partition by client_id, warehouse_id order by number) - 1 as at
    from consignment where organisation_id = :organisation and type = 2 and number % 2 = 0
      and status not in (-2, 8);
  create temp table wave as
    select row_number() over (order by min(number)) as n, client_id, warehouse_id, at / 20 as batch,
      bool_or(status in (2, 3)) as is_open from picked group by 2, 3, 4;
  insert into job (organisation_id, id, number, job_number, type, status, wave_pick_style, warehouse_id,
    client_id, reference, due_date_time)
    select :organisation, pg_temp.id(n), n, 'WBL-J' || lpad(n::text, 6, '0'), 1,
      case when is_open then 2 + n % 2 else 4 end, 1, warehouse_id, client_id, 'Wave ' || n,
      now()::timestamp
    from wave;
  insert into job_consignment (organisation_id, job_id, consignment_id, position, is_picking)
    select :organisation, pg_temp.id(w.n), p.id, p.at % 20, w.is_open
    from wave w join picked p on p.client_id = w.client_id and p.warehouse_id = w.warehouse_id
      and p.at / 20 = w.batch;
  drop table picked, wave;`

/** 60,000 rows of stock in half of the locations. */
const stock = `
  insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
    warehouse_location_id, batch, received_date, is_quarantined, on_hand_quantity, on_hand_weight_kg,
    on_hand_volume_m3)
  select :organisation, pg_temp.id(1000000 + e), pg_temp.id(1 + l % 4), d.partner_id, d.id,
    pg_temp.id(10000 + l), 'B' || e, current_date - e % 90, false, 1 + e % 90, e % 500, 0.5
  from generate_series(1, 60000) e cross join lateral (select e * 7919 % 10007 as l) at
  join (select partner_id, id, row_number() over (order by id) as k from product
    where organisation_id = :organisation) d on d.k = 1 + e * 31 % 20000;
  ${stockListings}`

/** What waits for a person beside what is late or short. */
const waiting = `
  insert into consignment_import (organisation_id, id, identity_connection_id, user_id, status, client_code,
    reference_number, request, due_utc)
    select :organisation, pg_temp.id(n), pg_temp.id(1), pg_temp.id(1), case when n % 5 = 0 then 4 else 2 end,
      'NOBODY' || n, 'SO-' || n, '{}', case when n % 5 > 0 then now() + interval '1 day' end
    from generate_series(1, 1000) n;
  insert into consignment_import_reason (organisation_id, consignment_import_id, ordinal, kind, code, path,
    message)
    select :organisation, pg_temp.id(n), 0, 'client', 'NOBODY' || n, 'clientCode',
      'No active client has the code NOBODY' || n || '.'
    from generate_series(1, 1000) n;
  insert into webhook_subscription (organisation_id, id, identity_connection_id, webhook_url, event_type,
    status)
    select :organisation, pg_temp.id(n), pg_temp.id(1), 'https://example.com/' || n, 101, 2
    from generate_series(1, 3) n;
  insert into stock_count (organisation_id, id, number, stock_count_number, warehouse_id, status, is_blind)
    select :organisation, pg_temp.id(n), n, 'SC-' || n, pg_temp.id(1 + n % 4), 1 + n % 5, false
    from generate_series(1, 500) n;`

/** Loads an organisation with a year of this many consignments. Needs a superuser's connection for itself. */
export const loadYear = (client: pg.Client, size: number): Promise<void> =>
  loadConsignments(client, [size], [setUp, lines, waves, stock, waiting], course)
