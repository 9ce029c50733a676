// A billing run on its way: claimed by one worker under a lease, and moved on step by step. Each step is
// noted in the transaction that does it: whoever goes on after a worker was killed knows what is done.

import { type Database, raw, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { BillingRunStatus, type BillingRunStep } from '../enumerations.ts'

/** A run that this process makes, while its lease holds. */
export interface BillingRun {
  organisationId: string
  id: string
  partnerId: string
  relationship: number
  periodFrom: string
  periodTo: string
  step: BillingRunStep
  leaseNumber: number
  failedAttempts: number
}

/** How long a run waits for another worker when its own is killed unnoticed. */
const lease = sql`interval '45 seconds'`
const renewalMs = 10_000

const { Pending, Running, Done, Failed } = BillingRunStatus
// As a literal: a prepared statement cannot otherwise use the index of what is not done.
const done = raw(String(Done))

const isHeld = ({ organisationId, id, leaseNumber }: BillingRun): Sql =>
  sql`organisation_id = ${organisationId} and id = ${id} and status = ${Running} and lease_number =
    ${leaseNumber}`

/** Thrown where another worker goes on with a run. */
export class LeaseLost extends Error {}

/**
 * Claims the run that is due longest. A run waits for the earlier ones of its partner, so that what one
 * period is billed never depends on the order of retries; those of other partners go on.
 */
export const claimRun = (database: Database, workerId: string): Promise<BillingRun | undefined> =>
  database.inOneStatement(tx =>
    tx.maybe(sql`
      with due as materialized (
        select b.organisation_id, b.id from billing_run b
        where b.status <> ${done} and b.due_utc <= now() and not exists (
          select from billing_run earlier
          where earlier.organisation_id = b.organisation_id and earlier.partner_id = b.partner_id
            and earlier.period_from < b.period_from and earlier.status <> ${done})
        order by b.due_utc, b.period_from limit 1 for update skip locked
      )
      update billing_run b
      set status = ${Running}, due_utc = now() + ${lease}, lease_number = b.lease_number + 1,
        worker_id = ${workerId}
      from due, partner p
      where b.organisation_id = due.organisation_id and b.id = due.id
        and p.organisation_id = b.organisation_id and p.id = b.partner_id
      returning b.organisation_id, b.id, b.partner_id, p.relationship, b.period_from, b.period_to, b.step,
        b.lease_number, b.failed_attempts`),
  )

/** Renews the lease while `work` goes on. */
export async function withLeaseRenewal<T>(
  database: Database,
  run: BillingRun,
  work: () => Promise<T>,
): Promise<T> {
  const renew = () =>
    database.inOneStatement(tx =>
      tx.run(sql`update billing_run set due_utc = now() + ${lease} where ${isHeld(run)}`),
    )
  const renewing = setInterval(() => renew().catch(() => {}), renewalMs)
  return work().finally(() => clearInterval(renewing))
}

/** What a piece of a run came to. */
export interface Outcome {
  /** what the run does next, null where it is done; undefined where there is more of the same step */
  next: BillingRunStep | null | undefined
  /** consignments that were Closed */
  closed?: number
  /** those that could not be, of all that the step has looked at */
  refused?: number
}

/**
 * Does a piece of a run in one transaction, with the run locked, and notes what it came to: it counts only
 * while the lease holds and the run is at this step.
 */
export const advanceRun = <Result extends Outcome>(
  database: Database,
  run: BillingRun,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  database.atomically(async tx => {
    const held = await tx.maybe(
      sql`select from billing_run where ${isHeld(run)} and step = ${run.step} for update`,
    )
    if (held === undefined) throw new LeaseLost(`Another worker goes on with run ${run.id}.`)
    const result = await work(tx)
    const { next, closed = 0, refused = null } = result
    const isDone = next === null
    await tx.run(sql`
      update billing_run
      set step = ${next ?? run.step}, status = ${isDone ? Done : Running},
        due_utc = clock_timestamp() + ${lease}, closed_count = closed_count + ${closed},
        refused_count = coalesce(${refused}, refused_count),
        done_utc = case when ${isDone} then now() end,
        failure = case when not ${isDone} then failure end,
        worker_id = case when not ${isDone} then worker_id end
      where ${isHeld(run)}`)
    return result
  })

/** Does a whole step in one transaction. Returns what comes next. */
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

/** Notes why a run could not go on, and when it is tried again. */
export const noteFailure = (database: Database, run: BillingRun, failure: string): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update billing_run
      set status = ${Failed}, failure = ${failure}, failed_attempts = failed_attempts + 1,
        due_utc = now() + interval '1 hour', worker_id = null
      where ${isHeld(run)}`),
  )

/** Gives a run back, to be gone on with after some seconds. */
export const releaseRun = (database: Database, run: BillingRun, seconds: number): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update billing_run
      set status = ${Pending}, due_utc = now() + make_interval(secs => ${seconds}), worker_id = null
      where ${isHeld(run)}`),
  )

/** Frees the runs of workers that have died. Returns how many there were. */
export const freeRunsOf = (database: Database, workerIds: readonly string[]): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update billing_run set status = ${Pending}, due_utc = now(), worker_id = null
      where worker_id = any (${workerIds as string[]}::uuid[]) and status = ${Running}`),
  )
