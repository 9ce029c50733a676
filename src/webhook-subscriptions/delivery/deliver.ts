// The worker that sends deliveries: claims what is due, sends it, and writes what came of it in batches. Spec
// 6.2 to 6.5; open-points 6.

import { onHint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { attempt } from './attempt.ts'
import { type Claimed, giveBack } from './claim.ts'
import { openConcurrency } from './concurrency.ts'
import { openRounds } from './rounds.ts'
import { type Outcome, openOutcomeBatches } from './settle.ts'

/** Times of the worker, in milliseconds; tests compress them. */
export interface DeliveryTimes {
  /** the whole exchange with a receiver */
  timeoutMs: number
  /** how long a claim holds; longer than an exchange and the writing of its result */
  leaseMs: number
  /** how long a stop waits for what is under way */
  stopMs: number
}

const times: DeliveryTimes = { timeoutMs: 30_000, leaseMs: 45_000, stopMs: 5_000 }

// Claims closer together than this would each find next to nothing.
const betweenClaimsMs = 10

/** Starts the worker. `retrySeconds` are the pauses after the first, second … failed attempt. */
export function startDeliveries(
  context: WorkerContext,
  retrySeconds: readonly number[],
  { timeoutMs, leaseMs, stopMs }: DeliveryTimes = times,
): WorkLoop {
  const { database, log, presence } = context
  const concurrency = openConcurrency()
  const rounds = openRounds(database, concurrency, presence.id, leaseMs)
  const outcomes = openOutcomeBatches(context, retrySeconds)
  const underWay = new Map<Claimed, Promise<void>>()

  async function step(): Promise<boolean> {
    for (const delivery of await rounds.claimNext()) {
      concurrency.start(delivery, performance.now())
      const ended = outcomeOf(context, delivery, timeoutMs).then(outcome => end(delivery, outcome))
      underWay.set(delivery, ended)
    }
    const isMoreDue = rounds.isMoreDue()
    await pause(betweenClaimsMs)
    return isMoreDue
  }

  /** Makes room for others, even if nothing could be sent. */
  function end(delivery: Claimed, outcome: Outcome | undefined): void {
    const wasCrowded = concurrency.crowded().length > 0
    // One that was given only the beginning of an answer by its deadline is no quick receiver.
    const isQuick = outcome?.attempt.error === null && outcome.attempt.durationMs < timeoutMs
    concurrency.end(delivery, isQuick, performance.now())
    if (rounds.answered(delivery.subscriptionId) || wasCrowded) loop.wake()
    if (underWay.delete(delivery) && outcome !== undefined) outcomes.add(outcome)
  }

  const loop = startWorkLoop({ name: 'deliveries', log, pollMs: 500, step })
  const unhint = onHint('deliveries', loop.wake)
  return {
    ...loop,
    async stop() {
      unhint()
      await loop.stop()
      await within(stopMs, Promise.all(underWay.values()))
      const abandoned = [...underWay.keys()]
      underWay.clear()
      await outcomes.finish()
      if (abandoned.length === 0) return
      await giveBack(database, abandoned).catch(error =>
        log.warn({ err: error }, 'leases were not given back'),
      )
    },
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Waits for the work, but not longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}

/**
 * Sends a delivery. A key that does not open is not the receiver's failure: then there is no outcome, and the
 * delivery is tried again when its lease ends.
 */
async function outcomeOf(
  context: WorkerContext,
  delivery: Claimed,
  timeoutMs: number,
): Promise<Outcome | undefined> {
  try {
    return { claimed: delivery, attempt: await attempt(context, delivery, timeoutMs) }
  } catch (error) {
    context.log.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be prepared')
    return undefined
  }
}
