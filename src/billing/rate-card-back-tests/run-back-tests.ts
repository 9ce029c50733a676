// The work loop that makes back-tests, one at a time: claims one, keeps the claim while a thread makes it,
// and notes how it ended. Of a process that dies, another begins the test again.

import { type Database, raw, sql } from '../../platform/database/db.ts'
import { startCleanup } from '../../platform/work/cleanup.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { BackTestStatus } from '../enumerations.ts'
import { runInThread } from './back-test-thread.ts'
import { isStillLeased, type LeasedBackTest } from './store-result.ts'

/** What wakes the loop. */
export const backTestHint = 'back-tests'

const lease = sql`now() + interval '5 seconds'`
const renewalMs = 1_000
// As literals: only so the index of what is under way can be used.
const pending = raw(String(BackTestStatus.Pending))
const running = raw(String(BackTestStatus.Running))

/** Claims a test that waits, or whose claim has ended. */
const claim = (database: Database, workerId: string): Promise<LeasedBackTest | undefined> =>
  database.inOneStatement(tx =>
    tx.maybe<LeasedBackTest>(sql`
      update rate_card_back_test t
      set status = ${running}, lease_number = t.lease_number + 1, worker_id = ${workerId},
        leased_until = ${lease}, started_utc = now(), progress = 0
      from (
        select organisation_id, id from rate_card_back_test
        where status in (${pending}, ${running}) and (leased_until is null or leased_until < now())
        order by created_utc limit 1 for update skip locked
      ) due
      where t.organisation_id = due.organisation_id and t.id = due.id
      returning t.organisation_id, t.id, t.lease_number`),
  )

/** Keeps a claim. False: the test is cancelled, or somebody else's by now. */
const renew = (database: Database, leased: LeasedBackTest, percent: number): Promise<boolean> =>
  database.inOneStatement(
    async tx =>
      (await tx.run(sql`
        update rate_card_back_test set leased_until = ${lease}, progress = ${percent}
        where ${isStillLeased(leased)}`)) > 0,
  )

/** Gives a claim back, for whoever looks next. */
const giveBack = (database: Database, leased: LeasedBackTest): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update rate_card_back_test set status = ${pending}, worker_id = null, leased_until = null, progress = 0
      where ${isStillLeased(leased)}`),
  )

const fail = (database: Database, leased: LeasedBackTest): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update rate_card_back_test
      set status = ${BackTestStatus.Failed}, finished_utc = now(), worker_id = null, leased_until = null,
        failure = 'The test met a fault of the service, which its log tells.'
      where ${isStillLeased(leased)}`),
  )

/** Makes the test that waits longest. False: none waits. When it is to stop, it gives the test back. */
export async function runDueBackTest(
  { database, log, presence }: Pick<WorkerContext, 'database' | 'log' | 'presence'>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const leased = await claim(database, presence.id)
  if (leased === undefined) return false
  const lost = new AbortController()
  let percent = 0
  const renewing = setInterval(async () => {
    // A renewal that fails is made up for by the next.
    const isOurs = await renew(database, leased, percent).catch(() => true)
    if (!isOurs) lost.abort()
  }, renewalMs)
  const job = { connection: database.connection, ...leased }
  const end = await runInThread(job, AbortSignal.any([stopping, lost.signal]), now => {
    percent = now
  }).finally(() => clearInterval(renewing))
  if (end.kind === 'cut') await giveBack(database, leased)
  if (end.kind === 'failed') {
    const { organisationId, id } = leased
    log.error({ organisationId, rateCardBackTestId: id, reason: end.message }, 'a back-test was not made')
    await (end.isTransient ? giveBack(database, leased) : fail(database, leased))
    // What passes has not passed at once.
    return !end.isTransient
  }
  return true
}

/** Starts the loop that makes back-tests. */
export const startBackTests = (context: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: backTestHint,
    log: context.log,
    pollMs: 1_000,
    step: stopping => runDueBackTest(context, stopping),
  })

/** Frees the tests that these workers have claimed, who have died. Returns how many there were. */
export const freeBackTestsOf = (database: Database, workerIds: readonly string[]): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      update rate_card_back_test set leased_until = null, worker_id = null
      where worker_id = any(${workerIds as string[]}::uuid[]) and status = ${running}`),
  )

const maxAtOnce = 100

/** Starts the loop that forgets tests 30 days after their end, save those that bills were adjusted to. */
export const startDeletingOldBackTests = (context: WorkerContext): WorkLoop =>
  startCleanup(context, {
    name: 'back-tests',
    maxAtOnce,
    deleteSome: deleteOldBackTests,
  })

/** Forgets some tests that are old. Returns how many. */
export const deleteOldBackTests = (database: Database): Promise<number> =>
  database.inOneStatement(tx =>
    tx.run(sql`
      delete from rate_card_back_test where (organisation_id, id) in (
        select organisation_id, id from rate_card_back_test
        where finished_utc < now() - interval '30 days' and adjusted_utc is null
        limit ${maxAtOnce} for update skip locked)`),
  )
