// Writes moves between statuses, of one consignment or of many, with their events: one statement for each
// table. The effects of a move come before it.

import { type Change, consignmentEvent, type LockedConsignment } from '../consignments/consignment.ts'
import { type EventOrigin, emit } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { tableOf } from '../platform/database/table-of.ts'
import type { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'

/** The fields of a consignment that a move sets, other than its status. */
export interface MoveFields {
  actualDispatchDateTime: string | null
  closedTransactionDate: string | null
}

/** A move of a locked consignment whose effects have happened. */
export interface StoredMove {
  readonly from: LockedConsignment
  readonly to: ConsignmentStatus
  readonly fields?: Partial<MoveFields>
  /** for the history */
  readonly reason?: string | undefined
  /** who moves it, if it is not the source of all moves */
  readonly origin?: EventOrigin
}

const names = ['status', 'actualDispatchDateTime', 'closedTransactionDate'] as const

/** Stores the moves of consignments of the source's organisation, and raises event 112 for each. */
export async function storeMoves(tx: Tx, source: EventOrigin, moves: readonly StoredMove[]): Promise<void> {
  if (moves.length === 0) return
  const transitions = moves.map(({ from, to, fields, reason, origin }) => ({
    ...{ from, origin },
    after: { ...from, ...fields, status: to },
    reason,
  }))
  const rows = transitions.map(({ after }) => ({
    id: after.id,
    status: after.status,
    dispatched: after.actualDispatchDateTime,
    closed: after.closedTransactionDate,
  }))
  const fields = { id: 'uuid', status: 'smallint', dispatched: 'timestamp', closed: 'date' }
  const updated = tx.run(sql`
    update consignment c
    set status = m.status, actual_dispatch_date_time = m.dispatched, closed_transaction_date = m.closed
    from ${tableOf('m', fields, rows)}
    where c.organisation_id = ${source.organisationId} and c.id = m.id`)
  const events = transitions.map(({ from, after, reason, origin }) => {
    const changes: Change[] = names
      .filter(field => from[field] !== after[field])
      .map(field => ({ field, from: from[field], to: after[field] }))
    if (reason !== undefined) changes.push({ field: 'reason', from: null, to: reason })
    const { status: previousStatus } = from
    const event = consignmentEvent(EventType.ConsignmentStatusUpdated, after, { previousStatus, changes })
    return origin === undefined ? event : { ...event, origin }
  })
  await Promise.all([updated, emit(tx, source, events)])
}
