// The last step of a billing run whose rule approves by itself. Open-points 7.

import { byService } from '../../events/emit.ts'
import { sql } from '../../platform/database/db.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { type BillingRunStep, ScheduleStatus } from '../enumerations.ts'
import { lockSchedule } from '../schedules/schedule.ts'
import { setScheduleStatus } from '../schedules/set-schedule-status.ts'
import { type BillingRun, completeStep } from './billing-run.ts'

/** Approves what the run has made, as a person would; what refuses one schedule leaves all of them Draft. */
export const approveSchedules = (
  { database }: Pick<WorkerContext, 'database'>,
  run: BillingRun,
): Promise<BillingRunStep | null> =>
  completeStep(database, run, null, async tx => {
    const { organisationId } = run
    // Locked, so that none is removed before it is looked at.
    const schedules = await tx.rows<{ id: string }>(sql`
      select id from partner_schedule
      where organisation_id = ${organisationId} and billing_run_id = ${run.id}
      order by id for update`)
    for (const { id } of schedules) {
      const schedule = await lockSchedule(tx, { organisationId, partnerId: null }, id)
      await setScheduleStatus(tx, byService(organisationId), schedule, ScheduleStatus.Approved)
    }
  })
