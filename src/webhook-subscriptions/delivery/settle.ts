// Writes the outcomes of deliveries in batches, and fails the subscriptions of deliveries that failed for the
// last time. Spec 6.5; decision 6.

import { type Database, sql, type Tx } from '../../platform/database/db.ts'
import { isDatabaseUnavailable, isLockConflict } from '../../platform/database/errors.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { DeliveryStatus, SubscriptionStatus } from '../../vocabulary/webhooks.ts'
import type { ClaimedDelivery } from './claim.ts'
import { describeLastFailure, nextState } from './failure-rule.ts'

/** One attempt, as it is stored with the delivery. */
export interface DeliveryAttempt {
  atUtc: string
  statusCode: number | null
  durationMs: number
  error: string | null
  answer: string | null
}

/** The outcome of a claimed delivery. `error` of the attempt is null if and only if it succeeded. */
export interface DeliveryOutcome {
  claimed: Pick<ClaimedDelivery, 'organisationId' | 'id' | 'leaseNumber' | 'attemptCount'>
  attempt: DeliveryAttempt
}

// Limits the size of a delivery whose subscription is reactivated again and again.
const maxKeptAttempts = 25

/** A subscription that has failed because of a delivery. */
export interface FailedSubscription {
  organisationId: string
  subscriptionId: string
  lastFailure: string
}

/** The result of writing outcomes. */
export interface StoredOutcomes {
  /** how many outcomes were written */
  written: number
  failed: readonly FailedSubscription[]
}

/**
 * Writes outcomes, each only if its lease is still the latest, and fails the subscriptions of deliveries that
 * failed for the last time. `retrySeconds` are the delays after the first, second, … failure.
 */
export function storeOutcomes(
  database: Database,
  outcomes: readonly DeliveryOutcome[],
  retrySeconds: readonly number[],
): Promise<StoredOutcomes> {
  const rows = outcomes.map(({ claimed: { organisationId, id, leaseNumber, attemptCount }, attempt }) => {
    const { status, delaySeconds } = nextState(attemptCount, attempt.error === null, retrySeconds)
    return {
      organisation_id: organisationId,
      id,
      lease_number: leaseNumber,
      status,
      delay_seconds: delaySeconds,
      attempt,
    }
  })
  return database.atomically(async tx => {
    const written = await tx.rows<Failure & { status: number }>(sql`
      update webhook_delivery d set
        status = r.status,
        attempt_count = d.attempt_count + 1,
        attempts = case when jsonb_array_length(d.attempts) < ${maxKeptAttempts} then d.attempts
          else d.attempts - 0 end || r.attempt,
        due_utc = now() + r.delay_seconds * interval '1 second',
        worker_id = null
      from json_to_recordset(${JSON.stringify(rows)}) as r (organisation_id uuid, id uuid,
        lease_number integer, status smallint, delay_seconds float8, attempt jsonb)
      where d.organisation_id = r.organisation_id and d.id = r.id and d.lease_number = r.lease_number
        and d.status = ${DeliveryStatus.Pending}
      returning d.organisation_id, d.webhook_subscription_id as subscription_id, d.id, d.status,
        r.attempt ->> 'error' as error`)
    const failures = written.filter(({ status }) => status === DeliveryStatus.Failed)
    const failed = failures.length > 0 ? await failSubscriptions(tx, failures) : []
    return { written: written.length, failed }
  })
}

interface Failure {
  organisationId: string
  subscriptionId: string
  id: string
  error: string
}

function failSubscriptions(tx: Tx, failures: Failure[]): Promise<FailedSubscription[]> {
  const rows = failures.map(({ organisationId, subscriptionId, id, error }) => ({
    organisation_id: organisationId,
    id: subscriptionId,
    last_failure: describeLastFailure(id, error),
  }))
  // Locking in a fixed order avoids deadlocks between processes that fail the same subscriptions.
  return tx.rows(sql`
    with f as materialized (
      select distinct on (s.organisation_id, s.id) s.organisation_id, s.id, f.last_failure
      from json_to_recordset(${JSON.stringify(rows)}) as f (organisation_id uuid, id uuid, last_failure text)
      join webhook_subscription s on s.organisation_id = f.organisation_id and s.id = f.id
      order by s.organisation_id, s.id
    )
    update webhook_subscription s set status = ${SubscriptionStatus.Failed}, last_failure = f.last_failure,
      last_failure_utc = now()
    from f where s.organisation_id = f.organisation_id and s.id = f.id
      and s.status = ${SubscriptionStatus.Active}
    returning s.organisation_id, s.id as subscription_id, s.last_failure`)
}

const gatherMs = 25
const outageMs = 500
const maxInBatch = 200

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Outcomes that are waiting to be written to the database. */
export interface OutcomeBatches {
  add(outcome: DeliveryOutcome): void
  /** Writes the remaining outcomes, or gives up if the database cannot be reached. */
  finish(): Promise<void>
}

/**
 * Gathers outcomes briefly and writes them together. During an outage of the database they wait in memory. If
 * a batch fails for another reason, its outcomes are written one by one, and those that fail again are
 * dropped: their deliveries are due again when their leases end.
 */
export function createOutcomeBatches(
  context: WorkerContext,
  retrySeconds: readonly number[],
): OutcomeBatches {
  const { database, log } = context
  let waitingOutcomes: DeliveryOutcome[] = []
  let writing: Promise<void> | undefined
  let isFinishing = false
  // How many of the outcomes that wait first are written one by one.
  let oneByOne = 0

  async function write(): Promise<void> {
    if (!isFinishing && waitingOutcomes.length < maxInBatch) await pause(gatherMs)
    while (waitingOutcomes.length > 0) {
      const batch = waitingOutcomes.splice(0, oneByOne > 0 ? 1 : maxInBatch)
      oneByOne = Math.max(0, oneByOne - 1)
      try {
        const { written, failed } = await storeOutcomes(database, batch, retrySeconds)
        countOutcomes(context, batch, written)
        for (const subscription of failed)
          log.warn(
            subscription,
            'a webhook subscription has failed: nothing is sent to it until it is reactivated',
          )
      } catch (error) {
        const isTemporary = isDatabaseUnavailable(error) || isLockConflict(error)
        const [{ claimed }] = batch as [DeliveryOutcome]
        if (!isTemporary && batch.length === 1) {
          log.error({ err: error, deliveryId: claimed.id }, 'the result of a delivery cannot be written')
          continue
        }
        waitingOutcomes = [...batch, ...waitingOutcomes]
        if (!isTemporary) {
          oneByOne = batch.length
          continue
        }
        if (isFinishing) return
        await pause(outageMs)
      }
    }
  }

  const start = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
      if (waitingOutcomes.length > 0 && !isFinishing) void start()
    })
    return writing
  }

  return {
    add(outcome) {
      waitingOutcomes.push(outcome)
      void start()
    },
    async finish() {
      isFinishing = true
      await writing
      if (waitingOutcomes.length > 0) await start()
    },
  }
}

function countOutcomes({ metrics }: WorkerContext, batch: readonly DeliveryOutcome[], written: number): void {
  const delivered = batch.filter(({ attempt }) => attempt.error === null).length
  const counts = { delivered, failed: batch.length - delivered, stale: batch.length - written }
  for (const { attempt } of batch) {
    metrics.observe(
      'webhook_attempt_duration_seconds',
      'Duration of attempts to deliver webhooks, by outcome.',
      { outcome: attempt.error === null ? 'delivered' : 'failed' },
      attempt.durationMs / 1_000,
    )
  }
  for (const [outcome, count] of Object.entries(counts)) {
    metrics.count(
      'webhook_attempts_total',
      'Attempts to deliver webhooks, by outcome; stale means that another process had taken over.',
      { outcome },
      count,
    )
  }
}
