// The minimum spend of a period: what counts towards it, its top-up, and the adjustment of earlier top-ups by
// work that is billed later.

import { raw, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import {
  ChargeApplication,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
} from '../../vocabulary/billing.ts'
import type { BillingRun } from './billing-run.ts'

const { Void } = ScheduleTransactionStatus
const { AdhocCharge, ActivityCharge } = ScheduleTransactionType
const { Fee } = ChargeApplication

/** Whether a transaction counts towards the minimum spend of its period unless it is Void. */
export const countsUnlessVoid = (row: string): string => `(${row}.credit_of is null
  and not (${row}.type = ${AdhocCharge} and ${row}.amount_excl_tax < 0)
  and (${row}.billing_run_id is null or ${row}.rate_charge_id is not null))`

/**
 * Whether transaction `t` counts towards the minimum spend of the period that it is dated in. Goodwill does
 * not: a credit that the minimum took back again would be none. Nor do top-ups and their adjustments.
 */
const countsTowardsMinimum: Sql = raw(`(t.status <> ${Void} and ${countsUnlessVoid('t')})`)

/** The sum of a partner's transactions dated in a period that count towards its minimum spend. */
export const amountSpentIn = (organisationId: Sql, partnerId: Sql, from: Sql, to: Sql): Sql => sql`(
  select coalesce(sum(t.amount_excl_tax), 0) from schedule_transaction t
  where t.organisation_id = ${organisationId} and t.partner_id = ${partnerId}
    and t.date between ${from} and ${to} and ${countsTowardsMinimum})`

/**
 * Adjusts the top-ups of earlier periods of the partner whose work was partly billed after them: each becomes
 * what is still missing of the minimum, or nothing. An adjustment is dated like the run, and never positive;
 * a voided one counts as given. It has the account of the top-up. Voided top-ups stay as they are.
 */
export const adjustTopUps = (
  tx: Tx,
  { organisationId, id, partnerId, periodFrom, periodTo }: BillingRun,
): Promise<number> =>
  tx.run(sql`
    insert into schedule_transaction (organisation_id, id, partner_id, date, type, period_from, period_to,
      particulars, quantity, charge_rate_excl_tax, charge_application, tax_rate_id, tax_rate_name,
      tax_rate_percent, amount_excl_tax, billing_run_id, adjusts, spent_excl_tax,
      revenue_account_id, revenue_account_code)
    select u.organisation_id, uuid_at(clock_timestamp()), u.partner_id, ${periodTo},
      ${raw(String(ActivityCharge))}, b.period_from, b.period_to,
      concat('Minimum spend ', m.minimum, ' from ', b.period_from, ' to ', b.period_to, ' after later work: ',
        s.spent, ' was spent'),
      1, d.amount, ${raw(String(Fee))}, u.tax_rate_id, u.tax_rate_name, u.tax_rate_percent, d.amount, ${id},
      u.id, s.spent, u.revenue_account_id, u.revenue_account_code
    from billing_run b
    join schedule_transaction u on u.organisation_id = b.organisation_id and u.billing_run_id = b.id
      and u.rate_charge_id is null and u.adjusts is null and u.status <> ${raw(String(Void))}
    cross join lateral (select b.spent_excl_tax + u.amount_excl_tax as minimum) m
    cross join lateral (
      select ${amountSpentIn(
        sql`b.organisation_id`,
        sql`b.partner_id`,
        sql`b.period_from`,
        sql`b.period_to`,
      )} as spent
    ) s
    cross join lateral (
      select greatest(0, m.minimum - s.spent) - u.amount_excl_tax
        - coalesce(sum(a.amount_excl_tax), 0) as amount
      from schedule_transaction a
      where a.organisation_id = u.organisation_id and a.adjusts = u.id and a.spent_excl_tax is not null
    ) d
    where b.organisation_id = ${organisationId} and b.partner_id = ${partnerId}
      and b.spent_excl_tax is not null and b.period_to < ${periodFrom} and d.amount < 0
    order by b.period_from`)
