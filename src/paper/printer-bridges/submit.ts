// What every endpoint that prints calls: it finds the printer before anything is made for it, and stores the
// job with its bytes. Spec 2.16, 4.15; open-points 4.

import { createHash } from 'node:crypto'
import { type Db, sql, type Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { forbidden, verificationFailed } from '../../platform/http/refusal.ts'
import { named, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { hint } from '../../platform/work/hints.ts'
import { SetUpStatus } from '../../reference-data/enumerations.ts'
import type { Orientation } from '../enumerations.ts'
import type { PrintJobKind } from './enumerations.ts'
import {
  isAppOf,
  joinApp,
  offlineReason,
  type Printer,
  type PrinterType,
  printersWithBridges,
} from './printer.ts'

export type { Printer, PrinterType }

/** How often it is printed. */
export const Copies = Type.Integer({ minimum: 1, maximum: 99 })

/** Where a document is printed, and how often: once unless said. */
export const printOptionFields = { printerId: Uuid, copies: optional(Copies) }
export const PrintOption = named('PrintOption', Type.Object(printOptionFields))
export type PrintOption = Static<typeof PrintOption>

/** What an endpoint that prints answers. */
export const PrintJobMade = named('PrintJobMade', Type.Object({ printJobId: Uuid }))

/** The hint that something waits to be printed. */
export const printJobHint = 'print-job'

const typeNames: Record<PrinterType, string> = { 1: 'labels', 2: 'documents' }

/**
 * The printer that is asked for, so that a document can be made for it. Refuses (400, Verification Failed) an
 * unknown one, one that is inactive or offline, with the reason, and one for other paper; `field` is where
 * the request names it. Refuses (403) the app of a printer bridge: what it holds opens no documents.
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
        where b.organisation_id = ${actor.organisationId} and ${isAppOf(actor)})) as own (is_bridge)
      left join (${printersWithBridges})
        on p.organisation_id = ${actor.organisationId} and p.id = ${printerId}`)
  if (isBridge) throw forbidden('The app of a printer bridge cannot print.')
  const refuse = (problem: string, code: 'unknown_reference' | 'state') =>
    verificationFailed(faultAt(field, problem, code))
  if (printer.id === null) throw refuse('names no printer', 'unknown_reference')
  const named = `names the printer ${printer.name}`
  if (printer.type !== type)
    throw refuse(`${named}, which prints ${typeNames[printer.type]}, not ${typeNames[type]}`, 'state')
  if (isInactive) throw refuse(`${named}, which is inactive`, 'state')
  if (offline !== null) throw refuse(`${named}, which is offline: ${offline}`, 'state')
  return printer
}

/** What is to be printed. */
export interface NewPrintJob {
  /** 1 ConsignmentDetail, 2 PickingList … */
  kind: (typeof PrintJobKind)[keyof typeof PrintJobKind]
  /** what people know it by: "Picking list SSL-000123-OUT" */
  name: string
  /** application/pdf, or application/zpl for a printer that takes it */
  contentType: string
  content: Buffer
  /** null where nobody knows */
  pages?: number | null
  /** 1 unless said; labels that say themselves how often they are printed leave it out */
  copies?: number | null | undefined
  orientation?: (typeof Orientation)[keyof typeof Orientation] | null
  /** by the name of IPP, such as iso_a4_210x297mm */
  media?: string | null
  /** whose paper it is: its people may see it and print it again */
  partnerId?: string | null
  consignmentId?: string | null
}

/** Stores a job for the printer's bridge to fetch: one statement. */
export async function submitPrintJob(
  tx: Pick<Tx, 'run' | 'afterCommit'>,
  actor: Actor,
  printer: Pick<Printer, 'id'>,
  job: NewPrintJob,
): Promise<{ printJobId: string }> {
  const printJobId = newId()
  const sha256 = createHash('sha256').update(job.content).digest('base64')
  await tx.run(sql`
    insert into print_job (organisation_id, id, printer_id, partner_id, consignment_id, kind, name,
      content_type, content, sha256, pages, copies, orientation, media, expires_utc, requested_by,
      identity_connection_id)
    select organisation_id, ${printJobId}::uuid, id, ${actor.partnerId ?? job.partnerId ?? null}::uuid,
      ${job.consignmentId ?? null}::uuid, ${job.kind}::smallint, ${job.name}::text,
      ${job.contentType}::text, ${job.content}::bytea, ${sha256}::text, ${job.pages ?? null}::int,
      ${job.copies ?? 1}::smallint, ${job.orientation ?? null}::smallint, ${job.media ?? null}::text,
      now() + keep_minutes * interval '1 minute', ${actor.userId}::uuid, ${actor.connectionId}::uuid
    from printer where organisation_id = ${actor.organisationId} and id = ${printer.id}`)
  tx.afterCommit(() => hint(printJobHint))
  return { printJobId }
}
