// What a person may do with an import only while it waits for reconciliation. Open-points 5.

import { conflict } from '../../platform/http/refusal.ts'
import { ImportStatus } from '../enumerations.ts'

/** Refuses (409) what can only be done while an import waits for reconciliation. */
export function requireWaiting(status: number): void {
  if (status === ImportStatus.PendingReconciliation) return
  const why = {
    [ImportStatus.Pending]: 'is still being processed',
    [ImportStatus.Reconciled]: 'has become a consignment',
  }
  throw conflict(
    `The import ${why[status as keyof typeof why] ?? 'was discarded'}; it does not wait for reconciliation.`,
  )
}
