// Returns a billing run to its bundling step when its schedule is removed, so that a user may retry it.

import type { Actor } from '../../access/actor.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { BillingRunStatus, BillingRunStep } from '../../vocabulary/billing.ts'
import { visibleSchedules } from './schedule.ts'

/** A billing run whose row is locked. */
interface LockedRun {
  organisationId: string
  id: string
}

/**
 * Locks the run that created a schedule; undefined if none did. Workers lock a run before its schedules, so
 * call this before the schedule is locked.
 */
export const lockRunOf = (tx: Tx, actor: Actor, scheduleId: string): Promise<LockedRun | undefined> =>
  tx.maybe(sql`
    select b.organisation_id, b.id
    from partner_schedule s
    join billing_run b on b.organisation_id = s.organisation_id and b.id = s.billing_run_id
    where ${visibleSchedules(actor)} and s.id = ${scheduleId} for no key update of b`)

/** Makes a locked run Unbundled. A worker that still has it loses its lease. */
export const returnToBundling = (tx: Tx, { organisationId, id }: LockedRun): Promise<number> =>
  tx.run(sql`
    update billing_run
    set status = ${BillingRunStatus.Unbundled}, step = ${BillingRunStep.Schedule}, done_utc = null,
      failure = null, worker_id = null, lease_number = lease_number + 1
    where organisation_id = ${organisationId} and id = ${id}`)
