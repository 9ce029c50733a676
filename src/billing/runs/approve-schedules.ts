// The last step of a billing run with a rule that approves automatically. Decision 7.

import { serviceOrigin } from '../../events/emit.ts'
import { sql } from '../../platform/database/db.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { type BillingRunStep, ScheduleStatus } from '../../vocabulary/billing.ts'
import { type LockedSchedule, lockSchedule } from '../schedules/schedule.ts'
import { approveDrafts } from '../schedules/set-schedule-status.ts'
import { type BillingRun, completeStep } from './billing-run.ts'

/** Approves the schedules of the run as a user would. If one is refused, all of them stay Draft. */
export const approveSchedules = (
  { database }: Pick<WorkerContext, 'database'>,
  run: BillingRun,
): Promise<BillingRunStep | null> =>
  completeStep(database, run, null, async tx => {
    const { organisationId } = run
    // The lock prevents schedules from being removed before they are approved.
    const schedules = await tx.rows<{ id: string }>(sql`
      select id from partner_schedule
      where organisation_id = ${organisationId} and billing_run_id = ${run.id}
      order by id for update`)
    const locked: LockedSchedule[] = []
    for (const { id } of schedules)
      locked.push(await lockSchedule(tx, { organisationId, partnerId: null }, id))
    const drafts = locked.filter(({ status }) => status === ScheduleStatus.Draft)
    await approveDrafts(tx, serviceOrigin(organisationId), drafts)
  })
