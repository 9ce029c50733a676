// Schedules: the total of each, with its tax. Spec 4.16; decision 9.

import { amountInclTax, billedCode, billedName, scheduleTaxAmount } from '../billing/schedules/invoice.ts'
import { visibleSchedules } from '../billing/schedules/schedule.ts'
import { sql } from '../platform/database/db.ts'
import { ScheduleStatus } from '../vocabulary/billing.ts'
import { Relationship } from '../vocabulary/partners.ts'
import {
  count,
  date,
  enumeration,
  flag,
  id,
  money,
  nullableColumn,
  nullableColumns,
  text,
} from './columns.ts'
import { between, equal } from './conditions.ts'
import { booleanFilter, scheduleFilters } from './filters.ts'
import { report } from './report.ts'

export const scheduleSummary = report({
  name: 'schedule-summary',
  title: 'Schedules',
  chapter: 'operations',
  description:
    'The total of each schedule, with the partner as it was called at the approval. Tax is rounded once ' +
    'for each tax rate of a schedule.',
  partners: 'all',
  filters: {
    ...scheduleFilters,
    isExported: booleanFilter('Exported', 'Whether the calling connection has exported it.'),
  },
  columns: {
    partnerId: id,
    partnerCode: text('Partner code', 12),
    partnerName: text('Partner', 26),
    partnerRelationship: enumeration('Relationship', Relationship),
    scheduleDate: date('Schedule date'),
    scheduleStatus: enumeration('Schedule status', ScheduleStatus),
    ...nullableColumns({ referenceNumber: text('Reference', 16), description: text('Description', 26) }),
    ...nullableColumns({ invoiceNumber: text('Invoice', 16), dueDate: date('Due') }),
    transactionCount: count('Transactions'),
    amountExclTax: money('Amount excl. tax'),
    taxAmount: money('Tax'),
    amountInclTax: money('Amount incl. tax'),
    isExported: flag('Exported'),
    externalUrl: nullableColumn(text('External URL', 30)),
  },
  rows: ({ actor, filters }) => sql`
    select p.id as partner_id, ${billedCode} as partner_code, ${billedName} as partner_name,
      p.relationship as partner_relationship, s.date as schedule_date, s.status as schedule_status,
      s.reference_number, s.description, s.invoice_number, s.due_date, (
        select coalesce(sum(x.transaction_count), 0) from partner_schedule_tax x
        where x.organisation_id = s.organisation_id and x.partner_schedule_id = s.id
      ) as transaction_count,
      s.amount_excl_tax, ${scheduleTaxAmount} as tax_amount, ${amountInclTax} as amount_incl_tax,
      e.partner_schedule_id is not null as is_exported, e.external_url, s.id as schedule_id
    from partner_schedule s
    join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
    left join partner_schedule_export e on e.organisation_id = s.organisation_id
      and e.partner_schedule_id = s.id and e.identity_connection_id = ${actor.connectionId}
    where ${visibleSchedules(actor)}
      ${between(sql`s.date`, filters.scheduleDateFrom, filters.scheduleDateTo)}
      ${equal(sql`s.status`, filters.scheduleStatus)} ${equal(sql`s.partner_id`, filters.partnerId)}
      ${equal(sql`p.relationship`, filters.partnerRelationship)}
      ${equal(sql`(e.partner_schedule_id is not null)`, filters.isExported)}`,
  order: sql`schedule_date desc, partner_name, schedule_id`,
})
