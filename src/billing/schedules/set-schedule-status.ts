// Approves a schedule or makes it a Draft again, for users and for billing runs. Spec 2.9, 3; decision 7.

import { type EventOrigin, emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/db.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { EventType } from '../../vocabulary/events.ts'
import { proveSchedule } from '../proofs/prove-schedule.ts'
import { issueInvoices, withdrawInvoice } from './invoice.ts'
import { type LockedSchedule, scheduleEvent } from './schedule.ts'

const maxListed = 100

/**
 * Refuses (400) a schedule without transactions, or with some that cannot be derived again to the cent, and
 * lists them.
 */
async function requireProved(tx: Tx, { organisationId, id }: LockedSchedule): Promise<void> {
  const { transactions, differing } = await proveSchedule(tx, organisationId, id)
  if (transactions === 0) throw verificationFailed('The schedule cannot be Approved: it has no transactions.')
  if (differing.length === 0) return
  const listed = differing.slice(0, maxListed).join(', ')
  const more = differing.length > maxListed ? ` and ${differing.length - maxListed} more` : ''
  throw verificationFailed(
    `The schedule cannot be Approved: ${differing.length} of its transactions are not what they are ` +
      `derived to be: ${listed}${more}.`,
  )
}

const statusEvent = (schedule: LockedSchedule, status: ScheduleStatus) =>
  scheduleEvent(
    EventType.PartnerScheduleStatusUpdated,
    { ...schedule, status },
    {
      previousStatus: schedule.status,
      changes: [{ field: 'status', from: schedule.status, to: status }],
    },
  )

/**
 * Approves locked Drafts of an organisation, which issues their invoices. 400 if one of them is empty, or has
 * a transaction that does not yield the same amount when it is derived again: no bill that cannot be proved
 * may be sent.
 */
export async function approveDrafts(
  tx: Tx,
  source: EventOrigin,
  schedules: readonly LockedSchedule[],
): Promise<void> {
  const [first] = schedules
  if (first === undefined) return
  for (const schedule of schedules) await requireProved(tx, schedule)
  await issueInvoices(
    tx,
    first.organisationId,
    schedules.map(({ id }) => id),
  )
  await emit(
    tx,
    source,
    schedules.map(schedule => statusEvent(schedule, ScheduleStatus.Approved)),
  )
}

/**
 * Approves a locked schedule, or makes it a Draft again. Returns false if it has that status already. 400 as
 * for `approveDrafts`, or if it was exported and should become a Draft.
 */
export async function setScheduleStatus(
  tx: Tx,
  source: EventOrigin,
  schedule: LockedSchedule,
  status: ScheduleStatus,
): Promise<boolean> {
  if (schedule.status === status) return false
  if (status === ScheduleStatus.Approved) {
    await approveDrafts(tx, source, [schedule])
    return true
  }
  if (schedule.isExported)
    throw verificationFailed('The schedule cannot become a Draft again: it was exported.')
  await withdrawInvoice(tx, schedule.organisationId, schedule.id)
  await emit(tx, source, [statusEvent(schedule, status)])
  return true
}
