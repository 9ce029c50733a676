// Files that imports name by address: fetched through the guarded client before the import is processed, outside any transaction. Spec 2.3; open-points 5.

import { type Db, sql, type Tx } from '../platform/db.ts'
import { checkFile, MAX_FILE_BYTES, mediaType } from '../platform/files.ts'
import { hint, onHint } from '../platform/hints.ts'
import type { OutgoingAnswer, OutgoingHttp } from '../platform/outgoing-http.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work-loop.ts'
import type { Working } from '../workers.ts'
import type { ImportRequest } from './import-request.ts'
import type { FetchedAttachment } from './plan-import.ts'
import { type Replacement, withReplacements } from './reconciliation.ts'

export const DownloadStatus = { None: 0, ToFetch: 1, Fetched: 2 } as const

/** An import names at most this many files. */
export const mostDownloads = 20
/** This many imports are served side by side, one file at a time, so that a server which hangs holds up one of them. */
const lanes = 8
const timeoutMs = 20_000
/** Longer than all files of one import can take. */
const lease = sql`interval '10 minutes'`
/** Seconds to wait after a failure that may pass; after the last one the import goes on without the file, to wait for a person. */
const retrySeconds = [5, 30]

interface Wanted {
  url: string
  fileName: string | null
  contentType: string | null
}

/** The files to fetch for an import, each address once. */
export function wantedFiles(request: ImportRequest): Wanted[] {
  const wanted = new Map<string, Wanted>()
  for (const note of request.notes ?? []) {
    for (const { content, downloadUrl: url, fileName = null, contentType = null } of note.attachments ?? []) {
      if (!content && url && !wanted.has(url)) wanted.set(url, { url, fileName, contentType })
    }
  }
  return [...wanted.values()]
}

/** What became of the files of imports, by import and address: why a file could not be fetched, or null when it was. */
export async function downloadsOf(
  db: Db,
  organisationId: string,
  imports: readonly { id: string; downloadStatus: number }[],
): Promise<Map<string, Map<string, string | null>>> {
  const ids = imports.filter(({ downloadStatus }) => downloadStatus !== DownloadStatus.None).map(({ id }) => id)
  const found = new Map<string, Map<string, string | null>>(ids.map(id => [id, new Map()]))
  if (ids.length === 0) return found
  const rows = await db.rows<{ importId: string; downloadUrl: string; fault: string | null }>(sql`
    select consignment_import_id as import_id, download_url, fault from consignment_import_download
    where organisation_id = ${organisationId} and consignment_import_id = any (${ids}::uuid[])`)
  for (const { importId, downloadUrl, fault } of rows) found.get(importId)?.set(downloadUrl, fault)
  return found
}

/** Fetched files become attachments of the notes that named them. */
export async function attachFetched(
  tx: Tx,
  organisationId: string,
  imports: readonly { id: string; downloadStatus: number; fetched: readonly FetchedAttachment[] }[],
): Promise<void> {
  const ids = imports.filter(({ downloadStatus }) => downloadStatus !== DownloadStatus.None).map(({ id }) => id)
  if (ids.length === 0) return
  await tx.run(sql`
    insert into consignment_note_attachment (organisation_id, id, consignment_note_id, file_name, content_type, content)
    select d.organisation_id, r.id, r."consignmentNoteId", d.file_name, d.content_type, d.content
    from json_to_recordset(${JSON.stringify(imports.flatMap(({ fetched }) => fetched))})
      as r (id uuid, "importId" uuid, "consignmentNoteId" uuid, "downloadUrl" text)
    join consignment_import_download d
      on d.organisation_id = ${organisationId} and d.consignment_import_id = r."importId" and d.download_url = r."downloadUrl"`)
  await tx.run(sql`delete from consignment_import_download
    where organisation_id = ${organisationId} and consignment_import_id = any (${ids}::uuid[])`)
}

interface Fetching {
  organisationId: string
  id: string
  request: ImportRequest
  replacements: Replacement[] | null
  attempts: number
}

/** Fetches the files of the import that is due longest. False: none is due. */
export async function fetchDueFiles(working: Working): Promise<boolean> {
  const claimed = await working.database.inOneStatement(tx =>
    tx.maybe<Fetching>(sql`
      update consignment_import i set due_utc = now() + ${lease}
      from (
        select organisation_id, id from consignment_import
        where download_status = ${DownloadStatus.ToFetch} and due_utc <= now() order by due_utc limit 1 for update skip locked
      ) due
      where i.organisation_id = due.organisation_id and i.id = due.id
      returning i.organisation_id, i.id, i.request, i.replacements, i.attempts`),
  )
  if (claimed !== undefined) await fetchFilesOf(working, claimed)
  return claimed !== undefined
}

type Fetched = { url: string; fileName: string; contentType: string; content: Buffer } | { url: string; fault: string; mayPass: boolean }

async function fetchFilesOf(
  { database, outgoing }: Working,
  { organisationId, id, request, replacements, attempts }: Fetching,
): Promise<void> {
  const known = (await downloadsOf(database.db, organisationId, [{ id, downloadStatus: DownloadStatus.ToFetch }])).get(id)
  const missing = wantedFiles(withReplacements(request, replacements ?? [])).filter(({ url }) => known?.get(url) !== null)
  let mayPass = false
  for (const wanted of missing) {
    const file = await fetchFile(outgoing, wanted)
    mayPass ||= 'fault' in file && file.mayPass
    await database.inOneStatement(tx => tx.run(keep(organisationId, id, file)))
  }
  const again = mayPass ? retrySeconds[attempts] : undefined
  await database.inOneStatement(async tx => {
    // Whoever fetched them meanwhile, should this have taken longer than its lease, has written the same.
    const unsettled = sql`organisation_id = ${organisationId} and id = ${id} and download_status = ${DownloadStatus.ToFetch} and due_utc is not null`
    if (again !== undefined) {
      await tx.run(
        sql`update consignment_import set attempts = attempts + 1, due_utc = now() + make_interval(secs => ${again}) where ${unsettled}`,
      )
    } else {
      await tx.run(
        sql`update consignment_import set download_status = ${DownloadStatus.Fetched}, attempts = 0, due_utc = now() where ${unsettled}`,
      )
      tx.afterCommit(() => hint('imports'))
    }
  })
}

const keep = (organisationId: string, id: string, file: Fetched) => {
  const [fileName, contentType, content, fault] =
    'fault' in file ? [null, null, null, file.fault] : [file.fileName, file.contentType, file.content, null]
  return sql`
    insert into consignment_import_download (organisation_id, consignment_import_id, download_url, file_name, content_type, content, fault)
    select organisation_id, id, ${file.url}, ${fileName}, ${contentType}, ${content}::bytea, ${fault}
    from consignment_import where organisation_id = ${organisationId} and id = ${id} and download_status = ${DownloadStatus.ToFetch}
    on conflict on constraint consignment_import_download_pkey do update
    set file_name = excluded.file_name, content_type = excluded.content_type, content = excluded.content, fault = excluded.fault`
}

/** Fetches one file. What it is called and of which type is what the import says, else what the server and the address say. */
async function fetchFile(outgoing: OutgoingHttp, { url, fileName, contentType }: Wanted): Promise<Fetched> {
  const answer = await outgoing.send({ url, method: 'GET', headers: {}, timeoutMs, maxAnswerBytes: MAX_FILE_BYTES, onTooLarge: 'fail' })
  const failure = failureOf(answer)
  if (failure !== null) return { url, ...failure }
  const { headers, body } = answer as Extract<OutgoingAnswer, { ok: true }>
  const file = {
    fileName: fileName?.trim() || nameIn(url),
    contentType: contentType?.trim() || mediaType(headers['content-type'] ?? ''),
    content: body.toString('base64'),
  }
  const checked = await checkFile(file, 'file')
  if ('file' in checked) return { url, fileName: checked.file.fileName, contentType: checked.file.contentType, content: checked.file.bytes }
  return { url, fault: checked.faults.join(' '), mayPass: false }
}

const passing = new Set(['unresolved', 'unreachable', 'timeout', 'broken', 'failed'])

function failureOf(answer: OutgoingAnswer): { fault: string; mayPass: boolean } | null {
  if (!answer.ok) return { fault: answer.error, mayPass: passing.has(answer.kind) }
  if (answer.status >= 200 && answer.status <= 299) return null
  return { fault: `The server answered with status ${answer.status}.`, mayPass: answer.status >= 500 || answer.status === 429 }
}

/** The last part of an address's path, as a file name. */
function nameIn(url: string): string {
  const last =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast(part => part !== '') ?? ''
  try {
    return decodeURIComponent(last).slice(-200) || 'file'
  } catch {
    return last.slice(-200) || 'file'
  }
}

/** Fetches files as imports that name them come. */
export function startImportDownloads(working: Working): WorkLoop {
  const options = { name: 'import-downloads', log: working.log, pollMs: 2_000, step: () => fetchDueFiles(working) }
  const loops = Array.from({ length: lanes }, () => startWorkLoop(options))
  const wake = () => {
    for (const loop of loops) loop.wake()
  }
  const forget = onHint(options.name, wake)
  return {
    name: options.name,
    wake,
    async stop() {
      forget()
      await Promise.all(loops.map(loop => loop.stop()))
    },
  }
}
