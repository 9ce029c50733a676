// Closes many consignments at once, with one statement for each table. Open-points 7.

import { billConsignments } from '../billing/bill-consignments.ts'
import { consignmentEvent, type LockedConsignment } from '../consignments/consignment.ts'
import { type EventSource, emit } from '../events/emit.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'

/**
 * Closes locked consignments that are Complete. `dateOf` returns the date for the transactions of one of
 * them. Returns the reasons for those that are refused, by consignment id; these stay as they are.
 */
export async function closeAll(
  tx: Tx,
  source: EventSource,
  consignments: readonly LockedConsignment[],
  dateOf: (consignment: LockedConsignment) => string,
): Promise<Map<string, string[]>> {
  const refused = new Map<string, string[]>()
  for (const [closedTransactionDate, group] of Map.groupBy(consignments, dateOf)) {
    const ids = group.map(({ id }) => id)
    const refusedNow = await billConsignments(tx, source.organisationId, ids, closedTransactionDate)
    for (const [id, messages] of refusedNow) refused.set(id, messages)
    const closed = group.filter(({ id }) => !refusedNow.has(id))
    const events = closed.map(consignment =>
      consignmentEvent(
        EventType.ConsignmentStatusUpdated,
        { ...consignment, status: ConsignmentStatus.Closed },
        {
          previousStatus: consignment.status,
          changes: [
            { field: 'status', from: consignment.status, to: ConsignmentStatus.Closed },
            {
              field: 'closedTransactionDate',
              from: consignment.closedTransactionDate,
              to: closedTransactionDate,
            },
          ],
        },
      ),
    )
    await Promise.all([
      tx.run(sql`
        update consignment
        set status = ${ConsignmentStatus.Closed}, closed_transaction_date = ${closedTransactionDate}
        where organisation_id = ${source.organisationId} and id = any(${closed.map(({ id }) => id)})`),
      emit(tx, source, events),
    ])
  }
  return refused
}
