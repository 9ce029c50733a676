// Loads large organisations for benchmarks of stock with set-based SQL. The load bypasses triggers and
// foreign keys, and then writes what they would have written. Clients and products are skewed as in reality.

import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'

/** What was loaded. */
export interface LoadedStock {
  organisationId: string
  userId: string
  connectionId: string
  clientIds: string[]
  warehouseIds: string[]
  /** the first has most of the stock; ten of 5,000 */
  productIds: string[]
  zoneIds: string[]
  locationIds: string[]
  unitIds: string[]
  hazardClassIds: string[]
}

const nil = `'00000000-0000-0000-0000-000000000000'::uuid`

/**
 * The numbers in ids: clients 1 to 40, warehouses from 100, zones 1,000, locations 10,000, products 100,000.
 */
const setUp = `
  insert into organisation (id, name, consignment_prefix, timezone_id)
    values (:organisation, :name, 'WBI', 'UTC');
  insert into app_user (organisation_id, id, email, full_name)
    values (:organisation, pg_temp.id(1), 'bench@example.com', 'Bench');
  insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash, scopes, created_by)
    values (:organisation, pg_temp.id(1), 'Bench', 2, gen_random_uuid(), '\\x00', '{}', pg_temp.id(1));
  insert into identity_connection (organisation_id, id, custom_app_id, user_id)
    values (:organisation, pg_temp.id(1), pg_temp.id(1), pg_temp.id(1));
  insert into partner (organisation_id, id, name, code, relationship)
    select :organisation, pg_temp.id(n), 'Client ' || n, 'C' || n, 1 from generate_series(1, 40) n;
  insert into warehouse (organisation_id, id, name, code, timezone_id, address_id)
    select :organisation, pg_temp.id(100 + n), 'Warehouse ' || n, 'W' || n, 'UTC', gen_random_uuid()
    from generate_series(0, 3) n;
  insert into warehouse_zone (organisation_id, id, warehouse_id, name)
    select :organisation, pg_temp.id(1000 + n), pg_temp.id(100 + n % 4), 'Zone ' || n
    from generate_series(0, 39) n;
  insert into warehouse_location (organisation_id, id, warehouse_id, warehouse_zone_id, name, type)
    select :organisation, pg_temp.id(10000 + n), pg_temp.id(100 + n % 4), pg_temp.id(1000 + n % 40),
      'A-' || lpad(n::text, 5, '0'), 1
    from generate_series(0, 19999) n;
  insert into product (organisation_id, id, partner_id, code, name, barcode, is_dangerous_good)
    select :organisation, pg_temp.id(100000 + n),
      pg_temp.id(1 + floor(40 * power((n % 1000) / 1000.0, 3))::int),
      'P' || lpad(n::text, 5, '0'), (array['Oats', 'Tea', 'Paint', 'Glue', 'Soap', 'Lamp', 'Rope'])[1 + n % 7]
      || ' ' || (array['red', 'blue', 'fine', 'coarse', 'small', 'large'])[1 + n % 6] || ' ' || md5(n::text),
      '94' || lpad((n * 7919)::text, 11, '0'), n % 31 = 0
    from generate_series(0, 4999) n;
  insert into dg_hazard_class (id, dg_standard, code, name, ordinal)
    select gen_random_uuid(), 1, 'bench ' || n, 'Class ' || n, n from generate_series(1, 7) n
    on conflict on constraint dg_hazard_class_key do nothing;
  insert into product_dg_hazard_class (organisation_id, product_id, dg_hazard_class_id)
    select :organisation, pg_temp.id(100000 + n),
      (array(select id from dg_hazard_class order by id))[1 + n % 7]
    from generate_series(0, 4999) n where n % 31 = 0;
  insert into inventory_hold (organisation_id, id, kind, reason)
    select :organisation, pg_temp.id(200000 + n), 1 + n % 3, 'Held' from generate_series(0, 999) n;`

/**
 * Stock entries, a quarter of which are logistic units with two products. A sixth, the oldest, is depleted,
 * and one row in a hundred is on hold. Every client has a few favourite products, and every product is
 * mostly in one warehouse.
 */
const stock = `
  create temp table entry on commit preserve rows as
  with drawn as (
    select e, e % 4 = 0 as is_unit, floor(5000 * power(random(), 2))::int as n, random() as r, random() as q
    from generate_series(1, (:size * 0.96)::int) e
  )
  select e, is_unit, e <= :size * 0.16 as is_depleted, n,
    1 + floor(40 * power((n % 1000) / 1000.0, 3))::int as client,
    case when r < 0.85 then n % 4 else floor(q * 4)::int end + 4 * floor(random() * 5000)::int as location,
    case when random() < 0.01 then floor(random() * 1000)::int end as hold
  from drawn;
  insert into logistic_unit (organisation_id, id, number, logistic_unit_number, partner_id, sscc_number,
    warehouse_id, warehouse_location_id)
  select :organisation, pg_temp.id(1000000 + e * 3), e, 'LU-' || e, pg_temp.id(client),
    lpad((e::bigint * 7919)::text, 18, '9'), pg_temp.id(100 + location % 4), pg_temp.id(10000 + location)
  from entry where is_unit;
  insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
    warehouse_location_id, logistic_unit_id, inventory_hold_id, batch, packaging_date, expiry_date,
    received_date, is_quarantined, on_hand_quantity, on_hand_weight_kg, on_hand_volume_m3)
  select :organisation, pg_temp.id(1000000 + e * 3 + k), pg_temp.id(100 + location % 4), pg_temp.id(client),
    pg_temp.id(100000 + (n + k / 2 * 1000) % 5000), pg_temp.id(10000 + location),
    case when is_unit then pg_temp.id(1000000 + e * 3) end, pg_temp.id(200000 + hold),
    case when n % 2 = 0 then 'L' || lpad((e % 30011)::text, 6, '0') end, date '2000-01-01' + e,
    date '2027-01-01' + e % 700,
    date '2026-01-01' + e % 300, false, case when is_depleted then 0 else 1 + e % 90 end,
    case when is_depleted then 0 else e % 500 end, case when is_depleted then 0 else 0.5 end
  from entry cross join lateral generate_series(case when is_unit then 1 else 0 end,
    case when is_unit then 2 else 0 end) k;
  drop table entry;`

/** The rows that the triggers would have written. */
export const stockListings = `
  insert into inventory_listing (organisation_id, entry_id, product_id, partner_id, warehouse_id,
    warehouse_location_id, live_rows, is_mixed)
  select p.organisation_id, coalesce(p.logistic_unit_id, p.id), d.product_id, p.partner_id, p.warehouse_id,
    p.warehouse_location_id, count(*) filter (where not p.is_depleted),
    d.product_id <> ${nil} and p.logistic_unit_id is not null
  from warehouse_product p cross join lateral (values (p.product_id), (${nil})) d (product_id)
  where p.organisation_id = :organisation group by 1, 2, 3, 4, 5, 6, p.logistic_unit_id is not null;
  insert into inventory_count (organisation_id, product_id, partner_id, warehouse_id, is_depleted,
    is_mixed, n, is_folded)
  select organisation_id, product_id, partner_id, warehouse_id, is_depleted, is_mixed, count(*), true
  from inventory_listing where organisation_id = :organisation group by 1, 2, 3, 4, 5, 6;`

/**
 * 100,000 stock rows with ten lines each, of which a fifth is live at any time: a row is received, picked
 * from, and empty after a fifth of the 300 days. One line in forty was recorded up to ten days late. The
 * ledger is in the order of recording.
 */
const movements = `
  insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
    warehouse_location_id, received_date, batch, is_quarantined, version, last_effective_utc)
  select :organisation, pg_temp.id(1000000 + e), pg_temp.id(100 + l % 4),
    pg_temp.id(1 + floor(40 * power((n % 1000) / 1000.0, 3))::int), pg_temp.id(100000 + n),
    pg_temp.id(10000 + l), date '2026-01-01', 'B' || e, false, 10,
    timestamptz '2026-01-01' + interval '240 days' * e / (:size / 10) + interval '60 days'
  from (select e, floor(5000 * power(random(), 2))::int as n, floor(random() * 20000)::int as l
    from generate_series(1, :size / 10) e) drawn;
  insert into inventory_transaction (organisation_id, warehouse_product_id, version, movement_id, type,
    quantity, allocated_quantity, weight_kg, volume_m3, effective_utc, recorded_utc)
  select :organisation, pg_temp.id(1000000 + e), v, gen_random_uuid(), case when v = 1 then 3 else 1 end,
    case when v = 1 then 9 else -1 end, 0, case when v = 1 then 9 else -1 end, 0, effective,
    effective + case when (e + v) % 40 = 0 then interval '10 days' * random() else interval '0' end
  from (
    select e, v, timestamptz '2026-01-01' + interval '240 days' * e / (:size / 10)
      + interval '60 days' * (v - 1) / 9.0 as effective
    from generate_series(1, :size / 10) e, generate_series(1, 10) v
  ) drawn order by 11, 2;`

async function loadAs(
  client: pg.Client,
  name: string,
  size: number,
  parts: readonly string[],
): Promise<void> {
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB'`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('warehouse_product'::regclass, 'inventory_listing'::regclass,
      'inventory_transaction'::regclass) and not indisunique`)
  for (const index of indexes) await client.query(`drop index ${index.name}`)
  const organisation = `'${uuidv7()}'::uuid`
  await client.query('select setseed(0.5)')
  await client.query(`create or replace function pg_temp.id(n bigint) returns uuid
    language sql immutable as $$
    select (lpad(to_hex(1672531200000 + n * 50), 12, '0') || '7' || substr(md5(n::text), 1, 3)
      || '8' || substr(md5(n::text || ${organisation}::text), 1, 15))::uuid $$`)
  for (const part of [setUp, ...parts])
    await client.query(
      part
        .replaceAll(':organisation', organisation)
        .replaceAll(':size', String(size))
        .replaceAll(':name', `'${name}'`),
    )
  for (const { definition } of indexes) await client.query(definition)
  await client.query('reset session_replication_role; reset maintenance_work_mem; reset work_mem')
  await client.query('vacuum analyze')
}

/** Loads an organisation with this many live stock rows. Needs a superuser's connection for itself. */
export const loadStock = (client: pg.Client, name: string, size: number): Promise<void> =>
  loadAs(client, name, size, [stock, stockListings])

/** Loads an organisation with this many ledger lines. */
export const loadMovements = (client: pg.Client, name: string, size: number): Promise<void> =>
  loadAs(client, name, size, [movements, stockListings])

/** Reads the organisation that was loaded under a name. */
export async function loadedStock(client: pg.Client, name: string): Promise<LoadedStock | undefined> {
  const { rows } = await client.query(
    `select o.id as "organisationId", u.id as "userId", i.id as "connectionId",
      array(select id from partner where organisation_id = o.id order by id) as "clientIds",
      array(select id from warehouse where organisation_id = o.id order by id) as "warehouseIds",
      array(select id from product where organisation_id = o.id and code in ('P00000', 'P00007', 'P00093',
        'P00310', 'P01000', 'P02500', 'P03000', 'P04000', 'P04500', 'P04999') order by id) as "productIds",
      array(select id from warehouse_zone where organisation_id = o.id order by id limit 3) as "zoneIds",
      array(select id from warehouse_location where organisation_id = o.id order by id limit 3)
        as "locationIds",
      array(select id from logistic_unit where organisation_id = o.id order by id desc limit 3) as "unitIds",
      array(select distinct dg_hazard_class_id from product_dg_hazard_class where organisation_id = o.id
        order by 1) as "hazardClassIds"
    from organisation o join app_user u on u.organisation_id = o.id
    join identity_connection i on i.organisation_id = o.id where o.name = $1`,
    [name],
  )
  return rows[0]
}
