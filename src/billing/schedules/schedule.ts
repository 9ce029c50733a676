// A schedule (a partner's bill for an invoicing period): who may see it, how it is locked, and its events.
// Spec 2.9; decisions 6, 7.

import type { Actor } from '../../access/actor.ts'
import type { NewEvent } from '../../events/emit.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import type { EventType } from '../../vocabulary/events.ts'
import { Relationship } from '../../vocabulary/partners.ts'

/** Whose schedules: the organisation's or, for an actor with a partner, that partner's. */
type Viewer = Pick<Actor, 'organisationId' | 'partnerId'>

/** The schedules that an actor may see, as a condition on `partner_schedule s`. */
export const visibleSchedules = (actor: Viewer): Sql =>
  sql`s.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and s.partner_id = ${actor.partnerId}`}`

/**
 * The facts of a schedule that its events need. `relationship` says whether the partner is client or carrier.
 */
export interface ScheduleFacts {
  organisationId: string
  id: string
  partnerId: string
  relationship: number
  status: ScheduleStatus
}

/** A schedule whose row this transaction has locked. */
export interface LockedSchedule extends ScheduleFacts {
  date: string
  referenceNumber: string | null
  description: string | null
  /** from its first approval on */
  invoiceNumber: string | null
  /** the run that created it */
  billingRunId: string | null
  /** at least one connection has exported it */
  isExported: boolean
}

/**
 * Builds an event about a schedule as it is now. `previousStatus` is published; `changes` go to the history.
 */
export const scheduleEvent = (
  type: EventType,
  schedule: ScheduleFacts,
  { changes = null, ...more }: { changes?: NewEvent['changes']; previousStatus?: ScheduleStatus } = {},
): NewEvent => ({
  type,
  subjectId: schedule.id,
  data: {
    organisationId: schedule.organisationId,
    partnerScheduleId: schedule.id,
    partnerId: schedule.partnerId,
    status: schedule.status,
    ...more,
  },
  clientId: schedule.relationship === Relationship.Client ? schedule.partnerId : null,
  carrierId: schedule.relationship === Relationship.Carrier ? schedule.partnerId : null,
  changes,
})

/** Locks a schedule that is about to change until the transaction ends. 404 if the actor cannot see it. */
export async function lockSchedule(
  tx: Tx,
  actor: Viewer,
  partnerScheduleId: string,
): Promise<LockedSchedule> {
  // `for update` also locks the key, so that marking it exported waits. The export is looked up by a separate
  // statement after the lock, because the statement that waits does not see exports made meanwhile.
  const [schedule, exported] = await Promise.all([
    tx.maybe<Omit<LockedSchedule, 'isExported'>>(sql`
      select s.organisation_id, s.id, s.partner_id, p.relationship, s.status, s.date, s.reference_number,
        s.description, s.invoice_number, s.billing_run_id
      from partner_schedule s join partner p on p.organisation_id = s.organisation_id and p.id = s.partner_id
      where ${visibleSchedules(actor)} and s.id = ${partnerScheduleId} for update of s`),
    tx.maybe(sql`
      select from partner_schedule_export
      where organisation_id = ${actor.organisationId} and partner_schedule_id = ${partnerScheduleId}
      limit 1`),
  ])
  if (schedule === undefined) throw notFound('Schedule')
  return { ...schedule, isExported: exported !== undefined }
}

/** Locks a schedule for a change. 404 if the actor cannot see it; 400 unless it is an unexported Draft. */
export async function lockDraft(tx: Tx, actor: Actor, partnerScheduleId: string): Promise<LockedSchedule> {
  const schedule = await lockSchedule(tx, actor, partnerScheduleId)
  if (schedule.status !== ScheduleStatus.Draft)
    throw verificationFailed('The schedule is Approved; only a Draft can be changed or removed.')
  if (schedule.isExported)
    throw verificationFailed(
      'The schedule was exported; it can be Approved, but neither changed nor removed.',
    )
  return schedule
}
