// Stores accepted imports. Imports that arrive at the same time share one insert: a statement and a commit
// for each would be most of the cost. The rows do not depend on each other, even of different organisations,
// so a group could be split by organisation at any time. Spec 3; open-points 5.

import { empty, sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { newId } from '../platform/new-id.ts'
import { batchCalls } from '../platform/work/batch-calls.ts'
import { DownloadStatus } from './enumerations.ts'
import type { ImportRequest } from './import-request.ts'

/** An import to store: the values of its columns, and the request as it was received, both as JSON. */
interface NewImport {
  tx: Tx
  id: string
  columns: string
  request: string
}

const storeInGroup = batchCalls<NewImport, string | null>({
  maxConcurrent: 2,
  maxCount: 64,
  maxWeight: 1_048_576,
  weight: ({ columns, request }) => columns.length + request.length,
  runBatch: insertImports,
})

/** An import with a request that has passed all checks. */
interface AcceptedImport {
  actor: Actor
  requestId: string
  body: ImportRequest
  /** the body as JSON, which is stored unchanged */
  bodyText: string
  hasDownloads: boolean
}

/**
 * Stores an import, in one statement on `tx` or on the transaction of a simultaneous request. `stored`
 * resolves to the new `id`, or to the id of the first import with the same idempotency key, or to null if the
 * token belongs to a partner that is not the import's client.
 */
export function storeImport(
  tx: Tx,
  { actor, requestId, body, bodyText, hasDownloads }: AcceptedImport,
): { id: string; stored: Promise<string | null> } {
  const id = newId()
  const { organisationId, connectionId, userId, partnerId } = actor
  const downloadStatus = hasDownloads ? DownloadStatus.ToFetch : DownloadStatus.None
  const columns = {
    organisationId,
    id,
    connectionId,
    userId,
    partnerId,
    requestId,
    key: body.idempotencyKey,
    clientCode: body.clientCode,
    referenceNumber: body.referenceNumber,
    externalId: body.externalId,
    downloadStatus,
  }
  return { id, stored: storeInGroup({ tx, id, columns: JSON.stringify(columns), request: bodyText }) }
}

/** A row as JSON. The request is already JSON, so it is inserted as text. */
const withRequest = ({ columns, request }: NewImport) => `${columns.slice(0, -1)},"request":${request}}`

/**
 * The parts of the insert for a group. The rows contain their requests, and are inserted in the order of
 * their keys, so that two groups with the same keys cannot deadlock.
 */
const groupInsert = (group: readonly NewImport[]) => ({
  rows: `[${group.map(withRequest).join(',')}]`,
  request: sql`request`,
  order: sql`order by key, "connectionId"`,
})

/**
 * The parts of the insert for a single import, as imports of several megabytes are. Its request is a
 * parameter of its own: taken out of the row and sorted, it would be parsed three times, copied ten times and
 * written to a temporary file, which takes a third of a second of processor time.
 */
const singleInsert = ({ columns, request }: NewImport) => ({
  rows: `[${columns}]`,
  request: sql`${request}::json`,
  order: empty,
})

async function insertImports(group: NewImport[]): Promise<(string | null)[]> {
  const {
    rows: rowsJson,
    request,
    order,
  } = group.length === 1 ? singleInsert(group[0] as NewImport) : groupInsert(group)
  // An import that the organisation itself sends gets its client id when its codes are resolved. Looking it
  // up here would slow down every import. The query returns only the imports that were not stored.
  const rows = await (group[0] as NewImport).tx.rows<{ id: string; known: string | null }>(sql`
    with given as materialized (
      select * from json_to_recordset(${rowsJson})
        as g ("organisationId" uuid, id uuid, "connectionId" uuid,
        "userId" uuid, "partnerId" uuid, "requestId" text, key text, "clientCode" text,
        "referenceNumber" text, "externalId" text, "downloadStatus" smallint, request json)
    ), stored as (
      insert into consignment_import (organisation_id, id, identity_connection_id, user_id, request_id,
        idempotency_key, client_id, client_code, reference_number, external_id, download_status, request)
      select "organisationId", id, "connectionId", "userId", "requestId", key, "partnerId", "clientCode",
        "referenceNumber", "externalId", "downloadStatus", ${request}
      from given g
      where "partnerId" is null or lower("clientCode") = (
        select lower(p.code) from partner p where p.organisation_id = g."organisationId"
          and p.id = g."partnerId")
      ${order}
      on conflict (organisation_id, identity_connection_id, idempotency_key) where idempotency_key
        is not null do nothing
      returning id
    )
    select g.id, import_with_key(g."organisationId", g."connectionId", g.key) as known
    from given g where not exists (select from stored s where s.id = g.id)`)
  const notStored = new Map(rows.map(({ id, known }) => [id, known]))
  return group.map(({ id }) => (notStored.has(id) ? (notStored.get(id) as string | null) : id))
}
