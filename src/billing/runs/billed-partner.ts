// A partner as billing runs see it: the billing rules that have applied to it, and its next periods.
// Decision 7.

import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import { BillingPeriod, ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { PartnerStatus } from '../../vocabulary/partners.ts'
import {
  addDays,
  type Calendar,
  nextPeriod,
  type Period,
  rulesInForce,
  runInstant,
  startOfPeriod,
} from './billing-period.ts'
import { chargeDay } from './charge-day.ts'

/** A billing rule as it is stored. */
export interface BillingRule extends Calendar {
  /** the first day that a partner without a run is billed for; null: see `firstUnbilledDay` */
  billsFrom: string | null
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
  /** the first and the last day that its runs bill; null if it has no run yet */
  billedFrom: string | null
  billedTo: string | null
  /**
   * The earliest day of its pending transactions, of its Complete consignments, and of its goods in store;
   * each at most `maxDaysBack` ago. Null if there are none, or if the partner has a run, which makes them
   * irrelevant.
   */
  pendingFrom: string | null
  workFrom: string | null
  storedFrom: string | null
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
      'billsFrom', r.bills_from,
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

// Literals: a prepared statement could not otherwise use the indexes of these statuses.
const pending = raw(String(ScheduleTransactionStatus.Pending))
const complete = raw(String(ConsignmentStatus.Complete))

const earliestPending = sql`
  select min(t.date) from schedule_transaction t
  where t.organisation_id = p.organisation_id and t.partner_id = p.id and t.status = ${pending}`
const earliestWork = sql`
  select min(${chargeDay}) from consignment c
  left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
  where c.organisation_id = p.organisation_id and c.client_id = p.id and c.status = ${complete}`
// The first line of a stock row is its receipt.
const earliestStored = sql`
  select min((x.effective_utc at time zone w.timezone_id)::date)
  from product d
  join warehouse_product s on s.organisation_id = d.organisation_id and s.product_id = d.id
  join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
  join inventory_transaction x on x.organisation_id = s.organisation_id and x.warehouse_product_id = s.id
    and x.version = 1
  where d.organisation_id = p.organisation_id and d.partner_id = p.id`

/** Reads partners. `where` is a condition on `partner p`; `now` determines their current date. */
export function readBilledPartners(db: Db, where: Sql, now: Date = new Date()): Promise<BilledPartner[]> {
  /** A day of a partner that has no run. */
  const firstDay = (earliest: Sql) => sql`case when billed.period_to is null then (
    select greatest(e.day, local.today - ${maxDaysBack}::integer) from (${earliest}) e (day)
    where e.day is not null) end`
  return db.rows<BilledPartner>(sql`
    select p.organisation_id, p.id as partner_id, p.relationship, p.status, o.timezone_id, local.today,
      billed.period_from as billed_from, billed.period_to as billed_to,
      ${firstDay(earliestPending)} as pending_from, ${firstDay(earliestWork)} as work_from,
      ${firstDay(earliestStored)} as stored_from,
      ${rulesJson(sql`r.organisation_id = p.organisation_id and r.partner_id = p.id`)} as own,
      ${rulesJson(sql`r.organisation_id = p.organisation_id and r.partner_id is null`)} as organisation
    from partner p join organisation o on o.id = p.organisation_id
    cross join lateral (
      select (${now.toISOString()}::timestamptz at time zone o.timezone_id)::date as today
    ) local
    cross join lateral (
      select min(b.period_from) as period_from, max(b.period_to) as period_to from billing_run b
      where b.organisation_id = p.organisation_id and b.partner_id = p.id
    ) billed
    where ${where}
    order by p.organisation_id, p.id`)
}

/** Reads the first day that will be billed, of those partners that have no run, by their ids. */
export async function readFirstUnbilled(
  db: Db,
  organisationId: string,
  partnerIds: readonly string[],
): Promise<Map<string, string>> {
  const where = sql`p.organisation_id = ${organisationId} and p.id = any(${partnerIds})`
  const partners = await readBilledPartners(db, where)
  const unbilled = partners.filter(({ billedTo }) => billedTo === null)
  return new Map(unbilled.map(partner => [partner.partnerId, firstUnbilledDay(partner)]))
}

/** Partners that are billed by runs, as a condition on `partner p`. */
export const isBilledByRuns = sql`p.status = ${raw(String(PartnerStatus.Active))} and exists (
  select from billing_rule r
  where r.organisation_id = p.organisation_id and (r.partner_id = p.id or r.partner_id is null))`

/** A warehouse where a partner has stock. */
export interface StockedWarehouse {
  id: string
  name: string
  timezoneId: string
}

/**
 * Reads the warehouses where a partner has stock, or had some since it was last billed, with their time
 * zones. Its storage is billed in each of them.
 */
export const warehousesOf = (db: Db, partner: BilledPartner): Promise<StockedWarehouse[]> =>
  db.rows(sql`
    select distinct w.id, w.name, w.timezone_id
    from product d
    join warehouse_product s on s.organisation_id = d.organisation_id and s.product_id = d.id
    join warehouse w on w.organisation_id = s.organisation_id and w.id = s.warehouse_id
    where d.organisation_id = ${partner.organisationId} and d.partner_id = ${partner.partnerId}
      and (not s.is_depleted or s.last_effective_utc
        >= ${firstUnbilledDay(partner)}::timestamp at time zone w.timezone_id)
    order by w.id`)

/** A period without a run yet, with its rule and the instant at which its run is due. */
export interface DuePeriod extends Period {
  rule: BillingRule
  runUtc: Date
}

type BillingHistory = Omit<
  BilledPartner,
  'organisationId' | 'partnerId' | 'relationship' | 'status' | 'billedFrom'
>

/** What a partner without a rule is billed by: calendar months, and everything that there is. */
const withoutRule: Pick<BillingRule, keyof Calendar | 'billsFrom' | 'closesComplete' | 'raisesStorage'> = {
  ...{ period: BillingPeriod.Monthly, weekday: null, dayOfMonth: null, anchorDate: null },
  ...{ billsFrom: null, closesComplete: true, raisesStorage: true },
}

/** The rule that applies to a partner now. */
const currentRuleOf = ({ own, organisation }: BillingHistory) =>
  rulesInForce(own, organisation).findLast(({ rule }) => rule !== null)?.rule ?? withoutRule

/** Returns the first day of the calendar period that a day of a partner without a run is in. */
function startOfPeriodOf({ own, organisation }: BillingHistory, day: string): string {
  const history = rulesInForce(own, organisation)
  return startOfPeriod(nextPeriod(history, day)?.rule ?? withoutRule, day)
}

/**
 * Returns the first day that no run has billed. For a partner without a run it is `billsFrom` of its rule or,
 * if that is null, the first day of the calendar period that holds its earliest work or stored goods, or the
 * day of the rule if that is earlier. Without a rule, the periods are months.
 */
export function firstUnbilledDay(partner: BillingHistory): string {
  const { today, billedTo, pendingFrom, workFrom, storedFrom, own, organisation } = partner
  if (billedTo !== null) return addDays(billedTo, 1)
  const { billsFrom, closesComplete, raisesStorage } = currentRuleOf(partner)
  if (billsFrom !== null) return billsFrom
  const since = rulesInForce(own, organisation).find(({ rule }) => rule !== null)?.countsFrom ?? null
  const days = [pendingFrom, closesComplete ? workFrom : null, raisesStorage ? storedFrom : null, since]
  const [earliest = today] = days.filter(day => day !== null).toSorted()
  return startOfPeriodOf(partner, earliest)
}

/**
 * Returns the first unbilled day of a partner for a period that ends on a day. If all that is known of a
 * partner is later, the calendar period of the day; null if the rule bills from a later day.
 */
export function firstUnbilledUpTo(partner: BillingHistory, day: string): string | null {
  const first = firstUnbilledDay(partner)
  if (first <= day) return first
  return currentRuleOf(partner).billsFrom === null ? startOfPeriodOf(partner, day) : null
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
  let from = firstUnbilledDay(partner)
  for (;;) {
    const period = nextPeriod(history, from)
    if (period === null) return undefined
    yield { ...period, runUtc: runInstant(period, period.rule, partner.timezoneId, stockZones) }
    from = addDays(period.periodTo, 1)
  }
}
