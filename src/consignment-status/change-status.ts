// Moves a consignment to another status, with all effects of entering it. Decision 4.

import { billConsignments } from '../billing/bill-consignments.ts'
import { voidScheduleTransactions } from '../billing/schedules/schedule-transaction.ts'
import type { LockedConsignment } from '../consignments/consignment.ts'
import {
  consignmentMoveRefusal,
  consignmentStatusName,
  isDispatched,
} from '../consignments/consignment-status.ts'
import type { EventOrigin } from '../events/emit.ts'
import { completeInwardsConsignment, requireNothingReceived } from '../floor/receiving/complete-inwards.ts'
import { endJobIfNothingLeft, lockOpenWaveOf } from '../jobs/end-job.ts'
import { removeFromOpenJob } from '../jobs/remove-from-open-job.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { emitMetricsChange, readMetricsBefore } from './metrics.ts'
import { moveOutwardsStock, passesDock } from './outwards-stock.ts'
import { type MoveFields, storeMoves } from './store-moves.ts'

/** Optional details of a status change. Times and dates are local to the consignment's time zone. */
export interface MoveDetails {
  /** when the goods left, for a move that dispatches them; now by default */
  dispatchedAt?: string | undefined
  /** the date of the financial transactions, for closing; today by default */
  closedTransactionDate?: string | undefined
  /** the reason, for the history */
  reason?: string | undefined
}

interface Move {
  source: EventOrigin
  from: LockedConsignment
  to: ConsignmentStatus
  details: MoveDetails
}

type Effect = (tx: Tx, move: Move) => Promise<Partial<MoveFields>>

/**
 * The effects of entering a status. Each runs in the transaction of the move, may throw to refuse the move,
 * and returns the fields to set on the consignment.
 */
const entryEffects: Partial<Record<ConsignmentStatus, Effect>> = {
  [ConsignmentStatus.InTransit]: dispatchFields,
  // InTransit may be skipped, but the goods have left all the same.
  [ConsignmentStatus.Complete]: async (tx, change) => {
    if (change.from.type === ConsignmentType.Inwards)
      await completeInwardsConsignment(tx, change.source, change.from)
    return dispatchFields(tx, change)
  },
  [ConsignmentStatus.Pending]: refuseIfReceived,
  [ConsignmentStatus.Draft]: refuseIfReceived,
  [ConsignmentStatus.Closed]: async (tx, { from, details }) => {
    const closedTransactionDate = details.closedTransactionDate ?? from.localNow.slice(0, 10)
    const refused = await billConsignments(tx, from.organisationId, [from.id], closedTransactionDate)
    if (refused.size > 0) throw verificationFailed(...[...refused.values()].flat())
    return { closedTransactionDate }
  },
  [ConsignmentStatus.Void]: async (tx, { source, from }) => {
    if (from.actualReceiveDateTime !== null)
      throw verificationFailed('The consignment cannot be Void: goods of it were received.')
    if (from.actualDispatchDateTime !== null && (await hasAnythingLeft(tx, from)))
      throw verificationFailed('The consignment cannot be Void: goods of it were dispatched.')
    await removeFromOpenJob(tx, source, from)
    return { actualDispatchDateTime: null }
  },
}

/** Whether goods of a dispatched consignment have left; one may be Complete although nothing was picked. */
const hasAnythingLeft = async (tx: Tx, { organisationId, id }: LockedConsignment): Promise<boolean> =>
  (await tx.maybe(sql`
    select from consignment_product
    where organisation_id = ${organisationId} and consignment_id = ${id} and dispatched_quantity > 0
    limit 1`)) !== undefined

async function refuseIfReceived(tx: Tx, { from, to }: Move): Promise<Partial<MoveFields>> {
  await requireNothingReceived(tx, from, to)
  return {}
}

async function dispatchFields(_tx: Tx, { from, to, details }: Move): Promise<Partial<MoveFields>> {
  if (!isDispatched(from.type, to) || from.actualDispatchDateTime !== null) return {}
  return { actualDispatchDateTime: details.dispatchedAt ?? from.localNow }
}

/**
 * Moves a locked consignment to another status of its path. Returns false if it already has that status.
 * Throws 400 if the path or an effect refuses the move.
 */
export async function changeStatus(
  tx: Tx,
  source: EventOrigin,
  from: LockedConsignment,
  to: ConsignmentStatus,
  details: MoveDetails,
): Promise<boolean> {
  if (to === from.status) return false
  const refusal = consignmentMoveRefusal(from.type, from.status, to)
  if (refusal !== null) throw verificationFailed(refusal)
  // Moving back to a status before dispatch means that the goods have not left.
  const isBackBeforeDispatch =
    from.actualDispatchDateTime !== null && !isDispatched(from.type, to) && to !== ConsignmentStatus.Void
  const isOutwards = from.type === ConsignmentType.Outwards
  // After this nothing of the consignment is left to pick, so the wave that picks it may be over.
  const wave = isOutwards && passesDock(from.status, to) ? await lockOpenWaveOf(tx, from) : undefined
  const metrics = await readMetricsBefore(tx, from, to)
  const fields = {
    ...(isBackBeforeDispatch ? { actualDispatchDateTime: null } : {}),
    ...(await entryEffects[to]?.(tx, { source, from, to, details })),
  }
  if (isOutwards) await moveOutwardsStock(tx, source, from, to, details.dispatchedAt)
  await emitMetricsChange(tx, source, { ...from, status: to }, metrics)
  await storeMoves(tx, source, [{ from, to, fields, reason: details.reason }])
  if (wave !== undefined) await endJobIfNothingLeft(tx, source, wave)
  return true
}

/**
 * Makes a Closed consignment Complete again, and voids the transactions that closing it raised. Returns false
 * if it is already Complete. Throws 400 for any other status, and if one of its transactions is on a
 * schedule.
 */
export async function reopen(
  tx: Tx,
  source: EventOrigin,
  from: LockedConsignment,
  reason?: string,
): Promise<boolean> {
  if (from.status === ConsignmentStatus.Complete) return false
  if (from.status !== ConsignmentStatus.Closed)
    throw verificationFailed(
      `Only a Closed consignment can be reopened; this one is ${consignmentStatusName(from.status)}.`,
    )
  if (!(await voidScheduleTransactions(tx, from))) {
    throw verificationFailed('The consignment cannot be reopened: transactions of it are on a schedule.')
  }
  const fields = { closedTransactionDate: null }
  await storeMoves(tx, source, [{ from, to: ConsignmentStatus.Complete, fields, reason }])
  return true
}
