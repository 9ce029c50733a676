// Files that imports name by address: fetched through the guarded client before the import is processed,
// outside any transaction. Spec 2.3; open-points 5.

import { type Database, type Db, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { MAX_FILE_BYTES, mediaType, nameFault, shownBy } from '../platform/http/files.ts'
import { unavailable } from '../platform/http/refusal.ts'
import type { OutgoingAnswer, OutgoingHttp } from '../platform/outgoing/outgoing-http.ts'
import { hint, onHint } from '../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../platform/work/work-loop.ts'
import type { WorkerContext } from '../platform/work/worker-context.ts'
import { DownloadStatus, ImportStatus } from './enumerations.ts'
import { notItsFault } from './failure.ts'
import { type Download, missingFiles, type Served } from './import-files.ts'
import type { ImportRequest } from './import-request.ts'
import type { FetchedAttachment } from './plan-import.ts'

/**
 * This many imports are served side by side, one file at a time, so that a server which hangs holds up one of
 * them.
 */
const lanes = 8
const fileTimeoutMs = 20_000
/** How long an import waits when the process that fetches its files dies; renewed while they are fetched. */
const lease = sql`interval '10 seconds'`
const renewalMs = 3_000
/**
 * Seconds to wait after a failure that may pass; after the last one the import goes on without the file, to
 * wait for a person.
 */
const retrySeconds = [5, 30]

/** What became of the files of imports, by import and address. */
export async function downloadsOf(
  db: Db,
  organisationId: string,
  imports: readonly { id: string; downloadStatus: number }[],
): Promise<Map<string, Map<string, Download>>> {
  const ids = imports
    .filter(({ downloadStatus }) => downloadStatus !== DownloadStatus.None)
    .map(({ id }) => id)
  const found = new Map<string, Map<string, Download>>(ids.map(id => [id, new Map()]))
  if (ids.length === 0) return found
  const rows = await db.rows<Served & { importId: string; downloadUrl: string; fault: string | null }>(sql`
    select consignment_import_id as import_id, download_url, fault, file_name, content_type, signature,
      is_text from consignment_import_download
    where organisation_id = ${organisationId} and consignment_import_id = any (${ids}::uuid[])`)
  for (const { importId, downloadUrl, fault, ...served } of rows) {
    found.get(importId)?.set(downloadUrl, fault === null ? served : { fault })
  }
  return found
}

/** Fetched files become attachments of the notes that named them. */
export async function attachFetched(
  tx: Tx,
  organisationId: string,
  imports: readonly { id: string; downloadStatus: number; fetched: readonly FetchedAttachment[] }[],
): Promise<void> {
  const ids = imports
    .filter(({ downloadStatus }) => downloadStatus !== DownloadStatus.None)
    .map(({ id }) => id)
  if (ids.length === 0) return
  await tx.run(sql`
    insert into consignment_note_attachment (organisation_id, id, consignment_note_id, file_name,
      content_type, content)
    select d.organisation_id, r.id, r."consignmentNoteId", r."fileName", r."contentType", d.content
    from json_to_recordset(${JSON.stringify(imports.flatMap(({ fetched }) => fetched))})
      as r (id uuid, "importId" uuid, "consignmentNoteId" uuid, "downloadUrl" text, "fileName" text,
        "contentType" text)
    join consignment_import_download d
      on d.organisation_id = ${organisationId} and d.consignment_import_id = r."importId"
        and d.download_url = r."downloadUrl"`)
  await forgetFiles(tx, organisationId, ids)
}

/** The fetched files of imports go when nobody will want them any more. */
export const forgetFiles = (tx: Tx, organisationId: string, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from consignment_import_download
    where organisation_id = ${organisationId} and consignment_import_id = any (${ids}::uuid[])`)

/** An import whose files this process fetches, until its lease ends. */
interface LeasedImport {
  organisationId: string
  id: string
  leaseNumber: number
  request: ImportRequest
  attempts: number
}

const never = new AbortController().signal

/**
 * Fetches the files of the import that is due longest. False: none is due. When it is to stop it gives the
 * import back.
 */
export async function fetchDueFiles(context: WorkerContext, stopping = never): Promise<boolean> {
  const leased = await context.database.inOneStatement(tx =>
    tx.maybe<LeasedImport>(sql`
      update consignment_import i set due_utc = now() + ${lease}, lease_number = i.lease_number + 1
      from (
        select organisation_id, id from consignment_import
        where download_status = ${DownloadStatus.ToFetch} and due_utc <= now() order by due_utc limit 1
          for update skip locked
      ) due
      where i.organisation_id = due.organisation_id and i.id = due.id
      returning i.organisation_id, i.id, i.lease_number, i.request, i.attempts`),
  )
  if (leased !== undefined) await fetchFilesOf(context, leased, stopping)
  return leased !== undefined
}

async function fetchFilesOf(
  context: WorkerContext,
  leased: LeasedImport,
  stopping: AbortSignal,
): Promise<void> {
  const { database, log } = context
  const { organisationId, id, request, attempts } = leased
  // One that fails is made up for by the next; a lease that is lost all the same costs no more than fetching
  // twice.
  const renewing = setInterval(() => renew(database, leased).catch(() => {}), renewalMs)
  const fetching = async () =>
    fetchFiles(context, organisationId, id, await missing(database.db, organisationId, id, request), {
      stopping,
    })
  try {
    const mayPass = await fetching().catch(error => {
      if (stopping.aborted || notItsFault(error)) throw error
      log.error({ err: error, organisationId, importId: id }, 'the files of an import could not be fetched')
      return true
    })
    const again = mayPass ? retrySeconds[attempts] : undefined
    if (again !== undefined)
      await letGo(
        database,
        leased,
        sql`attempts = attempts + 1, due_utc = now() + make_interval(secs => ${again})`,
      )
    else
      await letGo(
        database,
        leased,
        sql`attempts = 0, due_utc = now(), download_status = ${DownloadStatus.Fetched}`,
      )
    if (again === undefined) hint('imports')
  } catch (error) {
    // Where the database does not hear of it, the lease ends soon. What failed must not be first in the queue
    // again.
    await letGo(
      database,
      leased,
      sql`due_utc = now() + make_interval(secs => ${stopping.aborted ? 0 : 1})`,
    ).catch(() => {})
    if (!stopping.aborted) throw error
  } finally {
    clearInterval(renewing)
  }
}

/** The import, if the lease still holds and nobody reconciled or discarded it. */
const isStillLeased = ({ organisationId, id, leaseNumber }: LeasedImport) =>
  sql`organisation_id = ${organisationId} and id = ${id} and lease_number = ${leaseNumber} and due_utc
    is not null`

const renew = (database: Database, leased: LeasedImport) =>
  database.inOneStatement(tx =>
    tx.run(sql`update consignment_import set due_utc = now() + ${lease} where ${isStillLeased(leased)}`),
  )

const letGo = (database: Database, leased: LeasedImport, change: Sql) =>
  database.inOneStatement(tx =>
    tx.run(
      sql`update consignment_import set lease_number = lease_number + 1, ${change} where
        ${isStillLeased(leased)}`,
    ),
  )

/** What fetching needs. */
export type Fetcher = Pick<WorkerContext, 'database' | 'outgoing'>

/** The addresses of files that an import lacks. */
async function missing(
  db: Db,
  organisationId: string,
  id: string,
  request: ImportRequest,
): Promise<string[]> {
  const known = await downloadsOf(db, organisationId, [{ id, downloadStatus: DownloadStatus.ToFetch }])
  return missingFiles(request, known.get(id) ?? new Map())
}

/** Fetches files of an import, one after the other, as long as there is time. True: asking again may help. */
async function fetchFiles(
  { database, outgoing }: Fetcher,
  organisationId: string,
  id: string,
  urls: readonly string[],
  { until = Number.POSITIVE_INFINITY, stopping = never }: { until?: number; stopping?: AbortSignal },
): Promise<boolean> {
  let mayPass = false
  for (const url of urls) {
    const secondsLeft = Math.ceil((until - performance.now()) / 1000)
    if (secondsLeft <= 0) return true
    const { askedUtc } = await database.db.row<{ askedUtc: string }>(
      sql`select clock_timestamp()::text as asked_utc`,
    )
    const file = await unlessStopped(
      stopping,
      fetchFile(outgoing, url, Math.min(fileTimeoutMs, secondsLeft * 1000)),
    )
    mayPass ||= 'fault' in file && file.mayPass
    await database.inOneStatement(tx => tx.run(keep(organisationId, id, url, file, askedUtc)))
  }
  return mayPass
}

/** What the work comes to; fails as soon as there is to be a stop. */
async function unlessStopped<T>(stopping: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(stopping.reason)
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  return Promise.race([stopped, work]).finally(() => stopping.removeEventListener('abort', stop))
}

let waited = 0

/**
 * Fetches what an import lacks for a person who waits for it; what takes too long is left. 503 where too many
 * wait, since files are held in memory.
 */
export async function fetchWhileWaiting(
  fetcher: Fetcher,
  organisationId: string,
  id: string,
  request: ImportRequest,
): Promise<void> {
  const urls = await missing(fetcher.database.db, organisationId, id, request)
  if (urls.length === 0) return
  if (waited >= lanes)
    throw unavailable('The files of many imports are being fetched at this moment. Try again shortly.')
  waited++
  try {
    await fetchFiles(fetcher, organisationId, id, urls, { until: performance.now() + fileTimeoutMs })
  } finally {
    waited--
  }
}

type Fetched = (Served & { content: Buffer }) | { fault: string; mayPass: boolean }

/**
 * Remembers what became of an address that was asked at `askedUtc`, while the import is still open. Workers
 * and people may have it fetched at one time: an answer never replaces that to a later question.
 */
function keep(organisationId: string, id: string, url: string, file: Fetched, askedUtc: string): Sql {
  const { fileName, contentType, signature, isText, content, fault } =
    'fault' in file
      ? { fileName: null, contentType: null, signature: null, isText: null, content: null, fault: file.fault }
      : { ...file, fault: null }
  return sql`
    insert into consignment_import_download
      (organisation_id, consignment_import_id, download_url, file_name, content_type, signature, is_text,
        content, fault, asked_utc)
    select organisation_id, id, ${url}, ${fileName}, ${contentType}, ${signature}, ${isText}::boolean,
      ${content}::bytea, ${fault},
      ${askedUtc}::timestamptz
    from consignment_import where organisation_id = ${organisationId} and id = ${id}
      and status in (${ImportStatus.Pending}, ${ImportStatus.PendingReconciliation}) for share
    on conflict on constraint consignment_import_download_pkey do update set file_name = excluded.file_name,
      content_type = excluded.content_type,
      signature = excluded.signature, is_text = excluded.is_text, content = excluded.content,
        fault = excluded.fault,
      asked_utc = excluded.asked_utc
    where consignment_import_download.asked_utc <= excluded.asked_utc`
}

/**
 * Fetches one file and looks at it. Whether it can be the attachment that it is wanted for is judged where
 * the import is.
 */
async function fetchFile(outgoing: OutgoingHttp, url: string, timeoutMs: number): Promise<Fetched> {
  const answer = await outgoing.send({
    url,
    method: 'GET',
    headers: {},
    timeoutMs,
    maxAnswerBytes: MAX_FILE_BYTES,
    onTooLarge: 'fail',
  })
  const failure = failureOf(answer)
  if (failure !== null) return failure
  const { headers, body: content } = answer as Extract<OutgoingAnswer, { ok: true }>
  if (content.length === 0) return { fault: 'The file is empty.', mayPass: false }
  const contentType = mediaType(headers['content-type'] ?? '') || null
  const names = [nameSaid(headers['content-disposition'] ?? ''), nameIn(url)].map(
    name => name.split(/[/\\]/).at(-1)?.trim() ?? '',
  )
  const fileName = names.find(name => nameFault(name, 'fileName') === null) ?? null
  return { fileName, contentType, ...(await shownBy(content)), content }
}

const passing = new Set(['unresolved', 'unreachable', 'timeout', 'broken', 'failed'])

function failureOf(answer: OutgoingAnswer): { fault: string; mayPass: boolean } | null {
  if (!answer.ok) return { fault: answer.error, mayPass: passing.has(answer.kind) }
  if (answer.status >= 200 && answer.status <= 299) return null
  return {
    fault: `The server answered with status ${answer.status}.`,
    mayPass: answer.status >= 500 || answer.status === 429,
  }
}

/** The file name in a Content-Disposition header (RFC 6266), or nothing. */
function nameSaid(header: string): string {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  if (encoded !== undefined) return decoded(encoded)
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? []
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
}

/** The last part of an address's path. */
const nameIn = (url: string): string =>
  decoded(
    URL.parse(url)
      ?.pathname.split('/')
      .findLast(part => part !== '') ?? '',
  )

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Fetches files as imports that name them come. */
export function startImportDownloads(context: WorkerContext): WorkLoop {
  const options = {
    name: 'import-downloads',
    log: context.log,
    pollMs: 2_000,
    step: (stopping: AbortSignal) => fetchDueFiles(context, stopping),
  }
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
