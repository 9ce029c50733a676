// Downloads and prints the files attached to a note. Printing is a GET that writes, as the specification
// defines it. Spec 2.5, 4.4.

import type { Actor } from '../access/actor.ts'
import { endpoint } from '../access/endpoint.ts'
import { convertForPrinter } from '../paper/attached-files/convert-for-printer.ts'
import { findPrinter, type PrinterType, PrintJobCreated, submitPrintJob } from '../paper/print-jobs/submit.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { fileOf, json } from '../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { IntegerEnum, Type, Uuid } from '../platform/http/schema.ts'
import { Orientation, PrintJobKind, PrintType } from '../vocabulary/paper.ts'
import { visibleConsignments } from './consignment.ts'
import { noteTables } from './notes.ts'

/** An attachment, with the facts of its consignment that printing needs. */
interface Attachment {
  fileName: string
  contentType: string
  bytes: Buffer
  printType: PrinterType | null
  /** whether a person of a partner, or a partner's import, attached it */
  isOfPartner: boolean
  consignmentNumber: string
  clientId: string
  warehouseId: string | null
}

export const noteAttachments = [
  endpoint({
    get: '/v1/consignments/:consignmentId/notes/:consignmentNoteId/attachments/:consignmentNoteAttachmentId/file',
    name: 'downloadNoteAttachment',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'Download an attachment of a note',
    response: fileOf('application/*', 'image/*', 'text/*'),
    handle: ({ db, actor, params }) => readAttachment(db, actor, params),
  }),
  endpoint({
    get: '/v1/consignments/:consignmentId/notes/:consignmentNoteId/attachments/:consignmentNoteAttachmentId/print',
    name: 'printNoteAttachment',
    partners: 'clients',
    scope: 'print',
    summary: 'Print an attachment of a note',
    description:
      'Prints on the given printer or, without one, on the default printer of the consignment’s warehouse: ' +
      'for labels if the printType of the attachment is Label, otherwise for documents. PDF, images and ' +
      'plain text can be printed. A label printer that takes ZPL gets the pages as images, or a text that ' +
      'begins with ^XA unchanged, unless a partner attached or prints it, or it has commands that set up the ' +
      'printer. A plain text may have 1 MiB and 5,000 lines, an image 25 megapixels.',
    query: Type.Object({
      PrinterId: Type.Optional(Uuid),
      Orientation: Type.Optional(IntegerEnum(Orientation)),
    }),
    writes: true,
    ownTransactions: true,
    refuses: [422],
    response: json(PrintJobCreated),
    async handle({ database, actor, params, query, signal }) {
      const { db } = database
      const attachment = await readAttachment(db, actor, params)
      const { fileName, consignmentNumber, clientId } = attachment
      const type = attachment.printType ?? PrintType.Document
      const printerId = query.PrinterId ?? (await defaultPrinter(db, actor, attachment.warehouseId, type))
      const printer = await findPrinter(db, actor, { printerId }, type, 'PrinterId')
      const orientation = query.Orientation ?? null
      const file = { ...attachment, isOfPartner: attachment.isOfPartner || actor.partnerId !== null }
      const made = await convertForPrinter(file, printer, orientation, actor.organisationId, signal)
      return database.inOneStatement(tx =>
        submitPrintJob(tx, actor, printer, {
          kind: PrintJobKind.NoteAttachment,
          readScopes: 'consignment.read',
          name: `${fileName} of ${consignmentNumber}`,
          ...made,
          partnerId: clientId,
          consignmentId: params.consignmentId,
        }),
      )
    },
  }),
]

type PathOfAttachment = Record<'consignmentId' | 'consignmentNoteId' | 'consignmentNoteAttachmentId', string>

/** Reads an attachment with its file. Throws 404 if there is none that this actor may see. */
async function readAttachment(db: Db, actor: Actor, path: PathOfAttachment): Promise<Attachment> {
  const attachment = await db.maybe<Attachment>(sql`
    select a.file_name, a.content_type, f.bytes, a.print_type, c.consignment_number, c.client_id,
      c.warehouse_id, u.partner_id is not null as is_of_partner
    from ${noteTables} join consignment_note_attachment a on a.organisation_id = r.organisation_id
      and a.consignment_note_id = r.id
    join file_content f on f.organisation_id = a.organisation_id and f.sha256 = a.content_sha256
    join app_user u on u.organisation_id = r.organisation_id and u.id = r.created_by
    where ${visibleConsignments(actor)} and c.id = ${path.consignmentId} and r.id = ${path.consignmentNoteId}
      and a.id = ${path.consignmentNoteAttachmentId}`)
  if (attachment === undefined) throw notFound('Attachment')
  return attachment
}

/** The id of a warehouse's default printer for a type of paper. Throws 400 if there is none. */
async function defaultPrinter(
  db: Db,
  { organisationId }: Actor,
  warehouseId: string | null,
  type: PrinterType,
): Promise<string> {
  const printer = await db.maybe<{ id: string }>(sql`
    select id from printer
    where organisation_id = ${organisationId} and warehouse_id = ${warehouseId}::uuid and type = ${type}
      and is_default`)
  if (printer !== undefined) return printer.id
  const papers = type === PrintType.Label ? 'labels' : 'documents'
  throw verificationFailed(`PrinterId is required: the warehouse has no default printer for ${papers}.`)
}
