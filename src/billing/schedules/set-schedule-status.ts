// Approves a schedule or makes it a Draft again, for users and for billing runs. Spec 2.9, 3; open-points 7.

import { type EventSource, emit } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { EventType } from '../../vocabulary/events.ts'
import { findDifferingTransactions } from '../proofs/prove-schedule.ts'
import { type LockedSchedule, scheduleEvent } from './schedule.ts'

const maxListed = 100

/** Refuses (400) a schedule with transactions that cannot be derived again to the cent, and lists them. */
async function requireProved(tx: Tx, { organisationId, id }: LockedSchedule): Promise<void> {
  const differing = await findDifferingTransactions(tx, organisationId, id)
  if (differing.length === 0) return
  const listed = differing.slice(0, maxListed).join(', ')
  const more = differing.length > maxListed ? ` and ${differing.length - maxListed} more` : ''
  throw verificationFailed(
    `The schedule cannot be Approved: ${differing.length} of its transactions are not what they are ` +
      `derived to be: ${listed}${more}.`,
  )
}

/**
 * Approves a locked schedule, or makes it a Draft again. Returns false if it has that status already. 400 if
 * it was exported and should become a Draft, or if a transaction does not yield the same amount when it is
 * derived again: no bill that cannot be proved may be sent.
 */
export async function setScheduleStatus(
  tx: Tx,
  source: EventSource,
  schedule: LockedSchedule,
  status: ScheduleStatus,
): Promise<boolean> {
  if (schedule.status === status) return false
  const { organisationId, id } = schedule
  if (status === ScheduleStatus.Draft && schedule.isExported)
    throw verificationFailed('The schedule cannot become a Draft again: it was exported.')
  if (status === ScheduleStatus.Approved) await requireProved(tx, schedule)
  await tx.run(
    sql`update partner_schedule set status = ${status}
      where organisation_id = ${organisationId} and id = ${id}`,
  )
  const changes = [{ field: 'status', from: schedule.status, to: status }]
  await emit(tx, source, [
    scheduleEvent(
      EventType.PartnerScheduleStatusUpdated,
      { ...schedule, status },
      { previousStatus: schedule.status, changes },
    ),
  ])
  return true
}
