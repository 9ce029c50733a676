// Reconciles one import by hand: at once, as a whole or not at all. Decision 5.

import type { Actor } from '../access/actor.ts'
import type { ReasonKind, WaitingReason } from '../events/import-reason.ts'
import { type Database, type Db, empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import type { ErrorCode, Fault } from '../platform/http/fault.ts'
import { forbidden, notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { hint } from '../platform/work/hints.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { requireWaiting } from '../waiting-imports/require-waiting.ts'
import { type Fetcher, fetchWhileCallerWaits } from './downloads/fetch-files.ts'
import { toFetchStatus } from './downloads/stored-downloads.ts'
import { describeImportFailure, isTransient } from './failure.ts'
import { hasFilesToFetch } from './import-files.ts'
import { type ClaimedImport, importColumns, processClaimed } from './process-claimed.ts'
import { type Replacement, replacesClient, withReplacements } from './replacements.ts'
import { requestFaults } from './request-faults.ts'
import { visibleImports } from './visible-imports.ts'

/** An attempt to reconcile an import. */
export interface Attempt {
  id: string
  actor: Actor
  requestId: string
  replacements: readonly Replacement[]
}

/**
 * Processes an import at once: fetches the files that it lacks, and turns it into a consignment. Throws 400
 * with the remaining reasons; then nothing is changed.
 */
export async function reconcile(
  fetcher: Fetcher,
  { id, actor, requestId, replacements }: Attempt,
): Promise<void> {
  if (actor.partnerId !== null && replacements.some(({ kind }) => kind === 'client')) {
    throw forbidden('A token that belongs to a partner cannot give an import to another client.')
  }
  const { organisationId, connectionId, userId } = actor
  const readWaiting = async (db: Db, lock: Sql) => {
    const found = await db.maybe<ClaimedImport>(
      sql`select ${importColumns} from consignment_import i
        where ${visibleImports(actor)} and i.id = ${id} ${lock}`,
    )
    if (found === undefined) throw notFound('Import')
    requireWaiting(found.status)
    return found
  }
  const original = (await readWaiting(fetcher.database.db, empty)).request
  const request = withReplacements(original, replacements)
  const faults = replacements.length === 0 ? [] : await requestFaults(request)
  if (faults.length > 0) throw validationFailed(...faults)
  await queueForLater(fetcher.database, organisationId, id)
  if (hasFilesToFetch(request.notes)) await fetchWhileCallerWaits(fetcher, organisationId, id, request)
  const remaining = await fetcher.database.atomically(async tx => {
    const found = await readWaiting(tx, sql`for update`)
    const clientId = replacesClient(original, replacements) ? null : found.clientId
    const claimed = { ...found, request, clientId }
    const source = { organisationId, connectionId, userId, requestId }
    const reasons = await processClaimed(tx, organisationId, [claimed], source).catch(error => {
      throw isTransient(error) ? error : verificationFailed(describeImportFailure(error))
    })
    if (reasons.size === 0) {
      await tx.run(sql`update consignment_import
        set replacements = coalesce(replacements, '[]') || ${JSON.stringify(replacements)}::jsonb
        where organisation_id = ${organisationId} and id = ${id}`)
    } else await queueNow(tx, organisationId, id)
    return reasons.get(id)
  })
  if (remaining !== undefined) throw verificationFailed(...remaining.map(faultOf))
}

/**
 * Queues an import to be processed again in a minute, which is longer than an attempt can take. When a record
 * is created that the import waits for, an import locked by an attempt is skipped, so it has to be processed
 * again afterwards. Queuing it before the attempt covers every way in which the attempt can end.
 */
const queueForLater = (database: Database, organisationId: string, id: string) =>
  database.inOneStatement(tx =>
    tx.run(sql`update consignment_import set due_utc = now() + interval '1 minute'
      where organisation_id = ${organisationId} and id = ${id}
        and status = ${ImportStatus.PendingReconciliation} and due_utc is null`),
  )

/**
 * Queues an import to be processed at once, unless its files are to be fetched, after which it is processed.
 */
async function queueNow(tx: Tx, organisationId: string, id: string): Promise<void> {
  await tx.run(sql`update consignment_import set due_utc = now()
    where organisation_id = ${organisationId} and id = ${id}
      and download_status <> ${toFetchStatus}`)
  tx.afterCommit(() => hint('imports'))
}

// The error codes by kind of reason. The other kinds are codes that name no record.
const codes: Partial<Record<ReasonKind, ErrorCode>> = {
  serial: 'state',
  attribute: 'required',
  attachment: 'state',
  manual: 'state',
  processing: 'state',
}

const faultOf = ({ kind, path, message }: WaitingReason): Fault => ({
  path,
  code: codes[kind] ?? 'unknown_reference',
  message: path === null ? message : `${path}: ${message}`,
})
