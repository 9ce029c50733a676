// The one insert by which imports are accepted. Imports that arrive at the same moment share it: a statement
// and a commit for each would be most of what accepting costs. Each row stands for itself, whoever's it is,
// so that a group could be split by organisation at any time. Spec 3; open-points 5.

import { sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { newId } from '../platform/new-id.ts'
import { together } from '../platform/work/together.ts'
import { DownloadStatus } from './enumerations.ts'
import type { ImportRequest } from './import-request.ts'

/** An import about to be stored, as JSON. */
interface NewImport {
  tx: Tx
  id: string
  row: string
}

const store = together<NewImport, string | null>({
  lanes: 2,
  maxCount: 64,
  maxWeight: 1_048_576,
  weight: ({ row }) => row.length,
  work: insertImports,
})

/** An import whose request has passed every check. */
interface AcceptedImport {
  actor: Actor
  requestId: string
  body: ImportRequest
  /** the body as JSON */
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
  // The request is JSON already: it is put into the row's as it came.
  const row = `${JSON.stringify(given).slice(0, -1)},"request":${bodyText}}`
  return { id, stored: store({ tx, id, row }) }
}

async function insertImports(group: NewImport[]): Promise<(string | null)[]> {
  // In the order of keys, so that two groups with the same keys cannot wait for each other. The client of an
  // organisation's import is stored with the first resolving of its codes: a look-up here would be paid by
  // every import that is accepted.
  // Only those that were not stored come back.
  const rows = await (group[0] as NewImport).tx.rows<{ id: string; known: string | null }>(sql`
    with given as materialized (
      select * from json_to_recordset(${`[${group.map(({ row }) => row).join(',')}]`})
        as g ("organisationId" uuid, id uuid, "connectionId" uuid,
        "userId" uuid, "partnerId" uuid, "requestId" text, key text, "clientCode" text,
        "referenceNumber" text, "externalId" text, "downloadStatus" smallint, request json)
    ), stored as (
      insert into consignment_import (organisation_id, id, identity_connection_id, user_id, request_id,
        idempotency_key, client_id, client_code, reference_number, external_id, download_status, request)
      select "organisationId", id, "connectionId", "userId", "requestId", key, "partnerId", "clientCode",
        "referenceNumber", "externalId", "downloadStatus", request
      from given g
      where "partnerId" is null or lower("clientCode") = (
        select lower(p.code) from partner p where p.organisation_id = g."organisationId"
          and p.id = g."partnerId")
      order by key, "connectionId"
      on conflict (organisation_id, identity_connection_id, idempotency_key) where idempotency_key
        is not null do nothing
      returning id
    )
    select g.id, import_with_key(g."organisationId", g."connectionId", g.key) as known
    from given g where not exists (select from stored s where s.id = g.id)`)
  const refused = new Map(rows.map(({ id, known }) => [id, known]))
  return group.map(({ id }) => (refused.has(id) ? (refused.get(id) as string | null) : id))
}
