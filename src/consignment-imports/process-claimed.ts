// Claimed imports of one organisation, processed as a set: they become consignments, or wait with their
// reasons. Spec 3; design 6; open-points 5.

import { createConsignments, type NewConsignment } from '../consignments/create-consignment.ts'
import { byService, type EventSource, emit } from '../events/emit.ts'
import { EventType } from '../events/event.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { attachFetchedFiles, downloadsOf } from './downloads/stored-downloads.ts'
import { ImportStatus } from './enumerations.ts'
import { type DownloadOutcome, withFileNames } from './import-files.ts'
import type { ImportRequest } from './import-request.ts'
import type { ImportToPlan } from './import-to-plan.ts'
import { type Plan, planImport } from './plan-import.ts'
import { resolveCodes } from './resolve-codes.ts'
import { blockNewRecords } from './waiting/block-new-records.ts'
import type { Reason } from './waiting/import-reason.ts'
import { deleteReasons, importEvent, sendToReconciliation } from './waiting/reconciliation.ts'

/** An import whose row this transaction holds. */
export interface ClaimedImport {
  id: string
  status: number
  request: ImportRequest
  clientId: string | null
  downloadStatus: number
  identityConnectionId: string
  userId: string
  requestId: string | null
  /** the database's time */
  at: string
}

/** What a ClaimedImport is read from. */
export const importColumns = sql`id, status, request, client_id, download_status, identity_connection_id,
  user_id, request_id, now() as at`

/** On whose behalf an import came. */
export const sourceOf = (
  organisationId: string,
  { identityConnectionId, userId, requestId }: ClaimedImport,
): EventSource => ({
  organisationId,
  connectionId: identityConnectionId,
  userId,
  requestId,
})

/**
 * Makes consignments of claimed imports of one organisation, or sends them to reconciliation: returns the
 * reasons of each that waits, by id. `reconciledBy`: who sets them right, where it is not the service that
 * tries them again; while one of them has reasons left, nothing is written.
 */
export async function processClaimed(
  tx: Tx,
  organisationId: string,
  imports: readonly ClaimedImport[],
  reconciledBy?: EventSource,
): Promise<Map<string, Reason[]>> {
  const plans = await plansOf(tx, organisationId, imports, reconciledBy !== undefined)
  const waiting = plans.filter(({ reasons }) => reasons.length > 0)
  const left = new Map(waiting.map(({ id, reasons }) => [id, reasons]))
  if (reconciledBy !== undefined && left.size > 0) return left
  await sendToReconciliation(
    tx,
    organisationId,
    waiting.map(one => ({ ...one, clientCode: one.request.clientCode })),
  )
  await createFrom(tx, organisationId, plans.filter(isReady), reconciledBy)
  return left
}

type PlannedAndClaimed = ClaimedImport & ImportToPlan & Plan & { source: EventSource }
type ReadyImport = PlannedAndClaimed & { consignment: NewConsignment }

const isReady = (planned: PlannedAndClaimed): planned is ReadyImport => planned.consignment !== undefined

/** Plans imports, those that will wait a second time: then nothing that they wait for can appear unseen. */
async function plansOf(
  tx: Tx,
  organisationId: string,
  imports: readonly ClaimedImport[],
  isChecked: boolean,
): Promise<PlannedAndClaimed[]> {
  const downloads = await downloadsOf(tx, organisationId, imports)
  const planned = await Promise.all(
    imports.map(async one => ({
      ...one,
      request: await withFileNames(one.request),
      isChecked,
      downloads: downloads.get(one.id) ?? new Map<string, DownloadOutcome>(),
      source: sourceOf(organisationId, one),
    })),
  )
  const plan = async () => {
    const codes = await resolveCodes(tx, organisationId, planned)
    return planned.map(one => ({ ...one, ...planImport(one, codes, one.source, new Date(one.at)) }))
  }
  const plans = await plan()
  if (plans.every(({ reasons }) => reasons.length === 0)) return plans
  await blockNewRecords(tx, organisationId)
  return plan()
}

/** Creates the consignments of imports that lack nothing. Event 111 for those that waited. */
async function createFrom(
  tx: Tx,
  organisationId: string,
  ready: readonly ReadyImport[],
  reconciledBy?: EventSource,
): Promise<void> {
  if (ready.length === 0) return
  const reconciled = ready.filter(({ status }) => status === ImportStatus.PendingReconciliation)
  const ids = ready.map(({ id }) => id)
  const clientIds = ready.map(({ clientId }) => clientId)
  const consignments = ready.map(({ consignment }) => consignment)
  // The settled rows are sent behind the rest without waiting for it.
  await Promise.all([
    createConsignments(tx, organisationId, consignments),
    tx.run(sql`update consignment_import i set status = ${ImportStatus.Reconciled}, due_utc = null,
        client_id = r.client_id
      from unnest(${ids}::uuid[], ${clientIds}::uuid[]) as r (id, client_id)
      where i.organisation_id = ${organisationId} and i.id = r.id`),
    reconciled.length === 0 ? 0 : deleteReasons(tx, organisationId, ids),
  ])
  await attachFetchedFiles(tx, organisationId, ready)
  await emit(
    tx,
    byService(organisationId),
    reconciled.map(one =>
      importEvent(EventType.ConsignmentImportReconciled, {
        ...one,
        clientCode: one.request.clientCode,
        source: reconciledBy ?? one.source,
      }),
    ),
  )
}
