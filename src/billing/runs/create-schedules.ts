// The step of a billing run that puts pending transactions on schedules. Decision 7.

import { serviceOrigin } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { BillingRunStep, ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { createSchedule, splitSchedule } from '../schedules/create-schedule.ts'
import { type BillingRun, completeStep } from './billing-run.ts'
import type { RunRule } from './run-rule.ts'
import { defaultReference, fillTemplate, freeReferences, maxReferenceLength } from './templates.ts'

/** Reads the reference numbers of the partner's schedules that begin like one, in lower case. */
const readTakenReferences = async (
  tx: Tx,
  { organisationId, partnerId }: BillingRun,
  beginning: string,
): Promise<Set<string>> =>
  new Set(
    (
      await tx.rows<{ reference: string }>(sql`
        select lower(reference_number) as reference from partner_schedule
        where organisation_id = ${organisationId} and partner_id = ${partnerId}
          and starts_with(lower(reference_number), lower(${beginning}))`)
    ).map(({ reference }) => reference),
  )

/**
 * Creates a schedule of the transactions that are pending up to the last day of the period, and further ones
 * for those beyond the rule's maximum. A reference number that is taken gets -2, -3 and so on. Creates none
 * if there is nothing to bill.
 */
export const createSchedules = (
  { database }: Pick<WorkerContext, 'database'>,
  run: BillingRun,
  rule: RunRule,
): Promise<BillingRunStep | null> =>
  completeStep(database, run, rule.autoApprove ? BillingRunStep.Approve : null, async tx => {
    const { organisationId, partnerId, periodFrom, periodTo } = run
    const partner = await tx.maybe<{ code: string; name: string }>(sql`
      select p.code, p.name from partner p
      where p.organisation_id = ${organisationId} and p.id = ${partnerId} and exists (
        select from schedule_transaction t
        where t.organisation_id = p.organisation_id and t.partner_id = p.id
          and t.status = ${ScheduleTransactionStatus.Pending} and t.date <= ${periodTo})`)
    if (partner === undefined) return
    const values = { partnerCode: partner.code, partnerName: partner.name, periodFrom, periodTo }
    const reference = fillTemplate(rule.referenceTemplate ?? defaultReference, values, maxReferenceLength)
    const references = freeReferences(reference, await readTakenReferences(tx, run, reference))
    const body = {
      partnerId,
      date: periodTo,
      referenceNumber: references.next().value,
      description: rule.descriptionTemplate && fillTemplate(rule.descriptionTemplate, values),
      billingRunId: run.id,
    }
    const source = serviceOrigin(organisationId)
    const created = await createSchedule(tx, source, body)
    // Another schedule took the transactions meanwhile, so check again whether any are pending.
    if (created.bundled === 0) throw new TransactionRestart('What was pending is on another schedule.')
    await splitSchedule(tx, source, created, body, { max: rule.maxTransactions, references })
  })
