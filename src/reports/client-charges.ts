// Client charges: what clients owe, whether it is on a schedule or not. Spec 4.16; decision 9.

import { sql } from '../platform/database/db.ts'
import { ScheduleTransactionType } from '../vocabulary/billing.ts'
import { Relationship } from '../vocabulary/partners.ts'
import { nullableColumn, text } from './columns.ts'
import { between, equal } from './conditions.ts'
import { accountFilters, clientPartnerFilter, enumerationFilter, period } from './filters.ts'
import { report } from './report.ts'
import {
  accountColumns,
  accountValues,
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

export const clientCharges = report({
  name: 'client-charges',
  title: 'Client charges',
  chapter: 'operations',
  description: 'What clients owe, whether it is on a schedule yet or not.',
  partners: 'clients',
  filters: {
    ...period('Date of the transaction'),
    ...clientPartnerFilter,
    transactionType: enumerationFilter('Transaction type', ScheduleTransactionType),
    ...accountFilters,
  },
  columns: {
    clientName: text('Client', 26),
    clientCode: text('Client code', 12),
    externalId: nullableColumn(text('External id', 14)),
    ...transactionDate,
    ...scheduleColumns,
    ...transactionColumns,
    ...billedConsignmentColumns,
    containerNumber: nullableColumn(text('Container', 14)),
    ...accountColumns,
    ...amountColumns,
  },
  rows: ({ actor, filters }) => sql`
    select p.name as client_name, p.code as client_code, p.external_id, t.date as transaction_date,
      ${scheduleValues}, ${transactionValues}, ${billedConsignmentValues}, c.container_number,
      ${accountValues}, ${amountValues}
    from ${transactions(actor)} and p.relationship = ${Relationship.Client}
      ${between(sql`t.date`, filters.dateFrom, filters.dateTo)}
      ${equal(sql`t.partner_id`, filters.clientPartnerId)} ${equal(sql`t.type`, filters.transactionType)}
      ${equal(sql`t.cost_centre_id`, filters.costCentreId)}
      ${equal(sql`t.revenue_account_id`, filters.revenueAccountId)}`,
  order: sql`client_name, transaction_date, consignment_number, transaction_id`,
})
