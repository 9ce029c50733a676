// Creates consignments, many at a time, with their lines, items and other records. Spec 2.2, 2.3; decisions
// 1, 6.

import { type EventOrigin, emit } from '../events/emit.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { insertRows } from '../platform/database/insert-rows.ts'
import { type ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'
import { type ConsignmentFacts, consignmentEventData } from './consignment.ts'
import { type ImportedColumns, importedColumnTypes } from './consignment-fields.ts'
import { type ItemRow, insertItems, insertLines, type LineRow } from './line-rows.ts'
import { storeAttachments } from './store-attachments.ts'

type Optional<T> = T | null | undefined

export interface ConsignmentRow extends ImportedColumns {
  id: string
  type: ConsignmentType
  status: ConsignmentStatus
  clientId: string
  /** the dispatched consignment of which this one returns goods */
  returnOfConsignmentId?: Optional<string>
}

export interface ServiceTypeRow {
  consignmentId: string
  serviceTypeId: string
}

export interface TaskRow {
  id: string
  consignmentId: string
  taskTypeId: string
  value: number
}

export interface NoteRow {
  id: string
  consignmentId: string
  note: string
  displayOnPrintOut: boolean
  createdBy: string
}

/** A file on a note; `content` is base64. */
export interface AttachmentRow {
  id: string
  consignmentNoteId: string
  fileName: string
  contentType: string
  content: string
}

/** A consignment to create: the rows for each table, and the source of its event. */
export interface NewConsignment {
  consignment: ConsignmentRow
  lines: LineRow[]
  items: ItemRow[]
  serviceTypes: ServiceTypeRow[]
  tasks: TaskRow[]
  notes: NoteRow[]
  attachments: AttachmentRow[]
  source: EventOrigin
}

const insertConsignments = insertRows<ConsignmentRow & { number: number; consignmentNumber: string }>(
  'consignment',
  {
    id: 'uuid',
    number: 'bigint',
    consignmentNumber: 'text',
    type: 'smallint',
    status: 'smallint',
    clientId: 'uuid',
    ...importedColumnTypes,
    returnOfConsignmentId: 'uuid',
  },
)

const insertServiceTypes = insertRows<ServiceTypeRow>('consignment_service_type', {
  consignmentId: 'uuid',
  serviceTypeId: 'uuid',
})

const insertTasks = insertRows<TaskRow>('consignment_task', {
  id: 'uuid',
  consignmentId: 'uuid',
  taskTypeId: 'uuid',
  value: 'numeric',
})

const insertNotes = insertRows<NoteRow & { organisationId: string }>(
  'consignment_note',
  {
    ...{ organisationId: 'uuid', id: 'uuid', consignmentId: 'uuid', note: 'text' },
    ...{ displayOnPrintOut: 'boolean', createdBy: 'uuid' },
  },
  { organisationId: null, createdByName: 'user_name(r."organisationId", r."createdBy")' },
)

const insertAttachments = (organisationId: string, files: readonly AttachmentRow[]): Sql =>
  storeAttachments(
    organisationId,
    sql`select r.id, r."consignmentNoteId" as consignment_note_id, r."fileName" as file_name,
        r."contentType" as content_type, null::smallint as print_type, decode(r.content, 'base64') as bytes
      from json_to_recordset(${JSON.stringify(files)}) as r (id uuid, "consignmentNoteId" uuid,
        "fileName" text, "contentType" text, content text)`,
  )

const typeSuffixes = {
  [ConsignmentType.PointToPoint]: 'P2P',
  [ConsignmentType.Inwards]: 'IN',
  [ConsignmentType.Outwards]: 'OUT',
}

/** A consignment number such as `WBL-000001-IN`: the organisation's prefix, at least six digits, the type. */
export const consignmentNumber = (prefix: string, number: number, type: ConsignmentType): string =>
  `${prefix}-${String(number).padStart(6, '0')}-${typeSuffixes[type]}`

/**
 * Creates consignments of one organisation in the given order, each with its event 101. Their codes must have
 * been resolved. Locks the organisation's number counter until the transaction ends, so call it late.
 */
export async function createConsignments(
  tx: Tx,
  organisationId: string,
  newConsignments: readonly NewConsignment[],
): Promise<void> {
  if (newConsignments.length === 0) return
  const { consignmentPrefix, lastConsignmentNumber } = await tx.row<{
    consignmentPrefix: string
    lastConsignmentNumber: number
  }>(sql`
    update organisation
    set last_consignment_number = last_consignment_number + ${newConsignments.length}
    where id = ${organisationId}
    returning consignment_prefix, last_consignment_number`)
  const consignments = newConsignments.map(({ consignment }, i) => {
    const number = lastConsignmentNumber - newConsignments.length + 1 + i
    return {
      ...consignment,
      number,
      consignmentNumber: consignmentNumber(consignmentPrefix, number, consignment.type),
    }
  })
  /** Inserts the rows of all consignments for one table in one statement, if there are any. */
  async function insert<Row>(
    statement: (organisationId: string, rows: readonly Row[]) => Sql,
    rowsOf: (consignment: NewConsignment) => Row[],
  ) {
    const rows = newConsignments.flatMap(rowsOf)
    if (rows.length > 0) await tx.run(statement(organisationId, rows))
  }
  // Sent without waiting for results; the connection keeps the order.
  await Promise.all([
    tx.run(insertConsignments(organisationId, consignments)),
    insert(insertLines, ({ lines }) => lines),
    insert(insertItems, ({ items }) => items),
    insert(insertServiceTypes, ({ serviceTypes }) => serviceTypes),
    insert(insertTasks, ({ tasks }) => tasks),
    insert(insertNotes, ({ notes }) => notes.map(note => ({ ...note, organisationId }))),
    insert(insertAttachments, ({ attachments }) => attachments),
    emit(
      tx,
      { organisationId, connectionId: null, userId: null, requestId: null },
      consignments.map((consignment, i) => {
        const { carrierId = null, referenceNumber = null } = consignment
        const facts: ConsignmentFacts = { ...consignment, organisationId, carrierId, referenceNumber }
        return {
          type: EventType.ConsignmentCreated,
          subjectId: consignment.id,
          data: consignmentEventData(facts),
          clientId: consignment.clientId,
          carrierId,
          origin: (newConsignments[i] as NewConsignment).source,
        }
      }),
    ),
  ])
}
