// A bridge reports the progress and the result of a job that it holds. Reports are idempotent. Spec 2.16.

import type { Actor } from '../../../access/actor.ts'
import { endpoint } from '../../../access/endpoint.ts'
import { type Sql, sql, type Tx } from '../../../platform/database/db.ts'
import { done } from '../../../platform/http/endpoint.ts'
import { conflict, notFound, validationFailed } from '../../../platform/http/refusal.ts'
import {
  Integer,
  IntegerEnum,
  named,
  optional,
  type Static,
  Text,
  Type,
} from '../../../platform/http/schema.ts'
import { PrintJobPhase, PrintJobStatus, PrintResult } from '../../../vocabulary/paper.ts'
import { addAttempt, leaseEnd, requeueFields } from '../../print-jobs/print-queue.ts'
import { notifyBridge } from '../../print-jobs/submit.ts'
import { isCallersApp, joinApp } from '../printer.ts'
import { findCallingBridge } from './bridge.ts'

const Progress = named(
  'PrintJobProgress',
  Type.Object({
    leaseNumber: Integer,
    phase: IntegerEnum(PrintJobPhase),
    result: optional(IntegerEnum(PrintResult)),
    message: optional({ ...Text, description: 'Why the job failed, or a remark on its success.' }),
    isRetryable: optional(
      Type.Boolean({
        description: 'With result 2: nothing was sent, and the job can be tried again later.',
      }),
    ),
    isInDoubt: optional(
      Type.Boolean({ description: 'With result 2: the job may be on paper, in part or whole.' }),
    ),
  }),
)
type Progress = Static<typeof Progress>

/** Seconds before a refused job is tried again: after the first refusal, the second, all later ones. */
const retryDelays = [5, 15, 60]

interface LockedJob {
  status: number
  phase: number
  leaseNumber: number
  isInDoubt: boolean
  refusals: number
  isExpired: boolean
}

const { InProgress, Success, Failed } = PrintJobStatus

export const printJobProgress = [
  endpoint({
    put: '/v1/printer-bridges/:printerBridgeId/jobs/:printJobId/progress',
    name: 'reportPrintJobProgress',
    partners: 'none',
    scope: 'print',
    extension: true,
    summary: 'Report the progress of a print job as a printer bridge',
    description:
      'Phase 3 (Sending) must be reported before the first byte goes to the printer: from then on the job ' +
      'is printed again only if a user asks for it. Each report holds the job for another 60 seconds. ' +
      'Without a result, the job stays in progress. A job that was given up in doubt still accepts a later ' +
      'result. If the lease number is another, or the job has ended with another result: 409, and the ' +
      'bridge must drop the job.',
    body: Progress,
    response: done,
    refuses: [409],
    ownTransactions: true,
    async handle({ database, actor, params, body }) {
      if (body.result === PrintResult.Success && body.phase !== PrintJobPhase.Sent)
        throw validationFailed('A job succeeds in phase 4, when all of it was sent.')
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.printJobId}
        and printer_bridge_id = ${params.printerBridgeId}`
      // The usual report takes one statement, because the printer is idle until Sending is acknowledged.
      if (!hasResult(body) && (await database.inOneStatement(tx => renewLease(tx, actor, where, body))))
        return
      await database.atomically(async tx => {
        await findCallingBridge(tx, actor, params.printerBridgeId)
        const job = await tx.maybe<LockedJob>(sql`
          select status, phase, lease_number, is_in_doubt, refusals, expires_utc <= now() as is_expired
          from print_job where ${where} for no key update`)
        if (job === undefined) throw notFound('Print job')
        if (job.leaseNumber !== body.leaseNumber)
          throw conflict('Another lease of the job has begun: this one has ended.')
        await applyReport(tx, where, job, body)
        // The next job of the printer can be claimed now.
        if (hasResult(body)) tx.afterCommit(() => notifyBridge(params.printerBridgeId))
      })
    },
  }),
]

const hasResult = ({ result }: Progress): boolean => result !== undefined && result !== null

/**
 * Records the phase and renews the lease. Returns false if the caller does not hold the job, or it has ended.
 */
const renewLease = async (
  tx: Tx,
  actor: Actor,
  where: Sql,
  { leaseNumber, phase }: Progress,
): Promise<boolean> =>
  (await tx.run(sql`
    update print_job set phase = greatest(phase, ${phase}), due_utc = ${leaseEnd}
    where ${where} and lease_number = ${leaseNumber} and status = ${InProgress} and exists (
      select from printer_bridge b ${joinApp}
      where b.organisation_id = print_job.organisation_id and b.id = print_job.printer_bridge_id
        and ${isCallersApp(actor)})`)) > 0

async function applyReport(tx: Tx, where: Sql, job: LockedJob, report: Progress): Promise<void> {
  const { result } = report
  if (job.status === InProgress || (job.status === Failed && job.isInDoubt)) {
    if (hasResult(report)) await endJob(tx, where, job, report)
    else await updatePhase(tx, where, report)
    return
  }
  // The same result may be reported again.
  const reported =
    result === PrintResult.Success ? Success : result === PrintResult.Failed ? Failed : undefined
  if (job.status !== reported) throw conflict('The job has ended otherwise.')
}

/** Records the phase of a job that was given up in doubt. It stays in doubt until its result is reported. */
const updatePhase = (tx: Tx, where: Sql, { phase }: Progress) =>
  tx.run(sql`update print_job set phase = greatest(phase, ${phase}) where ${where}`)

async function endJob(tx: Tx, where: Sql, job: LockedJob, report: Progress): Promise<void> {
  const phase = Math.max(job.phase, report.phase)
  const message = report.message || null
  // Only the bridge can know that nothing was sent, so this holds even after it has reported Sending.
  const isRequeued = report.result === PrintResult.Failed && report.isRetryable === true && !job.isExpired
  const withAttempt = addAttempt(sql`${report.result}::int`, sql`${phase}::int`, message)
  if (isRequeued) {
    await tx.run(sql`
      update print_job set ${requeueFields}, ${withAttempt}, is_in_doubt = false, refusals = refusals + 1,
        message = ${message}, finished_utc = null,
        due_utc = now() + ${retryDelays[job.refusals] ?? retryDelays.at(-1)}::int * interval '1 second'
      where ${where}`)
  } else {
    const isSuccess = report.result === PrintResult.Success
    await tx.run(sql`
      update print_job set status = ${isSuccess ? Success : Failed}, phase = ${phase}, ${withAttempt},
        is_in_doubt = ${!isSuccess && report.isInDoubt === true && report.isRetryable !== true},
        message = ${message}, finished_utc = coalesce(finished_utc, now())
      where ${where}`)
  }
}
