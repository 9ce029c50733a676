// Processes claimed imports of one organisation as a set: they become consignments, or wait with their
// reasons. Spec 3; decision 5.

import { createConsignments, type NewConsignment } from '../consignments/create-consignment.ts'
import { type EventOrigin, emit, serviceOrigin } from '../events/emit.ts'
import type { WaitingReason } from '../events/import-reason.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { EventType } from '../vocabulary/events.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { blockNewRecords } from '../waiting-imports/block-new-records.ts'
import { deleteReasons, importEvent, sendToReconciliation } from '../waiting-imports/reconciliation.ts'
import { aliasReplacements } from './alias-replacements.ts'
import { attachFetchedFiles, readDownloads } from './downloads/stored-downloads.ts'
import { type DownloadOutcome, withFileNames } from './import-files.ts'
import type { ImportRequest } from './import-request.ts'
import type { ImportToPlan } from './import-to-plan.ts'
import { type Plan, planImport } from './plan-import.ts'
import { type Replacement, withReplacements } from './replacements.ts'
import { requestFaults } from './request-faults.ts'
import { resolveCodes } from './resolve-codes.ts'

/** An import with its row locked by this transaction. */
export interface ClaimedImport {
  id: string
  status: number
  request: ImportRequest
  clientId: string | null
  downloadStatus: number
  identityConnectionId: string
  userId: string
  requestId: string | null
  /** the request that created the record it waited for, which made it try again */
  retryRequestId: string | null
  receivedUtc: string
}

export const importColumns = sql`id, status, request, client_id, download_status, identity_connection_id,
  user_id, request_id, retry_request_id, received_utc`

/** The source for the events of an import: the connection, user and request that sent it. */
export const importSource = (
  organisationId: string,
  { identityConnectionId, userId, requestId }: ClaimedImport,
): EventOrigin => ({
  organisationId,
  connectionId: identityConnectionId,
  userId,
  requestId,
})

/**
 * Turns claimed imports of one organisation into consignments, or sends them to reconciliation. Returns the
 * reasons of each import that waits, by id. `reconciledBy` is set if a user reconciles the imports by hand;
 * then nothing is written while any of them has reasons left.
 */
export async function processClaimed(
  tx: Tx,
  organisationId: string,
  imports: readonly ClaimedImport[],
  reconciledBy?: EventOrigin,
): Promise<Map<string, WaitingReason[]>> {
  const plans = await planAll(tx, organisationId, imports, reconciledBy !== undefined)
  const waiting = plans.filter(({ reasons }) => reasons.length > 0)
  const reasonsById = new Map(waiting.map(({ id, reasons }) => [id, reasons]))
  if (reconciledBy !== undefined && reasonsById.size > 0) return reasonsById
  await sendToReconciliation(
    tx,
    organisationId,
    waiting.map(plan => ({ ...plan, clientCode: plan.request.clientCode })),
  )
  await createReady(tx, organisationId, plans.filter(isReady), reconciledBy)
  return reasonsById
}

type ClaimedPlan = ClaimedImport &
  ImportToPlan &
  Plan & {
    source: EventOrigin
    /** the replacements by aliases with which it was planned */
    aliases: readonly Replacement[]
  }
type ReadyImport = ClaimedPlan & { consignment: NewConsignment }

const isReady = (plan: ClaimedPlan): plan is ReadyImport => plan.consignment !== undefined

/**
 * Plans imports. If any would have to wait, plans them again while new records are blocked, so that a record
 * which they wait for cannot appear unnoticed.
 */
async function planAll(
  tx: Tx,
  organisationId: string,
  imports: readonly ClaimedImport[],
  isManuallyReconciled: boolean,
): Promise<ClaimedPlan[]> {
  const downloads = await readDownloads(tx, organisationId, imports)
  const pending = await Promise.all(
    imports.map(async claimed => ({
      ...claimed,
      request: await withFileNames(claimed.request),
      isManuallyReconciled,
      downloads: downloads.get(claimed.id) ?? new Map<string, DownloadOutcome>(),
      source: importSource(organisationId, claimed),
    })),
  )
  const plan = async (imports: typeof pending) => {
    const codes = await resolveCodes(tx, organisationId, imports)
    return imports.map(claimed => ({
      ...claimed,
      ...planImport(claimed, codes, claimed.source, new Date(claimed.receivedUtc)),
      aliases: [] as readonly Replacement[],
    }))
  }
  const plans = await plan(pending)
  if (plans.every(({ reasons }) => reasons.length === 0)) return plans
  await blockNewRecords(tx, organisationId)
  return withAliases(tx, organisationId, await plan(pending), plan)
}

/**
 * Plans those that would have to wait again, with the codes that the aliases of their clients stand for. One
 * that is still not ready, or that POST would refuse with them, waits as it is.
 */
async function withAliases<Planned extends ClaimedImport & Plan>(
  tx: Tx,
  organisationId: string,
  plans: readonly Planned[],
  plan: (imports: Planned[]) => Promise<Planned[]>,
): Promise<Planned[]> {
  const waiting = plans.filter(({ reasons }) => reasons.length > 0)
  const aliases = await aliasReplacements(tx, organisationId, waiting)
  const replaced: Planned[] = []
  for (const planned of waiting) {
    const request = withReplacements(planned.request, aliases.get(planned.id) ?? [])
    if (request !== planned.request && (await requestFaults(request)).length === 0)
      replaced.push({ ...planned, request })
  }
  if (replaced.length === 0) return [...plans]
  const again = new Map((await plan(replaced)).map(planned => [planned.id, planned]))
  return plans.map(planned => {
    const ready = again.get(planned.id)
    return ready?.consignment === undefined ? planned : { ...ready, aliases: aliases.get(planned.id) ?? [] }
  })
}

/** Tells with each import which aliases it was created with. */
async function storeAliases(tx: Tx, organisationId: string, ready: readonly ReadyImport[]): Promise<void> {
  const replaced = ready.filter(({ aliases }) => aliases.length > 0)
  if (replaced.length === 0) return
  await tx.run(sql`update consignment_import i
    set replacements = coalesce(i.replacements, '[]') || r.replacements::jsonb
    from unnest(${replaced.map(({ id }) => id)}::uuid[],
      ${replaced.map(({ aliases }) => JSON.stringify(aliases))}::text[]) as r (id, replacements)
    where i.organisation_id = ${organisationId} and i.id = r.id`)
}

/**
 * Creates the consignments of imports without reasons to wait. Raises event 111 for those that waited before.
 */
async function createReady(
  tx: Tx,
  organisationId: string,
  ready: readonly ReadyImport[],
  reconciledBy?: EventOrigin,
): Promise<void> {
  if (ready.length === 0) return
  const reconciled = ready.filter(({ status }) => status === ImportStatus.PendingReconciliation)
  const ids = ready.map(({ id }) => id)
  const clientIds = ready.map(({ clientId }) => clientId)
  // A person may have given an import to another client: its code is what lists show and are searched by.
  const clientCodes = ready.map(({ request }) => request.clientCode)
  const consignments = ready.map(({ consignment }) => consignment)
  // Sent without waiting for each other's results; the connection keeps the order.
  await Promise.all([
    createConsignments(tx, organisationId, consignments),
    tx.run(sql`update consignment_import i set status = ${ImportStatus.Reconciled}, due_utc = null,
        client_id = r.client_id, client_code = r.client_code
      from unnest(${ids}::uuid[], ${clientIds}::uuid[], ${clientCodes}::text[])
        as r (id, client_id, client_code)
      where i.organisation_id = ${organisationId} and i.id = r.id`),
    reconciled.length === 0 ? 0 : deleteReasons(tx, organisationId, ids),
  ])
  await attachFetchedFiles(tx, organisationId, ready)
  await storeAliases(tx, organisationId, ready)
  await emit(
    tx,
    serviceOrigin(organisationId),
    reconciled.map(plan =>
      importEvent(EventType.ConsignmentImportReconciled, {
        ...plan,
        clientCode: plan.request.clientCode,
        // Otherwise the service does it, by itself or because a record was created.
        source: reconciledBy ?? { ...serviceOrigin(organisationId), requestId: plan.retryRequestId },
      }),
    ),
  )
}
