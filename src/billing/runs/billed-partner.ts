// A partner as billing runs see it: the billing rules that have applied to it, and its next periods.
// Open-points 7.

import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import { ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { PartnerStatus } from '../../vocabulary/partners.ts'
import {
  addDays,
  type Calendar,
  nextPeriod,
  type Period,
  rulesInForce,
  runInstant,
} from './billing-period.ts'

/** A billing rule as it is stored. */
export interface BillingRule extends Calendar {
  graceDays: number
  /** HH:MM */
  runAt: string
  closesComplete: boolean
  raisesStorage: boolean
  autoApprove: boolean
  referenceTemplate: string | null
  descriptionTemplate: string | null
  maxTransactions: number
}

/** A rule that applies from a day on, to a partner or the organisation; null if the rule was removed. */
export interface StoredRule {
  id: string
  countsFrom: string
  rule: BillingRule | null
}

/** A partner with everything that determines when it is billed. */
export interface BilledPartner {
  organisationId: string
  partnerId: string
  relationship: number
  status: number
  /** the time zone of the organisation */
  timezoneId: string
  /** the current date in that zone */
  today: string
  /** the last day of its latest run's period; null if it has no run yet */
  billedTo: string | null
  /** the date of its oldest pending transaction, but at most `maxDaysBack` ago */
  pendingFrom: string | null
  /** rules of the partner itself, by date */
  own: StoredRule[]
  /** rules of the organisation, by date */
  organisation: StoredRule[]
}

/** Billing rules `r` as a JSON array, in the order of their days. */
export const rulesJson = (where: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_object('id', r.id, 'countsFrom', r.counts_from,
    'rule', case when r.period is not null then json_build_object(
      'period', r.period, 'weekday', r.weekday, 'dayOfMonth', r.day_of_month, 'anchorDate', r.anchor_date,
      'graceDays', r.grace_days, 'runAt', to_char(r.run_at, 'HH24:MI'),
      'closesComplete', r.closes_complete, 'raisesStorage', r.raises_storage,
      'autoApprove', r.auto_approve, 'referenceTemplate', r.reference_template,
      'descriptionTemplate', r.description_template, 'maxTransactions', r.max_transactions) end)
    order by r.counts_from), '[]')
  from billing_rule r where ${where})`

/**
 * How many days back, ten years, the first period of a partner may begin. It keeps a transaction with a
 * mistyped year from making thousands of periods; the transaction itself is billed with the first of them.
 */
export const maxDaysBack = 3_653

const pending = raw(String(ScheduleTransactionStatus.Pending))

/** Reads partners. `where` is a condition on `partner p`; `now` determines their current date. */
export const readBilledPartners = (db: Db, where: Sql, now: Date = new Date()): Promise<BilledPartner[]> =>
  db.rows<BilledPartner>(sql`
    select p.organisation_id, p.id as partner_id, p.relationship, p.status, o.timezone_id,
      (${now.toISOString()}::timestamptz at time zone o.timezone_id)::date as today,
      (
        select max(b.period_to) from billing_run b
        where b.organisation_id = p.organisation_id and b.partner_id = p.id
      ) as billed_to, (
        select greatest(min(t.date),
          (${now.toISOString()}::timestamptz at time zone o.timezone_id)::date - ${maxDaysBack}::integer)
        from schedule_transaction t
        where t.organisation_id = p.organisation_id and t.partner_id = p.id and t.status = ${pending}
        having count(*) > 0
      ) as pending_from,
      ${rulesJson(sql`r.organisation_id = p.organisation_id and r.partner_id = p.id`)} as own,
      ${rulesJson(sql`r.organisation_id = p.organisation_id and r.partner_id is null`)} as organisation
    from partner p join organisation o on o.id = p.organisation_id
    where ${where}
    order by p.organisation_id, p.id`)

/** Partners that are billed by runs, as a condition on `partner p`. */
export const isBilledByRuns = sql`p.status = ${raw(String(PartnerStatus.Active))} and exists (
  select from billing_rule r
  where r.organisation_id = p.organisation_id and (r.partner_id = p.id or r.partner_id is null))`

/**
 * Reads the warehouses where a partner has stock, or had some since it was last billed, with their time
 * zones. Its storage is billed in each of them.
 */
export const warehousesOf = (db: Db, partner: BilledPartner): Promise<{ id: string; timezoneId: string }[]> =>
  db.rows(sql`
    select distinct w.id, w.timezone_id
    from product d
    join warehouse_product s on s.organisation_id = d.organisation_id and s.product_id = d.id
    join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
    where d.organisation_id = ${partner.organisationId} and d.partner_id = ${partner.partnerId}
      and (not s.is_depleted or s.last_effective_utc
        >= ${firstUnbilled(partner) ?? partner.today}::timestamp at time zone w.timezone_id)
    order by w.id`)

/** A period without a run yet, with its rule and the instant at which its run is due. */
export interface DuePeriod extends Period {
  rule: BillingRule
  runUtc: Date
}

type BillingHistory = Pick<BilledPartner, 'timezoneId' | 'billedTo' | 'pendingFrom' | 'own' | 'organisation'>

/** Returns the first day that no run has billed; null if there has never been a run or a rule. */
export function firstUnbilled({ billedTo, pendingFrom, own, organisation }: BillingHistory): string | null {
  if (billedTo !== null) return addDays(billedTo, 1)
  const rules = [...own, ...organisation].filter(({ rule }) => rule !== null)
  const [since] = rules.map(({ countsFrom }) => countsFrom).toSorted()
  if (since === undefined) return null
  return pendingFrom !== null && pendingFrom < since ? pendingFrom : since
}

/**
 * Yields the next periods of a partner, without end as long as a rule applies. `stockZones` are the time
 * zones of the warehouses that hold its stock.
 */
export function* periodsOf(
  partner: BillingHistory,
  stockZones: readonly string[],
): Generator<DuePeriod, undefined, undefined> {
  const history = rulesInForce(partner.own, partner.organisation)
  let from = firstUnbilled(partner)
  while (from !== null) {
    const period = nextPeriod(history, from)
    if (period === null) return undefined
    yield { ...period, runUtc: runInstant(period, period.rule, partner.timezoneId, stockZones) }
    from = addDays(period.periodTo, 1)
  }
  return undefined
}
