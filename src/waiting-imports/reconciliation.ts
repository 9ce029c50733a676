// Sends imports that cannot become consignments to reconciliation: they wait with their reasons until the
// records exist or a user corrects them. Spec 3; decisions 5, 6.

import { type EventOrigin, emit, type NewEvent, serviceOrigin } from '../events/emit.ts'
import type { WaitingReason } from '../events/import-reason.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { insertRows } from '../platform/database/insert-rows.ts'
import { EventType } from '../vocabulary/events.ts'
import { ImportStatus } from '../vocabulary/imports.ts'

/** An import that starts to wait, or continues to. */
export interface WaitingImport {
  id: string
  /** its status so far */
  status: number
  clientCode: string
  /** the client and the carrier if they are known, for the filters of subscriptions */
  clientId: string | null
  carrierId: string | null
  reasons: readonly WaitingReason[]
  source: EventOrigin
}

const insertReasons = insertRows<WaitingReason & { consignmentImportId: string; ordinal: number }>(
  'consignment_import_reason',
  {
    consignmentImportId: 'uuid',
    ordinal: 'integer',
    kind: 'text',
    code: 'text',
    path: 'text',
    message: 'text',
  },
)

// A request may have thousands of faults; an event contains the first of them.
const maxReasonsInEvent = 100

/** Event 110 or 111 about an import. */
export const importEvent = (
  type:
    | typeof EventType.ConsignmentImportPendingReconciliation
    | typeof EventType.ConsignmentImportReconciled,
  { id, clientCode, clientId, carrierId, reasons, source }: Omit<WaitingImport, 'status'>,
): NewEvent => ({
  type,
  subjectId: id,
  data: { consignmentId: id, clientCode, reasons: reasons.slice(0, maxReasonsInEvent) },
  clientId,
  carrierId,
  origin: source,
})

/**
 * Leaves imports waiting with their reasons, and stores their clients if they are known. Raises event 110 for
 * those that did not wait yet.
 */
export async function sendToReconciliation(
  tx: Tx,
  organisationId: string,
  waiting: readonly WaitingImport[],
): Promise<void> {
  if (waiting.length === 0) return
  const ids = waiting.map(({ id }) => id)
  const reasons = waiting.flatMap(({ id, reasons }) =>
    reasons.map((reason, ordinal) => ({ ...reason, consignmentImportId: id, ordinal })),
  )
  const started = waiting.filter(({ status }) => status === ImportStatus.Pending)
  await Promise.all([
    deleteReasons(tx, organisationId, ids),
    tx.run(insertReasons(organisationId, reasons)),
    tx.run(sql`update consignment_import i set status = ${ImportStatus.PendingReconciliation},
        due_utc = null, retry_request_id = null, attempts = 0, client_id = w.client_id
      from unnest(${ids}::uuid[], ${waiting.map(({ clientId }) => clientId)}::uuid[]) as w (id, client_id)
      where i.organisation_id = ${organisationId} and i.id = w.id`),
    emit(
      tx,
      serviceOrigin(organisationId),
      started.map(pending => importEvent(EventType.ConsignmentImportPendingReconciliation, pending)),
    ),
  ])
}

export const deleteReasons = (tx: Tx, organisationId: string, ids: readonly string[]): Promise<number> =>
  tx.run(
    sql`delete from consignment_import_reason where organisation_id = ${organisationId}
      and consignment_import_id = any (${ids}::uuid[])`,
  )
