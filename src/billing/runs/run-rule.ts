// The billing rule of a run: that of its period, with its current settings.

import { type Db, sql } from '../../platform/database/db.ts'
import { BillingPeriod } from '../../vocabulary/billing.ts'
import { type BillingRule, readBilledPartners } from './billed-partner.ts'
import { nextPeriod, rulesInForce } from './billing-period.ts'
import type { BillingRun } from './billing-run.ts'

/** What a run does, and how it names its schedules. */
export type RunRule = Pick<
  BillingRule,
  | 'period'
  | 'closesComplete'
  | 'raisesStorage'
  | 'autoApprove'
  | 'referenceTemplate'
  | 'descriptionTemplate'
  | 'maxTransactions'
>

/** The default settings of a new rule. */
export const runDefaults: Omit<RunRule, 'period'> = {
  closesComplete: true,
  raisesStorage: true,
  autoApprove: false,
  referenceTemplate: null,
  descriptionTemplate: null,
  maxTransactions: 10_000,
}

/** The rule of a run that was requested by hand for a partner without a rule. */
const withoutRule: RunRule = { period: BillingPeriod.Monthly, ...runDefaults }

export async function readRunRule(
  db: Db,
  { organisationId, partnerId, periodFrom }: BillingRun,
): Promise<RunRule> {
  const where = sql`p.organisation_id = ${organisationId} and p.id = ${partnerId}`
  const [partner] = await readBilledPartners(db, where)
  const history = partner === undefined ? [] : rulesInForce(partner.own, partner.organisation)
  return nextPeriod(history, periodFrom)?.rule ?? withoutRule
}
