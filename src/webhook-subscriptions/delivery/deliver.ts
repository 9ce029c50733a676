// The worker that sends deliveries: claims what is due, sends it, and writes what came of it in batches. Spec
// 6.2 to 6.5; open-points 6.

import { eventTypeNames } from '../../events/event.ts'
import { databaseAway } from '../../platform/database/errors.ts'
import type { OutgoingAnswer } from '../../platform/outgoing/outgoing-http.ts'
import { onHint } from '../../platform/work/hints.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import {
  type Attempt,
  beginning,
  type Claimed,
  claim,
  giveBack,
  type Outcome,
  type Position,
  settle,
} from './claim.ts'
import { firstAllowance, openPace } from './concurrency.ts'
import { signatureHeaders } from './signature.ts'

/** Times of the worker, in milliseconds; tests compress them. */
export interface DeliveryTimes {
  /** the whole exchange with a receiver */
  answerMs: number
  /** how long a claim holds; longer than an exchange and the writing of its result */
  leaseMs: number
  /** how long a stop waits for what is under way */
  stopMs: number
}

const times: DeliveryTimes = { answerMs: 30_000, leaseMs: 45_000, stopMs: 5_000 }

// Claimed by one statement.
const maxAtOnce = 200
// Claims closer together than this would each find next to nothing.
const betweenClaimsMs = 10
const gatherMs = 25
const maxInBatch = 200
const maxAnswerBytes = 65_536
const keptAnswerBytes = 1_024

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Waits for the work, but not longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}

/** Starts the worker. `retrySeconds` are the pauses after the first, second … failed attempt. */
export function deliver(
  context: WorkerContext,
  retrySeconds: readonly number[],
  { answerMs, leaseMs, stopMs }: DeliveryTimes = times,
): WorkLoop {
  const { database, log, outgoing } = context
  const pace = openPace()
  const underWay = new Map<Claimed, Promise<void>>()
  const results = openResults(context, retrySeconds)
  /** subscriptions of which more may be due than they were allowed */
  const unsatisfied = new Set<string>()
  let position: Position = beginning

  async function step(): Promise<boolean> {
    const limit = Math.min(maxAtOnce, pace.room())
    if (limit === 0) return false
    const startedAt = position
    const allowances = pace.allowances(performance.now())
    for (const id of unsatisfied) if (allowances[id] !== 0) unsatisfied.delete(id)
    const claimed = await claim(database, {
      position,
      limit,
      crowded: pace.crowded(),
      allowances,
      leaseSeconds: leaseMs / 1000,
    })
    for (const delivery of claimed) {
      const ended = send(delivery).then(outcome => end(delivery, outcome))
      underWay.set(delivery, ended)
    }
    const isMoreAllowed = noteUnsatisfied(claimed, allowances)
    const last = claimed.length === limit ? claimed.reduce((a, b) => (isBefore(a, b) ? b : a)) : undefined
    position = last ? [last.organisationId, last.subscriptionId] : beginning
    await pause(betweenClaimsMs)
    return isMoreAllowed || last !== undefined || startedAt !== beginning
  }

  /**
   * Remembers which subscriptions got all that they were allowed, for more may wait. True: one of them has
   * answered meanwhile and may have it now.
   */
  function noteUnsatisfied(claimed: Claimed[], allowances: Record<string, number>): boolean {
    for (const [id, { length }] of Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId)) {
      if (length >= (allowances[id] ?? firstAllowance)) unsatisfied.add(id)
    }
    return [...unsatisfied].some(id => pace.allowance(id, performance.now()) > 0)
  }

  async function send(delivery: Claimed): Promise<Outcome | undefined> {
    pace.start(delivery, performance.now())
    try {
      const answer = await outgoing.send({ ...requestOf(context, delivery), timeoutMs: answerMs })
      return { claimed: delivery, attempt: attemptOf(delivery, answer) }
    } catch (error) {
      // A key that does not open is not the receiver's failure: the delivery stays as it is and is tried
      // again when its lease ends.
      log.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be prepared')
      return undefined
    }
  }

  /**
   * Makes room for others. Only after the delivery was entered among those under way, even if nothing could
   * be sent.
   */
  function end(delivery: Claimed, outcome: Outcome | undefined): void {
    const { subscriptionId } = delivery
    const wasCrowded = pace.crowded().length > 0
    pace.end(delivery, outcome?.attempt.error === null, performance.now())
    if (unsatisfied.delete(subscriptionId) || wasCrowded) loop.wake()
    if (underWay.delete(delivery) && outcome !== undefined) results.add(outcome)
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
      await results.finish()
      if (abandoned.length > 0)
        await giveBack(database, abandoned).catch(error =>
          log.warn({ err: error }, 'leases were not given back'),
        )
    },
  }
}

const isBefore = (a: Claimed, b: Claimed) =>
  a.organisationId < b.organisationId ||
  (a.organisationId === b.organisationId && a.subscriptionId < b.subscriptionId)

/** What is sent: the same bytes at every attempt, for they are made of what was stored with the event. */
function requestOf({ secretBox }: WorkerContext, delivery: Claimed) {
  const { id, eventId, eventType, eventCreatedUtc, data, signingKey1, signingKey2 } = delivery
  const head = JSON.stringify({ id: eventId, type: eventTypeNames[eventType], created: eventCreatedUtc })
  const body = Buffer.from(`${head.slice(0, -1)},"data":${data},"operationId":"${id}"}`)
  const keys = {
    app: secretBox.open(delivery.secretHash),
    signingKey1: signingKey1 && secretBox.open(signingKey1),
    signingKey2: signingKey2 && secretBox.open(signingKey2),
  }
  return {
    url: delivery.webhookUrl,
    method: 'POST' as const,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Waybill',
      ...signatureHeaders(keys, eventId, new Date(delivery.atUtc), body),
    },
    body,
    maxAnswerBytes: maxAnswerBytes,
    // The status says whether the delivery was taken, however long the body is.
    onTooLarge: 'cut' as const,
  }
}

function attemptOf({ atUtc }: Claimed, answer: OutgoingAnswer): Attempt {
  const { status: statusCode, durationMs } = answer
  if (!answer.ok) return { atUtc, statusCode, durationMs, error: answer.error, answer: null }
  return { atUtc, statusCode, durationMs, error: errorOf(answer.status), answer: storable(answer.body) }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  return `The receiver answered ${status}.`
}

/** The beginning of an answer as text that the database takes: no NUL, no half characters. */
function storable(body: Buffer): string | null {
  if (body.length === 0) return null
  return new TextDecoder()
    .decode(body.subarray(0, keptAnswerBytes), { stream: true })
    .replaceAll('\0', '\uFFFD')
}

/** Gathers outcomes for a moment and writes them together. While the database is away they wait in memory. */
function openResults({ database, metrics, log }: WorkerContext, retrySeconds: readonly number[]) {
  let waiting: Outcome[] = []
  let writing: Promise<void> | undefined
  let isFinishing = false

  async function write(): Promise<void> {
    if (!isFinishing && waiting.length < maxInBatch) await pause(gatherMs)
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxInBatch)
      try {
        const written = await settle(database, batch, retrySeconds)
        const delivered = batch.filter(({ attempt }) => attempt.error === null).length
        const count = (outcome: string, by: number) =>
          metrics.count(
            'webhook_attempts_total',
            'Attempts to deliver webhooks, by outcome; stale: another process had taken over.',
            { outcome },
            by,
          )
        count('delivered', delivered)
        count('failed', batch.length - delivered)
        count('stale', batch.length - written)
      } catch (error) {
        if (!databaseAway(error))
          log.error({ err: error, outcomes: batch.length }, 'results of deliveries could not be written yet')
        waiting = [...batch, ...waiting]
        if (isFinishing) return
        await pause(500)
      }
    }
  }

  const start = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
      if (waiting.length > 0 && !isFinishing) void start()
    })
    return writing
  }

  return {
    add(outcome: Outcome) {
      waiting.push(outcome)
      void start()
    },
    async finish() {
      isFinishing = true
      await writing
      if (waiting.length > 0) await start()
    },
  }
}
