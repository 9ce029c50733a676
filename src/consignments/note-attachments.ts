// The files attached to a note. Spec 2.5, 4.4.

import { sql } from '../platform/database/db.ts'
import { endpoint, type FileAnswer, file } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { visibleConsignments } from './consignment.ts'
import { noteOf } from './notes.ts'

export const noteAttachments = [
  endpoint({
    get: '/v1/consignments/:consignmentId/notes/:consignmentNoteId/attachments/:consignmentNoteAttachmentId/file',
    name: 'downloadNoteAttachment',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'Download an attachment of a note',
    answer: file,
    async handle({ db, actor, params }) {
      const attachment = await db.maybe<FileAnswer>(sql`
        select a.file_name, a.content_type, a.content as bytes
        from ${noteOf} join consignment_note_attachment a on a.organisation_id = r.organisation_id
          and a.consignment_note_id = r.id
        where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}
          and r.id = ${params.consignmentNoteId}
          and a.id = ${params.consignmentNoteAttachmentId}`)
      if (attachment === undefined) throw notFound('Attachment')
      return attachment
    },
  }),
]
