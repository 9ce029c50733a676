// Faults of the files that come with an import. Apart from the schema because content is judged piece by piece, without holding up other requests.

import { checkFile } from '../platform/files.ts'
import { mostDownloads } from './downloads.ts'

const mostAttachments = 100

const fieldsOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {})
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** All faults of an import's attachments, as sentences. The body may be of any shape: what the schema refuses is passed over here. Spec 2.3. */
export async function fileFaults(body: unknown): Promise<string[]> {
  const faults: string[] = []
  let [attachments, downloads] = [0, 0]
  for (const [n, note] of list(fieldsOf(body).notes).entries()) {
    for (const [a, attachment] of list(fieldsOf(note).attachments).entries()) {
      const field = `notes[${n}].attachments[${a}]`
      const { fileName, contentType, content, downloadUrl } = fieldsOf(attachment)
      attachments++
      if (attachments > mostAttachments) return [...faults, `notes must have at most ${mostAttachments} attachments in all.`]
      if (typeof downloadUrl === 'string' && ++downloads === mostDownloads + 1) {
        faults.push(`notes must have at most ${mostDownloads} attachments with a downloadUrl in all.`)
      }
      const hasContent = content !== undefined && content !== null
      const hasUrl = downloadUrl !== undefined && downloadUrl !== null
      if (hasContent && hasUrl) faults.push(`${field} must have content or a downloadUrl, not both.`)
      else if (!hasContent && !hasUrl) faults.push(`${field} must have content or a downloadUrl.`)
      else if (typeof downloadUrl === 'string' && !/^https?:/i.test(downloadUrl))
        faults.push(`${field}.downloadUrl must be an http or https address.`)
      if (typeof content !== 'string') continue
      if (typeof fileName !== 'string') faults.push(`${field}.fileName is required with content.`)
      if (typeof contentType !== 'string') faults.push(`${field}.contentType is required with content.`)
      if (typeof fileName !== 'string' || typeof contentType !== 'string') continue
      const checked = await checkFile({ fileName, contentType, content }, field)
      if ('faults' in checked) faults.push(...checked.faults)
    }
  }
  return faults
}

/** Whether an import names files that have to be fetched. */
export const namesDownloads = (
  notes: readonly { attachments?: readonly { downloadUrl?: string | null }[] | null }[] | null | undefined,
): boolean => notes?.some(note => note.attachments?.some(({ downloadUrl }) => downloadUrl)) ?? false
