// What a schedule is: a partner's invoicing period, who may see it, how it is locked, and what its events
// say. Spec 2.9; open-points 6, 7.

import type { NewEvent } from '../../events/emit.ts'
import type { EventType } from '../../events/event.ts'
import { Relationship } from '../../partners/enumerations.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { ScheduleStatus } from '../enumerations.ts'

/** Whose schedules: those of the organisation or, of an actor with a partner, those of the partner. */
type Viewer = Pick<Actor, 'organisationId' | 'partnerId'>

/**
 * The schedules an actor may see, as a condition on `partner_schedule s`: the organisation's, or its
 * partner's.
 */
export const visibleSchedules = (actor: Viewer): Sql =>
  sql`s.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and s.partner_id = ${actor.partnerId}`}`

/** What a schedule's events tell, and under which filter its partner stands. */
export interface ScheduleFacts {
  organisationId: string
  id: string
  partnerId: string
  relationship: number
  status: ScheduleStatus
}

/** A schedule whose row this transaction holds. */
export interface LockedSchedule extends ScheduleFacts {
  date: string
  referenceNumber: string | null
  description: string | null
  /** some connection has taken it to its books */
  isExported: boolean
}

/** An event about a schedule as it is now. `previousStatus` is told; `changes` are for the history. */
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

/**
 * Locks a schedule that is about to change until the transaction ends. 404 when there is none that this actor
 * may see.
 */
export async function lockSchedule(
  tx: Tx,
  actor: Viewer,
  partnerScheduleId: string,
): Promise<LockedSchedule> {
  // `for update` holds its key too, so that whoever marks it exported waits. Whether somebody has is asked
  // for after the lock: the statement that waits for it does not see what was exported meanwhile.
  const [schedule, exported] = await Promise.all([
    tx.maybe<Omit<LockedSchedule, 'isExported'>>(sql`
      select s.organisation_id, s.id, s.partner_id, p.relationship, s.status, s.date, s.reference_number,
        s.description
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

/** The same for what only a Draft allows, and only while no connection has taken it to its books (400). */
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
