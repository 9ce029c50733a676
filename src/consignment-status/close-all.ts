// Closes many consignments at once, with one statement for each table. Decision 7.

import { billConsignments } from '../billing/bill-consignments.ts'
import type { LockedConsignment } from '../consignments/consignment.ts'
import type { EventOrigin } from '../events/emit.ts'
import type { Tx } from '../platform/database/db.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { type StoredMove, storeMoves } from './store-moves.ts'

/**
 * Closes locked consignments that are Complete. `transactionDateOf` returns the date for the transactions of
 * one of them. Returns the reasons for those that are refused, by consignment id; these stay as they are.
 */
export async function closeAll(
  tx: Tx,
  source: EventOrigin,
  consignments: readonly LockedConsignment[],
  transactionDateOf: (consignment: LockedConsignment) => string,
): Promise<Map<string, string[]>> {
  const refusals = new Map<string, string[]>()
  const moves: StoredMove[] = []
  for (const [closedTransactionDate, group] of Map.groupBy(consignments, transactionDateOf)) {
    const ids = group.map(({ id }) => id)
    const refusalsOfGroup = await billConsignments(tx, source.organisationId, ids, closedTransactionDate)
    for (const [id, messages] of refusalsOfGroup) refusals.set(id, messages)
    const closed = group.filter(({ id }) => !refusalsOfGroup.has(id))
    for (const from of closed)
      moves.push({ from, to: ConsignmentStatus.Closed, fields: { closedTransactionDate } })
  }
  await storeMoves(tx, source, moves)
  return refusals
}
