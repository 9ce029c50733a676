// The step of a billing run that raises periodic charges: fees, and the difference to the client's minimum
// spend. Decision 7.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { BillingRunStep, ChargeApplication, ScheduleTransactionType } from '../../vocabulary/billing.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { readSetUp } from '../charges/billing-set-up.ts'
import type { BillingSetUp } from '../charges/rate-consignment.ts'
import { subtract, textOf, wholeOf } from '../evaluator/exact.ts'
import { feesOf } from '../evaluator/fees.ts'
import { fillParticulars } from '../evaluator/particulars.ts'
import { versionInForce } from '../rate-cards/in-force.ts'
import { type LoadedVersion, loadVersions } from '../rate-cards/version-cache.ts'
import { type NewTransaction, raiseTransactions } from '../schedule-transactions/raise-transactions.ts'
import { type BillingRun, completeStep } from './billing-run.ts'
import { adjustTopUps, amountSpentIn } from './minimum-spend.ts'

/** Reads the version of the client's card that is in force on the first day of the period. */
async function readVersion(tx: Tx, run: BillingRun): Promise<LoadedVersion | undefined> {
  const { organisationId, partnerId, periodFrom } = run
  const version = await tx.maybe<{ id: string }>(sql`
    select f.id from ${versionInForce({
      organisation: sql`${organisationId}::uuid`,
      relationship: sql`${Relationship.Client}`,
      partner: sql`${partnerId}::uuid`,
      date: sql`${periodFrom}::date`,
    })} f`)
  if (version === undefined) return undefined
  return (await loadVersions(tx, organisationId, [version.id])).get(version.id)
}

/** The common fields of the transactions of a run, dated the last day of its period. */
const commonFields = ({ id, partnerId, periodFrom, periodTo }: BillingRun) => ({
  partnerId,
  date: periodTo,
  periodFrom,
  periodTo,
  billingRunId: id,
  type: ScheduleTransactionType.ActivityCharge,
  chargeApplication: ChargeApplication.Fee,
  quantity: '1',
})

/** Returns the fees of a card version, as transactions of a run. */
const feeTransactions = (run: BillingRun, { id, card, content }: LoadedVersion, setUp: BillingSetUp) =>
  feesOf(card).map(({ rate: { content: rate }, charge, row }): NewTransaction => {
    const activity = setUp.activityTypes.get(rate.activityTypeId as string)
    const { periodFrom: from, periodTo: to } = run
    const values = { activityName: activity?.name ?? null, from, to, metric: '1' }
    return {
      ...commonFields(run),
      particulars: fillParticulars(charge.content.particulars || rate.name, values),
      activityCode: activity?.code ?? null,
      activityName: activity?.name ?? null,
      revenueAccountId: charge.content.revenueAccountId ?? activity?.revenueAccountId ?? null,
      costCentreId: charge.content.costCentreId ?? null,
      taxRateId: charge.content.taxRateId ?? activity?.taxRateId ?? content.defaultTaxRateId,
      chargeRateExclTax: textOf(6, row.rate),
      amountExclTax: textOf(2, row.amount),
      rateCardVersionId: id,
      rateId: rate.id,
      rateChargeId: charge.content.id,
      groupKey: '',
    }
  })

/** Returns in cents what counts towards the minimum spend of the period. */
async function readSpent(tx: Tx, { organisationId, partnerId, periodFrom, periodTo }: BillingRun) {
  const { spent } = await tx.row<{ spent: string }>(sql`
    select ${amountSpentIn(
      sql`${organisationId}`,
      sql`${partnerId}`,
      sql`${periodFrom}`,
      sql`${periodTo}`,
    )}::text as spent`)
  return wholeOf(2, spent)
}

/**
 * Returns a transaction for the difference to the minimum spend, if the period stayed below it. Records on
 * the run the figures that it follows from.
 */
async function topUpToMinimum(
  tx: Tx,
  run: BillingRun,
  { id, content }: LoadedVersion,
): Promise<NewTransaction[]> {
  const minimum = content.minimumSpendPerPeriod
  if (minimum === undefined || minimum === null) return []
  const spent = await readSpent(tx, run)
  const difference = subtract(wholeOf(2, minimum), spent)
  if (difference <= 0) return []
  await tx.run(sql`
    update billing_run set rate_card_version_id = ${id}, spent_excl_tax = ${textOf(2, spent)}
    where organisation_id = ${run.organisationId} and id = ${run.id}`)
  const amountExclTax = textOf(2, difference)
  const agreedMinimum = textOf(2, wholeOf(2, minimum))
  return [
    {
      ...commonFields(run),
      particulars: `Minimum spend ${agreedMinimum} from ${run.periodFrom} to ${run.periodTo}`,
      revenueAccountId: content.minimumSpendRevenueAccountId ?? null,
      taxRateId: content.defaultTaxRateId,
      chargeRateExclTax: amountExclTax,
      amountExclTax,
    },
  ]
}

/**
 * Adjusts the top-ups of earlier periods, raises the fees of a client's card and then, if the period stayed
 * below it, the difference to minimum spend.
 */
export const raisePeriodicCharges = (
  { database }: Pick<WorkerContext, 'database'>,
  run: BillingRun,
): Promise<BillingRunStep | null> =>
  completeStep(database, run, BillingRunStep.Schedule, async tx => {
    if (run.relationship !== Relationship.Client) return
    await adjustTopUps(tx, run)
    const version = await readVersion(tx, run)
    if (version === undefined) return
    const { organisationId } = run
    await raiseTransactions(
      tx,
      organisationId,
      feeTransactions(run, version, await readSetUp(tx, organisationId)),
    )
    await raiseTransactions(tx, organisationId, await topUpToMinimum(tx, run, version))
  })
