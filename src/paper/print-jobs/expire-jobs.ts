// The workers that end expired leases, give up jobs that no bridge claimed in time, and delete old jobs. Spec
// 2.16.

import { type Database, sql } from '../../platform/database/db.ts'
import { startCleanup } from '../../platform/work/cleanup.ts'
import { hint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { PrintJobPhase, PrintJobStatus, PrintResult } from '../../vocabulary/printing.ts'
import { addAttempt, requeued } from './print-queue.ts'
import { printJobHint } from './submit.ts'

const { Pending, InProgress, Failed } = PrintJobStatus
const batchSize = 500
const contentRetention = sql`interval '7 days'`
const jobRetention = sql`interval '90 days'`

const inDoubt =
  'It may be printed, in part or whole: its bridge fell silent while it sent it. Look, then retry.'

/** Selects and locks one batch of the jobs that meet a condition. */
const inBatchOf = (condition: ReturnType<typeof sql>) => sql`(organisation_id, id) in (
  select organisation_id, id from print_job where ${condition} limit ${batchSize} for update skip locked)`

/** Ends leases that were not renewed in time. Returns the number of jobs. */
async function endLeases(database: Database): Promise<number> {
  const expired = (phase: ReturnType<typeof sql>) =>
    inBatchOf(sql`status = ${InProgress} and due_utc < now() and ${phase}`)
  // Before Sending, no byte has reached the printer, so the job can be claimed again.
  const returned = await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set ${requeued}, due_utc = now()
      where ${expired(sql`phase < ${PrintJobPhase.Sending}`)}`),
  )
  // The lease keeps its number, so that its bridge can still report the outcome.
  const markedInDoubt = await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set status = ${Failed}, is_in_doubt = true, message = ${inDoubt}, finished_utc = now(),
        ${addAttempt(sql`${PrintResult.Failed}::int`, sql`phase`, inDoubt)}
      where ${expired(sql`phase >= ${PrintJobPhase.Sending}`)}`),
  )
  return returned + markedInDoubt
}

/** Fails jobs that have waited too long. Returns the number of jobs. */
const giveUp = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set status = ${Failed}, finished_utc = now(),
        message = coalesce('Given up, for the printer refused it: ' || message,
          'Given up, for no bridge took it until ' || to_char(expires_utc at time zone 'UTC',
            'YYYY-MM-DD HH24:MI') || ' UTC.')
      where ${inBatchOf(sql`status = ${Pending} and expires_utc <= now()`)}`),
  )

/** Ends expired leases and gives up expired jobs, one batch of each. Returns the number of changed jobs. */
export async function expireJobs(database: Database): Promise<number> {
  return (await endLeases(database)) + (await giveUp(database))
}

/** Starts the loop that runs `expireJobs`. */
export const startExpiringJobs = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: 'print jobs',
    log,
    pollMs: 1_000,
    async step() {
      const ended = await expireJobs(database)
      // The next jobs of those printers can be claimed now.
      if (ended > 0) hint(printJobHint)
      return ended >= batchSize
    },
  })

/**
 * Deletes the bytes of jobs that ended 7 days ago and the rows of jobs that ended 90 days ago, one batch of
 * each. Returns the larger of the two counts.
 */
export async function deleteOldJobs(database: Database): Promise<number> {
  const emptied = await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set content = null
      where ${inBatchOf(
        sql`status > 2 and content is not null and finished_utc < now() - ${contentRetention}`,
      )}`),
  )
  const deleted = await database.inOneStatement(tx =>
    tx.run(sql`
      delete from print_job where ${inBatchOf(sql`status > 2 and finished_utc < now() - ${jobRetention}`)}`),
  )
  return Math.max(emptied, deleted)
}

/** Starts the loop that runs `deleteOldJobs`. */
export const startDeletingOldJobs = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'old print jobs', deleteSome: deleteOldJobs, maxAtOnce: batchSize })
