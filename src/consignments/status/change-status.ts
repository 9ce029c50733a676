// Moving a consignment to another status, with everything that happens on entering it. Open-points 4
// (effects).

import {
  raiseScheduleTransactions,
  voidScheduleTransactions,
} from '../../billing/schedules/schedule-transaction.ts'
import { type EventSource, emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { leaveJobs } from '../../jobs/leave-jobs.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { type Change, consignmentEvent, type LockedConsignment } from '../consignment.ts'
import { isDispatched, refusalOfMove } from '../consignment-status.ts'
import { ConsignmentStatus, ConsignmentType } from '../enumerations.ts'
import { moveOutwardsStock } from './outwards-stock.ts'

/**
 * What a caller may say about a move beside the status. Local times and dates are of the consignment's time
 * zone.
 */
export interface MoveDetails {
  /** when the goods left, for a move that dispatches; default now */
  dispatchedAt?: string | undefined
  /** the date of the financial transactions, for closing; default today */
  closedTransactionDate?: string | undefined
  /** why, for the history */
  reason?: string | undefined
}

/** What a move writes on the consignment itself. */
interface Marks {
  actualDispatchDateTime: string | null
  closedTransactionDate: string | null
}

interface Move {
  source: EventSource
  from: LockedConsignment
  to: ConsignmentStatus
  details: MoveDetails
}

type Effect = (tx: Tx, move: Move) => Promise<Partial<Marks>>

/**
 * What happens on entering a status. Every effect runs in the transaction of the move, may refuse it, and
 * answers what the consignment is marked with.
 */
const onEntering: Partial<Record<ConsignmentStatus, Effect>> = {
  [ConsignmentStatus.InTransit]: dispatch,
  // InTransit may be skipped; the goods have left all the same.
  [ConsignmentStatus.Complete]: dispatch,
  [ConsignmentStatus.Closed]: async (tx, { from, details }) => {
    const closedTransactionDate = details.closedTransactionDate ?? from.localNow.slice(0, 10)
    await raiseScheduleTransactions(tx, from, closedTransactionDate)
    return { closedTransactionDate }
  },
  [ConsignmentStatus.Void]: async (tx, { source, from }) => {
    if (from.actualReceiveDateTime !== null)
      throw verificationFailed('The consignment cannot be Void: goods of it were received.')
    if (from.actualDispatchDateTime !== null)
      throw verificationFailed('The consignment cannot be Void: goods of it were dispatched.')
    await leaveJobs(tx, source, from)
    return {}
  },
}

async function dispatch(_tx: Tx, { from, to, details }: Move): Promise<Partial<Marks>> {
  if (!isDispatched(from.type, to) || from.actualDispatchDateTime !== null) return {}
  return { actualDispatchDateTime: details.dispatchedAt ?? from.localNow }
}

/**
 * Moves a locked consignment to another status of its path. False: it is there already. 400 where the path or
 * an effect refuses.
 */
export async function changeStatus(
  tx: Tx,
  source: EventSource,
  from: LockedConsignment,
  to: ConsignmentStatus,
  details: MoveDetails,
): Promise<boolean> {
  if (to === from.status) return false
  const refusal = refusalOfMove(from.type, from.status, to)
  if (refusal !== null) throw verificationFailed(refusal)
  // Goods that are moved back to before their dispatch have not left.
  const back =
    from.actualDispatchDateTime !== null && !isDispatched(from.type, to) && to !== ConsignmentStatus.Void
  const marks = {
    ...(back ? { actualDispatchDateTime: null } : {}),
    ...(await onEntering[to]?.(tx, { source, from, to, details })),
  }
  if (from.type === ConsignmentType.Outwards)
    await moveOutwardsStock(tx, source, from, to, details.dispatchedAt)
  await move(tx, source, from, to, marks, details.reason)
  return true
}

/**
 * Opens a Closed consignment again: it is Complete, and what was to be billed for it is void. False: it is
 * Complete already. 400 for any other status and for one that is on a schedule.
 */
export async function reopen(
  tx: Tx,
  source: EventSource,
  from: LockedConsignment,
  reason?: string,
): Promise<boolean> {
  if (from.status === ConsignmentStatus.Complete) return false
  if (from.status !== ConsignmentStatus.Closed)
    throw verificationFailed('Only a Closed consignment can be reopened.')
  if (!(await voidScheduleTransactions(tx, from))) {
    throw verificationFailed('The consignment cannot be reopened: transactions of it are on a schedule.')
  }
  await move(tx, source, from, ConsignmentStatus.Complete, { closedTransactionDate: null }, reason)
  return true
}

async function move(
  tx: Tx,
  source: EventSource,
  from: LockedConsignment,
  to: ConsignmentStatus,
  marks: Partial<Marks>,
  reason: string | undefined,
): Promise<void> {
  const after = { ...from, ...marks, status: to }
  await tx.run(sql`
    update consignment set status = ${to}, actual_dispatch_date_time = ${after.actualDispatchDateTime},
      closed_transaction_date = ${after.closedTransactionDate}
    where organisation_id = ${from.organisationId} and id = ${from.id}`)
  const fields = ['status', 'actualDispatchDateTime', 'closedTransactionDate'] as const
  const changes: Change[] = fields
    .filter(field => from[field] !== after[field])
    .map(field => ({ field, from: from[field], to: after[field] }))
  if (reason !== undefined) changes.push({ field: 'reason', from: null, to: reason })
  const event = consignmentEvent(EventType.ConsignmentStatusUpdated, after, {
    previousStatus: from.status,
    changes,
  })
  await emit(tx, source, [event])
}
