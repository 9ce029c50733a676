// Loads a year of goods in store with their bills, with set-based SQL: 40 clients, each in one warehouse with
// three zones, billed monthly for each zone. The load adds up the days in SQL, so that the control of a
// back-test compares the service with a second calculation.

/** The ids of the card that the bills refer to. */
export interface StorageRule {
  version: string
  rate: string
  charge: string
  taxRate: string
  /** for a unit and day, in dollars */
  price: number
}

const warehouses = 4
const zones = 12
const locations = 1_200
const products = 500
const clients = 40

// Client n is in warehouse 1 + n % 4; the locations with the same n % 4 belong to that warehouse.
const setUp = `
  insert into warehouse_zone (organisation_id, id, warehouse_id, name)
    select :organisation, pg_temp.id(400000 + n), pg_temp.id(1 + n % ${warehouses}), 'Zone ' || n
    from generate_series(0, ${zones - 1}) n;
  insert into warehouse_location (organisation_id, id, warehouse_id, warehouse_zone_id, name, type)
    select :organisation, pg_temp.id(410000 + n), pg_temp.id(1 + n % ${warehouses}),
      pg_temp.id(400000 + n % ${zones}), 'A-' || n, 1
    from generate_series(0, ${locations - 1}) n;
  insert into location_facts (organisation_id, id, facts)
    select :organisation, pg_temp.id(420000 + n),
      jsonb_build_object('type', 1, 'zoneId', pg_temp.id(400000 + n % ${zones}))
    from generate_series(0, ${locations - 1}) n;
  insert into product (organisation_id, id, partner_id, code, name)
    select :organisation, pg_temp.id(100000 + n), pg_temp.id(1 + n % ${clients}), 'P' || n, 'Product ' || n
    from generate_series(0, ${products - 1}) n;
  insert into product_facts (organisation_id, id, facts)
    select :organisation, pg_temp.id(430000 + n),
      '{"productGroupId": null, "dgHazardClassIds": [], "steps": [], "freeStorageHours": "0"}'
    from generate_series(0, ${products - 1}) n;`

/** Stock rows with ten lines each: goods come and leave in steps over 60 days. */
const ledger = (lines: number) => `
  insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
    warehouse_location_id, received_date, batch, is_quarantined, version, last_effective_utc)
  select :organisation, pg_temp.id(1000000 + e), pg_temp.id(1 + c % ${warehouses}), pg_temp.id(c),
    pg_temp.id(100000 + e % ${products}),
    pg_temp.id(410000 + (e * 7 % ${locations / warehouses}) * ${warehouses} + c % ${warehouses}),
    date '2025-01-01' + (300.0 * e / ${lines / 10})::integer, 'B' || e, false, 10,
    timestamptz '2025-01-01 00:00Z' + interval '300 days' * e / ${lines / 10} + interval '60 days'
  from (select e, 1 + e % ${products} % ${clients} as c from generate_series(1, ${lines / 10}) e) drawn;
  insert into inventory_transaction (organisation_id, warehouse_product_id, version, movement_id, type,
    quantity, allocated_quantity, weight_kg, volume_m3, effective_utc, recorded_utc)
  select :organisation, pg_temp.id(1000000 + e), v, gen_random_uuid(), case when v = 1 then 3 else 6 end,
    case when v = 1 then 9 else -1 end, 0, case when v = 1 then 9 else -1 end, 0, effective, effective
  from (
    select e, v, timestamptz '2025-01-01 00:00Z' + interval '300 days' * e / ${lines / 10}
      + interval '60 days' * (v - 1) / 9.0 as effective
    from generate_series(1, ${lines / 10}) e, generate_series(1, 10) v
  ) drawn order by 10, 2;`

/** The unit-days of every client's goods in a zone in each month. */
const storageRows = `
  create temp table stored on commit preserve rows as
  with line as (
    select s.partner_id as client_id, s.warehouse_id, l.warehouse_zone_id as zone_id, t.quantity,
      (t.effective_utc at time zone 'UTC')::date as day
    from inventory_transaction t
    join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
    join warehouse_location l on l.organisation_id = s.organisation_id and l.id = s.warehouse_location_id
    where t.organisation_id = :organisation
  ), moved as (
    select client_id, warehouse_id, zone_id, date_trunc('month', day)::date as month,
      sum(quantity) as quantity,
      sum(quantity * ((date_trunc('month', day) + interval '1 month')::date - day)) as unit_days
    from line group by 1, 2, 3, 4
  ), place as (
    select distinct client_id, warehouse_id, zone_id from moved
  )
  select p.client_id, p.warehouse_id, p.zone_id, m.month,
    (m.month + interval '1 month - 1 day')::date as last_day,
    coalesce(v.unit_days, 0) + extract(day from m.month + interval '1 month - 1 day') * coalesce(
      sum(v.quantity) over (partition by p.client_id, p.zone_id order by m.month
        rows between unbounded preceding and 1 preceding), 0) as unit_days
  from place p
  cross join (
    select generate_series(date '2025-01-01', date '2025-12-01', interval '1 month')::date as month
  ) m
  left join moved v on v.client_id = p.client_id and v.zone_id = p.zone_id and v.month = m.month;`

const billedStorage = ({ version, rate, charge, taxRate, price }: StorageRule) => `
  insert into storage_account (organisation_id, client_id, warehouse_id, billed_through, run_number,
    known_at_utc)
  select distinct :organisation, client_id, warehouse_id, date '2025-12-31', 12,
    timestamptz '2026-02-01 00:00Z'
  from stored;
  insert into storage_run (organisation_id, id, client_id, warehouse_id, number, period_from, period_to,
    billing_period, known_at_utc, timezone_id, evaluator_version, product_ids, product_facts_ids,
    location_ids, location_facts_ids)
  select :organisation, gen_random_uuid(), b.client_id, b.warehouse_id, extract(month from b.month), b.month,
    b.last_day, 4, timestamptz '2026-02-01 00:00Z', 'UTC', 1, d.ids, d.facts_ids, l.ids, l.facts_ids
  from (select distinct client_id, warehouse_id, month, last_day from stored) b
  join (
    select partner_id, array_agg(id order by id) as ids,
      array_agg(pg_temp.id(430000 + substr(code, 2)::bigint) order by id) as facts_ids
    from product where organisation_id = :organisation group by partner_id
  ) d on d.partner_id = b.client_id
  join (
    select warehouse_id, array_agg(id order by id) as ids,
      array_agg(pg_temp.id(420000 + substr(name, 3)::bigint) order by id) as facts_ids
    from warehouse_location where organisation_id = :organisation group by warehouse_id
  ) l on l.warehouse_id = b.warehouse_id;
  insert into storage_run_version (organisation_id, storage_run_id, from_date, to_date, rate_card_version_id,
    because)
  select organisation_id, id, period_from - 62, period_to, '${version}', 2 from storage_run
  where organisation_id = :organisation;
  insert into schedule_transaction (organisation_id, id, partner_id, date, type, warehouse_id, period_from,
    period_to, rate_card_version_id, rate_id, rate_charge_id, group_key, storage_run_id, particulars,
    quantity, charge_rate_excl_tax, charge_application, tax_rate_id, tax_rate_name, tax_rate_percent,
    amount_excl_tax)
  select :organisation, gen_random_uuid(), b.client_id, b.last_day, 2, b.warehouse_id, b.month, b.last_day,
    '${version}', '${rate}', '${charge}', 'zone=' || b.zone_id, r.id, 'Storage', b.unit_days, ${price}, 1,
    '${taxRate}', 'GST', 15, round(b.unit_days * ${price}, 2)
  from stored b
  join storage_run r on r.organisation_id = :organisation and r.client_id = b.client_id
    and r.warehouse_id = b.warehouse_id and r.period_from = b.month
  where b.unit_days > 0;
  drop table stored;`

/** The statements that load this many ledger lines, for `loadConsignments`. */
export const storedLoad = (lines: number, rule: StorageRule): string[] => [
  setUp,
  ledger(lines),
  storageRows,
  billedStorage(rule),
]
