// Creates schedules of pending transactions, for users and for billing runs. Spec 2.9; decision 7.

import { v7 as uuidv7 } from 'uuid'
import { type EventOrigin, emit } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { refuseViolations } from '../../platform/database/errors.ts'
import { givenFields, insertInto } from '../../platform/database/write.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { duplicate, verificationFailed } from '../../platform/http/refusal.ts'
import { ScheduleStatus } from '../../vocabulary/billing.ts'
import { EventType } from '../../vocabulary/events.ts'
import { PartnerStatus } from '../../vocabulary/partners.ts'
import { type ScheduleFacts, scheduleEvent } from './schedule.ts'
import { bundleScheduleTransactions, moveOverflow } from './schedule-transaction.ts'

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

/** Awaits a statement, and refuses (409) a reference number that another schedule of the partner has. */
export const refuseTakenReference = <T>(
  statement: Promise<T>,
  referenceNumber: string | null | undefined,
): Promise<T> =>
  refuseViolations(statement, {
    partner_schedule_reference_key: () =>
      duplicate(
        'referenceNumber',
        `The partner already has a schedule with the reference number ${referenceNumber}.`,
      ),
  })

async function insertSchedule(tx: Tx, source: EventOrigin, facts: ScheduleFacts, body: NewSchedule) {
  const { organisationId, id, partnerId } = facts
  const row = { organisationId, id, partnerId, ...givenFields(body, fieldNames) }
  await refuseTakenReference(tx.run(insertInto('partner_schedule', row)), body.referenceNumber)
  await emit(tx, source, [scheduleEvent(EventType.PartnerScheduleCreated, facts)])
}

/**
 * Creates a Draft of a partner's pending transactions up to a date. 400 if there is no such active partner,
 * 409 if the partner has a schedule with this reference number. If `bundled` is 0 there was nothing to bill,
 * and the caller must roll the database transaction back.
 */
export async function createSchedule(
  tx: Tx,
  source: EventOrigin,
  body: NewSchedule,
): Promise<CreatedSchedule> {
  const { organisationId } = source
  const partner = await tx.maybe<{ id: string; relationship: number; status: number }>(sql`
    select id, relationship, status from partner
    where organisation_id = ${organisationId} and id = ${body.partnerId}`)
  if (partner === undefined)
    throw verificationFailed(faultAt('partnerId', 'does not refer to a partner', 'unknown_reference'))
  if (partner.status === PartnerStatus.Inactive)
    throw verificationFailed(faultAt('partnerId', 'refers to an inactive partner', 'state'))
  const { id: partnerId, relationship } = partner
  const facts = { organisationId, id: uuidv7(), status: ScheduleStatus.Draft, partnerId, relationship }
  const upTo = body.transactionsUpTo ?? body.date
  await insertSchedule(tx, source, facts, body)
  const bundled = await bundleScheduleTransactions(tx, facts, upTo)
  return { ...facts, bundled }
}

/**
 * Moves the transactions that a new schedule has beyond `max` to further schedules of the same date, with the
 * next reference numbers. Each has at most `max` transactions, the earliest first.
 */
export async function splitSchedule(
  tx: Tx,
  source: EventOrigin,
  created: CreatedSchedule,
  body: NewSchedule,
  { max, references }: { max: number; references: Iterator<string> },
): Promise<void> {
  const { bundled, ...first } = created
  let from: ScheduleFacts = first
  for (let n = 2; (n - 1) * max < bundled; n++) {
    const to = { ...first, id: uuidv7() }
    await insertSchedule(tx, source, to, { ...body, referenceNumber: references.next().value })
    await moveOverflow(tx, from, to.id, max)
    from = to
  }
}
