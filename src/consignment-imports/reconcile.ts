// The endpoint by which a user reconciles an import by hand. Spec 3 (manual reconciliation); decision 5.

import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint } from '../access/endpoint.ts'
import type { Reason, ReasonKind } from '../events/import-reason.ts'
import { type Database, type Db, empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { json } from '../platform/http/endpoint.ts'
import type { ErrorCode, Fault } from '../platform/http/fault.ts'
import { forbidden, notFound, validationFailed, verificationFailed } from '../platform/http/refusal.ts'
import { optional, Type } from '../platform/http/schema.ts'
import { openOutgoingHttp } from '../platform/outgoing/outgoing-http.ts'
import type { Ports } from '../platform/outgoing/ports.ts'
import { hint } from '../platform/work/hints.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { requireWaiting } from '../waiting-imports/require-waiting.ts'
import { type Fetcher, fetchWhileCallerWaits } from './downloads/fetch-files.ts'
import { toFetchStatus } from './downloads/stored-downloads.ts'
import { describeImportFailure, isTransient } from './failure.ts'
import { hasFilesToFetch } from './import-files.ts'
import { ConsignmentId } from './import-request.ts'
import { type ClaimedImport, importColumns, processClaimed } from './process-claimed.ts'
import { type Replacement, Replacements, replacesClient, withReplacements } from './replacements.ts'
import { requestFaults } from './request-faults.ts'
import { visibleImports } from './visible-imports.ts'

/** The options of the endpoint: whether files may be fetched from private addresses, and from which ports. */
export interface ReconcileOptions {
  readonly webhookAllowPrivate: boolean
  readonly webhookPorts?: Ports
}

export function reconcileImport({ webhookAllowPrivate, webhookPorts }: ReconcileOptions): Endpoint[] {
  const outgoing = openOutgoingHttp({ allowPrivate: webhookAllowPrivate, ports: webhookPorts })
  return [
    endpoint({
      put: '/v1/consignment-imports/:consignmentImportId/reconcile',
      name: 'reconcileConsignmentImport',
      partners: 'clients',
      scope: 'consignment',
      extension: true,
      summary: 'Reconcile an import that waits',
      description:
        'Processes the import again at once, with the given replacements for wrong values. The kind, code ' +
        'and path of a replacement can be copied from a reason of the import. ' +
        'A null replacement removes something that the import can do without: carrier, warehouse, service ' +
        'type, task, port, package type, serial or attachment. ' +
        'With its replacements, the import must pass the checks of POST. The request succeeds as a whole ' +
        'or not at all: if any reason remains (400), the replacements are not stored. ' +
        'Missing files are fetched first, within 20 seconds in all.',
      body: Type.Object({ replacements: optional(Replacements) }),
      bodyOptional: true,
      response: json(ConsignmentId),
      refuses: [409],
      ownTransactions: true,
      async handle({ database, actor, requestId, params, body }) {
        const id = params.consignmentImportId
        await reconcile(
          { database, outgoing },
          { actor, requestId, id, replacements: body.replacements ?? [] },
        )
        return { consignmentId: id }
      },
    }),
  ]
}

interface Attempt {
  id: string
  actor: Actor
  requestId: string
  replacements: readonly Replacement[]
}

/**
 * Processes an import at once: fetches the files that it lacks, and turns it into a consignment. Throws 400
 * with the remaining reasons; then nothing is changed.
 */
async function reconcile(fetcher: Fetcher, { id, actor, requestId, replacements }: Attempt): Promise<void> {
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
      await tx.run(sql`update consignment_import set replacements = ${JSON.stringify(replacements)}::jsonb
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

const faultOf = ({ kind, path, message }: Reason): Fault => ({
  path,
  code: codes[kind] ?? 'unknown_reference',
  message: path === null ? message : `${path}: ${message}`,
})
