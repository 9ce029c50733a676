// Carrier charges: what carriers are owed, whether it is on a schedule or not. Spec 4.16; decision 9.

import { sql } from '../platform/database/db.ts'
import { Relationship } from '../vocabulary/partners.ts'
import { text } from './columns.ts'
import { between, equal } from './conditions.ts'
import { carrierPartnerFilter, period } from './filters.ts'
import { report } from './report.ts'
import {
  amountColumns,
  amountValues,
  billedConsignmentColumns,
  billedConsignmentValues,
  scheduleColumns,
  scheduleValues,
  transactionColumns,
  transactionDate,
  transactions,
  transactionValues,
} from './transactions.ts'

export const carrierCharges = report({
  name: 'carrier-charges',
  title: 'Carrier charges',
  chapter: 'operations',
  description: 'What carriers are owed, whether it is on a schedule yet or not.',
  partners: 'carriers',
  filters: { ...period('Date of the transaction'), ...carrierPartnerFilter },
  columns: {
    carrierName: text('Carrier', 26),
    ...transactionDate,
    ...scheduleColumns,
    ...transactionColumns,
    ...billedConsignmentColumns,
    ...amountColumns,
  },
  rows: ({ actor, filters }) => sql`
    select p.name as carrier_name, t.date as transaction_date, ${scheduleValues}, ${transactionValues},
      ${billedConsignmentValues}, ${amountValues}
    from ${transactions(actor)} and p.relationship = ${Relationship.Carrier}
      ${between(sql`t.date`, filters.dateFrom, filters.dateTo)}
      ${equal(sql`t.partner_id`, filters.carrierPartnerId)}`,
  order: sql`carrier_name, transaction_date, consignment_number, transaction_id`,
})
