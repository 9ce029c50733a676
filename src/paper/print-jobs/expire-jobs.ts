// The workers that end expired leases, give up jobs that no bridge claimed in time, and delete old jobs. Spec
// 2.16.

import { type Database, sql } from '../../platform/database/db.ts'
import { startCleanup } from '../../platform/work/cleanup.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { PrintJobPhase, PrintJobStatus, PrintResult } from '../../vocabulary/paper.ts'
import { addAttempt, requeueFields } from './print-queue.ts'
import { notifyBridge } from './submit.ts'

const { Pending, InProgress, Failed } = PrintJobStatus
const batchSize = 500
const contentRetention = sql`interval '7 days'`
const jobRetention = sql`interval '90 days'`

const inDoubtMessage =
  'It may be printed, in part or whole: its bridge stopped responding while sending it. ' +
  'Check the printer, then retry.'

/** Selects and locks one batch of the jobs that meet a condition. */
const isInBatch = (condition: ReturnType<typeof sql>) => sql`(organisation_id, id) in (
  select organisation_id, id from print_job where ${condition} limit ${batchSize} for update skip locked)`

/** A job that a worker changed, by the bridge of its printer. */
interface ChangedJob {
  printerBridgeId: string | null
}

const returningBridge = sql`returning (select p.printer_bridge_id from printer p
  where p.organisation_id = print_job.organisation_id and p.id = print_job.printer_id)`

/** Ends leases that were not renewed in time. */
async function endExpiredLeases(database: Database): Promise<ChangedJob[]> {
  const expired = (phase: ReturnType<typeof sql>) =>
    isInBatch(sql`status = ${InProgress} and due_utc < now() and ${phase}`)
  // Before Sending, no byte has reached the printer, so the job can be claimed again.
  const returned = await database.inOneStatement(tx =>
    tx.rows<ChangedJob>(sql`
      update print_job set ${requeueFields}, due_utc = now()
      where ${expired(sql`phase < ${PrintJobPhase.Sending}`)} ${returningBridge}`),
  )
  // The lease keeps its number, so that its bridge can still report the outcome.
  const markedInDoubt = await database.inOneStatement(tx =>
    tx.rows<ChangedJob>(sql`
      update print_job set status = ${Failed}, is_in_doubt = true, message = ${inDoubtMessage},
        finished_utc = now(),
        ${addAttempt(sql`${PrintResult.Failed}::int`, sql`phase`, inDoubtMessage)}
      where ${expired(sql`phase >= ${PrintJobPhase.Sending}`)} ${returningBridge}`),
  )
  return [...returned, ...markedInDoubt]
}

/** Fails jobs that have waited too long. */
const failExpiredJobs = (database: Database): Promise<ChangedJob[]> =>
  database.inOneStatement(tx =>
    tx.rows(sql`
      update print_job set status = ${Failed}, finished_utc = now(),
        message = coalesce('Given up because the printer refused it: ' || message,
          'Given up because no bridge took it until ' || to_char(expires_utc at time zone 'UTC',
            'YYYY-MM-DD HH24:MI') || ' UTC.')
      where ${isInBatch(sql`status = ${Pending} and expires_utc <= now()`)} ${returningBridge}`),
  )

/**
 * Ends expired leases and gives up expired jobs, one batch of each, and wakes the bridges of their printers,
 * whose next jobs can be claimed now. Returns the number of changed jobs.
 */
export async function expireJobs(database: Database): Promise<number> {
  const jobs = [...(await endExpiredLeases(database)), ...(await failExpiredJobs(database))]
  for (const id of new Set(jobs.map(({ printerBridgeId }) => printerBridgeId))) notifyBridge(id)
  return jobs.length
}

/** Starts the loop that runs `expireJobs`. */
export const startExpiringJobs = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: 'print jobs',
    log,
    pollMs: 1_000,
    step: async () => (await expireJobs(database)) >= batchSize,
  })

/**
 * Deletes the bytes of jobs that ended 7 days ago and the rows of jobs that ended 90 days ago, one batch of
 * each. Returns the larger of the two counts.
 */
export async function deleteOldJobs(database: Database): Promise<number> {
  const emptied = await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set content_sha256 = null
      where ${isInBatch(
        sql`status > 2 and content_sha256 is not null and finished_utc < now() - ${contentRetention}`,
      )}`),
  )
  const deleted = await database.inOneStatement(tx =>
    tx.run(sql`
      delete from print_job where ${isInBatch(sql`status > 2 and finished_utc < now() - ${jobRetention}`)}`),
  )
  return Math.max(emptied, deleted)
}

/** Starts the loop that runs `deleteOldJobs`. */
export const startDeletingOldJobs = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'old print jobs', deleteSome: deleteOldJobs, maxAtOnce: batchSize })
