// What reports about charges have in common: the schedule transactions that the caller may see.

import type { Actor } from '../access/actor.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import {
  ChargeApplication,
  ScheduleStatus,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
} from '../vocabulary/billing.ts'
import {
  type Columns,
  date,
  enumeration,
  money,
  nullableColumn,
  nullableColumns,
  rate,
  text,
} from './columns.ts'

/**
 * The tables and conditions of a query over the transactions `t` that the caller may see, with their partner
 * `p` and, if they have one, their schedule `s` and consignment `c`.
 */
export const transactions = (actor: Actor): Sql => sql`
  schedule_transaction t
  join partner p on p.organisation_id = t.organisation_id and p.id = t.partner_id
  left join consignment c on c.organisation_id = t.organisation_id and c.id = t.consignment_id
  left join partner_schedule s on s.organisation_id = t.organisation_id and s.id = t.partner_schedule_id
  where t.organisation_id = ${actor.organisationId} and t.status <> ${ScheduleTransactionStatus.Void}
    ${actor.partnerId === null ? empty : sql`and t.partner_id = ${actor.partnerId}`}`

/** What a transaction charges for. */
export const transactionColumns: Columns = {
  transactionType: enumeration('Transaction type', ScheduleTransactionType),
  ...nullableColumns({
    activityName: text('Activity', 20),
    activityCode: text('Activity code', 12),
    particulars: text('Particulars', 36),
  }),
}
export const transactionValues: Sql = sql`t.type as transaction_type, t.activity_name, t.activity_code,
  t.particulars`

/** The schedule of a transaction; null while it is on none. */
export const scheduleColumns: Columns = nullableColumns({
  scheduleStatus: enumeration('Schedule status', ScheduleStatus),
  scheduleReference: text('Schedule', 16),
})
export const scheduleValues: Sql = sql`s.status as schedule_status, s.reference_number as schedule_reference`

export const accountColumns: Columns = nullableColumns({
  revenueAccountCode: text('Revenue account', 14),
  costCentreCode: text('Cost centre', 14),
})
export const accountValues: Sql = sql`t.revenue_account_code, t.cost_centre_code`

/** The amount of a transaction, and the figures that it was computed from. */
export const amountColumns: Columns = {
  taxRatePercent: rate('Tax %'),
  quantity: rate('Quantity'),
  chargeRateExclTax: rate('Rate'),
  chargeApplication: enumeration('Application', ChargeApplication),
  ...nullableColumns({
    baseChargeExclTax: rate('Base'),
    minChargeExclTax: rate('Min'),
    maxChargeExclTax: rate('Max'),
  }),
  amountExclTax: money('Amount excl. tax'),
}
export const amountValues: Sql = sql`t.tax_rate_percent, t.quantity, t.charge_rate_excl_tax,
  t.charge_application, t.base_charge_excl_tax, t.min_charge_excl_tax, t.max_charge_excl_tax,
  t.amount_excl_tax, t.id as transaction_id`

export const transactionDate: Columns = { transactionDate: date('Date') }

/** The consignment that a transaction is for, and its consignee. */
export const billedConsignmentColumns: Columns = {
  consignmentNumber: nullableColumn(text('Consignment', 16)),
  referenceNumber: nullableColumn(text('Reference', 18)),
  consigneeName: nullableColumn(text('Consignee', 26)),
}
export const billedConsignmentValues: Sql = sql`t.consignment_number,
  t.consignment_reference_number as reference_number, c.destination_address ->> 'name' as consignee_name`
