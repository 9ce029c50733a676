// A billing run in progress: claimed by one worker under a lease, and advanced step by step. Each step is
// recorded in the transaction that does it, so a worker that takes over after a crash knows what is done.

import { type Database, raw, sql, type Tx } from '../../platform/database/db.ts'
import { Lease, type Leased } from '../../platform/work/lease.ts'
import { BillingRunStatus, type BillingRunStep } from '../../vocabulary/billing.ts'

/** A run that this process has claimed, while its lease holds. */
export interface BillingRun extends Leased {
  partnerId: string
  relationship: number
  periodFrom: string
  periodTo: string
  step: BillingRunStep
  failedAttempts: number
}

const { Pending, Running, Done, Failed, Unbundled } = BillingRunStatus
// Literals, because a prepared statement could not otherwise use the index of unfinished runs.
const finished = raw(`(${Done}, ${Unbundled})`)

/** The leases of runs. */
export const runLease = new Lease({
  table: 'billing_run',
  until: 'due_utc',
  seconds: 45,
  whileHeld: sql`status = ${Running}`,
  returned: sql`status = ${Pending}, due_utc = now()`,
})

/** Thrown if another worker has taken over a run. */
export class LeaseLost extends Error {}

/**
 * Claims the run that has been due longest. A run waits for the earlier runs of its partner, so that the bill
 * of a period never depends on the order of retries. Runs of other partners do not wait.
 */
export const claimRun = (database: Database, workerId: string): Promise<BillingRun | undefined> =>
  database.inOneStatement(tx =>
    tx.maybe(sql`
      with due as materialized (
        select b.organisation_id, b.id from billing_run b
        where b.status not in ${finished} and b.due_utc <= now() and not exists (
          select from billing_run earlier
          where earlier.organisation_id = b.organisation_id and earlier.partner_id = b.partner_id
            and earlier.period_from < b.period_from and earlier.status not in ${finished})
        order by b.due_utc, b.period_from limit 1 for update skip locked
      )
      update billing_run b
      set status = ${Running}, ${runLease.taking(workerId)}
      from due, partner p
      where b.organisation_id = due.organisation_id and b.id = due.id
        and p.organisation_id = b.organisation_id and p.id = b.partner_id
      returning b.organisation_id, b.id, b.partner_id, p.relationship, b.period_from, b.period_to, b.step,
        b.lease_number, b.failed_attempts`),
  )

/** The outcome of a piece of a run. */
export interface RunProgress {
  /** the next step; null if the run is done, undefined if there is more of the same step */
  next: BillingRunStep | null | undefined
  /** how many consignments were Closed */
  closed?: number
  /** how many could not be Closed, of all that the step has examined so far */
  refused?: number
}

/**
 * Does a piece of a run in one transaction, with the run locked, and records its outcome. Throws `LeaseLost`
 * unless the lease holds and the run is at this step.
 */
export const advanceRun = <Result extends RunProgress>(
  database: Database,
  run: BillingRun,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  database.atomically(async tx => {
    const leased = await tx.maybe(
      sql`select from billing_run where ${runLease.isHeld(run)} and step = ${run.step} for update`,
    )
    if (leased === undefined) throw new LeaseLost(`Another worker goes on with run ${run.id}.`)
    const result = await work(tx)
    const { next, closed = 0, refused = null } = result
    const isDone = next === null
    await tx.run(sql`
      update billing_run
      set step = ${next ?? run.step}, status = ${isDone ? Done : Running},
        ${runLease.renewing()}, closed_count = closed_count + ${closed},
        refused_count = coalesce(${refused}, refused_count),
        done_utc = case when ${isDone} then now() end,
        failure = case when not ${isDone} then failure end,
        worker_id = case when not ${isDone} then worker_id end
      where ${runLease.isHeld(run)}`)
    return result
  })

/** Does a whole step in one transaction. Returns the next step. */
export async function completeStep(
  database: Database,
  run: BillingRun,
  next: BillingRunStep | null,
  work: (tx: Tx) => Promise<void>,
): Promise<BillingRunStep | null> {
  await advanceRun(database, run, async tx => {
    await work(tx)
    return { next }
  })
  return next
}

/** Records why a run failed, and schedules its retry. */
export const recordFailure = (database: Database, run: BillingRun, failure: string): Promise<number> =>
  runLease.end(
    database,
    run,
    sql`status = ${Failed}, failure = ${failure}, failed_attempts = failed_attempts + 1,
      due_utc = now() + interval '1 hour'`,
  )

/** Releases a run, to be continued after some seconds. */
export const releaseRun = (database: Database, run: BillingRun, seconds: number): Promise<number> =>
  runLease.end(database, run, sql`status = ${Pending}, due_utc = now() + make_interval(secs => ${seconds})`)
