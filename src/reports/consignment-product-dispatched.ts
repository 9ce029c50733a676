// Products dispatched: what left with consignments, from the ledger. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { figures, list, localTime, nullableColumn, nullableColumns, rate, text } from './columns.ts'
import {
  consigneeValues,
  consignmentColumns,
  consignmentJoins,
  consignmentValues,
  lastTrackingJoin,
  movedGoods,
} from './consignment-lines.ts'
import { consignmentFilters } from './filters.ts'
import { report } from './report.ts'
import {
  batchAndDateColumns,
  batchAndDateValues,
  productColumns,
  productValues,
  unitColumns,
  unitValues,
} from './stock.ts'

export const consignmentProductDispatched = report({
  name: 'consignment-product-dispatched',
  title: 'Products dispatched',
  chapter: 'consignments',
  description:
    'What left with consignments, by product, batch, dates and logistic unit: a substitute under its own ' +
    'code. The dates are days of dispatch; actualDispatchDateTime is when the last of it left. ' +
    'expectedQuantity and shortQuantity are those of the whole line.',
  partners: 'all',
  filters: consignmentFilters('Dispatched'),
  columns: {
    ...consignmentColumns,
    actualDispatchDateTime: nullableColumn(localTime('Dispatched at')),
    ...nullableColumns({
      consigneeName: text('Consignee', 26),
      consigneeCity: text('City', 16),
      trackingNumber: text('Tracking number', 18),
    }),
    ...productColumns,
    ...batchAndDateColumns,
    ...unitColumns,
    ...figures('dispatched', 'Dispatched'),
    expectedQuantity: rate('Expected of line'),
    shortQuantity: rate('Short of line'),
    serials: list('Serials'),
  },
  rows: request => sql`
    select ${consignmentValues}, s.moved_at as actual_dispatch_date_time, ${consigneeValues},
      x.tracking_number, ${productValues}, ${batchAndDateValues}, ${unitValues},
      s.quantity as dispatched_quantity, s.weight_kg as dispatched_weight_kg,
      s.volume_m3 as dispatched_volume_m3, r.expected_quantity,
      greatest(0, r.expected_quantity - r.dispatched_quantity) as short_quantity,
      s.serials, r.ordinal as line
    from ${movedGoods(request, TransactionType.Dispatch, -1)} s
    join consignment c on c.organisation_id = ${request.actor.organisationId} and c.id = s.consignment_id
    ${consignmentJoins} ${lastTrackingJoin}
    join consignment_product r on r.organisation_id = c.organisation_id and r.id = s.consignment_product_id
    join product d on d.organisation_id = c.organisation_id and d.id = s.product_id
    left join logistic_unit u on u.organisation_id = c.organisation_id and u.id = s.logistic_unit_id`,
  order: sql`actual_dispatch_date_time nulls last, ordinal, line, partner_product_code, batch nulls first,
    best_before_date, expiry_date, packaging_date, production_date, sell_by_date,
    logistic_unit_number nulls first`,
})
