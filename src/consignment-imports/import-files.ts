// The files that come with an import. Apart from the schema because content is judged piece by piece, without
// holding up other requests. Spec 2.1, 2.3.

import { type Fault, faultAt } from '../platform/http/fault.ts'
import {
  checkFile,
  type DetectedContent,
  declarationFaults,
  defaultFileName,
  detectType,
  isAllowedType,
  mediaType,
  nameFault,
} from '../platform/http/files.ts'
import type { ImportAttachment, ImportRequest } from './import-request.ts'

const maxAttachments = 100
/** An import names at most this many files to be fetched. */
const maxDownloads = 20

// What is sent where nobody knows the type.
const meaninglessTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** What a declared content type says: nothing where it only says that there are bytes. */
export function declaredType(contentType: unknown): string | null {
  const type = typeof contentType === 'string' ? mediaType(contentType) : ''
  return meaninglessTypes.has(type) ? null : type
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/**
 * All faults of an import's attachments. The body may be of any shape: what the schema refuses
 * is passed over here. Spec 2.3.
 */
export async function fileFaults(body: unknown): Promise<Fault[]> {
  const faults: Fault[] = []
  let [attachments, downloads] = [0, 0]
  for (const [n, note] of list(fieldsOf(body).notes).entries()) {
    for (const [a, attachment] of list(fieldsOf(note).attachments).entries()) {
      const field = `notes[${n}].attachments[${a}]`
      const { fileName, contentType, content, downloadUrl } = fieldsOf(attachment)
      attachments++
      if (attachments > maxAttachments)
        return [
          ...faults,
          faultAt('notes', `must have at most ${maxAttachments} attachments in all`, 'length'),
        ]
      if (typeof downloadUrl === 'string' && ++downloads === maxDownloads + 1) {
        faults.push(
          faultAt(
            'notes',
            `must have at most ${maxDownloads} attachments with a downloadUrl in all`,
            'length',
          ),
        )
      }
      const hasContent = content !== undefined && content !== null
      const hasUrl = downloadUrl !== undefined && downloadUrl !== null
      if (hasContent && hasUrl)
        faults.push(faultAt(field, 'must have content or a downloadUrl, not both', 'invalid'))
      else if (!hasContent && !hasUrl)
        faults.push(faultAt(field, 'must have content or a downloadUrl', 'required'))
      else if (typeof downloadUrl === 'string' && !/^https?:/i.test(downloadUrl))
        faults.push(faultAt(`${field}.downloadUrl`, 'must be an http or https address', 'format'))
      const name = typeof fileName === 'string' ? fileName : null
      if (typeof content === 'string') {
        const checked = await checkFile(
          { fileName: name, contentType: declaredType(contentType), content },
          field,
        )
        if ('faults' in checked) faults.push(...checked.faults)
        continue
      }
      const fault = name?.trim() ? nameFault(name.trim(), `${field}.fileName`) : null
      if (fault !== null) faults.push(fault)
    }
  }
  return faults
}

/** Whether an import names files that have to be fetched. */
export const hasFilesToFetch = (
  notes: readonly { attachments?: readonly { downloadUrl?: string | null }[] | null }[] | null | undefined,
): boolean => notes?.some(note => note.attachments?.some(({ downloadUrl }) => downloadUrl)) ?? false

/**
 * The request with a name and a type for every file in it. What the import leaves open, the file itself says.
 */
export async function withFileNames(request: ImportRequest): Promise<ImportRequest> {
  if (!request.notes?.some(note => note.attachments?.some(isUnnamed))) return request
  const named = async (file: ImportAttachment): Promise<ImportAttachment> => {
    if (!isUnnamed(file)) return file
    const checked = await checkFile(
      {
        fileName: file.fileName ?? null,
        contentType: declaredType(file.contentType),
        content: file.content ?? '',
      },
      'file',
    )
    if ('faults' in checked)
      throw new Error(`A file that was accepted is refused: ${sentencesOf(checked.faults)}`)
    return { ...file, fileName: checked.file.fileName, contentType: checked.file.contentType }
  }
  const notes = request.notes.map(async note => ({
    ...note,
    attachments: await Promise.all((note.attachments ?? []).map(named)),
  }))
  return { ...request, notes: await Promise.all(notes) }
}

const sentencesOf = (faults: readonly Fault[]) => faults.map(({ message }) => message).join(' ')

const isUnnamed = ({ content, fileName, contentType }: ImportAttachment): boolean =>
  Boolean(content) && (!fileName || declaredType(contentType) === null)

/**
 * A file that was fetched: what its server calls it and of which type, where it says so, and what its content
 * shows.
 */
export interface DownloadedFile extends DetectedContent {
  fileName: string | null
  contentType: string | null
}

/** What became of an address: what was fetched, or why it could not be. */
export type DownloadOutcome = DownloadedFile | { fault: string }

/** A file that is to be fetched, and what the import says of it. */
export type FileToFetch = Pick<ImportAttachment, 'fileName' | 'contentType' | 'downloadUrl'>

const notFetchedInTime = 'It was not fetched within the time that the files of an import have.'

/**
 * Name and type of a file as an attachment has it: what the import says, else the server, else the content.
 * Or why it cannot be that attachment.
 */
export function resolveFetchedFile(
  { fileName, contentType }: FileToFetch,
  download: DownloadOutcome | undefined,
): { fileName: string; contentType: string } | { fault: string } {
  if (download === undefined) return { fault: notFetchedInTime }
  if ('fault' in download) return download
  const said = fileName?.trim() || download.fileName
  const type = declaredType(contentType) ?? servedType(download, said)
  const name = said ?? defaultFileName(type)
  const faults = declarationFaults(name, type, download, 'file')
  return faults.length === 0 ? { fileName: name, contentType: type } : { fault: sentencesOf(faults) }
}

function servedType(served: DownloadedFile, fileName: string | null): string {
  const said = declaredType(served.contentType)
  if (said !== null && isAllowedType(said)) return said
  const shown = detectType(served, fileName)
  // That it reads as text is too little to contradict a server.
  return (shown === 'text/plain' ? said : null) ?? shown ?? ''
}

/** The attachments of an import that it names by address. */
export const filesToFetch = ({ notes }: ImportRequest): FileToFetch[] =>
  (notes ?? []).flatMap(note => note.attachments ?? []).filter(file => !file.content && file.downloadUrl)

/**
 * The addresses of files that an import lacks: not fetched, not to be had, or not what an attachment says
 * that they are.
 */
export const missingFileUrls = (
  files: readonly FileToFetch[],
  downloads: ReadonlyMap<string, DownloadOutcome>,
): string[] => {
  const urls = files.map(file => {
    const url = file.downloadUrl
    return url && 'fault' in resolveFetchedFile(file, downloads.get(url)) ? url : null
  })
  return [...new Set(urls)].filter(url => url !== null)
}
