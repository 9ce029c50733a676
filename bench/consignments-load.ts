// Loads a large organisation for benchmarks with set-based SQL: 40 clients, 12 carriers and 4 warehouses,
// skewed and correlated as in reality. The load bypasses triggers and foreign keys, and then fills what the
// triggers maintain (the listing and its counts) from the consignments.

import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'

/** What was loaded. */
export interface LoadedOrganisation {
  organisationId: string
  userId: string
  /** by size: the first have most of the consignments; those of the last one are all old */
  clientIds: string[]
  /** the last one carries only for the sixth client */
  carrierIds: string[]
  /** the last one was closed long ago */
  warehouseIds: string[]
  /**
   * one that acknowledges what it is sent, for half of the clients; one that began recently; one that never
   * did
   */
  connections: { steady: string; recent: string; unused: string }
}

const nil = `'00000000-0000-0000-0000-000000000000'`

/**
 * The records that consignments refer to. Ids ascend in the order of creation, so that they can be read back
 * in order.
 */
const setUp = `
  insert into organisation (id, name, consignment_prefix, timezone_id, last_consignment_number)
    values (:organisation, 'Bench', 'WBL', 'UTC', :size);
  insert into app_user (organisation_id, id, email, full_name)
    values (:organisation, gen_random_uuid(), 'bench@example.com', 'Bench');
  insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash, scopes, created_by)
    select organisation_id, pg_temp.id(n), 'App ' || n, 2, gen_random_uuid(), '\\x00', '{}', id
    from app_user, generate_series(1, 3) n where organisation_id = :organisation;
  insert into identity_connection (organisation_id, id, custom_app_id, user_id)
    select organisation_id, id, id, created_by from custom_app where organisation_id = :organisation;
  insert into partner (organisation_id, id, name, code, relationship)
    select :organisation, pg_temp.id(n),
      (array['Kauri', 'Rimu', 'Totara', 'Matai', 'Tawa', 'Kowhai', 'Rata', 'Nikau'])[1 + n % 8]
        || ' Foods ' || n,
      'C' || n, 1
    from generate_series(1, 40) n;
  insert into partner (organisation_id, id, name, code, relationship)
    select :organisation, pg_temp.id(100 + n), 'Carrier ' || n, 'K' || lpad(n::text, 2, '0'), 2
      from generate_series(1, 12) n;
  insert into warehouse (organisation_id, id, name, code, timezone_id, address_id)
    select :organisation, pg_temp.id(n), 'Warehouse ' || n, 'W' || n, 'UTC', gen_random_uuid()
      from generate_series(1, 4) n;`

/** Over how long an organisation has entered its consignments, and how they stand. */
export interface Course {
  /** SQL: when the first was entered */
  begin: string
  /** SQL: how much later the last was */
  span: string
  /** SQL: the status of a consignment of `age` 0, the oldest, to 1, by its `type` and the random r3 and r4 */
  status: string
}

/** SQL: the status of a consignment that was entered lately. */
export const statusOfNew = `
  case when r4 < 0.02 then -2
    when r4 < 0.05 then 8
    when r4 < 0.4 then 0
    else case type
      when 1 then (array[1, 4])[1 + (r3 * 1.99)::int % 2]
      when 2 then (array[1, 2, 3, 7])[1 + (r3 * 3.99)::int % 4]
      else (array[1, 5])[1 + (r3 * 1.99)::int % 2] end
  end`

const threeYears: Course = {
  begin: `'2023-01-01'::timestamp`,
  span: `interval '3 years'`,
  status: `case
    when age < 0.98 - r4 / 10 then case when r4 < 0.03 then -2 when r4 < 0.05 then 0
      when r4 < 0.0502 then 8 else 6 end
    else ${statusOfNew} end`,
}

/** The consignments with when they are due and, in a status that says so, when that was done. */
const consignments = `
  select setseed(0.5);
  insert into consignment (organisation_id, id, number, consignment_number, type, status, client_id,
    carrier_id, warehouse_id, reference_number,
    external_id, date_entered, expected_arrival_date_time, expected_dispatch_date_time,
    expected_delivery_date_time, actual_receive_date_time, actual_dispatch_date_time, container_number,
    destination_address, delivery_instructions)
  with drawn as (
    select i, i::float8 / :size as age, floor(40 * power(random(), 3))::int as c,
      random() as r1, random() as r2, random() as r3, random() as r4
    from generate_series(1, :size) i
  ), placed as (
    select i, age, r2, r3, r4, case when c = 39 and age > 0.1 then 0 else c end as c,
      case when r1 < 0.55 then 2 when r1 < 0.9 then 1 else 0 end as type
    from drawn
  ), housed as (
    select *,
      case when type = 0 and r2 < 0.7 then null
        when age < 0.2 and r2 > 0.9 then 4
        when r2 < 0.6 then 1 + c % 3
        else 1 + (c + 1) % 3 end as w,
      case when type = 1 and r3 < 0.6 then null when c = 5 and r3 > 0.9 then 12
        else 1 + floor(11 * power(((c * 7 + r4 * 30)::int % 31) / 31.0, 2))::int end as k
    from placed
  ), stated as (
    select *, :status as status, :begin + age * :span - r2 * interval '2 days' as entered,
      interval '1 day' + r3 * interval '4 days' as lead, case when r4 < 0.9 then type end as dated
    from housed
  )
  select :organisation, pg_temp.id(i), i,
    'WBL-' || lpad(i::text, 6, '0') || (array['-P2P', '-IN', '-OUT'])[type + 1], type,
    status,
    pg_temp.id(c + 1), pg_temp.id(100 + k), pg_temp.id(w),
    case when r2 < 0.9 then 'PO' || (100000 + (r3 * 8999999)::int) end,
    case when r3 < 0.5 then 'EXT-' || i end,
    entered, case when dated = 1 then entered + lead end, case when dated = 2 then entered + lead end,
    case when dated = 0 then entered + lead end,
    case when type = 1 and status in (0, 6) then entered + lead end,
    case when type = 2 and status in (0, 6, 7) then entered + lead end,
    case when type = 1 and r4 < 0.4 then 'MSCU' || lpad((r2 * 9999999)::int::text, 7, '0') end,
    '{"name": "Somebody", "streetAddress": "1 Long Street", "city": "Somewhere", "country": "New Zealand"}',
      'Leave at the door.'
  from stated;
  insert into consignment_edi (organisation_id, consignment_id, identity_connection_id, edi_status)
    select :organisation, id, pg_temp.id(1),
      case when number % 200 = 0 then 2 when number % 50 = 0 then 10 + number % 3 else 1 end
    from consignment
    where organisation_id = :organisation and number < :size * 0.97 and client_id <= pg_temp.id(20)
      and number % 1000 <> 7;
  insert into consignment_edi (organisation_id, consignment_id, identity_connection_id, edi_status)
    select :organisation, id, pg_temp.id(2), 1 from consignment where organisation_id = :organisation
      and number > :size * 0.8;`

/** The rows that the triggers would have written. */
const triggerRows = `
  insert into consignment_listing
    select c.organisation_id, c.number, e.identity_connection_id, e.edi_status, c.client_id,
      coalesce(c.carrier_id, ${nil}), coalesce(c.warehouse_id, ${nil}), c.type, c.status, c.date_entered
    from consignment c cross join lateral (
      select ${nil}::uuid as identity_connection_id, 0 as edi_status
      union all
      select identity_connection_id, edi_status from consignment_edi e
        where e.organisation_id = c.organisation_id and e.consignment_id = c.id
    ) e where c.organisation_id = :organisation;
  insert into consignment_count
    select organisation_id, level, identity_connection_id, edi_status, l.client_id, l.carrier_id,
      warehouse_id, type, status, count(*), true
    from consignment_listing r, levels_of(r) l
    where organisation_id = :organisation
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
  insert into consignment_week_count
    select organisation_id, unnest(filters_of(l)), identity_connection_id, date_trunc('week', date_entered),
      count(*), true
    from consignment_listing l
    where organisation_id = :organisation
    group by 1, 2, 3, 4;`

/**
 * Loads an organisation for each of these numbers of consignments, without lines. Needs a superuser's
 * connection for itself. `more` is run for each organisation too: statements in which :organisation, :size
 * and pg_temp.id(n) are replaced.
 */
export async function loadConsignments(
  client: pg.Client,
  sizes: readonly number[],
  more: readonly string[] = [],
  course: Course = threeYears,
): Promise<void> {
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB'`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('consignment'::regclass, 'consignment_listing'::regclass,
      'consignment_product'::regclass) and not indisunique`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const size of sizes) {
    const organisation = `'${uuidv7()}'::uuid`
    const run = (text: string) =>
      client.query(
        text
          .replaceAll(':begin', course.begin)
          .replaceAll(':span', course.span)
          .replaceAll(':status', course.status)
          .replaceAll(':organisation', organisation)
          .replaceAll(':size', String(size)),
      )
    // UUIDs of version 7 that ascend with n, as those of the service ascend with time.
    await run(`create or replace function pg_temp.id(n bigint) returns uuid language sql immutable as $$
      select (lpad(to_hex(1672531200000 + n * 50), 12, '0') || '7' || substr(md5(n::text), 1, 3)
        || '8' || substr(md5(n::text || :organisation::text), 1, 15))::uuid $$`)
    for (const part of [setUp, consignments, triggerRows, ...more]) await run(part)
  }
  for (const { definition } of indexes) await client.query(definition)
  await client.query('reset session_replication_role; reset maintenance_work_mem; reset work_mem')
  await client.query('vacuum analyze')
}

/** Reads the organisation that was loaded with this many consignments. */
export async function loadedOrganisations(client: pg.Client, size: number): Promise<LoadedOrganisation[]> {
  const { rows } = await client.query(
    `select o.id as "organisationId", (select id from app_user where organisation_id = o.id
      and email = 'bench@example.com') as "userId",
      array(select id from partner where organisation_id = o.id and relationship = 1 order by id)
        as "clientIds",
      array(select id from partner where organisation_id = o.id and relationship = 2 order by id)
        as "carrierIds",
      array(select id from warehouse where organisation_id = o.id order by id) as "warehouseIds",
      array(select id from identity_connection where organisation_id = o.id order by id) as connections
    from organisation o where last_consignment_number = $1 order by id`,
    [size],
  )
  return rows.map(({ connections: [steady, recent, unused], ...loaded }) => ({
    ...loaded,
    connections: { steady, recent, unused },
  }))
}
