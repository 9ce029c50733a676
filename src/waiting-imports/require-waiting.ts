// Guards what a user may do with an import only while it waits for reconciliation. Decision 5.

import { conflict } from '../platform/http/refusal.ts'
import { ImportStatus } from '../vocabulary/imports.ts'

/** Throws 409 unless an import waits for reconciliation. */
export function requireWaiting(status: number): void {
  if (status === ImportStatus.PendingReconciliation) return
  const states = {
    [ImportStatus.Pending]: 'is still being processed',
    [ImportStatus.Reconciled]: 'has become a consignment',
  }
  const state = states[status as keyof typeof states] ?? 'was discarded'
  throw conflict(`The import ${state}; it does not wait for reconciliation.`)
}
