// A partner as billing runs look at it: which rules have held for it, and where its next period begins.
// Open-points 7.

import { PartnerStatus } from '../../partners/enumerations.ts'
import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import { ScheduleTransactionStatus } from '../enumerations.ts'
import {
  addDays,
  type Calendar,
  nextPeriod,
  type Period,
  rulesInForce,
  runInstant,
} from './billing-period.ts'

/** How a partner is billed, as it is stored. */
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

/** What counts from a day on, for a partner or the organisation; null where it was taken away. */
export interface StoredRule {
  id: string
  countsFrom: string
  rule: BillingRule | null
}

/** A partner with everything that says when it is billed. */
export interface BilledPartner {
  organisationId: string
  partnerId: string
  relationship: number
  status: number
  /** the zone of the organisation */
  timezoneId: string
  /** today there */
  today: string
  /** the last day of its latest period; null: nothing was billed by runs yet */
  billedTo: string | null
  /** the date of its oldest pending transaction */
  pendingFrom: string | null
  own: StoredRule[]
  organisation: StoredRule[]
}

/** Rules `r` as JSON, in the order of their days. */
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

const pending = raw(String(ScheduleTransactionStatus.Pending))

/** Reads partners; `where` is a condition on `partner p`. `now` is when today is. */
export const readBilledPartners = (db: Db, where: Sql, now: Date = new Date()): Promise<BilledPartner[]> =>
  db.rows<BilledPartner>(sql`
    select p.organisation_id, p.id as partner_id, p.relationship, p.status, o.timezone_id,
      (${now.toISOString()}::timestamptz at time zone o.timezone_id)::date as today,
      (
        select max(b.period_to) from billing_run b
        where b.organisation_id = p.organisation_id and b.partner_id = p.id
      ) as billed_to, (
        select min(t.date) from schedule_transaction t
        where t.organisation_id = p.organisation_id and t.partner_id = p.id and t.status = ${pending}
      ) as pending_from,
      ${rulesJson(sql`r.organisation_id = p.organisation_id and r.partner_id = p.id`)} as own,
      ${rulesJson(sql`r.organisation_id = p.organisation_id and r.partner_id is null`)} as organisation
    from partner p join organisation o on o.id = p.organisation_id
    where ${where}
    order by p.organisation_id, p.id`)

/** Partners that runs are made for, as a condition on `partner p`. */
export const isBilledByRuns = sql`p.status = ${raw(String(PartnerStatus.Active))} and exists (
  select from billing_rule r
  where r.organisation_id = p.organisation_id and (r.partner_id = p.id or r.partner_id is null))`

/**
 * The warehouses where a partner has stock, or had some since it was billed last, with their zones: its
 * storage is billed in each of them.
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

/** A period that is not billed yet, with its rule and when its run is due. */
export interface DuePeriod extends Period {
  rule: BillingRule
  runUtc: Date
}

type Billed = Pick<BilledPartner, 'timezoneId' | 'billedTo' | 'pendingFrom' | 'own' | 'organisation'>

/** The first day that was never billed; null while there was no rule yet that could say. */
export function firstUnbilled({ billedTo, pendingFrom, own, organisation }: Billed): string | null {
  if (billedTo !== null) return addDays(billedTo, 1)
  const rules = [...own, ...organisation].filter(({ rule }) => rule !== null)
  const [since] = rules.map(({ countsFrom }) => countsFrom).toSorted()
  if (since === undefined) return null
  return pendingFrom !== null && pendingFrom < since ? pendingFrom : since
}

/**
 * The next periods of a partner, one after the other, without end while it has a rule. `stockZones` are those
 * of the warehouses that hold its stock.
 */
export function* periodsOf(
  partner: Billed,
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
