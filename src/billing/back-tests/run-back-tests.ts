// The work loop that runs back-tests, one at a time: it claims one, renews the lease while a thread runs it,
// and records how it ended. If the process dies, another one starts the back-test again.

import { type Database, raw, sql } from '../../platform/database/db.ts'
import { startCleanup } from '../../platform/work/cleanup.ts'
import type { Leased } from '../../platform/work/lease.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { BackTestStatus } from '../../vocabulary/billing.ts'
import { runInThread } from './back-test-thread.ts'
import { backTestLease } from './store-result.ts'

/** The hint that wakes the loop. */
export const backTestHint = 'back-tests'

// Literals, because only then can the partial index of unfinished back-tests be used.
const pending = raw(String(BackTestStatus.Pending))
const running = raw(String(BackTestStatus.Running))

/** Claims a back-test that is waiting, or whose lease has expired. */
const claim = (database: Database, workerId: string): Promise<Leased | undefined> =>
  database.inOneStatement(tx =>
    tx.maybe<Leased>(sql`
      update rate_card_back_test t
      set status = ${running}, ${backTestLease.taking(workerId)}, started_utc = now(), progress = 0
      from (
        select organisation_id, id from rate_card_back_test
        where status in (${pending}, ${running}) and (leased_until is null or leased_until < now())
        order by created_utc limit 1 for update skip locked
      ) due
      where t.organisation_id = due.organisation_id and t.id = due.id
      returning t.organisation_id, t.id, t.lease_number`),
  )

/** Releases a back-test, so that the next worker can claim it. */
const release = (database: Database, leased: Leased): Promise<number> =>
  backTestLease.end(database, leased, sql`status = ${pending}, leased_until = null, progress = 0`)

const fail = (database: Database, leased: Leased): Promise<number> =>
  backTestLease.end(
    database,
    leased,
    sql`status = ${BackTestStatus.Failed}, finished_utc = now(), leased_until = null,
      failure = 'The test met a fault of the service, which its log tells.'`,
  )

/**
 * Runs the back-test that has waited longest. Returns false if none is waiting, or after a transient failure.
 * If `stopping` is aborted, the back-test is released.
 */
export async function runDueBackTest(
  { database, log, presence }: Pick<WorkerContext, 'database' | 'log' | 'presence'>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const leased = await claim(database, presence.id)
  if (leased === undefined) return false
  let percent = 0
  const job = { connection: database.connection, ...leased }
  const end = await backTestLease.whileRenewed(
    database,
    leased,
    lost =>
      runInThread(job, AbortSignal.any([stopping, lost]), progress => {
        percent = progress
      }),
    () => sql`, progress = ${percent}`,
  )
  if (end.kind === 'stopped') await release(database, leased)
  if (end.kind === 'failed') {
    const { organisationId, id } = leased
    log.error({ organisationId, rateCardBackTestId: id, reason: end.message }, 'a back-test failed')
    await (end.isTransient ? release(database, leased) : fail(database, leased))
    // A transient failure probably persists for a moment, so the loop waits before the next attempt.
    return !end.isTransient
  }
  return true
}

export const startBackTests = (context: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: backTestHint,
    log: context.log,
    pollMs: 1_000,
    step: stopping => runDueBackTest(context, stopping),
  })

const maxAtOnce = 100

/** Starts the loop that deletes back-tests 30 days after their end, unless their differences were billed. */
export const startDeletingOldBackTests = (context: WorkerContext): WorkLoop =>
  startCleanup(context, {
    name: 'back-tests',
    maxAtOnce,
    deleteSome: deleteOldBackTests,
  })

/** Deletes up to 100 old back-tests. Returns how many it deleted. */
export const deleteOldBackTests = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      delete from rate_card_back_test where (organisation_id, id) in (
        select organisation_id, id from rate_card_back_test
        where finished_utc < now() - interval '30 days' and adjusted_utc is null
        limit ${maxAtOnce} for update skip locked)`),
  )
