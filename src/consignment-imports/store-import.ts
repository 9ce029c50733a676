// Stores accepted imports. Imports that arrive at the same time share one insert: a statement and a commit
// for each would be most of the cost. The rows do not depend on each other, even of different organisations,
// so a group could be split by organisation at any time. Spec 3; decision 5.

import type { Actor } from '../access/actor.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { jsonArray } from '../platform/database/json-array.ts'
import { forbidden } from '../platform/http/refusal.ts'
import { newId } from '../platform/new-id.ts'
import { releaseMemory } from '../platform/release-memory.ts'
import { batchCalls } from '../platform/work/batch-calls.ts'
import { DownloadStatus } from '../vocabulary/imports.ts'
import type { ImportRequest } from './import-request.ts'

/** The columns of an import that are stored when it is accepted, without the request. */
interface ImportColumns extends Pick<Actor, 'organisationId' | 'connectionId' | 'userId' | 'partnerId'> {
  id: string
  requestId: string
  key: string | null | undefined
  clientCode: string
  referenceNumber: string | null | undefined
  externalId: string | null | undefined
  downloadStatus: number
  ignoredFields: readonly string[] | undefined
}

/** An import to store, and the text of its request as it was received. */
interface NewImport {
  tx: Tx
  columns: ImportColumns
  request: string
}

const storeInGroup = batchCalls<NewImport, string | null>({
  maxConcurrent: 2,
  // A group costs much by itself, so two small ones cost more than one that is twice as large.
  onlyFullConcurrently: true,
  maxCount: 64,
  maxWeight: 1_048_576,
  weight: ({ request }) => request.length,
  runBatch: group => insertImports((group[0] as NewImport).tx, group),
})

/** An import with a request that has passed all checks. */
interface AcceptedImport {
  actor: Actor
  requestId: string
  body: ImportRequest
  /** the body as JSON, which is stored unchanged */
  bodyText: string
  /** the fields of the body that are not known, by path */
  ignoredFields: readonly string[]
  hasDownloads: boolean
}

/** What is inserted for an import, under a new id. */
function toNewImport({
  actor: { organisationId, connectionId, userId, partnerId },
  requestId,
  body,
  bodyText,
  ignoredFields,
  hasDownloads,
}: AcceptedImport): Omit<NewImport, 'tx'> {
  const columns = {
    organisationId,
    id: newId(),
    connectionId,
    userId,
    partnerId,
    requestId,
    key: body.idempotencyKey,
    clientCode: body.clientCode,
    referenceNumber: body.referenceNumber || null,
    externalId: body.externalId || null,
    downloadStatus: hasDownloads ? DownloadStatus.ToFetch : DownloadStatus.None,
    ignoredFields: ignoredFields.length === 0 ? undefined : ignoredFields,
  }
  return { columns, request: bodyText }
}

/**
 * Stores an import, in one statement on `tx` or on the transaction of a simultaneous request. `stored`
 * resolves to the new `id`, or to the id of the first import with the same idempotency key, or to null if the
 * token belongs to a partner that is not the import's client.
 */
export function storeImport(
  tx: Tx,
  accepted: AcceptedImport,
): { id: string; stored: Promise<string | null> } {
  const newImport = toNewImport(accepted)
  return { id: newImport.columns.id, stored: storeInGroup({ tx, ...newImport }) }
}

/** So many imports are stored by one statement. */
const maxTogether = 500

/**
 * Stores imports on `tx`, all or none. Returns the id of each: a new one, or that of the first import with
 * the same idempotency key.
 */
export async function storeImports(tx: Tx, accepted: readonly AcceptedImport[]): Promise<string[]> {
  const ids: (string | null)[] = []
  for (let i = 0; i < accepted.length; i += maxTogether)
    ids.push(...(await insertImports(tx, accepted.slice(i, i + maxTogether).map(toNewImport))))
  if (ids.includes(null))
    throw forbidden('A token that belongs to a partner can import for that client only.')
  return ids as string[]
}

async function insertImports(tx: Tx, group: readonly Omit<NewImport, 'tx'>[]): Promise<(string | null)[]> {
  const newImports = group.map(({ columns }, i) => ({ ...columns, position: i + 1 }))
  const requests = jsonArray(group.map(({ request }) => request))
  // The rows are inserted in the order of their keys, so that two groups with the same keys cannot deadlock.
  // An import that the organisation itself sends gets its client id when its codes are resolved. Looking it
  // up here would slow down every import. The query returns only the imports that were not stored.
  const rows = await tx.rows<{ id: string; earlierId: string | null }>(sql`
    with new_import as materialized (
      select * from json_to_recordset(${JSON.stringify(newImports)})
        as n ("organisationId" uuid, id uuid, "connectionId" uuid, "userId" uuid, "partnerId" uuid,
          "requestId" text, key text, "clientCode" text, "referenceNumber" text, "externalId" text,
          "downloadStatus" smallint, "ignoredFields" text[], position integer)
      order by key, "connectionId"
    ), stored as (
      insert into consignment_import (organisation_id, id, identity_connection_id, user_id, request_id,
        idempotency_key, client_id, client_code, reference_number, external_id, download_status,
        ignored_fields, request)
      select "organisationId", id, "connectionId", "userId", "requestId", key, "partnerId", "clientCode",
        "referenceNumber", "externalId", "downloadStatus", "ignoredFields", (${requests}::json[])[position]
      from new_import n
      where "partnerId" is null or lower("clientCode") = (
        select lower(p.code) from partner p where p.organisation_id = n."organisationId"
          and p.id = n."partnerId")
      on conflict (organisation_id, identity_connection_id, idempotency_key) where idempotency_key
        is not null do nothing
      returning id
    )
    select n.id, import_with_key(n."organisationId", n."connectionId", n.key) as earlier_id
    from new_import n where not exists (select from stored s where s.id = n.id)`)
  releaseMemory(requests)
  const notStored = new Map(rows.map(({ id, earlierId }) => [id, earlierId]))
  return group.map(({ columns: { id } }) => (notStored.has(id) ? (notStored.get(id) as string | null) : id))
}
