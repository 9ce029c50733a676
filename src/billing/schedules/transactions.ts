// Puts transactions on a Draft schedule one by one, and takes them off it. Spec 2.9. Lock order: the
// schedule, then transactions by id.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { emit } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { type Fault, faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { named, Type, Uuid } from '../../platform/http/schema.ts'
import { note } from '../../rehearsal/notes.ts'
import { ScheduleTransactionStatus } from '../../vocabulary/billing.ts'
import { EventType } from '../../vocabulary/events.ts'
import { type LockedSchedule, lockDraft, scheduleEvent } from './schedule.ts'
import { refuseEmptySchedule } from './schedule-transaction.ts'

const TransactionIds = named(
  'ScheduleTransactionIds',
  Type.Object({ transactionIds: Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }) }),
)

interface RequestedTransaction {
  id: string
  status: number
  partnerScheduleId: string | null
}

const { Pending, Scheduled, Void } = ScheduleTransactionStatus

/** Locks those of the requested transactions that belong to the partner of a schedule, by id. */
const lockTransactions = (
  tx: Tx,
  { organisationId, partnerId }: LockedSchedule,
  ids: readonly string[],
): Promise<RequestedTransaction[]> =>
  tx.rows(sql`
    select id, status, partner_schedule_id from schedule_transaction
    where organisation_id = ${organisationId} and partner_id = ${partnerId} and id = any(${ids})
    order by id for update`)

/** Why a transaction can be neither put on a schedule nor taken off it; null if it can. */
function problemOf(transaction: RequestedTransaction | undefined, schedule: LockedSchedule): string | null {
  if (transaction === undefined) return "does not refer to a transaction of the schedule's partner"
  if (transaction.status === Void) return 'refers to a transaction that is void'
  const { partnerScheduleId } = transaction
  const isElsewhere = partnerScheduleId !== null && partnerScheduleId !== schedule.id
  return isElsewhere ? 'refers to a transaction that is on another schedule' : null
}

/** Locks a Draft and the requested transactions, and returns the two. 400 names every id that is wrong. */
async function lockRequested(
  tx: Tx,
  actor: Actor,
  scheduleId: string,
  ids: readonly string[],
): Promise<{ schedule: LockedSchedule; transactions: RequestedTransaction[] }> {
  const schedule = await lockDraft(tx, actor, scheduleId)
  const transactions = await lockTransactions(tx, schedule, ids)
  const byId = new Map(transactions.map(transaction => [transaction.id, transaction]))
  const faults = ids.flatMap((id, n): Fault[] => {
    const problem = problemOf(byId.get(id), schedule)
    return problem === null ? [] : [faultAt(`transactionIds[${n}]`, problem, 'unknown_reference')]
  })
  if (faults.length > 0) throw verificationFailed(...faults)
  return { schedule, transactions }
}

/** Moves locked transactions. Returns false if there are none. */
async function move(
  tx: Tx,
  actor: Actor & { requestId: string },
  schedule: LockedSchedule,
  { ids, scheduleId }: { ids: string[]; scheduleId: string | null },
): Promise<boolean> {
  if (ids.length === 0) return false
  await tx.run(sql`
    update schedule_transaction
    set status = ${scheduleId === null ? Pending : Scheduled}, partner_schedule_id = ${scheduleId}
    where organisation_id = ${schedule.organisationId} and id = any(${ids})`)
  note(tx, scheduleId === null ? { about: 'unscheduled', count: ids.length } : { about: 'scheduled', ids })
  await emit(tx, actor, [scheduleEvent(EventType.PartnerScheduleTransactionsUpdated, schedule)])
  return true
}

export const scheduleMembers = [
  endpoint({
    post: '/v1/schedules/:partnerScheduleId/transactions/add',
    name: 'addScheduleTransactions',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Put Pending transactions on a Draft schedule',
    description:
      "Transactions of the schedule's partner, whatever their date. 304 if all of them are on it already. " +
      'Refused once a connection has exported it.',
    body: TransactionIds,
    response: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const { schedule, transactions } = await lockRequested(
        tx,
        actor,
        params.partnerScheduleId,
        body.transactionIds,
      )
      const ids = transactions.filter(({ status }) => status === Pending).map(({ id }) => id)
      return move(tx, { ...actor, requestId }, schedule, { ids, scheduleId: schedule.id })
    },
  }),
  endpoint({
    post: '/v1/schedules/:partnerScheduleId/transactions/remove',
    name: 'removeScheduleTransactions',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'financial',
    extension: true,
    summary: 'Take transactions off a Draft schedule',
    description:
      'They are Pending again, and go on the next schedule that reaches their date. 304 if none of them is ' +
      'on it. At least one must stay. Refused once a connection has exported it.',
    body: TransactionIds,
    response: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const { schedule, transactions } = await lockRequested(
        tx,
        actor,
        params.partnerScheduleId,
        body.transactionIds,
      )
      const ids = transactions.filter(({ status }) => status === Scheduled).map(({ id }) => id)
      const isMoved = await move(tx, { ...actor, requestId }, schedule, { ids, scheduleId: null })
      await refuseEmptySchedule(tx, schedule)
      return isMoved
    },
  }),
]
