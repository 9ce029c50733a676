// The work loop of billing runs: plans the runs that are due, and does them one after the other. Decision
// 7.

import { sql } from '../../platform/database/db.ts'
import {
  isDatabaseUnavailable,
  isLockConflict,
  TemporarilyUnavailable,
} from '../../platform/database/errors.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { onHint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { BillingRunStatus, BillingRunStep } from '../../vocabulary/billing.ts'
import { approveSchedules } from './approve-schedules.ts'
import { type BillingRun, claimRun, LeaseLost, recordFailure, releaseRun, runLease } from './billing-run.ts'
import { closeCompleteConsignments } from './close-complete-consignments.ts'
import { createSchedules } from './create-schedules.ts'
import { planRuns } from './plan-runs.ts'
import { raisePeriodicCharges } from './raise-periodic-charges.ts'
import { raiseStorageOfRun } from './raise-storage.ts'
import { type RunRule, readRunRule } from './run-rule.ts'

/**
 * Does a step of a run, and returns the next one; null if the run is done. If the signal fires, a long step
 * may return itself, to be repeated by the worker that takes over.
 */
type RunStep = (
  context: Pick<WorkerContext, 'database'>,
  run: BillingRun,
  rule: RunRule,
  stopping: AbortSignal,
) => Promise<BillingRunStep | null>

const steps: Record<BillingRunStep, RunStep> = {
  [BillingRunStep.Close]: closeCompleteConsignments,
  [BillingRunStep.Storage]: raiseStorageOfRun,
  [BillingRunStep.Periodic]: raisePeriodicCharges,
  [BillingRunStep.Schedule]: createSchedules,
  [BillingRunStep.Approve]: approveSchedules,
}

const planIntervalMs = 60_000
const loopName = 'billing-runs'
/** The delay after which a run that met a transient obstacle continues. */
const retrySeconds = 10

/** Whether a run can soon continue: rows it needs are locked, or stock is still being written. */
const isTransient = (error: unknown) =>
  isLockConflict(error) ||
  error instanceof TemporarilyUnavailable ||
  (error instanceof Refusal && error.status === 503)

const describeFailure = (error: unknown): string =>
  error instanceof Refusal
    ? error.messages.join(' ')
    : 'The run could not go on: an unexpected error, which the log of the service describes.'

type Context = Pick<WorkerContext, 'database' | 'log' | 'presence'>

const neverAborted = new AbortController().signal

/** Claims the run that has been due longest, and does its remaining steps. Returns false if none is due. */
export async function runNext(context: Context, stopping: AbortSignal = neverAborted): Promise<boolean> {
  const { database, log, presence } = context
  const run = await claimRun(database, presence.id)
  if (run === undefined) return false
  try {
    await runLease.whileRenewed(database, run, async () => {
      const rule = await readRunRule(database.db, run)
      let next: BillingRunStep | null = run.step
      while (next !== null && !stopping.aborted) {
        run.step = next
        next = await steps[next](context, run, rule, stopping)
      }
      if (next !== null) await releaseRun(database, run, 0)
    })
  } catch (error) {
    if (error instanceof LeaseLost) return true
    if (isDatabaseUnavailable(error)) throw error
    if (isTransient(error)) {
      await releaseRun(database, run, retrySeconds)
      return true
    }
    const { organisationId, id, partnerId, step } = run
    log.error({ err: error, organisationId, billingRunId: id, partnerId, step }, 'a billing run failed')
    await recordFailure(database, run, describeFailure(error))
  }
  return true
}

/** Starts the loop, and adds the gauge `billing_runs_failed`. */
export function startBillingRuns(context: WorkerContext): WorkLoop {
  const { database, log, metrics } = context
  metrics.gauge(
    'billing_runs_failed',
    'Billing runs that could not go on and are tried again every hour.',
    async () =>
      (
        await database.db.row<{ n: number }>(sql`
          select count(*)::integer as n from billing_run where status = ${BillingRunStatus.Failed}`)
      ).n,
  )
  let plannedAt = Number.NEGATIVE_INFINITY
  const loop = startWorkLoop({
    name: loopName,
    log,
    pollMs: 5_000,
    async step(stopping) {
      if (performance.now() - plannedAt > planIntervalMs) {
        plannedAt = performance.now()
        await planRuns(database, new Date())
      }
      return runNext(context, stopping)
    },
  })
  const stopHints = onHint(loopName, () => {
    plannedAt = Number.NEGATIVE_INFINITY
    loop.wake()
  })
  return {
    ...loop,
    async stop() {
      stopHints()
      await loop.stop()
    },
  }
}
