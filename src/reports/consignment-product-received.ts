// Products received: what came in for consignments, as the ledger has it. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { HoldKind, TransactionType } from '../stock/enumerations.ts'
import { enumeration, figures, list, localTime, maybe, rate } from './columns.ts'
import {
  consignmentColumns,
  consignmentNames,
  consignmentValues,
  lineColumns,
  lineProduct,
  lineProductValues,
  movedGoods,
} from './consignment-lines.ts'
import { consignmentFilters } from './filters.ts'
import { report } from './report.ts'
import { describedColumns, describedValues, unitColumns, unitValues } from './stock.ts'

export const consignmentProductReceived = report({
  name: 'consignment-product-received',
  title: 'Products received',
  chapter: 'consignments',
  description:
    'What came in for consignments, by batch, dates, logistic unit and hold. The dates are days of ' +
    'receipt. expectedQuantity and differenceQuantity are of the whole line.',
  partners: 'all',
  filters: consignmentFilters('Received'),
  columns: {
    ...consignmentColumns,
    actualReceiveDateTime: maybe(localTime('Received at')),
    ...lineColumns,
    ...describedColumns,
    ...unitColumns,
    holdKind: maybe(enumeration('Hold', HoldKind)),
    ...figures('received', 'Received'),
    expectedQuantity: rate('Expected of line'),
    differenceQuantity: rate('Difference of line'),
    serials: list('Serials'),
  },
  rows: asked => sql`
    select ${consignmentValues}, c.actual_receive_date_time, ${lineProductValues}, ${describedValues},
      ${unitValues}, s.hold_kind, s.quantity as received_quantity, s.weight_kg as received_weight_kg,
      s.volume_m3 as received_volume_m3, r.expected_quantity,
      r.received_quantity - r.expected_quantity as difference_quantity, s.serials, r.ordinal as line
    from ${movedGoods(asked, TransactionType.Receive, 1)} s
    join consignment c on c.organisation_id = ${asked.actor.organisationId} and c.id = s.consignment_id
    ${consignmentNames}
    join consignment_product r on r.organisation_id = c.organisation_id and r.id = s.consignment_product_id
    ${lineProduct}
    left join logistic_unit u on u.organisation_id = c.organisation_id and u.id = s.logistic_unit_id`,
  order: sql`actual_receive_date_time nulls last, ordinal, line, batch nulls first, best_before_date,
    expiry_date, packaging_date, production_date, sell_by_date, logistic_unit_number nulls first, hold_kind`,
})
