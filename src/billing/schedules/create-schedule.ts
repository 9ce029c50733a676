// Creates schedules of pending transactions, for users and for billing runs. Spec 2.9; open-points 7.

import { v7 as uuidv7 } from 'uuid'
import { type EventSource, emit } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { givenFields, insertInto } from '../../platform/database/write.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { EventType } from '../../vocabulary/events.ts'
import { PartnerStatus } from '../../vocabulary/partners.ts'
import { type ScheduleFacts, scheduleEvent } from './schedule.ts'
import { bundleScheduleTransactions, moveOverflow } from './schedule-transaction.ts'

/** The fields of a schedule to create. */
export interface NewSchedule {
  partnerId: string
  date: string
  referenceNumber?: string | null | undefined
  description?: string | null | undefined
  /** pending transactions up to this date go on it; default: its date */
  transactionsUpTo?: string | null | undefined
  /** the run that creates it */
  billingRunId?: string
}

/** A schedule that was just created. */
export interface CreatedSchedule extends ScheduleFacts {
  /** how many transactions were put on it */
  bundled: number
}

const fieldNames = ['date', 'referenceNumber', 'description', 'billingRunId'] as const

async function insertSchedule(tx: Tx, source: EventSource, facts: ScheduleFacts, body: NewSchedule) {
  const { organisationId, id, partnerId } = facts
  await Promise.all([
    tx.run(
      insertInto('partner_schedule', { organisationId, id, partnerId, ...givenFields(body, fieldNames) }),
    ),
    emit(tx, source, [scheduleEvent(EventType.PartnerScheduleCreated, facts)]),
  ])
}

/**
 * Creates a Draft of a partner's pending transactions up to a date. 400 if there is no such active partner.
 * If `bundled` is 0 there was nothing to bill, and the caller must roll the database transaction back.
 */
export async function createSchedule(
  tx: Tx,
  source: EventSource,
  body: NewSchedule,
): Promise<CreatedSchedule> {
  const { organisationId } = source
  const partner = await tx.maybe<{ id: string; relationship: number; status: number }>(sql`
    select id, relationship, status from partner
    where organisation_id = ${organisationId} and id = ${body.partnerId}`)
  if (partner === undefined)
    throw verificationFailed(faultAt('partnerId', 'does not name a partner', 'unknown_reference'))
  if (partner.status === PartnerStatus.Inactive)
    throw verificationFailed(faultAt('partnerId', 'names a partner that is inactive', 'state'))
  const { id: partnerId, relationship } = partner
  const facts = { organisationId, id: uuidv7(), status: ScheduleStatus.Draft, partnerId, relationship }
  const upTo = body.transactionsUpTo ?? body.date
  const [, bundled] = await Promise.all([
    insertSchedule(tx, source, facts, body),
    bundleScheduleTransactions(tx, facts, upTo),
  ])
  return { ...facts, bundled }
}

/**
 * Moves the transactions that a new schedule has beyond `max` to further schedules of the same date, with -2,
 * -3 and so on appended to the reference number. Each has at most `max` transactions, the earliest first.
 */
export async function splitSchedule(
  tx: Tx,
  source: EventSource,
  created: CreatedSchedule,
  body: NewSchedule,
  max: number,
): Promise<void> {
  const { bundled, ...first } = created
  let from: ScheduleFacts = first
  for (let n = 2; (n - 1) * max < bundled; n++) {
    const to = { ...first, id: uuidv7() }
    const referenceNumber = body.referenceNumber ? `${body.referenceNumber}-${n}` : null
    await insertSchedule(tx, source, to, { ...body, referenceNumber })
    await moveOverflow(tx, from, to.id, max)
    from = to
  }
}
