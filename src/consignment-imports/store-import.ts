// The one insert by which imports are accepted. Imports that arrive at the same moment share it: a statement
// and a commit for each would be most of what accepting costs. Each row stands for itself, whoever's it is,
// so that a group could be split by organisation at any time. Spec 3; open-points 5.

import { empty, sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { newId } from '../platform/new-id.ts'
import { batchCalls } from '../platform/work/batch-calls.ts'
import { DownloadStatus } from './enumerations.ts'
import type { ImportRequest } from './import-request.ts'

/** An import about to be stored: what is in columns, and the request that came, both as JSON. */
interface NewImport {
  tx: Tx
  id: string
  columns: string
  request: string
}

const store = batchCalls<NewImport, string | null>({
  maxConcurrent: 2,
  maxCount: 64,
  maxWeight: 1_048_576,
  weight: ({ columns, request }) => columns.length + request.length,
  runBatch: insertImports,
})

/** An import whose request has passed every check. */
interface AcceptedImport {
  actor: Actor
  requestId: string
  body: ImportRequest
  /** the body as JSON, which is stored as it came */
  bodyText: string
  hasDownloads: boolean
}

/**
 * Stores an import in one statement of `tx` or of another request's, and returns the id under which its key
 * is known: the new `id`, or that of the first import with the key. Null: the token belongs to a partner that
 * is not the import's client.
 */
export function storeImport(
  tx: Tx,
  { actor, requestId, body, bodyText, hasDownloads }: AcceptedImport,
): { id: string; stored: Promise<string | null> } {
  const id = newId()
  const { organisationId, connectionId, userId, partnerId } = actor
  const downloadStatus = hasDownloads ? DownloadStatus.ToFetch : DownloadStatus.None
  const given = {
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
  return { id, stored: store({ tx, id, columns: JSON.stringify(given), request: bodyText }) }
}

/** A row as JSON. The request is JSON already: it is put in as it came. */
const withRequest = ({ columns, request }: NewImport) => `${columns.slice(0, -1)},"request":${request}}`

/**
 * The rows of a group, where among them the requests are, and their order: that of keys, so that two groups
 * with the same keys cannot wait for each other.
 */
const gathered = (group: readonly NewImport[]) => ({
  rows: `[${group.map(withRequest).join(',')}]`,
  request: sql`request`,
  order: sql`order by key, "connectionId"`,
})

/**
 * The same of one that comes alone, as those of megabytes do. Taken out of its row and sorted, its request
 * would be parsed three times, copied ten times and written to a file: a third of a second of a processor.
 */
const alone = ({ columns, request }: NewImport) => ({
  rows: `[${columns}]`,
  request: sql`${request}::json`,
  order: empty,
})

async function insertImports(group: NewImport[]): Promise<(string | null)[]> {
  const { rows: given, request, order } = group.length === 1 ? alone(group[0] as NewImport) : gathered(group)
  // The client of an organisation's import is stored with the first resolving of its codes: a look-up here
  // would be paid by every import that is accepted.
  // Only those that were not stored come back.
  const rows = await (group[0] as NewImport).tx.rows<{ id: string; known: string | null }>(sql`
    with given as materialized (
      select * from json_to_recordset(${given})
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
  const refused = new Map(rows.map(({ id, known }) => [id, known]))
  return group.map(({ id }) => (refused.has(id) ? (refused.get(id) as string | null) : id))
}
