// Stores the files fetched for imports until the imports become consignments. Spec 2.3; decision 5.

import { storeAttachments } from '../../consignments/store-attachments.ts'
import { type Db, raw, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { DownloadStatus, ImportStatus } from '../../vocabulary/imports.ts'
import type { DownloadedFile, DownloadOutcome } from '../import-files.ts'
import type { FetchedAttachment } from '../plan-notes.ts'

/**
 * The status of imports with files to fetch. It is a literal instead of a parameter, so that PostgreSQL can
 * use the partial indexes on it.
 */
export const toFetchStatus = raw(String(DownloadStatus.ToFetch))

/** The result of fetching a file: the file, or why it could not be fetched. */
export type FetchResult = (DownloadedFile & { content: Buffer }) | FetchFailure

/**
 * Why a file could not be fetched. `isTransient`: a retry may help. `isRefused`: the connection was refused.
 */
export interface FetchFailure {
  fault: string
  isTransient: boolean
  isRefused: boolean
}

/** Reads the outcomes of fetching the files of imports, by import id and address. */
export async function readDownloads(
  db: Db,
  organisationId: string,
  imports: readonly { id: string; downloadStatus: number }[],
): Promise<Map<string, Map<string, DownloadOutcome>>> {
  const ids = idsWithDownloads(imports)
  const found = new Map<string, Map<string, DownloadOutcome>>(ids.map(id => [id, new Map()]))
  if (ids.length === 0) return found
  const rows = await db.rows<
    DownloadedFile & { importId: string; downloadUrl: string; fault: string | null }
  >(sql`
    select consignment_import_id as import_id, download_url, fault, file_name, content_type, signature,
      is_text from consignment_import_download
    where organisation_id = ${organisationId} and consignment_import_id = any (${ids}::uuid[])
    order by asked_utc`)
  for (const { importId, downloadUrl, fault, ...served } of rows) {
    found.get(importId)?.set(downloadUrl, fault === null ? served : { fault })
  }
  return found
}

const idsWithDownloads = (imports: readonly { id: string; downloadStatus: number }[]): string[] =>
  imports.filter(({ downloadStatus }) => downloadStatus !== DownloadStatus.None).map(({ id }) => id)

/** Turns fetched files into attachments of the notes that name them. */
export async function attachFetchedFiles(
  tx: Tx,
  organisationId: string,
  imports: readonly { id: string; downloadStatus: number; fetched: readonly FetchedAttachment[] }[],
): Promise<void> {
  const ids = idsWithDownloads(imports)
  if (ids.length === 0) return
  const files = sql`
    select r.id, r."consignmentNoteId" as consignment_note_id, r."fileName" as file_name,
      r."contentType" as content_type, null::smallint as print_type, d.content as bytes
    from json_to_recordset(${JSON.stringify(imports.flatMap(({ fetched }) => fetched))})
      as r (id uuid, "importId" uuid, "consignmentNoteId" uuid, "downloadUrl" text, "fileName" text,
        "contentType" text)
    join consignment_import_download d
      on d.organisation_id = ${organisationId} and d.consignment_import_id = r."importId"
        and d.download_url = r."downloadUrl"`
  await tx.run(storeAttachments(organisationId, files))
  await deleteDownloads(tx, organisationId, ids)
}

/** Deletes the fetched files of imports that no longer need them. */
export const deleteDownloads = (tx: Tx, organisationId: string, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from consignment_import_download
    where organisation_id = ${organisationId} and consignment_import_id = any (${ids}::uuid[])`)

/**
 * Stores the result of a request to an address that was sent at `askedUtc`, if the import is still open. A
 * worker and a user may have the same file fetched at the same time, so a result never replaces the result of
 * a later request.
 */
export function storeDownload(
  organisationId: string,
  id: string,
  url: string,
  result: FetchResult,
  askedUtc: string,
): Sql {
  const { fileName, contentType, signature, isText, content, fault } =
    'fault' in result
      ? {
          ...{ fileName: null, contentType: null, signature: null, isText: null, content: null },
          fault: result.fault,
        }
      : { ...result, fault: null }
  return sql`
    insert into consignment_import_download
      (organisation_id, consignment_import_id, download_url, file_name, content_type, signature, is_text,
        content, fault, asked_utc)
    select organisation_id, id, ${url}, ${fileName}, ${contentType}, ${signature}, ${isText}::boolean,
      ${content}::bytea, ${fault}, ${askedUtc}::timestamptz
    from consignment_import where organisation_id = ${organisationId} and id = ${id}
      and status in (${ImportStatus.Pending}, ${ImportStatus.PendingReconciliation}) for share
    on conflict on constraint consignment_import_download_pkey do update set file_name = excluded.file_name,
      content_type = excluded.content_type, signature = excluded.signature, is_text = excluded.is_text,
      content = excluded.content, fault = excluded.fault, asked_utc = excluded.asked_utc
    where consignment_import_download.asked_utc <= excluded.asked_utc`
}
