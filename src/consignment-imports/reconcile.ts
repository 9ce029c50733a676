// A person sets an import right. Spec 3 (manual reconciliation); open-points 5.

import type { Actor } from '../platform/actor.ts'
import { type Sql, sql, type Tx } from '../platform/db.ts'
import { hint } from '../platform/hints.ts'
import { conflict, forbidden, notFound, validationFailed, verificationFailed } from '../platform/refusal.ts'
import { DownloadStatus } from './downloads.ts'
import { namesDownloads } from './import-files.ts'
import { ImportStatus, type Reason } from './import-reason.ts'
import { type ClaimedImport, failureInWords, importColumns, notItsFault, processClaimed } from './process-imports.ts'
import { type Replacement, withReplacements } from './replacements.ts'
import { requestFaults } from './request-faults.ts'

/** Refuses (409) what can only be done while an import waits for reconciliation. */
export function requireWaiting(status: number): void {
  if (status === ImportStatus.PendingReconciliation) return
  const why = { [ImportStatus.Pending]: 'is still being processed', [ImportStatus.Reconciled]: 'has become a consignment' }
  throw conflict(`The import ${why[status as keyof typeof why] ?? 'was discarded'}; it does not wait for reconciliation.`)
}

/**
 * Tries an import again at once with these replacements. Throws (400) what is left, which undoes everything; where only files are left, fetching them again
 * goes on in the background and the import goes on waiting. `visible` says which imports `i` the actor may see.
 */
export async function reconcile(
  tx: Tx,
  actor: Actor,
  requestId: string,
  visible: Sql,
  id: string,
  replacements: readonly Replacement[],
): Promise<{ consignmentId: string; status: ClaimedImport['status'] }> {
  if (actor.partnerId !== null && replacements.some(({ kind }) => kind === 'client')) {
    throw forbidden('A token that belongs to a partner cannot give an import to another client.')
  }
  const found = await tx.maybe<ClaimedImport>(sql`
    select ${importColumns} from consignment_import i where ${visible} and id = ${id} for update`)
  if (found === undefined) throw notFound('Import')
  requireWaiting(found.status)
  const all = [...(found.replacements ?? []), ...replacements]
  const { organisationId, connectionId, userId } = actor
  const request = withReplacements(found.request, all)
  const faults = replacements.length === 0 ? [] : await requestFaults(request)
  if (faults.length > 0) throw validationFailed(...faults)
  const downloadStatus = namesDownloads(request.notes) ? DownloadStatus.Fetched : DownloadStatus.None
  await tx.run(sql`update consignment_import
    set is_checked = true, replacements = ${JSON.stringify(all)}::jsonb, download_status = ${downloadStatus}
    where organisation_id = ${organisationId} and id = ${id}`)
  const changed = { ...found, replacements: all, isChecked: true, downloadStatus }
  const waiting = await processClaimed(tx, organisationId, [changed], { organisationId, connectionId, userId, requestId }).catch(error => {
    throw notItsFault(error) ? error : verificationFailed(failureInWords(error))
  })
  const left = waiting.get(id)
  if (left === undefined) return { consignmentId: id, status: ImportStatus.Reconciled }
  const others = left.filter(({ kind }) => kind !== 'attachment')
  if (others.length > 0) throw verificationFailed(...sentences(left))
  await tx.run(sql`update consignment_import set download_status = ${DownloadStatus.ToFetch}, due_utc = now()
    where organisation_id = ${organisationId} and id = ${id}`)
  tx.afterCommit(() => hint('import-downloads'))
  return { consignmentId: id, status: ImportStatus.PendingReconciliation }
}

/** What is left of more than a hundred would help nobody. */
const mostTold = 100

function sentences(reasons: readonly Reason[]): string[] {
  const told = reasons.slice(0, mostTold).map(({ path, message }) => (path === null ? message : `${path}: ${message}`))
  return reasons.length > mostTold ? [...told, 'Further reasons are not listed.'] : told
}
