// What reports of money read: schedule transactions that the caller may see, on a schedule or not yet.

import {
  ChargeApplication,
  ScheduleStatus,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
} from '../billing/enumerations.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type Columns, date, enumeration, maybe, maybes, money, rate, text } from './columns.ts'

/** A condition, where a filter is given. */
export const equal = (column: Sql, value: string | number | boolean | undefined): Sql =>
  value === undefined ? empty : sql`and ${column} = ${value}`

/** That a day lies between two others, as far as they are given. */
export const between = (column: Sql, from: string | undefined, to: string | undefined): Sql => sql`
  ${from === undefined ? empty : sql`and ${column} >= ${from}::date`}
  ${to === undefined ? empty : sql`and ${column} <= ${to}::date`}`

/**
 * Transactions `t` of a partner `p` that the caller may see, with schedule `s` and consignment `c`, where
 * they have one.
 */
export const transactions = (actor: Actor): Sql => sql`
  schedule_transaction t
  join partner p on p.organisation_id = t.organisation_id and p.id = t.partner_id
  left join consignment c on c.organisation_id = t.organisation_id and c.id = t.consignment_id
  left join partner_schedule s on s.organisation_id = t.organisation_id and s.id = t.partner_schedule_id
  where t.organisation_id = ${actor.organisationId} and t.status <> ${ScheduleTransactionStatus.Void}
    ${actor.partnerId === null ? empty : sql`and t.partner_id = ${actor.partnerId}`}`

/** What a transaction is for. */
export const transactionColumns: Columns = {
  transactionType: enumeration('Transaction type', ScheduleTransactionType),
  ...maybes({
    activityName: text('Activity', 20),
    activityCode: text('Activity code', 12),
    particulars: text('Particulars', 36),
  }),
}
export const transactionValues: Sql = sql`t.type as transaction_type, t.activity_name, t.activity_code,
  t.particulars`

/** How the schedule of a transaction stands, null while there is none. */
export const scheduleColumns: Columns = maybes({
  scheduleStatus: enumeration('Schedule status', ScheduleStatus),
  scheduleReference: text('Schedule', 16),
})
export const scheduleValues: Sql = sql`s.status as schedule_status, s.reference_number as schedule_reference`

export const accountColumns: Columns = maybes({
  revenueAccountCode: text('Revenue account', 14),
  costCentreCode: text('Cost centre', 14),
})
export const accountValues: Sql = sql`t.revenue_account_code, t.cost_centre_code`

/** How an amount comes about. */
export const amountColumns: Columns = {
  taxRatePercent: rate('Tax %'),
  quantity: rate('Quantity'),
  chargeRateExclTax: rate('Rate'),
  chargeApplication: enumeration('Application', ChargeApplication),
  ...maybes({
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

/** The consignment that a transaction is for, and whom its goods go to. */
export const billedColumns: Columns = {
  consignmentNumber: maybe(text('Consignment', 16)),
  referenceNumber: maybe(text('Reference', 18)),
  consigneeName: maybe(text('Consignee', 26)),
}
export const billedValues: Sql = sql`t.consignment_number, t.consignment_reference_number as reference_number,
  c.destination_address ->> 'name' as consignee_name`
