// The worker that ends what nobody else ends: leases of bridges that fell silent, jobs that nobody took, and
// what is kept for a while only. Spec 2.16.

import { type Database, sql } from '../../platform/database/db.ts'
import { startCleanup } from '../../platform/work/cleanup.ts'
import { hint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { PrintJobPhase, PrintJobStatus, PrintResult } from './enumerations.ts'
import { backInQueue } from './print-queue.ts'
import { attempt } from './progress.ts'
import { printJobHint } from './submit.ts'

const { Pending, InProgress, Failed } = PrintJobStatus
const maxAtOnce = 500
const keptContent = sql`interval '7 days'`
const keptJobs = sql`interval '90 days'`

const inDoubt =
  'It may be printed, in part or whole: its bridge fell silent while it sent it. Look, then retry.'

/** Jobs that a condition finds, locked, some at a time. */
const found = (condition: ReturnType<typeof sql>) => sql`(organisation_id, id) in (
  select organisation_id, id from print_job where ${condition} limit ${maxAtOnce} for update skip locked)`

/** Ends leases that nobody has renewed. Returns how many jobs that was. */
async function endLeases(database: Database): Promise<number> {
  const over = (phase: ReturnType<typeof sql>) =>
    found(sql`status = ${InProgress} and due_utc < now() and ${phase}`)
  // Not a byte was sent: it may be claimed again.
  const returned = await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set ${backInQueue}, due_utc = now()
      where ${over(sql`phase < ${PrintJobPhase.Sending}`)}`),
  )
  // The lease keeps its number, so that its bridge can still tell what came of it.
  const doubted = await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set status = ${Failed}, is_in_doubt = true, message = ${inDoubt}, finished_utc = now(),
        attempts = attempts
          || jsonb_build_array(${attempt(sql`${PrintResult.Failed}::int`, sql`phase`, inDoubt)})
      where ${over(sql`phase >= ${PrintJobPhase.Sending}`)}`),
  )
  return returned + doubted
}

/** Gives up jobs that have waited for too long. Returns how many. */
const giveUp = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set status = ${Failed}, finished_utc = now(),
        message = coalesce('Given up, for the printer refused it: ' || message,
          'Given up, for no bridge took it until ' || to_char(expires_utc at time zone 'UTC',
            'YYYY-MM-DD HH24:MI') || ' UTC.')
      where ${found(sql`status = ${Pending} and expires_utc <= now()`)}`),
  )

/** Ends leases and waiting once. Returns how many jobs that changed. */
export async function expireJobs(database: Database): Promise<number> {
  return (await endLeases(database)) + (await giveUp(database))
}

/** Starts the loop that ends leases and waiting. */
export const startExpiringJobs = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: 'print jobs',
    log,
    pollMs: 1_000,
    async step() {
      const ended = await expireJobs(database)
      // The next ones at their printers may go.
      if (ended > 0) hint(printJobHint)
      return ended >= maxAtOnce
    },
  })

/** Drops the bytes of jobs that ended a week ago, and jobs that ended 90 days ago. Returns how many. */
export async function forgetJobs(database: Database): Promise<number> {
  const emptied = await database.inOneStatement(tx =>
    tx.run(sql`
      update print_job set content = null
      where ${found(sql`status > 2 and content is not null and finished_utc < now() - ${keptContent}`)}`),
  )
  const deleted = await database.inOneStatement(tx =>
    tx.run(sql`
      delete from print_job where ${found(sql`status > 2 and finished_utc < now() - ${keptJobs}`)}`),
  )
  return Math.max(emptied, deleted)
}

/** Starts the loop that forgets. */
export const startForgettingJobs = (context: WorkerContext): WorkLoop =>
  startCleanup(context, { name: 'print jobs of old', deleteSome: forgetJobs, maxAtOnce })
