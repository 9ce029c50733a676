// Scheduled transactions: every transaction that is on a schedule. Spec 4.16; decision 9.

import { sql } from '../platform/database/db.ts'
import { ScheduleStatus } from '../vocabulary/billing.ts'
import { date, enumeration, nullableColumn, nullableColumns, text } from './columns.ts'
import { between, equal } from './conditions.ts'
import { scheduleFilters } from './filters.ts'
import { report } from './report.ts'
import {
  accountColumns,
  accountValues,
  amountColumns,
  amountValues,
  transactionColumns,
  transactionDate,
  transactions,
  transactionValues,
} from './transactions.ts'

export const scheduledTransactions = report({
  name: 'scheduled-transactions',
  title: 'Scheduled transactions',
  chapter: 'operations',
  description: 'Every transaction that is on a schedule.',
  partners: 'all',
  filters: scheduleFilters,
  columns: {
    partnerName: text('Partner', 26),
    scheduleDate: date('Schedule date'),
    scheduleStatus: enumeration('Schedule status', ScheduleStatus),
    ...nullableColumns({
      referenceNumber: text('Schedule', 16),
      description: text('Schedule description', 26),
    }),
    ...transactionDate,
    ...transactionColumns,
    consignmentNumber: nullableColumn(text('Consignment', 16)),
    containerNumber: nullableColumn(text('Container', 14)),
    consignmentReferenceNumber: nullableColumn(text('Reference', 18)),
    ...accountColumns,
    ...amountColumns,
  },
  rows: ({ actor, filters }) => sql`
    select p.name as partner_name, s.date as schedule_date, s.status as schedule_status, s.reference_number,
      s.description, t.date as transaction_date, ${transactionValues}, t.consignment_number,
      c.container_number, t.consignment_reference_number, ${accountValues}, ${amountValues}
    from ${transactions(actor)} and s.id is not null
      ${between(sql`s.date`, filters.scheduleDateFrom, filters.scheduleDateTo)}
      ${equal(sql`s.status`, filters.scheduleStatus)} ${equal(sql`t.partner_id`, filters.partnerId)}
      ${equal(sql`p.relationship`, filters.partnerRelationship)}`,
  order: sql`partner_name, transaction_date, consignment_number, transaction_id`,
})
