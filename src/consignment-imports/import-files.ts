// The files of an import. They are checked apart from the schema, because content is checked in pieces so as
// not to hold up other requests. Spec 2.1, 2.3.

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
import { releaseMemory } from '../platform/release-memory.ts'
import type { ImportAttachment, ImportRequest } from './import-request.ts'
import { uncheckedFields, uncheckedList } from './unchecked-body.ts'

const maxAttachments = 100
/** The maximum number of files with a downloadUrl in an import. */
const maxDownloads = 20

/** Content types that senders use when they do not know the type. */
const meaninglessTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** The media type in a declared content type; null if it is missing or meaningless. */
export function declaredType(contentType: unknown): string | null {
  const type = typeof contentType === 'string' ? mediaType(contentType) : ''
  return meaninglessTypes.has(type) ? null : type
}

/**
 * All faults of an import's attachments. The body may have any shape, because the schema is checked
 * separately; what the schema refuses is skipped here. Spec 2.3.
 */
export async function fileFaults(body: unknown): Promise<Fault[]> {
  const faults: Fault[] = []
  let [attachments, downloads] = [0, 0]
  for (const [n, note] of uncheckedList(uncheckedFields(body).notes).entries()) {
    for (const [a, attachment] of uncheckedList(uncheckedFields(note).attachments).entries()) {
      const field = `notes[${n}].attachments[${a}]`
      const { fileName, contentType, content, downloadUrl } = uncheckedFields(attachment)
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
        else releaseMemory(checked.file.bytes)
        continue
      }
      const fault = name?.trim() ? nameFault(name.trim(), `${field}.fileName`) : null
      if (fault !== null) faults.push(fault)
    }
  }
  return faults
}

/** Whether an import has files that have to be fetched from a downloadUrl. */
export const hasFilesToFetch = (
  notes: readonly { attachments?: readonly { downloadUrl?: string | null }[] | null }[] | null | undefined,
): boolean => notes?.some(note => note.attachments?.some(({ downloadUrl }) => downloadUrl)) ?? false

/**
 * The request with a name and a type for every file that it contains. If the import does not give them, they
 * follow from the content of the file.
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
 * A fetched file: the name and type that its server gives, if any, and what the content reveals of its type.
 */
export interface DownloadedFile extends DetectedContent {
  fileName: string | null
  contentType: string | null
}

/** The outcome of fetching an address: the file, or why it could not be fetched. */
export type DownloadOutcome = DownloadedFile | { fault: string }

/** A file to fetch, with the name and type that the import gives. */
export type FileToFetch = Pick<ImportAttachment, 'fileName' | 'contentType' | 'downloadUrl'>

const notFetchedInTime = 'It was not fetched within the time that the files of an import have.'

/**
 * The name and type of the attachment for a fetched file: those of the import, or else of the server, or else
 * those that follow from the content. If the file cannot be that attachment, the result is the fault.
 */
export function resolveFetchedFile(
  { fileName, contentType }: FileToFetch,
  download: DownloadOutcome | undefined,
): { fileName: string; contentType: string } | { fault: string } {
  if (download === undefined) return { fault: notFetchedInTime }
  if ('fault' in download) return download
  const requestedName = fileName?.trim() || download.fileName
  const type = declaredType(contentType) ?? typeOfDownload(download, requestedName)
  const name = requestedName ?? defaultFileName(type)
  const faults = declarationFaults(name, type, download, 'file')
  return faults.length === 0 ? { fileName: name, contentType: type } : { fault: sentencesOf(faults) }
}

function typeOfDownload(file: DownloadedFile, fileName: string | null): string {
  const declared = declaredType(file.contentType)
  if (declared !== null && isAllowedType(declared)) return declared
  const detected = detectType(file, fileName)
  // Content that looks like plain text is not enough to overrule the server.
  return (detected === 'text/plain' ? declared : null) ?? detected ?? ''
}

/** The attachments of an import that have a downloadUrl. */
export const filesToFetch = ({ notes }: ImportRequest): FileToFetch[] =>
  (notes ?? []).flatMap(note => note.attachments ?? []).filter(file => !file.content && file.downloadUrl)

/**
 * The addresses of files that an import still lacks: not fetched yet, not available, or not of the type that
 * the attachment declares.
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
