// The endpoint by which a user corrects what a waiting import says. Decision 5.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { sql } from '../platform/database/db.ts'
import { changed } from '../platform/http/endpoint.ts'
import type { Fault } from '../platform/http/fault.ts'
import { forbidden, notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { Type } from '../platform/http/schema.ts'
import { hint } from '../platform/work/hints.ts'
import { DownloadStatus, ImportStatus } from '../vocabulary/imports.ts'
import { fileFaults, hasFilesToFetch } from './import-files.ts'
import { ImportRequest } from './import-request.ts'
import { visibleImports } from './visible-imports.ts'

const place = 'request'

/** The faults of the files, with paths in this body. */
const faultsOfFiles = async (body: unknown): Promise<Fault[]> =>
  (await fileFaults((body as { request?: unknown } | null)?.request)).map(fault => ({
    ...fault,
    path: `${place}.${fault.path}`,
    message: fault.path === null ? fault.message : `${place}.${fault.message}`,
  }))

/** What the change of an import is compared with. */
interface StoredImport {
  status: number
  idempotencyKey: string | null
  clientCode: string
  isSame: boolean
}

/** Throws 400 or 403 if the import may not become this request. */
function refuseChange(actor: Actor, stored: StoredImport, request: ImportRequest): void {
  if (stored.status !== ImportStatus.PendingReconciliation)
    throw verificationFailed({
      path: null,
      code: 'state',
      message: 'The import does not wait for reconciliation, so it can no longer be changed.',
    })
  if ((request.idempotencyKey ?? stored.idempotencyKey) !== stored.idempotencyKey)
    throw validationFailed({
      path: `${place}.idempotencyKey`,
      code: 'state',
      message: `${place}.idempotencyKey must stay as it is: it identifies the import.`,
    })
  if (actor.partnerId !== null && request.clientCode.toLowerCase() !== stored.clientCode.toLowerCase())
    throw forbidden('A token that belongs to a partner cannot give an import to another client.')
}

/** PUT of an import. */
export const amendImport = endpoint({
  put: '/v1/consignment-imports/:consignmentImportId',
  name: 'updateConsignmentImport',
  partners: 'clients',
  scope: 'consignment',
  extension: true,
  summary: 'Correct an import that waits',
  description:
    'Replaces the request of the import, which must pass the checks of POST, and tries it again at once. ' +
    'Earlier replacements no longer count. The idempotencyKey stays.',
  body: Type.Object({ [place]: ImportRequest }),
  bodyFaults: faultsOfFiles,
  files: true,
  response: changed,
  async handle({ tx, actor, params, body: { request }, ignoredFields }) {
    const { organisationId, partnerId } = actor
    const text = JSON.stringify(request)
    const stored = await tx.maybe<StoredImport>(sql`
        select i.status, i.idempotency_key, i.client_code, i.request::jsonb = ${text}::jsonb as is_same
        from consignment_import i where ${visibleImports(actor)} and i.id = ${params.consignmentImportId}
        for update`)
    if (stored === undefined) throw notFound('Import')
    refuseChange(actor, stored, request)
    if (stored.isSame) return false
    const ignored = ignoredFields.map(path => path.replace(`${place}.`, ''))
    const downloadStatus = hasFilesToFetch(request.notes) ? DownloadStatus.ToFetch : DownloadStatus.None
    await tx.run(sql`update consignment_import set request = ${text}::json, replacements = null,
          ignored_fields = ${ignored.length === 0 ? null : ignored}::text[],
          client_id = ${partnerId}, client_code = ${request.clientCode},
          reference_number = ${request.referenceNumber || null}, external_id = ${request.externalId || null},
          download_status = ${downloadStatus}, attempts = 0, due_utc = now()
        where organisation_id = ${organisationId} and id = ${params.consignmentImportId}`)
    tx.afterCommit(() => hint(downloadStatus === DownloadStatus.ToFetch ? 'import-downloads' : 'imports'))
    return true
  },
})
