// The fields of a billing rule, and how a rule changes: a change applies from today, and the previous rule is
// kept. Decision 7.

import { v7 as uuidv7 } from 'uuid'
import { sql, type Tx } from '../../platform/database/db.ts'
import { changedFields, insertInto, updateFields } from '../../platform/database/write.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { validationFailed } from '../../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  IntegerEnum,
  named,
  PlainDate,
  type Static,
  Text,
  Type,
  UtcTime,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { BillingPeriod } from '../../vocabulary/billing.ts'
import { type BillingRule, maxDaysBack, periodsOf, type StoredRule } from './billed-partner.ts'
import { addDays, isSameCalendar } from './billing-period.ts'
import { runDefaults } from './run-rule.ts'
import { namesPeriod, unknownInTemplate } from './templates.ts'

const requiredFields = {
  period: IntegerEnum(BillingPeriod),
  graceDays: {
    ...Type.Integer({ minimum: 0, maximum: 14 }),
    description: 'How many days after the end of a period its run is done.',
  },
  runAt: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    fault: 'must be a time such as 02:00',
    description: "Local time in the organisation's time zone.",
    examples: ['02:00'],
  }),
  closesComplete: {
    ...Type.Boolean(),
    description: 'A run closes the Complete consignments of the client up to the last day of its period.',
  },
  raisesStorage: { ...Type.Boolean(), description: 'A run raises the storage of the period.' },
  autoApprove: {
    ...Type.Boolean(),
    description: 'A run approves its schedules; otherwise a user does.',
  },
  maxTransactions: {
    ...Type.Integer({ minimum: 1, maximum: 100_000 }),
    description: 'The most transactions of a schedule; others go on further ones, numbered -2, -3.',
  },
}
const template = { ...Text, examples: ['{partnerCode}-{periodTo}'] }
const clearableFields = {
  weekday: {
    ...Type.Integer({ minimum: 1, maximum: 7 }),
    description: 'The last day of weeks, 1 Monday to 7 Sunday. Default 7.',
  },
  dayOfMonth: {
    ...Type.Integer({ minimum: 1, maximum: 31 }),
    description:
      'The last day of monthly periods, or of one half of the month; the other half ends 15 days apart. 29 ' +
      'to 31 mean the last day of a shorter month. If absent, months end with their last day, and halves ' +
      'with the 15th and the last day.',
  },
  anchorDate: {
    ...PlainDate,
    description:
      'Fortnightly and FourWeekly: the first weekday from this date on is the last day of a period; if ' +
      'weekday is absent, this date is.',
  },
  billsFrom: {
    ...PlainDate,
    description:
      'The first day that a partner is billed for; it has no effect once the partner has a billing run. ' +
      'If absent, the first period is the calendar period that holds the earliest unbilled work or day ' +
      'in store, or the day of the rule if that is earlier.',
  },
  referenceTemplate: {
    ...template,
    description:
      'The reference number of schedules, with {partnerCode}, {partnerName}, {periodFrom} and {periodTo}; ' +
      'it must contain one of the last two. A number that is taken gets -2, -3.',
  },
  descriptionTemplate: {
    ...template,
    description: 'The description of schedules, with the same placeholders.',
  },
}
const fieldNames = Object.keys({ ...requiredFields, ...clearableFields }) as (keyof BillingRule)[]

const Periods = Type.Array(
  named('NextBillingPeriod', Type.Object({ periodFrom: PlainDate, periodTo: PlainDate, runUtc: UtcTime })),
)
const ruleFields = { ...requiredFields, ...allNullable(clearableFields), periods: Periods }
/** The rule of the organisation, as responses show it. */
export const OrganisationRule = named('OrganisationBillingRule', Type.Object(ruleFields))
/** The rule that applies to a partner, as responses show it. */
export const PartnerRule = named(
  'BillingRule',
  Type.Object({
    ...ruleFields,
    isOwn: Type.Boolean(),
    firstPeriodFrom: { ...PlainDate, description: 'The first day of its first period, billed or not.' },
  }),
)

function templateFaults(value: unknown): ValidationError[] {
  const body = (value ?? {}) as Record<string, unknown>
  const { referenceTemplate } = body
  const isAlwaysSame = typeof referenceTemplate === 'string' && !namesPeriod(referenceTemplate)
  const unknown = (['referenceTemplate', 'descriptionTemplate'] as const).flatMap(field => {
    const text = body[field]
    return (typeof text === 'string' ? unknownInTemplate(text) : []).map(
      (word): ValidationError => ({
        path: `/${field}`,
        problem: `has the unknown placeholder ${word}`,
        code: 'invalid',
      }),
    )
  })
  if (unknown.length > 0 || !isAlwaysSame || referenceTemplate === '') return unknown
  return [
    {
      path: '/referenceTemplate',
      problem: 'must contain {periodFrom} or {periodTo}, because each schedule has a number of its own',
      code: 'invalid',
    },
  ]
}
export const RuleChange = named(
  'BillingRuleChange',
  Type.Object(
    { ...allOmittable(requiredFields), ...allClearable(clearableFields) },
    { rule: templateFaults },
  ),
)
type RuleChange = Static<typeof RuleChange>

const upcomingPeriodCount = 3

const defaults = {
  ...{ weekday: null, dayOfMonth: null, anchorDate: null, billsFrom: null },
  ...{ graceDays: 0, runAt: '02:00' },
  ...runDefaults,
}

/** The owner of a rule: a partner, or the organisation if `partnerId` is null. */
export interface RuleOwner {
  organisationId: string
  partnerId: string | null
}

/** Returns the rule that applies now, given rules in the order of their days. */
export const currentRule = (rules: readonly StoredRule[]): StoredRule | undefined => rules.at(-1)

/**
 * Applies a change to a rule, or to the defaults. 400 if the result does not define when periods end, or if
 * it bills from a day too long before today.
 */
export function applyChange(current: BillingRule | null, body: RuleChange, today: string): BillingRule {
  if (body.billsFrom && body.billsFrom < addDays(today, -maxDaysBack))
    throw validationFailed(faultAt('billsFrom', 'must not be more than ten years ago', 'range'))
  const rule = { ...defaults, ...current, ...changedFields(body, fieldNames) }
  if (rule.period === undefined) throw validationFailed(faultAt('period', 'is required', 'required'))
  const needsAnchor = rule.period === BillingPeriod.Fortnightly || rule.period === BillingPeriod.FourWeekly
  if (needsAnchor && rule.anchorDate === null)
    throw validationFailed(faultAt('anchorDate', `is required when period is ${rule.period}`, 'required'))
  return rule as BillingRule
}

/**
 * Writes a rule that applies from today; null removes it. Returns whether anything changed. If periods still
 * end on the same days, the current rule is updated, so that the running period is not cut short.
 */
export async function writeRule(
  tx: Tx,
  { organisationId, partnerId }: RuleOwner,
  current: StoredRule | undefined,
  today: string,
  rule: BillingRule | null,
): Promise<boolean> {
  const isCalendarUnchanged = current?.rule && rule !== null && isSameCalendar(current.rule, rule)
  const isOfToday = current?.countsFrom === today
  const columns = rule ?? { ...defaults, period: null }
  if (current !== undefined && (isCalendarUnchanged || isOfToday)) {
    const where = sql`organisation_id = ${organisationId} and id = ${current.id}`
    return (await tx.run(updateFields('billing_rule', fieldNames, { ...columns }, where))) > 0
  }
  await tx.run(
    insertInto('billing_rule', { organisationId, partnerId, id: uuidv7(), countsFrom: today, ...columns }),
  )
  return true
}

/** Returns the next periods without a run, as responses show them. */
export const upcomingPeriods = (...args: Parameters<typeof periodsOf>) =>
  [...periodsOf(...args).take(upcomingPeriodCount)].map(({ periodFrom, periodTo, runUtc }) => ({
    periodFrom,
    periodTo,
    runUtc: runUtc.toISOString(),
  }))

/** Locks the owner of a rule that is about to change, so that concurrent changes are serialised. */
export async function lockOwner(tx: Tx, { organisationId, partnerId }: RuleOwner): Promise<void> {
  await tx.run(
    partnerId === null
      ? sql`select from organisation where id = ${organisationId} for no key update`
      : sql`select from partner where organisation_id = ${organisationId} and id = ${partnerId}
          for no key update`,
  )
}
