// Plans the notes of an import, with their files, for its consignment. Pure. Spec 2.3; decision 5.

import type { NewConsignment, NoteRow } from '../consignments/create-consignment.ts'
import { mediaType } from '../platform/http/files.ts'
import { newId } from '../platform/new-id.ts'
import type { AddReason } from '../waiting-imports/collect-reasons.ts'
import { resolveFetchedFile } from './import-files.ts'
import type { ImportToPlan } from './import-to-plan.ts'

/** An attachment with content that was fetched before. */
export interface FetchedAttachment {
  id: string
  importId: string
  consignmentNoteId: string
  downloadUrl: string
  fileName: string
  contentType: string
}

export interface PlannedNotes {
  rows: NoteRow[]
  attachments: NewConsignment['attachments']
  fetched: FetchedAttachment[]
}

/** Plans the notes of an import and their files, both those in the request and those that were fetched. */
export function planNotes(
  { id, request, userId, downloads }: ImportToPlan,
  addReason: AddReason,
): PlannedNotes {
  const rows: NoteRow[] = []
  const attachments: NewConsignment['attachments'] = []
  const fetched: FetchedAttachment[] = []
  for (const [n, note] of (request.notes ?? []).entries()) {
    const noteId = newId()
    rows.push({
      id: noteId,
      consignmentId: id,
      note: note.note,
      displayOnPrintOut: note.displayOnPrintOut ?? false,
      createdBy: userId,
    })
    for (const [a, attachment] of (note.attachments ?? []).entries()) {
      const { content, contentType, fileName, downloadUrl } = attachment
      if (content && contentType && fileName) {
        attachments.push({
          id: newId(),
          consignmentNoteId: noteId,
          fileName,
          contentType: mediaType(contentType),
          content,
        })
      } else if (downloadUrl) {
        const file = resolveFetchedFile(attachment, downloads.get(downloadUrl))
        if ('fault' in file) {
          addReason(
            'attachment',
            downloadUrl,
            `notes[${n}].attachments[${a}].downloadUrl`,
            `The file could not be fetched. ${file.fault}`,
          )
        } else fetched.push({ id: newId(), importId: id, consignmentNoteId: noteId, downloadUrl, ...file })
      }
    }
  }
  return { rows, attachments, fetched }
}
