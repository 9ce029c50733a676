// What a billing rule says, and how it changes: a change counts from today, and what counted before is kept.
// Open-points 7.

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
import type { Finding } from '../../platform/http/validation.ts'
import { type BillingRule, periodsOf, type StoredRule } from '../billing-runs/billed-partner.ts'
import { isSameCalendar } from '../billing-runs/billing-period.ts'
import { runDefaults } from '../billing-runs/run-rule.ts'
import { unknownPlaceholders } from '../billing-runs/templates.ts'
import { BillingPeriod } from '../enumerations.ts'

const fixed = {
  period: IntegerEnum(BillingPeriod),
  graceDays: {
    ...Type.Integer({ minimum: 0, maximum: 14 }),
    description: 'So many days after the last day of a period its run is made.',
  },
  runAt: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    fault: 'must be a time such as 02:00',
    description: "By the clock of the organisation's time zone.",
    examples: ['02:00'],
  }),
  closesComplete: {
    ...Type.Boolean(),
    description: 'A run closes the Complete consignments of the client up to the last day of its period.',
  },
  raisesStorage: { ...Type.Boolean(), description: 'A run raises the storage of the period.' },
  autoApprove: {
    ...Type.Boolean(),
    description: 'What a run makes is Approved; otherwise a person does so.',
  },
  maxTransactions: {
    ...Type.Integer({ minimum: 1, maximum: 100_000 }),
    description: 'A schedule has so many transactions; what is more goes on further ones, numbered -2, -3.',
  },
}
const template = { ...Text, examples: ['{partnerCode}-{periodTo}'] }
const clearable = {
  weekday: {
    ...Type.Integer({ minimum: 1, maximum: 7 }),
    description: 'The last day of weeks, from 1 Monday to 7 Sunday, which it is where it is left out.',
  },
  dayOfMonth: {
    ...Type.Integer({ minimum: 1, maximum: 31 }),
    description:
      'The last day of months, and of a half, whose other ends 15 days apart. 29 to 31 mean the last day ' +
      'of a shorter month. Left out, months end with their last day and halves on the 15th too.',
  },
  anchorDate: {
    ...PlainDate,
    description:
      'Fortnightly and FourWeekly: the first weekday from this date on is the last day of a period; ' +
      'without a weekday this date is.',
  },
  referenceTemplate: {
    ...template,
    description:
      'The reference number of schedules, with {partnerCode}, {partnerName}, {periodFrom} and {periodTo}.',
  },
  descriptionTemplate: { ...template, description: 'Their description, with the same placeholders.' },
}
const fieldNames = Object.keys({ ...fixed, ...clearable }) as (keyof BillingRule)[]

const Periods = Type.Array(
  named('NextBillingPeriod', Type.Object({ periodFrom: PlainDate, periodTo: PlainDate, runUtc: UtcTime })),
)
const ruleFields = { ...fixed, ...allNullable(clearable), periods: Periods }
/** The rule of the organisation, as answers show it. */
export const OrganisationRule = named('OrganisationBillingRule', Type.Object(ruleFields))
/** The rule that counts for a partner. */
export const PartnerRule = named('BillingRule', Type.Object({ ...ruleFields, isOwn: Type.Boolean() }))

function templateFaults(value: unknown): Finding[] {
  const body = (value ?? {}) as Record<string, unknown>
  return (['referenceTemplate', 'descriptionTemplate'] as const).flatMap(field => {
    const text = body[field]
    return (typeof text === 'string' ? unknownPlaceholders(text) : []).map(
      (word): Finding => ({
        path: `/${field}`,
        problem: `has the placeholder ${word}, which there is not`,
        code: 'invalid',
      }),
    )
  })
}
/** What changes a rule. */
export const RuleChange = named(
  'BillingRuleChange',
  Type.Object({ ...allOmittable(fixed), ...allClearable(clearable) }, { rule: templateFaults }),
)
type RuleChange = Static<typeof RuleChange>

const periodCount = 3

const defaults = {
  ...{ weekday: null, dayOfMonth: null, anchorDate: null },
  ...{ graceDays: 0, runAt: '02:00' },
  ...runDefaults,
}

/** Whose rule it is: a partner's, or that of the organisation. */
export interface Owner {
  organisationId: string
  partnerId: string | null
}

/** What counts now, of rules in the order of their days. */
export const latest = (rules: readonly StoredRule[]): StoredRule | undefined => rules.at(-1)

/** The rule with what a change gives. 400 where it does not say when periods end. */
export function changedRule(known: BillingRule | null, body: RuleChange): BillingRule {
  const rule = { ...defaults, ...known, ...changedFields(body, fieldNames) }
  if (rule.period === undefined) throw validationFailed(faultAt('period', 'is required', 'required'))
  const isInSteps = rule.period === BillingPeriod.Fortnightly || rule.period === BillingPeriod.FourWeekly
  if (isInSteps && rule.anchorDate === null)
    throw validationFailed(faultAt('anchorDate', `is required when period is ${rule.period}`, 'required'))
  return rule as BillingRule
}

/**
 * Writes a rule that counts from today; null takes it away. Where periods go on ending on the same days it is
 * the same rule with other settings, and no period is cut.
 */
export async function writeRule(
  tx: Tx,
  { organisationId, partnerId }: Owner,
  known: StoredRule | undefined,
  today: string,
  rule: BillingRule | null,
): Promise<boolean> {
  const isSame = known?.rule && rule !== null && isSameCalendar(known.rule, rule)
  const isOfToday = known?.countsFrom === today
  const columns = rule ?? { ...defaults, period: null }
  if (known !== undefined && (isSame || isOfToday)) {
    const where = sql`organisation_id = ${organisationId} and id = ${known.id}`
    return (await tx.run(updateFields('billing_rule', fieldNames, { ...columns }, where))) > 0
  }
  await tx.run(
    insertInto('billing_rule', { organisationId, partnerId, id: uuidv7(), countsFrom: today, ...columns }),
  )
  return true
}

/** The next periods that no run was made for. */
export const upcomingPeriods = (...of: Parameters<typeof periodsOf>) =>
  [...periodsOf(...of).take(periodCount)].map(({ periodFrom, periodTo, runUtc }) => ({
    periodFrom,
    periodTo,
    runUtc: runUtc.toISOString(),
  }))

/** Locks the record whose rule is changed, so that two changes come one after the other. */
export async function lockOwner(tx: Tx, { organisationId, partnerId }: Owner): Promise<void> {
  await tx.run(
    partnerId === null
      ? sql`select from organisation where id = ${organisationId} for no key update`
      : sql`select from partner where organisation_id = ${organisationId} and id = ${partnerId}
          for no key update`,
  )
}
