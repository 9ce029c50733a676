// Loads the other records of a large organisation, for `loadConsignments`. Shares and sizes are those of a
// working warehouse: lines on every consignment, notes on a quarter of them, and so on.

import { cardLoad } from './charged-load.ts'

const types = (table: string, count: number) => `
  insert into ${table} (organisation_id, id, code, name)
    select :organisation, pg_temp.id(n), upper(left('${table}', 3)) || n, initcap(replace('${table}', '_',
      ' ')) || ' ' || n from generate_series(1, ${count}) n;`
const namedTypes = (table: string, count: number) => `
  insert into ${table} (organisation_id, id, name)
    select :organisation, pg_temp.id(n), initcap(replace('${table}', '_', ' ')) || ' ' || n
      from generate_series(1, ${count}) n;`

const setUp = `
  ${['service_type', 'task_type', 'package_type', 'cost_centre', 'revenue_account']
    .map(table => types(table, 8))
    .join('')}
  ${['consumable_type', 'unit_type', 'product_group', 'product_attribute']
    .map(table => namedTypes(table, 8))
    .join('')}
  insert into tax_rate (organisation_id, id, name, percent) select :organisation, pg_temp.id(n), 'Tax ' || n,
    n * 5 from generate_series(1, 3) n;
  insert into app_user (organisation_id, id, email, full_name)
    select :organisation, pg_temp.id(n), 'user' || n || '@example.com', 'User ' || n from generate_series(1,
      20) n;
  insert into product (organisation_id, id, partner_id, code, name, weight_kg, volume_m3, product_group_id,
    unit_type_id)
    select :organisation, pg_temp.id(client * 1000 + n), pg_temp.id(client), 'P' || lpad(n::text, 3, '0'),
      (array['Apples', 'Pears', 'Plums', 'Cherries', 'Honey'])[1 + n % 5] || ', tray of ' || n, 1.25, 0.004,
        pg_temp.id(1 + n % 8), pg_temp.id(1)
    from generate_series(1, 40) client, generate_series(1, 50) n;
  insert into product_unit_conversion (organisation_id, product_id, ordinal, input_metric_type,
    input_unit_type_id, output_metric_type,
      conversion_rate, item_conversion_rate)
    select organisation_id, id, 0, 3, pg_temp.id(2), 1, 12, 12 from product
      where organisation_id = :organisation;
  insert into partner_logo (organisation_id, partner_id, file_name, content_type, content, thumbnail)
    select :organisation, pg_temp.id(n), 'logo.png', 'image/png', decode(repeat('89504e47', 1000), 'hex'),
      decode(repeat('89504e47', 200), 'hex')
    from generate_series(1, 10) n;
  insert into organisation_logo (organisation_id, file_name, content_type, content, thumbnail)
    select organisation_id, file_name, content_type, content, thumbnail from partner_logo
    where organisation_id = :organisation limit 1;
  insert into warehouse_zone (organisation_id, id, warehouse_id, name)
    select :organisation, pg_temp.id(w * 10 + n), pg_temp.id(w), 'Zone ' || n from generate_series(1, 4) w,
      generate_series(1, 5) n;
  insert into warehouse_location (organisation_id, id, warehouse_id, warehouse_zone_id, name, type)
    select :organisation, pg_temp.id(w * 1000 + n), pg_temp.id(w), pg_temp.id(w * 10 + 1 + n % 5),
      'A-' || lpad(n::text, 3, '0'), 1 + n % 2
    from generate_series(1, 4) w, generate_series(1, 500) n;
  insert into faf_profile (organisation_id, id, name) select :organisation, pg_temp.id(n), 'Fuel ' || n
    from generate_series(1, 4) n;
  insert into faf_profile_rate (organisation_id, id, faf_profile_id, carrier_id, faf_percent,
    effective_from_utc)
    select :organisation, pg_temp.id(f * 1000 + k * 20 + n), pg_temp.id(f), pg_temp.id(100 + k), n / 100.0,
      '2023-01-01'::timestamptz + n * interval '2 months'
    from generate_series(1, 4) f, generate_series(1, 12) k, generate_series(1, 18) n;`

/** SQL: the consignments with the number in the client's code, by which its products are found. */
const consignmentsWithClientNumber = `(select c.*, substr(p.code, 2)::int as client from consignment c
  join partner p on p.organisation_id = c.organisation_id and p.id = c.client_id
    where c.organisation_id = :organisation) c`

// Without statistics on a table that was just filled, the planner treats it as empty.
const subRecords = `
  analyze consignment, partner, product;
  insert into consignment_product (organisation_id, id, consignment_id, ordinal, product_id, product_code,
    goods_description, batch, expected_quantity,
      expected_weight_kg, expected_volume_m3)
    select :organisation, pg_temp.id(number * 2 + n), id, n,
      case when type > 0 then pg_temp.id(client * 1000 + 1 + (number * 7 + n) % 50) end,
      'P' || lpad((1 + (number * 7 + n) % 50)::text, 3, '0'), 'Fruit', 'B' || number % 50, 1 + number % 12,
        1.25 * (1 + number % 12), 0.004
    from ${consignmentsWithClientNumber}, generate_series(0, 1) n;
  insert into consignment_product_item (organisation_id, consignment_product_id, ordinal, quantity)
    select organisation_id, id, 0, expected_quantity from consignment_product
      where organisation_id = :organisation;
  insert into consignment_service_type (organisation_id, consignment_id, service_type_id)
    select :organisation, id, pg_temp.id(1 + number % 3) from consignment
      where organisation_id = :organisation;
  insert into consignment_task (organisation_id, id, consignment_id, task_type_id, value)
    select :organisation, id, id, pg_temp.id(1 + number % 6), 1 from consignment
      where organisation_id = :organisation and number % 3 = 0;
  insert into consignment_consumable (organisation_id, id, consignment_id, consumable_type_id, value)
    select :organisation, id, id, pg_temp.id(1 + number % 6), 2 from consignment
      where organisation_id = :organisation and number % 4 = 0;
  insert into consignment_note (organisation_id, id, consignment_id, note, created_by)
    select :organisation, id, id, 'Call the receiver an hour before.', pg_temp.id(1 + number % 20)
    from consignment where organisation_id = :organisation and number % 4 = 0;
  create or replace temporary view gate_file as
    select id, convert_to(number || repeat(' The gate code is in the letter.', 60), 'UTF8') as bytes
    from consignment where organisation_id = :organisation and number % 40 = 0;
  insert into file_content (organisation_id, sha256, bytes, size_bytes)
    select :organisation, sha256(bytes), bytes, octet_length(bytes) from gate_file;
  insert into consignment_note_attachment (organisation_id, id, consignment_note_id, file_name, content_type,
    content_sha256)
    select :organisation, id, id, 'gate.txt', 'text/plain', sha256(bytes) from gate_file;
  insert into consignment_tracking (organisation_id, id, consignment_id, carrier_name, status,
    tracking_number, last_updated_date)
    select :organisation, id, id, 'Carrier', 4, 'TRK' || number, date_entered from consignment
      where organisation_id = :organisation and number % 3 = 0;
  insert into consignment_tracking_event (organisation_id, id, consignment_tracking_id, status, details,
    event_date_time)
    select :organisation, pg_temp.id(number * 2 + n), id, 3 + n, 'Scanned',
      date_entered + n * interval '1 hour'
    from consignment, generate_series(0, 1) n where organisation_id = :organisation and number % 3 = 0;
  insert into consignment_pod (organisation_id, id, consignment_id, event_utc, signatory_name, file_name,
    content_type, content)
    select :organisation, id, id, date_entered, 'Somebody', 'pod.txt', 'text/plain',
      convert_to(repeat('Signed. ', 200), 'UTF8')
    from consignment where organisation_id = :organisation and number % 5 = 0;
  insert into event (organisation_id, id, type, subject_id, data, changes, client_id, carrier_id,
    identity_connection_id, user_id, created_utc)
    select :organisation, pg_temp.id(number * 2 + n), case n when 0 then 101 else 112 end, id,
      json_build_object('organisationId', organisation_id, 'consignmentId', id, 'consignmentNumber',
        consignment_number, 'type', type, 'status', status),
      case n when 1 then '[{"field": "status", "from": 1, "to": 2}]'::jsonb end, client_id, carrier_id,
        pg_temp.id(1), pg_temp.id(1), date_entered
    from consignment, generate_series(0, 1) n where organisation_id = :organisation;`

/** Charges on half of the consignments, billed weekly once those are Closed; the newest are Pending. */
const money = `
  insert into consignment_charge (organisation_id, id, consignment_id, partner_id, charge_type,
    charge_application, metric_value, charge_rate,
      tax_rate_id, tax_rate_percent, amount_excl_tax)
    select :organisation, pg_temp.id(number * 2 + n), id, client_id, 1 + n * 3, 1, 2, 5 + number % 7,
      pg_temp.id(1), 5, 2 * (5 + number % 7)
    from consignment, generate_series(0, 1) n where organisation_id = :organisation and number % 2 = 0
      and (n = 0 or number % 6 = 0);
  analyze consignment_charge;
  insert into partner_schedule (organisation_id, id, partner_id, status, date, reference_number)
    select :organisation, pg_temp.id(client * 1000 + week), pg_temp.id(client),
      case when week > 150 then 1 else 2 end,
      '2023-01-02'::date + week * 7, 'INV-' || client || '-' || week
    from generate_series(1, 40) client, generate_series(1, 160) week;
  insert into schedule_transaction (organisation_id, id, partner_id, status, partner_schedule_id, date, type,
    consignment_id, consignment_number,
      consignment_reference_number, consignment_charge_id, charge_type, quantity, charge_rate_excl_tax,
        charge_application, tax_rate_id,
      tax_rate_name, tax_rate_percent, amount_excl_tax)
    select :organisation, h.id, c.client_id, case when c.number % 50 = 0 then 1 else 2 end,
      case when c.number % 50 > 0 then pg_temp.id(c.client * 1000 + greatest(1,
        (c.date_entered::date - '2023-01-02'::date) / 7 + 1)) end,
      c.date_entered, case h.charge_type when 1 then 0 else 1 end, c.id, c.consignment_number,
        c.reference_number, h.id, h.charge_type, h.metric_value,
      h.charge_rate, 1, h.tax_rate_id, 'Tax 1', h.tax_rate_percent, h.amount_excl_tax
    from ${consignmentsWithClientNumber} join consignment_charge h on h.organisation_id = c.organisation_id
      and h.consignment_id = c.id where c.status = 6;
  analyze schedule_transaction;
  update partner_schedule s set amount_excl_tax = t.amount
    from (select partner_schedule_id, sum(amount_excl_tax) as amount from schedule_transaction
      where organisation_id = :organisation group by 1) t
    where s.organisation_id = :organisation and s.id = t.partner_schedule_id;
  insert into partner_schedule_export (organisation_id, partner_schedule_id, identity_connection_id)
    select organisation_id, id, pg_temp.id(1) from partner_schedule where organisation_id = :organisation
      and status = 2;`

/**
 * The rate card for open consignments, localities, and bills of the weeks up to today, by a billing rule
 * whose next bill is still to come.
 */
const billing = `
  insert into locality (organisation_id, id, name, areas)
    select :organisation, pg_temp.id(n), 'Area ' || n,
      json_build_array(json_build_object('country', 'New Zealand', 'city', 'City ' || n))
    from generate_series(1, 8) n;
  insert into billing_rule (organisation_id, id, counts_from, period, day_of_month)
    values (:organisation, pg_temp.id(1), current_date, 4, 31);
  insert into billing_run (organisation_id, id, partner_id, period_from, period_to, status, step, due_utc,
    done_utc)
    select :organisation, pg_temp.id(client * 1000 + week), pg_temp.id(client), current_date - week * 7,
      current_date - week * 7 + 6, 3, 5, current_date - week * 7 + 7, current_date - week * 7 + 7
    from generate_series(1, 40) client, generate_series(1, 100) week;`

/**
 * A wave pick of five for every hundred consignments, the last ones under way; imports that wait; and a
 * subscription that has failed.
 */
const work = `
  insert into job (organisation_id, id, number, job_number, type, status, wave_pick_style, warehouse_id,
    client_id, reference)
    select :organisation, pg_temp.id(n), n, 'WBL-J' || lpad(n::text, 6, '0'), 1,
      case when n > :size / 100 - 50 then 1 + n % 3 else 4 end, 1,
      pg_temp.id(1 + n % 3), pg_temp.id(1 + n % 40), 'Wave ' || n
    from generate_series(1, :size / 100) n;
  update organisation set last_job_number = :size / 100 where id = :organisation;
  insert into job_consignment (organisation_id, job_id, consignment_id, position, is_picking)
    select :organisation, pg_temp.id(n), pg_temp.id((n - 1) * 100 + position), position, n > :size / 100 - 50
    from generate_series(1, :size / 100) n, generate_series(1, 5) position;
  insert into consignment_import (organisation_id, id, identity_connection_id, user_id, status, client_code,
    reference_number, request, due_utc)
    select :organisation, pg_temp.id(n), pg_temp.id(1), pg_temp.id(1), case when n % 4 = 0 then 4 else 2 end,
      'NOBODY' || n, 'SO-' || n,
      json_build_object('consignmentType', 2, 'clientCode', 'NOBODY' || n, 'referenceNumber', 'SO-' || n,
        'warehouseCode', 'W1'),
      case when n % 4 > 0 then now() + interval '1 day' end
    from generate_series(1, 400) n;
  insert into consignment_import_reason (organisation_id, consignment_import_id, ordinal, kind, code, path,
    message)
    select :organisation, pg_temp.id(n), 0, 'client', 'NOBODY' || n, 'clientCode',
      'No active client has the code NOBODY' || n || '.'
    from generate_series(1, 400) n;
  insert into webhook_subscription (organisation_id, id, identity_connection_id, webhook_url, event_type,
    status)
    select :organisation, pg_temp.id(n), pg_temp.id(1), 'https://example.com/' || n, 101, 2
      from generate_series(1, 3) n;
  insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id, status, attempt_count)
    select :organisation, pg_temp.id(n), pg_temp.id(1 + n % 3), pg_temp.id(n * 2), 2, 1
      from generate_series(1, 300) n;`

/** Everything except the consignments: the `more` of loadConsignments. */
export const records: readonly string[] = [setUp, subRecords, money, cardLoad, billing, work]
