// The rules of invoices, taxes and credits that SQL alone can check. Like money-rules.ts.

import { raw, type Sql, sql } from '../../platform/database/db.ts'
import { ScheduleStatus, ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { countsUnlessVoid } from '../runs/minimum-spend.ts'
import { derivedCredit, followsFromOriginal } from './derive-credits.ts'
import { creationDay, isInScope, type MoneyScope, noAmount, type Rule } from './money-rules.ts'

const ofOrganisation = ({ organisationId }: MoneyScope, row: Sql): Sql =>
  isInScope({ organisationId }, row, sql``)

const taxesMatchTransactions: Rule = {
  rule: 'The taxes of a schedule are those of its transactions.',
  broken: scope => sql`
    select s.organisation_id, s.id, coalesce(x.stored, ${noAmount}) as stored,
      coalesce(t.computed, ${noAmount}) as computed
    from partner_schedule s
    left join lateral (
      select string_agg(concat_ws(' ', x.tax_rate_id, x.percent, x.transaction_count, x.net_amount,
        x.tax_amount), ', ' order by x.tax_rate_id, x.percent) as stored
      from partner_schedule_tax x
      where x.organisation_id = s.organisation_id and x.partner_schedule_id = s.id
    ) x on true
    left join lateral (
      select string_agg(concat_ws(' ', r.tax_rate_id, r.percent, r.n, r.net,
        round(r.net * r.percent / 100, 2)), ', ' order by r.tax_rate_id, r.percent) as computed
      from (
        select t.tax_rate_id, t.tax_rate_percent as percent, count(*) as n, sum(t.amount_excl_tax) as net
        from schedule_transaction t
        where t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id group by 1, 2
      ) r
    ) t on true
    where x.stored is distinct from t.computed ${isInScope(scope, sql`s.organisation_id`, sql`s.date`)}`,
}

/** The rows of a table whose percentage of tax is none that their tax rate has or had. */
const withForeignPercent = (table: Sql, scope: MoneyScope, day: Sql): Sql => sql`
  select t.organisation_id, t.id, trim_scale(t.tax_rate_percent)::text as stored,
    concat_ws(', ', trim_scale(x.percent),
      (select string_agg(trim_scale(e)::text, ', ') from unnest(x.earlier_percents) e)) as computed
  from ${table} t
  left join tax_rate x on x.organisation_id = t.organisation_id and x.id = t.tax_rate_id
  where (t.tax_rate_percent = x.percent or t.tax_rate_percent = any(x.earlier_percents)) is not true
    ${isInScope(scope, sql`t.organisation_id`, day)}`

const percentsAreOfTaxRates: Rule = {
  rule: 'The percentage of tax of a charge or a transaction is one that its tax rate has or had.',
  broken: scope => sql`
    ${withForeignPercent(sql`schedule_transaction`, scope, sql`t.date`)}
    union all
    ${withForeignPercent(sql`consignment_charge`, scope, creationDay(sql`t`))}`,
}

// What was read while others wrote cannot be told exactly: rows of a minute around the top-up count either
// way, and so do rows that were voided since.
const topUpsCountTheirPeriod: Rule = {
  rule: 'What a minimum-spend top-up counted as spent is what is dated in its period and was billed by then.',
  broken: scope => sql`
    select t.organisation_id, t.id, r.spent_excl_tax::text as stored,
      concat(s.least, case when s.most > s.least then concat(' to ', s.most) end) as computed
    from schedule_transaction t
    join billing_run r on r.organisation_id = t.organisation_id and r.id = t.billing_run_id
    cross join lateral (
      select
        coalesce(sum(c.amount) filter (where c.is_certain or c.is_possible and c.amount < 0), 0) as least,
        coalesce(sum(c.amount) filter (where c.is_certain or c.is_possible and c.amount > 0), 0) as most
      from (
        select o.amount_excl_tax as amount,
          o.created_utc <= t.created_utc + interval '1 minute' as is_possible,
          o.status <> ${ScheduleTransactionStatus.Void}
            and o.created_utc < t.created_utc - interval '1 minute' as is_certain
        from schedule_transaction o
        where o.organisation_id = t.organisation_id and o.partner_id = t.partner_id
          and o.date between r.period_from and r.period_to and ${raw(countsUnlessVoid('o'))}
      ) c
    ) s
    where t.rate_charge_id is null and t.adjusts is null and r.spent_excl_tax is not null
      and r.spent_excl_tax not between s.least and s.most
      ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}`,
}

const invoiceNumbersHaveNoGaps: Rule = {
  rule: 'Invoice numbers have no gaps: every number below the next one is on a schedule.',
  broken: scope => sql`
    select o.id as organisation_id, coalesce(s.id, o.id) as id,
      coalesce(s.invoice_number, ${noAmount}) as stored, coalesce(n.ordinal::text, ${noAmount}) as computed
    from organisation o
    cross join lateral (
      select g as ordinal from generate_series(o.first_invoice_number, o.next_invoice_number - 1) g
    ) n
    full join partner_schedule s on s.organisation_id = o.id and s.invoice_ordinal = n.ordinal
    where (o.id is null or s.id is null) and (s.id is null or s.invoice_ordinal is not null)
      ${ofOrganisation(scope, sql`coalesce(o.id, s.organisation_id)`)}`,
}

const approvedSchedulesAreInvoices: Rule = {
  rule: 'An Approved schedule has what stands on its invoice and, for a client, its number and due date.',
  broken: scope => sql`
    select s.organisation_id, s.id, concat_ws(' ', s.status, s.invoice_number, s.due_date,
        case when s.invoice is not null then 'frozen' end) as stored,
      case when s.status = ${ScheduleStatus.Approved} then 'an invoice' else 'a Draft' end as computed
    from partner_schedule s
    join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
    where not case
      when s.status = ${ScheduleStatus.Draft} then s.due_date is null and s.invoice is null
      when p.relationship = ${Relationship.Client} then num_nulls(s.invoice_number, s.due_date, s.invoice) = 0
        and s.due_date = least(s.date + (s.invoice ->> 'paymentTermsDays')::integer, '9999-12-31'::date)
        and s.invoice_number like '%' || s.invoice_ordinal::text
      else s.invoice is not null and num_nulls(s.invoice_number, s.due_date) = 2 end
      ${isInScope(scope, sql`s.organisation_id`, sql`s.date`)}`,
}

const creditsFollowFromOriginals: Rule = {
  rule: 'A credit follows from what it credits, with its partner, tax, account and activity.',
  broken: scope => sql`
    select t.organisation_id, t.id, t.amount_excl_tax::text as stored,
      coalesce((${derivedCredit})::numeric(18, 2)::text, ${noAmount}) as computed
    from schedule_transaction t
    left join schedule_transaction o on o.organisation_id = t.organisation_id and o.id = t.credit_of
    where t.credit_of is not null and ${followsFromOriginal} is not true
      ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}`,
}

const creditsStayBelowOriginals: Rule = {
  rule: 'The credits of a transaction are not more than the transaction.',
  broken: scope => sql`
    select o.organisation_id, o.id, (-c.amount)::text as stored, o.amount_excl_tax::text as computed
    from (
      select t.organisation_id, t.credit_of, sum(t.amount_excl_tax) as amount,
        sum(t.credited_quantity) as quantity
      from schedule_transaction t
      where t.credit_of is not null and t.status <> ${ScheduleTransactionStatus.Void}
        ${ofOrganisation(scope, sql`t.organisation_id`)}
      group by 1, 2
    ) c
    join schedule_transaction o on o.organisation_id = c.organisation_id and o.id = c.credit_of
    where -c.amount > o.amount_excl_tax or c.quantity > o.quantity`,
}

// In which order credits were entered is told by what was left: each takes from it. A credit that was voided
// since, and perhaps restored, gave back what it took, at an instant that nobody knows.
const creditsKnewWhatWasLeft: Rule = {
  rule: 'A credit was entered knowing what was left of the transaction.',
  broken: scope => sql`
    select t.organisation_id, t.id, concat_ws(' ', t.creditable_quantity, t.creditable_excl_tax) as stored,
      concat_ws(' ', t.left_quantity, t.left_excl_tax) as computed
    from (
      select t.organisation_id, t.id, t.date, t.creditable_quantity, t.creditable_excl_tax,
        o.quantity - coalesce(sum(t.credited_quantity) over before, 0) as left_quantity,
        o.amount_excl_tax + coalesce(sum(t.amount_excl_tax) over before, 0) as left_excl_tax,
        bool_or(t.status = ${ScheduleTransactionStatus.Void} or t.was_voided)
          over (partition by t.organisation_id, t.credit_of) as is_any_voided
      from schedule_transaction t
      join schedule_transaction o on o.organisation_id = t.organisation_id and o.id = t.credit_of
      where t.credit_of is not null ${ofOrganisation(scope, sql`t.organisation_id`)}
      window before as (partition by t.organisation_id, t.credit_of
        order by t.creditable_excl_tax desc, t.id rows between unbounded preceding and 1 preceding)
    ) t
    where (t.creditable_quantity, t.creditable_excl_tax) <> (t.left_quantity, t.left_excl_tax)
      and not t.is_any_voided
      ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}`,
}

const onlyFreightIsRaised: Rule = {
  rule: 'Only a transaction of a charge for freight has FAF.',
  broken: scope => sql`
    select t.organisation_id, t.id, t.faf_percent::text as stored, '0' as computed
    from schedule_transaction t
    where t.consignment_charge_id is null and t.faf_percent <> 0
      ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}`,
}

/** The rules of invoices, taxes and credits. */
export const invoiceRules: readonly Rule[] = [
  taxesMatchTransactions,
  percentsAreOfTaxRates,
  topUpsCountTheirPeriod,
  invoiceNumbersHaveNoGaps,
  approvedSchedulesAreInvoices,
  creditsFollowFromOriginals,
  creditsStayBelowOriginals,
  creditsKnewWhatWasLeft,
  onlyFreightIsRaised,
]
