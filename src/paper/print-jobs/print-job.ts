// The fields of a print job, and which jobs a token may see. Spec 2.16.

import type { Actor } from '../../access/actor.ts'
import { empty, type Sql, sql } from '../../platform/database/db.ts'
import { IntegerEnum, named, nullable, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import {
  Orientation,
  PrintJobKind,
  PrintJobPhase,
  PrintJobStatus,
  PrintResult,
} from '../../vocabulary/paper.ts'
import { isCallersApp, joinApp } from '../printers/printer.ts'

export const printJobFields = {
  id: Uuid,
  printerId: Uuid,
  printerName: Type.String(),
  warehouseId: Uuid,
  kind: IntegerEnum(PrintJobKind),
  name: Type.String(),
  contentType: Type.String(),
  pages: nullable(Type.Integer()),
  copies: Type.Integer(),
  orientation: nullable(IntegerEnum(Orientation)),
  media: nullable(Type.String()),
  status: IntegerEnum(PrintJobStatus),
  phase: IntegerEnum(PrintJobPhase),
  isInDoubt: Type.Boolean({
    description:
      'The job has failed but may be on paper, in part or whole. Check the printer before you retry it.',
  }),
  message: nullable(Type.String({ description: 'Why the job failed, or why the printer last refused it.' })),
  partnerId: nullable(Uuid),
  consignmentId: nullable(Uuid),
  requestedByName: Type.String(),
  retriedByName: nullable(Type.String({ description: 'Who last had the job printed again.' })),
  cancelledByName: nullable(Type.String({ description: 'Who last cancelled the job.' })),
  isContentKept: Type.Boolean({
    description: 'Whether the job can still be downloaded and printed again: until 7 days after it ended.',
  }),
  createdUtc: UtcTime,
  expiresUtc: { ...UtcTime, description: 'When the job is given up if no bridge has claimed it.' },
  finishedUtc: nullable(UtcTime),
}

/** The result of one attempt of a bridge to print a job. */
export const PrintAttempt = Type.Object({
  atUtc: UtcTime,
  printerName: Type.String(),
  result: IntegerEnum(PrintResult),
  phase: IntegerEnum(PrintJobPhase),
  message: nullable(Type.String()),
})

/** A user had the job printed again. */
export const PrintRetry = Type.Object({
  atUtc: UtcTime,
  userName: Type.String(),
  printerName: Type.String(),
})

/** A user cancelled the job. */
export const PrintCancellation = Type.Object({ atUtc: UtcTime, userName: Type.String() })

/** How many acts of users a job records at most, of each kind: the first ones, and the latest. */
const maxRecordedActions = 100

/**
 * The assignment that appends an act of user `u` to a column of job `j`, under the name of today. `more` adds
 * to the JSON object of the act, and begins with a comma.
 */
export const appendAction = (column: Sql, more: Sql = empty): Sql => sql`
  ${column} = case when jsonb_array_length(j.${column}) < ${maxRecordedActions} then j.${column}
      else j.${column} - 1 end
    || jsonb_build_array(jsonb_build_object(
      'atUtc', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'userName', u.full_name${more}))`

export const PrintJob = named('PrintJob', Type.Object(printJobFields))

export const printJobColumns = sql`j.id, j.printer_id, p.name as printer_name, p.warehouse_id, j.kind, j.name,
  j.content_type, j.pages, j.copies, j.orientation, j.media, j.status, j.phase, j.is_in_doubt, j.message,
  j.partner_id, j.consignment_id, u.full_name as requested_by_name,
  j.retries -> -1 ->> 'userName' as retried_by_name,
  j.cancellations -> -1 ->> 'userName' as cancelled_by_name, j.content_sha256 is not null as is_content_kept,
  j.created_utc, j.expires_utc, j.finished_utc`

/** Jobs `j` with their printers `p` and the users `u` who requested them. */
export const printJobs = sql`print_job j
  join printer p on p.organisation_id = j.organisation_id and p.id = j.printer_id
  join app_user u on u.organisation_id = j.organisation_id and u.id = j.requested_by`

/** Joins content `f` to jobs `j`, if it is kept. */
export const joinContent = sql`left join file_content f
  on f.organisation_id = j.organisation_id and f.sha256 = j.content_sha256`

/**
 * The condition for jobs `j` at printers `p` that the actor may see. A partner's token sees only jobs of that
 * partner; a printer bridge sees only jobs of its own printers.
 */
export const visiblePrintJobs = (actor: Actor): Sql =>
  sql`j.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and j.partner_id = ${actor.partnerId}`}
    and not exists (
      select from printer_bridge b ${joinApp}
      where b.organisation_id = ${actor.organisationId} and ${isCallersApp(actor)}
        and b.id is distinct from p.printer_bridge_id)`

const extensions: Record<string, string> = { 'application/pdf': 'pdf', 'application/zpl': 'zpl' }

/** The file name under which a job's content is downloaded. */
export const fileName = ({ name, contentType }: { name: string; contentType: string }): string =>
  `${name.replace(/[/\\]/g, '-')}.${extensions[contentType] ?? 'bin'}`
