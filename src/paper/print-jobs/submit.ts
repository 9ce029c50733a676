// Shared by every endpoint that prints: checks the printer before a document is rendered for it, then stores
// the job with its bytes. Spec 2.16, 4.15; decision 4.

import { createHash } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'
import type { RequiredScope } from '../../access/scopes.ts'
import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { forbidden, verificationFailed } from '../../platform/http/refusal.ts'
import { named, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { hint } from '../../platform/work/hints.ts'
import { note } from '../../rehearsal/notes.ts'
import type { Orientation, PrintJobKind } from '../../vocabulary/paper.ts'
import { SetUpStatus } from '../../vocabulary/reference-data.ts'
import {
  isCallersApp,
  joinApp,
  offlineReason,
  type Printer,
  type PrinterType,
  printersWithBridges,
} from '../printers/printer.ts'

export type { Printer, PrinterType }

/** The number of copies. */
export const Copies = Type.Integer({ minimum: 1, maximum: 99 })

/** The printer, and the number of copies (default 1). */
export const printOptionFields = { printerId: Uuid, copies: optional(Copies) }
export const PrintOption = named('PrintOption', Type.Object(printOptionFields))
export type PrintOption = Static<typeof PrintOption>

/** The response of every endpoint that prints. */
export const PrintJobCreated = named('PrintJobCreated', Type.Object({ printJobId: Uuid }))

/** The hint that wakes the waiting claims of a bridge when there may be something to print. */
export const printJobHint = (printerBridgeId: string): string => `print-job ${printerBridgeId}`

/** Wakes the waiting claims of the bridge of a printer, if it has one. */
export function notifyBridge(printerBridgeId: string | null): void {
  if (printerBridgeId !== null) hint(printJobHint(printerBridgeId))
}

const typeNames: Record<PrinterType, string> = { 1: 'labels', 2: 'documents' }

/**
 * Finds the requested printer, so that a document can be rendered for it. Refuses (400, Verification Failed)
 * a printer that is unknown, inactive, offline or of another type, with the reason; `field` is the request
 * field that names it. Refuses (403) the app of a printer bridge, because its credentials must not open
 * documents.
 */
export async function findPrinter(
  db: Db,
  actor: Actor,
  { printerId }: PrintOption,
  type: PrinterType,
  field = 'printOption.printerId',
): Promise<Printer> {
  const { isBridge, isInactive, offline, ...printer } = await db.row<
    Printer & { id: string | null; isBridge: boolean; isInactive: boolean; offline: string | null }
  >(sql`
    select own.is_bridge, p.id, p.name, p.type, p.warehouse_id, p.language, p.dots_per_mm, p.media,
      p.status = ${SetUpStatus.Inactive} as is_inactive, ${offlineReason} as offline
    from (select exists (
        select from printer_bridge b ${joinApp}
        where b.organisation_id = ${actor.organisationId} and ${isCallersApp(actor)})) as own (is_bridge)
      left join (${printersWithBridges})
        on p.organisation_id = ${actor.organisationId} and p.id = ${printerId}`)
  if (isBridge) throw forbidden('The app of a printer bridge cannot print.')
  const refuse = (problem: string, code: 'unknown_reference' | 'state') =>
    verificationFailed(faultAt(field, problem, code))
  if (printer.id === null) throw refuse('does not refer to a printer', 'unknown_reference')
  const subject = `names the printer ${printer.name}`
  if (printer.type !== type)
    throw refuse(`${subject}, which prints ${typeNames[printer.type]}, not ${typeNames[type]}`, 'state')
  if (isInactive) throw refuse(`${subject}, which is inactive`, 'state')
  if (offline !== null) throw refuse(`${subject}, which is offline: ${offline}`, 'state')
  return printer
}

/** A document or label, ready to print. */
export interface NewPrintJob {
  /** 1 ConsignmentDetail, 2 PickingList … */
  kind: (typeof PrintJobKind)[keyof typeof PrintJobKind]
  /** shown to people: "Picking list SSL-000123-OUT" */
  name: string
  /** application/pdf, or application/zpl for a printer that takes it */
  contentType: string
  content: Buffer
  /** null if unknown */
  pages?: number | null
  /** default 1; ZPL contains the number itself, and is sent once */
  copies?: number | null | undefined
  orientation?: (typeof Orientation)[keyof typeof Orientation] | null
  /** the IPP name of the paper, such as iso_a4_210x297mm */
  media?: string | null
  /** the partner that the document is about; its users may see the job and print it again */
  partnerId?: string | null
  consignmentId?: string | null
  /** the scope that a token needs to read what is printed */
  readScopes: Exclude<RequiredScope, 'any'>
}

const bytesPerMiB = 2 ** 20
let maxKeptBytes = 2_048 * bytesPerMiB

/** Limits what the print jobs of each organisation keep: the setting PRINT_STORAGE_MIB. */
export function limitPrintStorage(mebibytes: number): void {
  maxKeptBytes = mebibytes * bytesPerMiB
}

/**
 * Stores a job for the printer's bridge to claim, in one statement. Returns the id of the job. Refuses (400)
 * a job whose content would exceed what the organisation may keep; equal contents are kept once.
 */
export async function submitPrintJob(
  tx: Pick<Tx, 'maybe' | 'afterCommit' | 'note'>,
  actor: Actor,
  printer: Pick<Printer, 'id' | 'name'>,
  job: NewPrintJob,
): Promise<{ printJobId: string }> {
  const printJobId = newId()
  const { organisationId } = actor
  const sha256 = createHash('sha256').update(job.content).digest()
  const size = job.content.length
  const made = await tx.maybe<{ printerBridgeId: string | null }>(sql`
    with storage as (
      insert into print_storage as s (organisation_id, kept_bytes) values (${organisationId}, 0)
      on conflict (organisation_id) do update set kept_bytes = s.kept_bytes
      returning kept_bytes
    ), content as (
      insert into file_content (organisation_id, sha256, bytes, size_bytes)
      select ${organisationId}::uuid, ${sha256}::bytea, ${job.content}::bytea, ${size}::integer from storage
      where kept_bytes + ${size} <= ${maxKeptBytes} or exists (
        select from file_content f
        where f.organisation_id = ${organisationId} and f.sha256 = ${sha256} and f.print_job_count > 0)
      on conflict (organisation_id, sha256) do update set size_bytes = excluded.size_bytes
      returning sha256
    )
    insert into print_job (organisation_id, id, printer_id, partner_id, consignment_id, kind, name,
      content_type, content_sha256, pages, copies, orientation, media, read_scopes, expires_utc,
      requested_by, identity_connection_id)
    select p.organisation_id, ${printJobId}::uuid, p.id, ${actor.partnerId ?? job.partnerId ?? null}::uuid,
      ${job.consignmentId ?? null}::uuid, ${job.kind}::smallint, ${job.name}::text,
      ${job.contentType}::text, c.sha256, ${job.pages ?? null}::int,
      ${job.copies ?? 1}::smallint, ${job.orientation ?? null}::smallint, ${job.media ?? null}::text,
      ${[job.readScopes].flat()}::text[],
      now() + p.keep_minutes * interval '1 minute', ${actor.userId}::uuid, ${actor.connectionId}::uuid
    from content c join printer p on p.organisation_id = ${organisationId} and p.id = ${printer.id}
    returning (select p.printer_bridge_id from printer p
      where p.organisation_id = print_job.organisation_id and p.id = print_job.printer_id)`)
  if (made === undefined)
    throw verificationFailed(
      `The print jobs of the organisation may keep ${maxKeptBytes / bytesPerMiB} MiB, and this one exceeds ` +
        'that. Contents are deleted 7 days after their jobs have ended.',
    )
  note(tx, { about: 'printing', printerId: printer.id, printerName: printer.name })
  tx.afterCommit(() => notifyBridge(made.printerBridgeId))
  return { printJobId }
}
