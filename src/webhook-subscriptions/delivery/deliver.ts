// The worker that sends deliveries: claims due deliveries, sends them, and writes their outcomes in batches.
// Spec 6.2 to 6.5; decision 6.

import { onHint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { attemptDelivery } from './attempt.ts'
import { type ClaimedDelivery, releaseClaims } from './claim.ts'
import { createConcurrency } from './concurrency.ts'
import { createRounds } from './rounds.ts'
import { createOutcomeBatches, type DeliveryOutcome } from './settle.ts'

/** Times of the worker, in milliseconds. Tests shorten them. */
export interface DeliveryTimes {
  /** the longest exchange with a receiver */
  timeoutMs: number
  /** the lease of a claim, longer than an exchange and the writing of its outcome */
  leaseMs: number
  /** how long a stopping worker waits for deliveries in progress */
  stopMs: number
}

const times: DeliveryTimes = { timeoutMs: 30_000, leaseMs: 45_000, stopMs: 5_000 }

// More frequent claims would each find almost nothing.
const betweenClaimsMs = 10

/** Starts the worker. `retrySeconds` are the pauses after the first, second, … failed attempt. */
export function startDeliveries(
  context: WorkerContext,
  retrySeconds: readonly number[],
  { timeoutMs, leaseMs, stopMs }: DeliveryTimes = times,
): WorkLoop {
  const { database, log, presence } = context
  const concurrency = createConcurrency()
  const rounds = createRounds(database, concurrency, presence.id, leaseMs)
  const outcomes = createOutcomeBatches(context, retrySeconds)
  const inProgress = new Map<ClaimedDelivery, Promise<void>>()

  async function step(): Promise<boolean> {
    for (const delivery of await rounds.claimNext()) {
      concurrency.start(delivery, performance.now())
      const ended = outcomeOf(context, delivery, timeoutMs).then(outcome => end(delivery, outcome))
      inProgress.set(delivery, ended)
    }
    const isMoreDue = rounds.isMoreDue()
    await pause(betweenClaimsMs)
    return isMoreDue
  }

  /** Frees the slot of a delivery, even if nothing could be sent, and records its outcome. */
  function end(delivery: ClaimedDelivery, outcome: DeliveryOutcome | undefined): void {
    const wasSaturated = concurrency.saturatedOrganisations().length > 0
    // A receiver that had sent only a part of its response by the deadline is not a quick one.
    const isQuick = outcome?.attempt.error === null && outcome.attempt.durationMs < timeoutMs
    concurrency.end(delivery, isQuick, performance.now())
    if (rounds.ended(delivery.subscriptionId) || wasSaturated) loop.wake()
    if (inProgress.delete(delivery) && outcome !== undefined) outcomes.add(outcome)
  }

  const loop = startWorkLoop({ name: 'deliveries', log, pollMs: 500, step })
  const stopListening = onHint('deliveries', loop.wake)
  return {
    ...loop,
    async stop() {
      stopListening()
      await loop.stop()
      await within(stopMs, Promise.all(inProgress.values()))
      const abandoned = [...inProgress.keys()]
      inProgress.clear()
      await outcomes.finish()
      if (abandoned.length === 0) return
      await releaseClaims(database, abandoned).catch(error =>
        log.warn({ err: error }, 'leases were not given back'),
      )
    },
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Waits for the work, but at most `ms`. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}

/**
 * Sends a delivery. A key that cannot be decrypted is not a failure of the receiver: there is no outcome, and
 * the delivery is attempted again when its lease ends.
 */
async function outcomeOf(
  context: WorkerContext,
  delivery: ClaimedDelivery,
  timeoutMs: number,
): Promise<DeliveryOutcome | undefined> {
  try {
    return { claimed: delivery, attempt: await attemptDelivery(context, delivery, timeoutMs) }
  } catch (error) {
    context.log.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be prepared')
    return undefined
  }
}
