// Closing many consignments in a statement a table. Open-points 7.

import { billConsignments } from '../../billing/bill-consignments.ts'
import { type EventSource, emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { consignmentEvent, type LockedConsignment } from '../consignment.ts'
import { ConsignmentStatus } from '../enumerations.ts'

/**
 * Closes locked consignments that are Complete; `dateOf` says the date that the transactions of one get.
 * Returns why some are refused, which are left as they are.
 */
export async function closeAll(
  tx: Tx,
  source: EventSource,
  consignments: readonly LockedConsignment[],
  dateOf: (consignment: LockedConsignment) => string,
): Promise<Map<string, string[]>> {
  const refused = new Map<string, string[]>()
  for (const [closedTransactionDate, all] of Map.groupBy(consignments, dateOf)) {
    const ids = all.map(({ id }) => id)
    const its = await billConsignments(tx, source.organisationId, ids, closedTransactionDate)
    for (const [id, messages] of its) refused.set(id, messages)
    const closed = all.filter(({ id }) => !its.has(id))
    const events = closed.map(one =>
      consignmentEvent(
        EventType.ConsignmentStatusUpdated,
        { ...one, status: ConsignmentStatus.Closed },
        {
          previousStatus: one.status,
          changes: [
            { field: 'status', from: one.status, to: ConsignmentStatus.Closed },
            { field: 'closedTransactionDate', from: one.closedTransactionDate, to: closedTransactionDate },
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
