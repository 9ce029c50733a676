// Loads a year of Closed consignments with their frozen inputs and bills, and of goods in store, with
// set-based SQL. All are billed by one rate card with 20 rates of four charges each and one rate for storage.
// The load computes the bills in SQL, so that the control of a back-test compares the service with a second
// calculation.

import type pg from 'pg'
import { copiedTexts } from '../src/billing/charges/closing-texts.ts'
import { contentHash } from '../src/billing/rate-cards/version-cache.ts'
import { loadConsignments } from './consignments-load.ts'
import { storedLoad } from './stored-load.ts'

const rates = 20

const uuid = (kind: number, n: number) =>
  `${String(kind).padStart(8, '0')}-0000-7000-8000-${String(n).padStart(12, '0')}`

/** The ids of the card and its version. */
export const cardIds = { card: uuid(1, 1), version: uuid(1, 2), taxRate: uuid(1, 3), activity: uuid(1, 4) }

/** The storage rule: the units in a zone at the end of each day. */
const storage = {
  version: cardIds.version,
  rate: uuid(2, rates),
  charge: uuid(3, rates * 4),
  taxRate: cardIds.taxRate,
  price: 0.05,
}

const priceOf = (r: number, c: number) => (10 + r + c * 10) / 100

/**
 * The content of the card. Each rate has a charge for each type of consignment and a last one for the rest;
 * every fifth rate is by weight. Some charges have a base, a minimum or a maximum, some select a priority,
 * and the last six rates apply to few consignments. One rate is for storage.
 */
export function benchContent(raisePercent = 0) {
  const raised = (price: number) => Math.round(price * (1 + raisePercent / 100) * 1e6) / 1e6
  return {
    defaultTaxRateId: cardIds.taxRate,
    rates: [
      ...Array.from({ length: rates }, (_, r) => ({
        id: uuid(2, r),
        name: `Rate ${r}`,
        kind: 1,
        basis: 1,
        activityTypeId: cardIds.activity,
        charges: [0, 1, 2, 3].map(c => ({
          id: uuid(3, r * 4 + c),
          metric: r % 5 === 4 ? 3 : 2,
          application: 1,
          rateExclTax: raised(priceOf(r, c)),
          ...(c === 1 ? { baseExclTax: 2 } : {}),
          ...(c === 2 ? { minExclTax: 5 } : {}),
          ...(c === 3 ? { maxExclTax: 40 } : {}),
          when: {
            ...(c === 3 ? {} : { consignmentTypes: [c] }),
            ...(c === 3
              ? r >= 14
                ? { priorities: [4] }
                : {}
              : r >= 14 || r % 3 === 2
                ? { priorities: [3] }
                : {}),
          },
        })),
      })),
      {
        id: storage.rate,
        name: 'Storage',
        kind: 4,
        basis: 2,
        activityTypeId: cardIds.activity,
        charges: [
          {
            id: storage.charge,
            metric: 2,
            application: 1,
            rateExclTax: raised(storage.price),
            storage: { count: 1, method: 1, groupBy: ['zone'] },
          },
        ],
      },
    ],
  }
}

const content = JSON.stringify(benchContent())

/** The card and the records that it refers to. */
export const cardLoad = `
  insert into tax_rate (organisation_id, id, name, percent)
    values (:organisation, '${cardIds.taxRate}', 'GST', 15);
  insert into activity_type (organisation_id, id, code, name)
    values (:organisation, '${cardIds.activity}', 'HANDLING', 'Handling');
  insert into rate_card (organisation_id, id, name, relationship)
    values (:organisation, '${cardIds.card}', 'Prices', 1);
  insert into rate_card_version (organisation_id, id, rate_card_id, number, status, effective_from, content,
    content_sha256, approved_utc)
  values (:organisation, '${cardIds.version}', '${cardIds.card}', 1, 2, '2020-01-01', '${content}',
    '${contentHash(content)}', now());`

const setUp = `
  insert into product_facts (organisation_id, id, facts)
  select :organisation, pg_temp.id(100000 + n),
    '{"productGroupId": null, "dgHazardClassIds": [], "steps": []}'
  from generate_series(0, 499) n;
  update consignment set priority = case when number % 20 = 0 then 4 when number % 4 = 1 then 3 else 2 end
  where organisation_id = :organisation and (number % 20 = 0 or number % 4 = 1);`

/** The quantity of line k of consignment n, in items; an item weighs 1.25 kg. */
const quantity = (n: string, k: string) => `(1 + (${n} * 7 + ${k} * 13) % 90)`

const inputsOf = `
  insert into charge_input (organisation_id, consignment_id, closing_number, charge_date, charge_utc,
    client_id, carrier_id, warehouse_id, consignment_type, priority, is_containerised, service_type_ids,
    origin_locality_ids, destination_locality_ids, is_by_expected, quantity, weight_kg, volume_m3,
    client_version_id, client_because, client_freight_resolution, client_faf_percent,
    carrier_freight_resolution, carrier_faf_percent, freight_warning_type, freight_warning_threshold,
    evaluator_version, sources, names, line_ids, part_subjects, part_figures, selector_facts,
    client_amounts, carrier_amounts)
  select c.organisation_id, c.id, 1, date '2025-01-01' + (number * 365 / (:size + 1))::integer,
    timestamptz '2025-01-01' + number * interval '365 days' / (:size + 1), client_id, carrier_id,
    warehouse_id, type, priority, container_number is not null, '{}', '{}', '{}', true, 0, 0, 0,
    '${cardIds.version}', 2, 0, 0, 0, 0, 0, 0, 1, '{}', '{}', array[c.id, c.id, c.id],
    part.subjects, part.figures, '', '', ''
  from consignment c
  join (
    select c.id, string_agg('2 ' || p.id || ' ' || p.id || ' ', E'\n' order by k) as subjects,
      string_agg(concat_ws(' ', q.n::numeric(28, 4), (q.n * 1.25)::numeric(28, 4),
        (q.n * 0.01)::numeric(28, 6), 'x', 0), ' ' order by k) as figures
    from consignment c
    cross join generate_series(0, 2) k
    cross join lateral (select ${quantity('c.number', 'k')} as n) q
    join (select id, (row_number() over (order by id))::integer - 1 as n from product_facts
      where organisation_id = :organisation) p on p.n = (c.number * 31 + k * 7) % 500
    where c.organisation_id = :organisation and c.status = 6 group by c.id
  ) part on part.id = c.id
  where c.organisation_id = :organisation and c.status = 6 order by c.number;`

const billings = `
  insert into consignment_charge (organisation_id, id, consignment_id, partner_id, charge_type,
    charge_application, particulars, metric_value, charge_rate, tax_rate_id, tax_rate_percent,
    amount_excl_tax, closing_number, ordinal, rate_card_version_id, rate_id, rate_charge_id, part_key,
    activity_type_id)
  select :organisation, (lpad(to_hex(number), 8, '0') || '-0000-7000-8000-' || lpad(r::text, 12, '0'))::uuid,
    id, client_id, 2, 1, 'Rate ' || r, metric, price, '${cardIds.taxRate}', 15,
    round(case c when 1 then metric * price + 2 when 2 then greatest(metric * price, 5)
      when 3 then least(metric * price, 40) else metric * price end, 2),
    1, (row_number() over (partition by number order by r))::integer - 1, '${cardIds.version}',
    ('00000002-0000-7000-8000-' || lpad(r::text, 12, '0'))::uuid,
    ('00000003-0000-7000-8000-' || lpad((r * 4 + c)::text, 12, '0'))::uuid, '', '${cardIds.activity}'
  from (
    select o.*, r, case when priority = 3 or r < 14 and r % 3 <> 2 then type
        when r < 14 or priority = 4 then 3 end as c,
      items * case when r % 5 = 4 then 1.25 else 1 end as metric
    from (
      select id, number, type, priority, client_id,
        ${quantity('number', '0')} + ${quantity('number', '1')} + ${quantity('number', '2')} as items
      from consignment where organisation_id = :organisation and status = 6 order by number
    ) o cross join generate_series(0, ${rates - 1}) r
  ) d cross join lateral (select (10 + r + c * 10) / 100.0 as price) p
  where c is not null order by number, r;`

/** The copies that closing the consignments would have written. Indexes make this faster. */
const textColumns = `
  alter table charge_input disable trigger user;
  update charge_input i
  set (selector_facts, client_amounts, carrier_amounts) = (${copiedTexts.text})
  where i.selector_facts = '';
  alter table charge_input enable trigger user;`

/** The share of consignments that are Closed; each of them has three parts. */
const closedShare = 0.926
const partsPerConsignment = 4

/**
 * Loads an organisation with about this many inputs, which are Closed consignments and their parts, and the
 * same number of ledger lines.
 */
export async function loadCharged(client: pg.Client, inputs: number): Promise<void> {
  // The order is not needed any more, and creating the indexes at the end is much faster.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('consignment_charge'::regclass, 'inventory_transaction'::regclass,
      'warehouse_product'::regclass, 'charge_input'::regclass) and not indisunique`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const size = Math.round(inputs / partsPerConsignment / closedShare)
  await loadConsignments(
    client,
    [size],
    [cardLoad, setUp, inputsOf, billings, ...storedLoad(inputs, storage)],
  )
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes) await client.query(definition)
  await client.query('reset maintenance_work_mem')
  await client.query(textColumns)
  await client.query(
    'vacuum analyze consignment_charge, inventory_transaction, warehouse_product, charge_input',
  )
}
