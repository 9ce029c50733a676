// Products received: what arrived for consignments, from the ledger. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { HoldKind, TransactionType } from '../vocabulary/stock.ts'
import { enumeration, figures, list, localTime, nullableColumn, rate } from './columns.ts'
import { consignmentColumns, consignmentJoins, consignmentValues, movedGoods } from './consignment-lines.ts'
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

export const consignmentProductReceived = report({
  name: 'consignment-product-received',
  title: 'Products received',
  chapter: 'consignments',
  description:
    'What arrived for consignments, by product, batch, dates, logistic unit and hold. The dates are days ' +
    'of receipt; actualReceiveDateTime is when the last of it arrived. expectedQuantity and ' +
    'differenceQuantity are those of the whole line.',
  partners: 'all',
  filters: consignmentFilters('Received'),
  columns: {
    ...consignmentColumns,
    actualReceiveDateTime: nullableColumn(localTime('Received at')),
    ...productColumns,
    ...batchAndDateColumns,
    ...unitColumns,
    holdKind: nullableColumn(enumeration('Hold', HoldKind)),
    ...figures('received', 'Received'),
    expectedQuantity: rate('Expected of line'),
    differenceQuantity: rate('Difference of line'),
    serials: list('Serials'),
  },
  rows: request => sql`
    select ${consignmentValues}, s.moved_at as actual_receive_date_time, ${productValues},
      ${batchAndDateValues}, ${unitValues}, s.hold_kind, s.quantity as received_quantity,
      s.weight_kg as received_weight_kg,
      s.volume_m3 as received_volume_m3, r.expected_quantity,
      r.received_quantity - r.expected_quantity as difference_quantity, s.serials, r.ordinal as line
    from ${movedGoods(request, TransactionType.Receive, 1)} s
    join consignment c on c.organisation_id = ${request.actor.organisationId} and c.id = s.consignment_id
    ${consignmentJoins}
    join consignment_product r on r.organisation_id = c.organisation_id and r.id = s.consignment_product_id
    join product d on d.organisation_id = c.organisation_id and d.id = s.product_id
    left join logistic_unit u on u.organisation_id = c.organisation_id and u.id = s.logistic_unit_id`,
  order: sql`actual_receive_date_time nulls last, ordinal, line, partner_product_code, batch nulls first,
    best_before_date, expiry_date, packaging_date, production_date, sell_by_date,
    logistic_unit_number nulls first, hold_kind`,
})
