// The money rules that SQL alone can check: each is a query of the rows that break it. Nothing here prices
// anything; check-money.ts derives amounts again.

import { empty, raw, type Sql, sql } from '../../platform/database/db.ts'
import { countedRowId } from '../../stock/ledger/counted-row.ts'
import { ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { copiedTexts, figuresOfPart } from '../charges/closing-texts.ts'
import { chargeColumns, chargeFigures, transactionColumns, transactionFigures } from './figures.ts'

/** Stands for an amount that is not stored or cannot be derived, in a difference. */
export const noAmount = 'nothing'

/** A stored row that differs from what is derived for it. */
export interface MoneyDifference {
  organisationId: string
  /** the rule that is broken, in words */
  rule: string
  /** the row that breaks it */
  id: string
  /** the stored values of the row, and the derived ones */
  stored: string
  computed: string
}

/** What to prove; absent fields do not filter. Dates are local and inclusive. */
export interface MoneyScope {
  organisationId?: string | null | undefined
  /** the range of charge dates, creation days, and dates of transactions and schedules */
  from?: string | null | undefined
  to?: string | null | undefined
}

const { Closed } = ConsignmentStatus
const { Void, Scheduled } = ScheduleTransactionStatus
// As literals: a prepared statement cannot otherwise use the indexes that hold one status each.
const [closed, voided, scheduled] = [Closed, Void, Scheduled].map(value => raw(String(value))) as [
  Sql,
  Sql,
  Sql,
]

/** The texts of a closing, joined by line breaks. */
const joinedTexts = (row: Sql): Sql =>
  sql`concat_ws(E'\n', ${row}.selector_facts, ${row}.client_amounts, ${row}.carrier_amounts)`

/** The condition, beginning with `and`, that a row of an organisation and date is in scope. */
export const isInScope = (scope: MoneyScope, organisationId: Sql, date: Sql): Sql => sql`
  ${scope.organisationId ? sql`and ${organisationId} = ${scope.organisationId}` : empty}
  ${scope.from ? sql`and ${date} >= ${scope.from}::date` : empty}
  ${scope.to ? sql`and ${date} <= ${scope.to}::date` : empty}`

/** The organisation's local day on which a row was created. */
export const creationDay = (row: Sql): Sql => sql`(
  select (${row}.created_utc at time zone zone.timezone_id)::date from organisation zone
  where zone.id = ${row}.organisation_id)`

/** The condition, beginning with `and`, that a row is of the organisation in scope, whatever its date. */
const isOfOrganisation = ({ organisationId }: MoneyScope, row: Sql): Sql =>
  isInScope({ organisationId }, sql`${row}.organisation_id`, empty)

/** The condition, beginning with `and`, that a row follows the last one of a page by organisation and id. */
export const isAfter = (after: { organisationId: string; id: string } | undefined, row: Sql): Sql =>
  after === undefined
    ? empty
    : sql`and (${row}.organisation_id, ${row}.id) > (${after.organisationId}, ${after.id})`

/** A rule: a query of the rows that break it, with their `organisation_id`, `id`, `stored`, `computed`. */
export interface Rule {
  rule: string
  broken(scope: MoneyScope): Sql
}

const contentMatchesHash: Rule = {
  rule: 'The content of a rate card version matches its hash.',
  broken: scope => sql`
    select v.organisation_id, v.id, v.content_sha256 as stored, h.computed
    from rate_card_version v
    cross join lateral (
      select encode(sha256(convert_to(v.content::text, 'UTF8')), 'hex') as computed
    ) h
    where h.computed <> v.content_sha256
      ${isOfOrganisation(scope, sql`v`)}`,
}

const transactionMatchesCharge: Rule = {
  rule: 'A transaction matches its charge.',
  broken: scope => sql`
    select t.organisation_id, t.id, concat_ws(' ', t.consignment_id, t.tax_rate_id, t.tax_rate_percent,
        t.tax_rate_name, ${transactionFigures}) as stored,
      concat_ws(' ', h.consignment_id, h.tax_rate_id, h.tax_rate_percent,
        coalesce(h.tax_rate_name, t.tax_rate_name), ${chargeFigures}) as computed
    from schedule_transaction t
    join consignment_charge h on h.organisation_id = t.organisation_id and h.id = t.consignment_charge_id
    where (t.consignment_id, t.tax_rate_id, t.tax_rate_percent, t.tax_rate_name, ${transactionColumns})
      is distinct from (h.consignment_id, h.tax_rate_id, h.tax_rate_percent,
        coalesce(h.tax_rate_name, t.tax_rate_name), ${chargeColumns})
      ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}`,
}

const everythingIsBilledOnce: Rule = {
  rule: 'Each included charge of a Closed consignment is billed once, and no other charge is billed.',
  broken: scope => sql`
    select h.organisation_id, h.id, coalesce(t.n, 0)::text as stored, b.is_billed::integer::text as computed
    from consignment_charge h
    join consignment c on c.organisation_id = h.organisation_id and c.id = h.consignment_id
    left join (
      select i.organisation_id, i.consignment_id, max(i.closing_number) as number from charge_input i
      where true ${isOfOrganisation(scope, sql`i`)} group by 1, 2
    ) latest on latest.organisation_id = c.organisation_id and latest.consignment_id = c.id
    left join (
      select t.organisation_id, t.consignment_charge_id, count(*) as n from schedule_transaction t
      where t.consignment_charge_id is not null and t.status <> ${voided} ${isOfOrganisation(scope, sql`t`)}
      group by 1, 2
    ) t on t.organisation_id = h.organisation_id and t.consignment_charge_id = h.id
    cross join lateral (
      select c.status = ${closed} and h.is_included
        and (h.closing_number is null or h.closing_number = latest.number) as is_billed
    ) b
    where coalesce(t.n, 0) <> b.is_billed::integer ${isInScope(
      scope,
      sql`h.organisation_id`,
      sql`coalesce(c.closed_transaction_date, ${creationDay(sql`h`)})`,
    )}`,
}

const scheduleMatchesTransactions: Rule = {
  rule: 'A schedule is the sum of its transactions.',
  broken: scope => sql`
    select s.organisation_id, s.id, s.amount_excl_tax::text as stored,
      coalesce(sum(t.amount_excl_tax), 0)::text as computed
    from partner_schedule s
    left join schedule_transaction t on t.organisation_id = s.organisation_id
      and t.partner_schedule_id = s.id and t.status = ${scheduled}
    where true ${isInScope(scope, sql`s.organisation_id`, sql`s.date`)}
    group by s.organisation_id, s.id having s.amount_excl_tax <> coalesce(sum(t.amount_excl_tax), 0)`,
}

const adjustmentsMatchDifference: Rule = {
  rule: 'The adjustments of a consignment to a back-test are all differences that the test found, once each.',
  broken: scope => sql`
    select t.organisation_id, t.id, concat_ws(' ', t.n, t.amount) as stored,
      concat_ws(' ', d.n, d.amount) as computed
    from (
      select t.organisation_id, t.rate_card_back_test_id, t.consignment_id, t.partner_id,
        (array_agg(t.id order by t.id))[1] as id, count(*) as n, sum(t.amount_excl_tax) as amount
      from schedule_transaction t
      where t.rate_card_back_test_id is not null ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}
      group by 1, 2, 3, 4
    ) t
    left join (
      select d.organisation_id, d.rate_card_back_test_id, d.consignment_id, d.partner_id, count(*) as n,
        sum(a.after - a.before) as amount
      from rate_card_back_test_difference d
      cross join lateral jsonb_to_recordset(d.activities) as a (before numeric(18, 2), after numeric(18, 2))
      group by 1, 2, 3, 4
    ) d on d.organisation_id = t.organisation_id and d.rate_card_back_test_id = t.rate_card_back_test_id
      and d.consignment_id = t.consignment_id and d.partner_id = t.partner_id
    where (t.n, t.amount) is distinct from (d.n, d.amount)`,
}

const textsMatchRows: Rule = {
  rule: 'The facts and amounts of a closing that back-tests read match its columns and charges.',
  broken: scope => sql`
    select i.organisation_id, i.consignment_id as id, ${joinedTexts(sql`i`)} as stored,
      ${joinedTexts(sql`t`)} as computed
    from charge_input i cross join lateral (${copiedTexts}) t
    where ${joinedTexts(sql`i`)} <> ${joinedTexts(sql`t`)}
      ${isInScope(scope, sql`i.organisation_id`, sql`i.charge_date`)}`,
}

const reopeningUndoesClosing: Rule = {
  rule: 'A closing counts until its consignment is reopened.',
  broken: scope => sql`
    select i.organisation_id, i.consignment_id as id, (u.closing_number is null)::integer::text as stored,
      b.is_counted::integer::text as computed
    from charge_input i
    join consignment c on c.organisation_id = i.organisation_id and c.id = i.consignment_id
    left join undone_closing u on u.organisation_id = i.organisation_id
      and u.consignment_id = i.consignment_id and u.closing_number = i.closing_number
    cross join lateral (
      select c.status = ${closed} and not exists (
        select from charge_input l
        where l.organisation_id = i.organisation_id and l.consignment_id = i.consignment_id
          and l.closing_number > i.closing_number) as is_counted
    ) b
    where (u.closing_number is null) <> b.is_counted
      ${isInScope(scope, sql`i.organisation_id`, sql`i.charge_date`)}`,
}

const correctionsAreBookedAlike: Rule = {
  rule: 'A correction of storage has the tax and the accounts of what it corrects.',
  broken: scope => sql`
    select t.organisation_id, t.id, concat_ws(' ', t.tax_rate_id, t.tax_rate_percent,
        t.revenue_account_id, t.cost_centre_id) as stored,
      concat_ws(' ', o.tax_rate_id, o.tax_rate_percent, o.revenue_account_id, o.cost_centre_id) as computed
    from schedule_transaction t
    join schedule_transaction o on o.organisation_id = t.organisation_id and o.id = t.adjusts
    where t.storage_run_id is not null
      and (t.tax_rate_id, t.tax_rate_percent, t.revenue_account_id, t.cost_centre_id)
        is distinct from (o.tax_rate_id, o.tax_rate_percent, o.revenue_account_id, o.cost_centre_id)
      ${isInScope(scope, sql`t.organisation_id`, sql`t.date`)}`,
}

const figures = raw(String(figuresOfPart))
/**
 * Totals of the lines of closing `i`: quantity, logistic units and serials, as frozen and by the ledger.
 */
const frozenTotals = sql`
  select concat_ws(' ', trim_scale(coalesce(sum(f.value) filter (where f.n % ${figures} = 1), 0)),
    coalesce(sum(f.value) filter (where f.n % ${figures} = 4), 0),
    coalesce(sum(f.value) filter (where f.n % ${figures} = 0), 0)) as totals
  from (
    select nullif(value, 'x')::numeric as value, n
    from string_to_table(i.part_figures, ' ') with ordinality t (value, n)
    where n <= ${figures} * cardinality(i.line_ids)
  ) f`
const ledgerTotals = sql`
  select sum(u.quantity) > 0 as has_moved, concat_ws(' ', trim_scale(coalesce(sum(u.quantity), 0)),
    count(distinct u.logistic_unit_id) filter (where u.quantity > 0), (
      select count(*) from (
        select from moved m
        join inventory_transaction_item x on x.organisation_id = i.organisation_id
          and x.warehouse_product_id = m.warehouse_product_id and x.version = m.version
        group by x.warehouse_product_item_id having sum(sign(m.quantity)) > 0
      ) one
    )) as totals
  from (
    select m.logistic_unit_id, sum(m.quantity) as quantity from moved m
    group by m.consignment_product_id, m.logistic_unit_id
  ) u`
const frozenFiguresMatchLedger: Rule = {
  rule: 'What a closing charged came or left by the ledger.',
  broken: scope => sql`
    select i.organisation_id, i.consignment_id as id, frozen.totals as stored, ledger.totals as computed
    from charge_input i
    cross join lateral (${frozenTotals}) frozen
    cross join lateral (
      with moved as (
        select t.warehouse_product_id, t.version, t.consignment_product_id, s.logistic_unit_id,
          case i.consignment_type when ${ConsignmentType.Inwards} then t.quantity else -t.quantity end
            as quantity
        from inventory_transaction t
        join warehouse_product s on s.organisation_id = t.organisation_id
          and s.id = ${countedRowId}
        where t.organisation_id = i.organisation_id and t.consignment_id = i.consignment_id
          and t.consignment_product_id is not null
          and t.type = case i.consignment_type when ${ConsignmentType.Inwards}
            then ${TransactionType.Receive}::integer else ${TransactionType.Dispatch} end
      )
      ${ledgerTotals}
    ) ledger
    where i.evaluator_version > 1 and ledger.has_moved
      and i.consignment_type in (${ConsignmentType.Inwards}, ${ConsignmentType.Outwards})
      and frozen.totals <> ledger.totals and not exists (
        select from undone_closing u
        where u.organisation_id = i.organisation_id and u.consignment_id = i.consignment_id
          and u.closing_number = i.closing_number)
      ${isInScope(scope, sql`i.organisation_id`, sql`i.charge_date`)}`,
}

// Runs of earlier versions did not remember it. Their rule is that of the partner or, if that has none, of
// the organisation; without one, storage is raised.
const raisedStorage = sql`coalesce(b.raised_storage, (
    select case when r.period is not null then r.raises_storage end from billing_rule r
    where r.organisation_id = b.organisation_id and r.partner_id = b.partner_id
      and r.counts_from <= b.period_to
    order by r.counts_from desc limit 1
  ), (
    select r.raises_storage from billing_rule r
    where r.organisation_id = b.organisation_id and r.partner_id is null and r.counts_from <= b.period_to
    order by r.counts_from desc limit 1
  ), true)`

const runsKnowTheLedger: Rule = {
  rule: 'A billing run corrects the storage of which something became known before it.',
  broken: scope => sql`
    select a.organisation_id, b.id, a.known_at_utc::text as stored, late.recorded_utc::text as computed
    from storage_account a
    cross join lateral (
      select min(t.recorded_utc) as recorded_utc
      from inventory_transaction t
      join warehouse_product s on s.organisation_id = t.organisation_id and s.id = t.warehouse_product_id
      where t.organisation_id = a.organisation_id and t.is_late and t.type <> 0 and t.quantity <> 0
        and tstzrange(t.effective_utc, t.recorded_utc) @> a.known_at_utc
        and s.partner_id = a.client_id and s.warehouse_id = a.warehouse_id
    ) late
    cross join lateral (
      select b.id from billing_run b
      where b.organisation_id = a.organisation_id and b.partner_id = a.client_id and b.status = 3
        and b.created_utc > late.recorded_utc and ${raisedStorage}
      order by b.period_from limit 1
    ) b
    where a.known_at_utc is not null ${isOfOrganisation(scope, sql`a`)}`,
}

const accountsKnowTheirRuns: Rule = {
  rule: 'A storage account has the number of its latest run.',
  broken: scope => sql`
    select a.organisation_id, a.client_id as id, a.run_number::text as stored,
      coalesce(r.number, 0)::text as computed
    from storage_account a
    left join lateral (
      select max(r.number) as number from storage_run r
      where r.organisation_id = a.organisation_id and r.client_id = a.client_id
        and r.warehouse_id = a.warehouse_id
    ) r on true
    where a.run_number <> coalesce(r.number, 0) ${isOfOrganisation(scope, sql`a`)}`,
}

/** All money rules that SQL alone can check. */
export const moneyRules: readonly Rule[] = [
  contentMatchesHash,
  transactionMatchesCharge,
  everythingIsBilledOnce,
  scheduleMatchesTransactions,
  adjustmentsMatchDifference,
  textsMatchRows,
  reopeningUndoesClosing,
  runsKnowTheLedger,
  accountsKnowTheirRuns,
  correctionsAreBookedAlike,
  frozenFiguresMatchLedger,
]
