// What a bridge says of a job that it holds: how far it is, and what came of it. It may be said again. Spec
// 2.16.

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { done, endpoint } from '../../platform/http/endpoint.ts'
import { conflict, notFound, validationFailed } from '../../platform/http/refusal.ts'
import { Integer, IntegerEnum, named, optional, type Static, Text, Type } from '../../platform/http/schema.ts'
import { hint } from '../../platform/work/hints.ts'
import { ownBridge } from './bridge.ts'
import { PrintJobPhase, PrintJobStatus, PrintResult } from './enumerations.ts'
import { backInQueue, leaseEnd } from './print-queue.ts'
import { isAppOf, joinApp } from './printer.ts'
import { printJobHint } from './submit.ts'

const Progress = named(
  'PrintJobProgress',
  Type.Object({
    leaseNumber: Integer,
    phase: IntegerEnum(PrintJobPhase),
    result: optional(IntegerEnum(PrintResult)),
    message: optional({ ...Text, description: 'Why it failed, or what is to be said of its success.' }),
    isRetryable: optional(
      Type.Boolean({
        description: 'With result 2: nothing was sent, and it may be tried again after a while.',
      }),
    ),
    isInDoubt: optional(
      Type.Boolean({ description: 'With result 2: it may be on paper, in part or whole.' }),
    ),
  }),
)
type Progress = Static<typeof Progress>

/** How long a printer that has refused a job is left alone: after the first time, the second … */
const pauses = [5, 15, 60]

interface HeldJob {
  status: number
  phase: number
  leaseNumber: number
  isInDoubt: boolean
  refusals: number
  isExpired: boolean
}

const { InProgress, Success, Failed } = PrintJobStatus

export const progress = [
  endpoint({
    put: '/v1/printer-bridges/:printerBridgeId/jobs/:printJobId/progress',
    name: 'reportPrintJobProgress',
    partners: 'none',
    scope: 'print',
    extension: true,
    summary: 'Tell the progress of a print job as a printer bridge',
    description:
      'Phase 3, Sending, is told before the first byte goes to the printer: from then on the job is not ' +
      'printed again unless a person says so. Each word holds the job for another 60 seconds. Without a ' +
      'result the job goes on. A job that was given up in doubt takes its result later too. With another ' +
      'lease number, or when the job has ended otherwise: 409, and the bridge lets go of it.',
    body: Progress,
    answer: done,
    refuses: [409],
    ownTransactions: true,
    async handle({ database, actor, params, body }) {
      if (body.result === PrintResult.Success && body.phase !== PrintJobPhase.Sent)
        throw validationFailed('A job succeeds in phase 4, when all of it was sent.')
      const where = sql`organisation_id = ${actor.organisationId} and id = ${params.printJobId}
        and printer_bridge_id = ${params.printerBridgeId}`
      // A printer waits for the word that its job is being sent.
      if (!hasResult(body) && (await database.inOneStatement(tx => goOn(tx, actor, where, body)))) return
      await database.atomically(async tx => {
        await ownBridge(tx, actor, params.printerBridgeId)
        const job = await tx.maybe<HeldJob>(sql`
          select status, phase, lease_number, is_in_doubt, refusals, expires_utc <= now() as is_expired
          from print_job where ${where} for no key update`)
        if (job === undefined) throw notFound('Print job')
        if (job.leaseNumber !== body.leaseNumber)
          throw conflict('Another lease of the job has begun: this one has ended.')
        await apply(tx, where, job, body)
      })
    },
  }),
]

const hasResult = ({ result }: Progress): boolean => result !== undefined && result !== null

/** Notes how far a job is, and holds it longer. False where it is not the caller's, or has ended. */
const goOn = async (tx: Tx, actor: Actor, where: Sql, { leaseNumber, phase }: Progress): Promise<boolean> =>
  (await tx.run(sql`
    update print_job set phase = greatest(phase, ${phase}), due_utc = ${leaseEnd}
    where ${where} and lease_number = ${leaseNumber} and status = ${InProgress} and exists (
      select from printer_bridge b ${joinApp}
      where b.organisation_id = print_job.organisation_id and b.id = print_job.printer_bridge_id
        and ${isAppOf(actor)})`)) > 0

async function apply(tx: Tx, where: Sql, job: HeldJob, said: Progress): Promise<void> {
  const { result } = said
  if (job.status === InProgress || (job.status === Failed && job.isInDoubt)) {
    if (hasResult(said)) await end(tx, where, job, said)
    else await stayInDoubt(tx, where, said)
    return
  }
  // The same said again.
  const ended = result === PrintResult.Success ? Success : result === PrintResult.Failed ? Failed : undefined
  if (job.status !== ended) throw conflict('The job has ended otherwise.')
}

/** Notes how far a job is that was given up in doubt, which it stays until its result. */
const stayInDoubt = (tx: Tx, where: Sql, { phase }: Progress) =>
  tx.run(sql`update print_job set phase = greatest(phase, ${phase}) where ${where}`)

async function end(tx: Tx, where: Sql, job: HeldJob, said: Progress): Promise<void> {
  const phase = Math.max(job.phase, said.phase)
  const message = said.message || null
  // Nothing was sent whatever phase had been announced: its bridge, which alone can know, says so.
  const goesBack = said.result === PrintResult.Failed && said.isRetryable === true && !job.isExpired
  const tried = attempted(said.result as number, phase, message)
  if (goesBack) {
    await tx.run(sql`
      update print_job set ${backInQueue}, ${tried}, is_in_doubt = false, refusals = refusals + 1,
        message = ${message}, finished_utc = null,
        due_utc = now() + ${pauses[job.refusals] ?? pauses.at(-1)}::int * interval '1 second'
      where ${where}`)
  } else {
    const isSuccess = said.result === PrintResult.Success
    await tx.run(sql`
      update print_job set status = ${isSuccess ? Success : Failed}, phase = ${phase}, ${tried},
        is_in_doubt = ${!isSuccess && said.isInDoubt === true && said.isRetryable !== true},
        message = ${message}, finished_utc = coalesce(finished_utc, now())
      where ${where}`)
  }
  // The next one at the printer may go.
  tx.afterCommit(() => hint(printJobHint))
}

/** Adds an attempt to those of a job. */
const attempted = (result: number, phase: number, message: string | null): Sql =>
  sql`attempts = attempts || jsonb_build_array(${attempt(sql`${result}::int`, sql`${phase}::int`, message)})`

/** An attempt that ends now, of a `print_job`. */
export const attempt = (result: Sql, phase: Sql, message: string | null): Sql =>
  sql`jsonb_build_object('atUtc', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'printerName', (select p.name from printer p
      where p.organisation_id = print_job.organisation_id and p.id = print_job.printer_id),
    'result', ${result}, 'phase', ${phase}, 'message', ${message}::text)`
