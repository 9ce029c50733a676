// Notes on a consignment, and the files attached to them. Spec 2.5, 4.4; decision 6.

import { v7 as uuidv7 } from 'uuid'
import { endpoint } from '../access/endpoint.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { givenFields, insertInto, updateFields } from '../platform/database/write.ts'
import { changed, done, json } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import {
  IntegerEnum,
  named,
  nullable,
  optional,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../platform/http/schema.ts'
import { type AcceptedFile, acceptFiles, UploadedFile } from '../uploads/uploaded-file.ts'
import { EventType } from '../vocabulary/events.ts'
import { PrintType } from '../vocabulary/paper.ts'
import {
  changeConsignment,
  changeRecords,
  describeRecordChange,
  requireRoomForRecord,
} from './change-consignment.ts'
import { draftOrPendingRule } from './client-changes.ts'
import { type Change, type LockedConsignment, visibleConsignments } from './consignment.ts'
import { storeAttachments } from './store-attachments.ts'

const NoteText = Type.String({ minLength: 1, maxLength: 4000, pattern: '\\S' })
const maxAttachments = 100

export const Attachment = Type.Object({
  id: Uuid,
  fileName: Type.String(),
  contentType: Type.String(),
  printType: nullable(IntegerEnum(PrintType)),
})

/** A note, with its attachments but not their content. */
const Note = named(
  'ConsignmentNote',
  Type.Object({
    id: Uuid,
    createdUtc: UtcTime,
    createdBy: Type.String({ description: 'the name that the author had then' }),
    note: Type.String(),
    displayOnPrintOut: Type.Boolean(),
    attachments: Type.Array(Attachment),
  }),
)

const noteFields = { note: NoteText, displayOnPrintOut: optional(Type.Boolean()) }
const NewNote = named(
  'NewConsignmentNote',
  Type.Object({
    ...noteFields,
    attachments: optional(Type.Array(UploadedFile, { maxItems: maxAttachments })),
  }),
)
const NoteChange = named('ConsignmentNoteChange', Type.Object(noteFields))
const DisplayChange = named(
  'ConsignmentNoteDisplay',
  Type.Object({ displayOnPrintOut: optional(Type.Boolean()) }),
)

export const attachments = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', a.id, 'fileName', a.file_name, 'contentType', a.content_type, 'printType', a.print_type
  ) order by a.id), '[]')
  from consignment_note_attachment a
  where a.organisation_id = r.organisation_id and a.consignment_note_id = r.id)`

/** Tables for a query of a note `r` of a consignment `c`. */
export const noteTables = sql`consignment c
  join consignment_note r on r.organisation_id = c.organisation_id and r.consignment_id = c.id`

/** An SQL condition for one note `r` of a locked consignment. */
const recordCondition = ({ organisationId, id }: LockedConsignment, noteId: string) =>
  sql`r.organisation_id = ${organisationId} and r.consignment_id = ${id} and r.id = ${noteId}`

/** Stores files as attachments of a note. Returns the changes for the history. */
async function attach(
  tx: Tx,
  organisationId: string,
  noteId: string,
  files: readonly AcceptedFile[],
): Promise<Change[]> {
  const stored = files.map(({ bytes, ...facts }) => ({
    bytes,
    facts: { id: uuidv7(), consignmentNoteId: noteId, ...facts },
  }))
  // One insert for each file: bytes in an array parameter would be sent as text.
  await Promise.all(
    stored.map(({ bytes, facts }) =>
      tx.run(
        storeAttachments(
          organisationId,
          sql`select ${facts.id}::uuid as id, ${facts.consignmentNoteId}::uuid as consignment_note_id,
            ${facts.fileName}::text as file_name, ${facts.contentType}::text as content_type,
            ${facts.printType}::smallint as print_type, ${bytes}::bytea as bytes`,
        ),
      ),
    ),
  )
  return stored.map(({ facts }) => ({ field: 'attachments', from: null, to: facts }))
}

/**
 * Changes a note as the body says; a null displayOnPrintOut changes nothing. Throws 404 for an unknown note.
 */
async function changeNote(
  tx: Tx,
  consignment: LockedConsignment,
  noteId: string,
  body: { note?: string; displayOnPrintOut?: boolean | null },
): Promise<Change[]> {
  const before = await tx.maybe<{ id: string; note: string; displayOnPrintOut: boolean }>(sql`
    select r.id, r.note, r.display_on_print_out from consignment_note r
    where ${recordCondition(consignment, noteId)}`)
  if (before === undefined) throw notFound('Note')
  const change = givenFields(body, ['note', 'displayOnPrintOut'])
  const changes = describeRecordChange('notes', before, change)
  if (changes.length > 0) {
    await tx.run(
      updateFields(
        'consignment_note as r',
        ['note', 'displayOnPrintOut'],
        change,
        recordCondition(consignment, noteId),
      ),
    )
  }
  return changes
}

export const notes = [
  endpoint({
    get: '/v1/consignments/:consignmentId/notes/:consignmentNoteId',
    name: 'getNote',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'Read a note',
    response: json(Note),
    async handle({ db, actor, params }) {
      const note = await db.maybe<Static<typeof Note>>(sql`
        select r.id, r.created_utc, r.created_by_name as created_by, r.note, r.display_on_print_out,
          ${attachments} as attachments
        from ${noteTables}
        where ${visibleConsignments(actor)} and c.id = ${params.consignmentId}
          and r.id = ${params.consignmentNoteId}`)
      if (note === undefined) throw notFound('Note')
      return note
    },
  }),
  endpoint({
    post: '/v1/consignments/:consignmentId/notes',
    name: 'createNote',
    partners: 'all',
    scope: 'consignment',
    summary: 'Write a note on a consignment',
    description:
      `A note may have up to ${maxAttachments} files of at most 10 MiB each. The response is the id of the ` +
      `note as a JSON string. ${draftOrPendingRule}`,
    body: NewNote,
    files: true,
    response: json(Uuid),
    async handle(request) {
      const { tx, actor, body } = request
      const files = await acceptFiles((body.attachments ?? []).map((file, i) => [`attachments[${i}]`, file]))
      return changeConsignment(request, async (consignment, raise) => {
        await requireRoomForRecord(tx, consignment, 'note')
        const { organisationId, id: consignmentId } = consignment
        const note = { id: uuidv7(), note: body.note, displayOnPrintOut: body.displayOnPrintOut ?? false }
        await tx.run(
          insertInto('consignment_note', {
            ...{ organisationId, consignmentId, ...note, createdBy: actor.userId },
            createdByName: sql`user_name(${organisationId}, ${actor.userId})`,
          }),
        )
        raise(EventType.ConsignmentGeneralUpdated, [{ field: 'notes', from: null, to: note }])
        if (files.length > 0)
          raise(EventType.ConsignmentNoteAttachmentUpdated, await attach(tx, organisationId, note.id, files))
        return note.id
      })
    },
  }),
  endpoint({
    put: '/v1/consignments/:consignmentId/notes/:consignmentNoteId',
    name: 'updateNote',
    partners: 'all',
    scope: 'consignment',
    summary: 'Change a note',
    description: draftOrPendingRule,
    body: NoteChange,
    response: changed,
    handle: request =>
      changeRecords(request, EventType.ConsignmentGeneralUpdated, consignment =>
        changeNote(request.tx, consignment, request.params.consignmentNoteId, request.body),
      ),
  }),
  endpoint({
    put: '/v1/consignments/:consignmentId/notes/:consignmentNoteId/display-on-printout',
    name: 'setNoteDisplayOnPrintout',
    partners: 'all',
    scope: 'consignment',
    summary: 'Show a note on printed documents, or hide it',
    description: `Without displayOnPrintOut nothing changes. ${draftOrPendingRule}`,
    body: DisplayChange,
    bodyOptional: true,
    response: done,
    async handle(request) {
      await changeRecords(request, EventType.ConsignmentGeneralUpdated, consignment =>
        changeNote(request.tx, consignment, request.params.consignmentNoteId, request.body),
      )
    },
  }),
  endpoint({
    delete: '/v1/consignments/:consignmentId/notes/:consignmentNoteId',
    name: 'deleteNote',
    partners: 'all',
    scope: 'consignment',
    summary: 'Delete a note with its attachments',
    description: draftOrPendingRule,
    response: done,
    handle: request =>
      changeConsignment(request, async (consignment, raise) => {
        const id = request.params.consignmentNoteId
        const note = await request.tx.maybe<{
          note: string
          displayOnPrintOut: boolean
          attachments: object[]
        }>(sql`
          delete from consignment_note r where ${recordCondition(consignment, id)}
          returning r.note, r.display_on_print_out, ${attachments} as attachments`)
        if (note === undefined) throw notFound('Note')
        const { attachments: files, ...text } = note
        raise(EventType.ConsignmentGeneralUpdated, [{ field: 'notes', from: { id, ...text }, to: null }])
        const removed = files.map(file => ({
          field: 'attachments',
          from: { consignmentNoteId: id, ...file },
          to: null,
        }))
        if (removed.length > 0) raise(EventType.ConsignmentNoteAttachmentUpdated, removed)
      }),
  }),
]
