// Retries imports that wait for a record when it appears. Decision 5.

import type { ImportCodeKind } from '../events/import-reason.ts'
import { empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { hint } from '../platform/work/hints.ts'
import { DownloadStatus, ImportStatus } from '../vocabulary/imports.ts'
import { blockNewWaitingImports } from './block-new-records.ts'

export type { ImportCodeKind }

/** What makes imports try again: a request of their organisation, or a command of the operator (null). */
export interface RetryCause {
  organisationId: string
  requestId: string | null
}

/**
 * Queues every import that waits for this code to be processed now; `cause` is the request for which. Call it
 * in the same transaction after a record of this kind was created, was renamed or became active. Files that
 * could not be fetched are fetched again too.
 */
export async function retryWaitingImports(
  tx: Tx,
  cause: RetryCause,
  kind: ImportCodeKind,
  code: string,
): Promise<void> {
  const { organisationId, requestId } = cause
  await blockNewWaitingImports(tx, organisationId)
  // A locked import is being processed. Its worker waits for this transaction before it sends the import to
  // reconciliation, and then sees the record. An attempt to reconcile has queued the import beforehand.
  const retried = await tx.rows<{ downloadStatus: number }>(sql`
    with waiting as (
      select id from consignment_import
      where organisation_id = ${organisationId} and status = ${ImportStatus.PendingReconciliation}
        and due_utc is null and id in (
          select consignment_import_id from consignment_import_reason
          where organisation_id = ${organisationId} and kind = ${kind}
            and (lower(code) = lower(${code}) or lower(code) is null)
          ${kind === 'client' ? importsOfClient(organisationId, code) : empty}
        )
      for update skip locked
    )
    update consignment_import
    set due_utc = now(), retry_request_id = ${requestId},
      download_status = least(download_status, ${DownloadStatus.ToFetch})
    where organisation_id = ${organisationId} and id in (select id from waiting) returning download_status`)
  tx.afterCommit(() => {
    if (retried.some(({ downloadStatus }) => downloadStatus === DownloadStatus.None)) hint('imports')
    if (retried.some(({ downloadStatus }) => downloadStatus === DownloadStatus.ToFetch))
      hint('import-downloads')
  })
}

/**
 * The imports of a client that are known by its id, whatever code they name: the client may have been
 * renamed.
 */
const importsOfClient = (organisationId: string, code: string): Sql => sql`
  union all
  select i.id from partner p
  join consignment_import i on i.organisation_id = p.organisation_id and i.client_id = p.id
    and i.status = ${ImportStatus.PendingReconciliation}
  join consignment_import_reason r on r.organisation_id = i.organisation_id and r.consignment_import_id = i.id
    and r.kind = 'client'
  where p.organisation_id = ${organisationId} and lower(p.code) = lower(${code})`

/**
 * Retries the imports of all organisations that wait for a shipping port which now exists, because all
 * organisations share the ports. Call it after ports were imported.
 */
export async function retryImportsWaitingForPorts(tx: Tx): Promise<void> {
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from organisation order by id`))
    await blockNewWaitingImports(tx, id)
  const waiting = await tx.rows<{ organisationId: string; code: string }>(sql`
    select distinct r.organisation_id, p.code from consignment_import_reason r join shipping_port p
      on p.code = upper(r.code)
    where r.kind = 'shippingPort' order by 1, 2`)
  for (const { organisationId, code } of waiting)
    await retryWaitingImports(tx, { organisationId, requestId: null }, 'shippingPort', code)
}
