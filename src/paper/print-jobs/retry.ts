// Prints the same bytes of a failed or cancelled job again, at a user's request. Spec 2.16.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { faultAt } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { named, optional, Type, Uuid } from '../../platform/http/schema.ts'
import { PrinterLanguage, PrintJobStatus } from '../../vocabulary/paper.ts'
import { type LockedPrintJob, lockPrintJob } from './lock-print-job.ts'
import { appendAction } from './print-job.ts'
import { requeueFields } from './print-queue.ts'
import { findPrinter, notifyBridge, type Printer } from './submit.ts'

const { Pending, InProgress, Success } = PrintJobStatus

export const retryPrintJob = [
  endpoint({
    put: '/v1/print-jobs/:printJobId/retry',
    name: 'retryPrintJob',
    partners: 'clients',
    scope: 'print',
    extension: true,
    summary: 'Print a failed or cancelled job again',
    description:
      'Possible for 7 days after the job has ended, while its content is kept; on the same printer or on ' +
      'another that accepts the same format. A job that is pending or in progress: 304.',
    body: named('PrintJobRetry', Type.Object({ printerId: optional(Uuid) })),
    bodyOptional: true,
    response: changed,
    async handle({ tx, actor, params, body }) {
      const job = await lockPrintJob(tx, actor, params.printJobId)
      if (job.status === Pending || job.status === InProgress) return false
      if (job.status === Success) throw verificationFailed('The job is printed: ask for the document again.')
      if (!job.isContentKept)
        throw verificationFailed('What the job printed is no longer kept: ask for the document again.')
      const printer = await printerFor(tx, actor, job, body.printerId ?? job.printerId)
      const retried = await tx.maybe<{ printerBridgeId: string | null }>(sql`
        update print_job j set ${requeueFields}, printer_id = p.id,
          ${appendAction(sql`retries`, sql`, 'printerName', p.name`)}, is_in_doubt = false, message = null,
          refusals = 0, due_utc = now(), finished_utc = null,
          expires_utc = now() + p.keep_minutes * interval '1 minute'
        from printer p
          join app_user u on u.organisation_id = p.organisation_id and u.id = ${actor.userId}
        where p.organisation_id = j.organisation_id and p.id = ${printer.id}
          and j.organisation_id = ${actor.organisationId} and j.id = ${params.printJobId}
        returning p.printer_bridge_id`)
      tx.afterCommit(() => notifyBridge(retried?.printerBridgeId ?? null))
      return true
    },
  }),
]

/** Finds the printer for a retry. Refuses (400) a printer that does not accept the job's format. */
async function printerFor(tx: Tx, actor: Actor, job: LockedPrintJob, printerId: string): Promise<Printer> {
  const printer = await findPrinter(tx, actor, { printerId }, job.type, 'printerId')
  const isZpl = job.contentType === 'application/zpl'
  const fits = isZpl
    ? printer.language === PrinterLanguage.Zpl && printer.dotsPerMM === job.dotsPerMM
    : printer.language === PrinterLanguage.Pdf
  if (fits) return printer
  throw verificationFailed(
    faultAt('printerId', 'refers to a printer that cannot print what was made for the first one', 'state'),
  )
}
