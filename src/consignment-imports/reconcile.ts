// A person sets an import right. Spec 3 (manual reconciliation); open-points 5.

import { type Database, type Db, empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import {
  conflict,
  forbidden,
  maxFaults,
  notFound,
  validationFailed,
  verificationFailed,
} from '../platform/http/refusal.ts'
import { hint } from '../platform/work/hints.ts'
import { type Fetcher, fetchWhileWaiting } from './downloads.ts'
import { DownloadStatus, ImportStatus } from './enumerations.ts'
import { failureInWords, notItsFault } from './failure.ts'
import { namesDownloads } from './import-files.ts'
import { type ClaimedImport, importColumns, processClaimed } from './process-imports.ts'
import { type Replacement, withReplacements } from './replacements.ts'
import { requestFaults } from './request-faults.ts'
import type { Reason } from './waiting/import-reason.ts'

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

/**
 * An attempt to reconcile: of which import, by whom, and with what. `visible` says which imports `i` the
 * actor may see.
 */
interface Attempt {
  id: string
  actor: Actor
  requestId: string
  visible: Sql
  replacements: readonly Replacement[]
}

/**
 * Tries an import again at once: fetches the files that it lacks, and makes a consignment of it. Throws (400)
 * what is left; then nothing is changed.
 */
export async function reconcile(
  fetcher: Fetcher,
  { id, actor, requestId, visible, replacements }: Attempt,
): Promise<void> {
  if (actor.partnerId !== null && replacements.some(({ kind }) => kind === 'client')) {
    throw forbidden('A token that belongs to a partner cannot give an import to another client.')
  }
  const { organisationId, connectionId, userId } = actor
  const waiting = async (db: Db, lock: Sql) => {
    const found = await db.maybe<ClaimedImport>(
      sql`select ${importColumns} from consignment_import i where ${visible} and id = ${id} ${lock}`,
    )
    if (found === undefined) throw notFound('Import')
    requireWaiting(found.status)
    return found
  }
  const request = withReplacements((await waiting(fetcher.database.db, empty)).request, replacements)
  const faults = replacements.length === 0 ? [] : await requestFaults(request)
  if (faults.length > 0) throw validationFailed(...faults)
  await queueForLater(fetcher.database, organisationId, id)
  if (namesDownloads(request.notes)) await fetchWhileWaiting(fetcher, organisationId, id, request)
  const left = await fetcher.database.atomically(async tx => {
    const claimed = { ...(await waiting(tx, sql`for update`)), request }
    const source = { organisationId, connectionId, userId, requestId }
    const reasons = await processClaimed(tx, organisationId, [claimed], source).catch(error => {
      throw notItsFault(error) ? error : verificationFailed(failureInWords(error))
    })
    if (reasons.size === 0) {
      await tx.run(sql`update consignment_import set replacements = ${JSON.stringify(replacements)}::jsonb
        where organisation_id = ${organisationId} and id = ${id}`)
    } else await queueForNow(tx, organisationId, id)
    return reasons.get(id)
  })
  if (left !== undefined) throw verificationFailed(...sentences(left))
}

/**
 * Whoever creates a record that an import waits for passes over an import that an attempt holds, so the
 * attempt has to leave it to the service to look again. It says so before it begins, for it may end in any
 * way; a minute is longer than it can take.
 */
const queueForLater = (database: Database, organisationId: string, id: string) =>
  database.inOneStatement(tx =>
    tx.run(sql`update consignment_import set due_utc = now() + interval '1 minute'
      where organisation_id = ${organisationId} and id = ${id}
        and status = ${ImportStatus.PendingReconciliation} and due_utc is null`),
  )

/** The same at once, unless a worker fetches its files and will look anyway. */
async function queueForNow(tx: Tx, organisationId: string, id: string): Promise<void> {
  await tx.run(sql`update consignment_import set due_utc = now()
    where organisation_id = ${organisationId} and id = ${id}
      and download_status <> ${DownloadStatus.ToFetch}`)
  tx.afterCommit(() => hint('imports'))
}

function sentences(reasons: readonly Reason[]): string[] {
  const told = reasons
    .slice(0, maxFaults)
    .map(({ path, message }) => (path === null ? message : `${path}: ${message}`))
  return reasons.length > maxFaults ? [...told, 'Further reasons are not listed.'] : told
}
